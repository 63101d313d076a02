#include <payorder.h>
#include <stdio.h>

void example(payorder_client *client)
{
    const char *query = "{\"orderId\":\"O-1001\"}";
    const char *options = "{\"waitMs\":180000}";
    char *json = NULL, *status = NULL;
    char done[8] = "";

    if (payorder_wait_for_payment(client, query, options, &json)
        == PAYORDER_OK) {
        payorder_json_copy(json, "/final", done, sizeof done, NULL);
        printf("final: %s\n", done);
        /* Give the status to payorder_verify_payment. If it is not final,
         * the customer can still pay: ask again later. */
        if (payorder_json_get(json, "/status", &status) != PAYORDER_OK)
            fprintf(stderr, "not known whether it is paid: %s\n", json);
    } else {
        fprintf(stderr, "%s\n", json);
    }
    payorder_string_free(status);
    payorder_string_free(json);
}

/* Prints:
 * final: true
 */
