#include <payorder.h>

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    char text[1024], *json = NULL, *url = NULL;
    payorder_client *client = NULL;
    if (count != 3) {
        return 1;
    }
    snprintf(text, sizeof text, "{\"baseUrl\":\"%s\",\"accessToken\":\"%s\"}",
             getenv("PAYORDER_BASE_URL"), getenv("PAYORDER_ACCESS_TOKEN"));
    if (payorder_client_new(text, &client, &json) != PAYORDER_OK) {
        return 1;
    }
    for (int number = 0; number < atoi(arguments[1]); number++) {
        snprintf(text, sizeof text,
                 "{\"amount\":\"249.50\",\"merchantTxnId\":\"T-%s-%d\",\"orderId\":\"%s-%d\","
                 "\"payMode\":\"all\",\"merchantId\":\"M-1\",\"productInfo\":\"Two coffees\","
                 "\"customerName\":\"Asha Rao\",\"customerMobile\":\"9000000001\","
                 "\"customerEmail\":\"asha@example.com\","
                 "\"redirectionURL\":\"https://shop.example.com/return\","
                 "\"currencyCode\":\"INR\"}",
                 arguments[2], number, arguments[2], number);
        if (payorder_create_order(client, text, NULL, &json) != PAYORDER_OK ||
            payorder_json_get(json, "/data/url", &url) != PAYORDER_OK) {
            return 1;
        }
        payorder_string_free(url);
        payorder_string_free(json);
    }
    payorder_client_free(client);
    return 0;
}
