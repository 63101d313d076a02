#include <payorder.h>
#include <stdio.h>
#include <string.h>

void example(payorder_client *client)
{
    const char *query = "{\"orderId\":\"O-1001\"}";
    /* "notBefore": when this sale began */
    const char *expected =
        "{\"orderId\":\"O-1001\",\"amount\":\"100.00\","
        "\"notBefore\":\"2026-01-21T14:05:06Z\"}";
    char *status = NULL, *verdict = NULL;
    char paid[8] = "";

    if (payorder_get_status(client, query, NULL, &status) == PAYORDER_OK
        && payorder_verify_payment(expected, status, &verdict)
            == PAYORDER_OK)
        payorder_json_copy(verdict, "/paid", paid, sizeof paid, NULL);
    if (strcmp(paid, "true") == 0)
        printf("paid\n");
    else
        fprintf(stderr, "not verified: %s\n", verdict ? verdict : status);
    payorder_string_free(status);
    payorder_string_free(verdict);
}

/* Prints:
 * paid
 */
