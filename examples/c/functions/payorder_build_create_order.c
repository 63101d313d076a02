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
    const char *order = "{\"amount\":\"0.50\",\"orderId\":\"O-1\"}";
    char *json = NULL;

    if (payorder_build_create_order(order, NULL, &json) != PAYORDER_OK)
        payorder_json_each(json, "/error/violations",
                           print_violation, NULL);
    payorder_string_free(json);
}

/* Prints:
 * amount ...
 * merchantTxnId ...
 * payMode ...
 * merchantId ...
 * productInfo ...
 * customerName ...
 * customerMobile ...
 * customerEmail ...
 * redirectionURL ...
 * currencyCode ...
 */
