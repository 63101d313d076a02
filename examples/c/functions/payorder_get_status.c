#include <payorder.h>
#include <stdio.h>

void example(payorder_client *client)
{
    const char *query = "{\"orderId\":\"O-1001\"}";
    char *json = NULL;
    char status[64] = "";

    if (payorder_get_status(client, query, NULL, &json) == PAYORDER_OK) {
        payorder_json_copy(json, "/data/transactionStatus",
                           status, sizeof status, NULL);
        /* Verify it before you treat the order as paid. */
        printf("the service says: %s\n", status);
    } else {
        fprintf(stderr, "%s\n", json);
    }
    payorder_string_free(json);
}

/* Prints:
 * the service says: Completed
 */
