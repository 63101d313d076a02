#include <payorder.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>

void example(payorder_client *client)
{
    int32_t taken = 0;
    int32_t result = -1;
    char *json = NULL;
    char name[] = "sale 17";
    void *sale = name;
    struct pollfd events = {(int)payorder_done_handle(client), POLLIN, 0};

    if (payorder_start(client, "get_status", "{\"orderId\":\"O-1001\"}",
                       NULL, NULL, sale, &json) != PAYORDER_OK) {
        printf("not begun: %s\n", json);
        payorder_string_free(json);
        return;
    }
    /* An event loop has the keyboard and the clock here too. */
    poll(&events, 1, 30000);
    payorder_take_done(client, 0, &taken, &result, &json, &sale);
    if (taken) {
        const char *ended = payorder_result_name(result);
        printf("%s: %s\n", (char *)sale, ended);
    }
    payorder_string_free(json);
}

/* Prints:
 * sale 17: PAYORDER_OK
 */
