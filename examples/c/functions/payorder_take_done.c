#include <payorder.h>
#include <stdio.h>

void example(payorder_client *client)
{
    int32_t taken = 0;
    int32_t result = -1;
    char *json = NULL;
    char name[] = "sale 17";
    void *sale = name;

    if (payorder_start(client, "get_status", "{\"orderId\":\"O-1001\"}",
                       NULL, NULL, sale, &json) != PAYORDER_OK) {
        printf("not begun: %s\n", json);
        payorder_string_free(json);
        return;
    }
    payorder_take_done(client, 30000, &taken, &result, &json, &sale);
    if (taken) {
        const char *ended = payorder_result_name(result);
        printf("%s: %s\n", (char *)sale, ended);
    }
    payorder_string_free(json);
}

/* Prints:
 * sale 17: PAYORDER_OK
 */
