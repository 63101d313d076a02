#include <payorder.h>
#include <stdio.h>

void example(payorder_client *client)
{
    const char *token = NULL;
    char *text = NULL, *options = NULL, *json = NULL;

    if (payorder_cancellation_new(&token) != PAYORDER_OK)
        return;
    payorder_json_quote(token, &text);
    payorder_json_set(NULL, "/cancellation", text, &options);

    /* From any thread, for example when the cashier presses Cancel. It
     * ends the calls that have this token, and no others. The customer
     * can still pay then: ask for the status later. */
    payorder_cancellation_cancel(token);

    /* A call that starts later with the same token ends at once. */
    payorder_result result = payorder_wait_for_payment(
        client, "{\"orderId\":\"O-1001\"}", options, &json);
    printf("%s\n", payorder_result_name(result));

    payorder_cancellation_free(token); /* and its text */
    payorder_string_free(text);
    payorder_string_free(options);
    payorder_string_free(json);
}

/* Prints:
 * PAYORDER_CANCELLED
 */
