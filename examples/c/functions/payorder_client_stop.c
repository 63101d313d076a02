#include <payorder.h>
#include <stdio.h>

/* When the program ends. */
void example(payorder_client *client)
{
    char *json = NULL, *cause = NULL;

    payorder_client_stop(client);
    while (payorder_live_calls() != 0) {
        /* Sleep for a moment: each call ends within 100 ms. */
    }

    /* A thread that does not know it yet sends nothing. */
    payorder_result result = payorder_get_status(
        client, "{\"orderId\":\"O-1001\"}", NULL, &json);
    payorder_json_get(json, "/error/cause", &cause);
    printf("%s, %s\n", payorder_result_name(result), cause);

    payorder_string_free(cause);
    payorder_string_free(json);
    payorder_client_free(client);
}

/* Prints:
 * PAYORDER_CANCELLED, client_stopped
 */
