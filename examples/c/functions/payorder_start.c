#include <payorder.h>
#include <stdio.h>

/* Runs once, on a thread of the library. */
static void done(int32_t result, const char *json, void *user_data)
{
    (void)json; /* copy it: it is borrowed */
    *(int32_t *)user_data = result;
}

void example(payorder_client *client)
{
    int32_t result = -1;
    char *json = NULL;

    if (payorder_start(client, "get_status", "{\"orderId\":\"O-1001\"}",
                       NULL, done, &result, &json) != PAYORDER_OK) {
        printf("not begun: %s\n", json); /* done never runs */
        payorder_string_free(json);
        return;
    }
    while (payorder_live_calls() != 0) {
        /* Go on drawing the window here. */
    }
    printf("%s\n", payorder_result_name(result));
}

/* Prints:
 * PAYORDER_OK
 */
