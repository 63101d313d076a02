#include <payorder.h>
#include <stdio.h>

void example(void)
{
    payorder_client *client = NULL;

    if (payorder_client_new("{\"baseUrl\":\"https://pay.example.com\"}",
                            &client, NULL) != PAYORDER_OK)
        return;
    /* ... calls ... */
    payorder_client_free(client);
    /* A second free is an error and does no harm. */
    printf("%s\n", payorder_result_name(payorder_client_free(client)));
}

/* Prints:
 * PAYORDER_INVALID_HANDLE
 */
