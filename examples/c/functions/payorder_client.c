#include <payorder.h>
#include <stdio.h>
#include <stdlib.h>

void example(void)
{
    const char *given = getenv("SHOP_ACCESS_TOKEN");
    const char *settings[] = {
        "baseUrl", "https://pay.example.com",
        "accessToken", given != NULL ? given : "token",
        NULL
    };
    const char *noon[] = {"accessToken", "the-new-token", NULL};
    payorder_client *client = NULL;
    char *config = NULL, *credentials = NULL, *json = NULL, *cause = NULL;

    payorder_json_object(settings, &config);
    if (payorder_client_new(config, &client, &json) != PAYORDER_OK)
        fprintf(stderr, "%s\n", json);
    payorder_string_free(json);

    /* The token of Create Order changes at noon. */
    payorder_json_object(noon, &credentials);
    if (payorder_client_set_credentials(client, credentials, &json)
        != PAYORDER_OK)
        fprintf(stderr, "%s\n", json);
    payorder_string_free(json);

    /* Ends the calls that are running, for example waits for payments
     * in other threads. The client can still be used. */
    payorder_client_cancel(client);

    /* When the program ends. A thread that does not know it yet sends
     * nothing. */
    payorder_client_stop(client);
    while (payorder_live_calls() != 0) {
        /* Sleep for a moment: each call ends within 100 ms. */
    }
    payorder_result result = payorder_get_status(
        client, "{\"orderId\":\"O-1001\"}", NULL, &json);
    payorder_json_get(json, "/error/cause", &cause);
    printf("%s, %s\n", payorder_result_name(result), cause);

    payorder_client_free(client);
    /* A second free is an error and does no harm. */
    printf("%s\n", payorder_result_name(payorder_client_free(client)));
    payorder_string_free(config);
    payorder_string_free(credentials);
    payorder_string_free(json);
    payorder_string_free(cause);
}

/* Prints:
 * PAYORDER_CANCELLED, client_stopped
 * PAYORDER_INVALID_HANDLE
 */
