#include <payorder.h>
#include <stdio.h>

void example(void)
{
    char *json = NULL, *query = NULL;

    if (payorder_parse_return_url("/return?shop=7&txn=X-7", &json)
        == PAYORDER_OK) {
        /* Give this to payorder_get_status, and verify the status. */
        payorder_json_get(json, "/statusQuery", &query);
        printf("%s\n", query);
    } else {
        fprintf(stderr, "%s\n", json);
    }
    payorder_string_free(query);
    payorder_string_free(json);
}

/* Prints:
 * {"searchType":"2","orderId":"","transactionId":"X-7"}
 */
