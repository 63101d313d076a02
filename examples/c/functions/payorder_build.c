#include <payorder.h>
#include <stdio.h>

static int32_t print_violation(size_t index, const char *key,
                               const char *violation, void *user_data)
{
    char message[256] = "";
    (void)index, (void)key, (void)user_data;

    payorder_json_copy(violation, "/message",
                       message, sizeof message, NULL);
    printf("%s\n", message);
    return 1; /* continue */
}

/* Checks a form before the customer sends it. */
void example(void)
{
    const char *order =
        "{\"amount\":\"0.50\",\"merchantTxnId\":\"T-1\","
        "\"orderId\":\"O-1\",\"payMode\":\"all\",\"merchantId\":\"M-1\","
        "\"productInfo\":\"Tea\",\"customerName\":\"Asha Rao\","
        "\"customerMobile\":\"9000000000\",\"currencyCode\":\"INR\"}";
    char *json = NULL, *body = NULL;

    if (payorder_build_create_order(order, NULL, &json) != PAYORDER_OK)
        payorder_json_each(json, "/error/violations",
                           print_violation, NULL);
    if (payorder_build_get_status("{\"transactionId\":\"X-7\"}", &body)
        == PAYORDER_OK)
        printf("%s\n", body);
    payorder_string_free(json);
    payorder_string_free(body);
}

/* Prints:
 * amount ...
 * customerEmail ...
 * redirectionURL ...
 * {"searchType":"2","orderId":"","transactionId":"X-7"}
 */
