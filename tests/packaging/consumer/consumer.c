/* consumer VERSION CONFIG ORDER_ID: checks the version and the ABI, and creates an order. */
#include <payorder.h>

#include <stdio.h>
#include <string.h>

int main(int count, char **arguments)
{
    const char *order[] = {"amount", "100.00", "merchantTxnId", NULL, "orderId", NULL,
                           "payMode", "all", "merchantId", "M-1", "productInfo", "Two coffees",
                           "customerName", "Asha Rao", "customerMobile", "9000000000",
                           "customerEmail", "asha@example.com",
                           "redirectionURL", "https://shop.example/return",
                           "currencyCode", "INR", NULL};
    payorder_client *client = NULL;
    char *json = NULL, *text = NULL;

    if (count != 4) {
        return 2;
    }
    if (strcmp(payorder_version(), arguments[1]) != 0 || payorder_abi_version() != 1) {
        fprintf(stderr, "this is payorder %s, ABI %u\n", payorder_version(),
                (unsigned)payorder_abi_version());
        return 1;
    }
    order[3] = order[5] = arguments[3];
    payorder_json_object(order, &text);
    if (payorder_client_new(arguments[2], &client, &json) != PAYORDER_OK ||
        payorder_create_order(client, text, NULL, &json) != PAYORDER_OK) {
        fprintf(stderr, "no order was made: %s\n", json);
        return 1;
    }
    puts(json);
    payorder_string_free(text);
    payorder_string_free(json);
    payorder_client_free(client);
    return payorder_live_strings() != 0 || payorder_live_clients() != 0;
}
