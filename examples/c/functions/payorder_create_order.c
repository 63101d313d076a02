#include <payorder.h>
#include <stdio.h>

void example(payorder_client *client)
{
    const char *order[] = {
        "amount", "100.00",
        "merchantTxnId", "T-1001",
        "orderId", "O-1001",
        "payMode", "all",
        "merchantId", "M-1",
        "productInfo", "Two coffees",
        "customerName", "Asha Rao",
        "customerMobile", "9000000000",
        "customerEmail", "asha@example.com",
        "redirectionURL", "https://shop.example/return",
        "currencyCode", "INR",
        NULL
    };
    char *order_json = NULL, *json = NULL, *url = NULL, *action = NULL;

    payorder_json_object(order, &order_json);
    payorder_result result =
        payorder_create_order(client, order_json, NULL, &json);
    switch (payorder_result_outcome(result)) {
    case PAYORDER_OUTCOME_DONE:
        payorder_json_get(json, "/data/url", &url);
        printf("send the customer to %s\n", url);
        break;
    case PAYORDER_OUTCOME_UNKNOWN:
        /* It may exist. For "ask_status", there is /error/statusQuery. */
        payorder_json_get(json, "/error/action", &action);
        fprintf(stderr, "the order may exist: %s\n", action);
        break;
    default: /* not sent, or refused: this call created no order */
        fprintf(stderr, "%s\n", json);
    }
    payorder_string_free(order_json);
    payorder_string_free(json);
    payorder_string_free(url);
    payorder_string_free(action);
}

/* Prints:
 * send the customer to http...
 */
