/* SIGPIPE has its default action, which ends the process, and the service closes the connection
 * between two calls and during a request. */
#include "host.h"

/* A large request does not fit into the socket buffers if the service does not read. */
static char *large_order(void)
{
    enum { LENGTH = 200 * 1024 };
    char *sold = malloc(LENGTH + 1);
    CHECK(sold != NULL);
    memset(sold, 'x', LENGTH);
    sold[LENGTH] = '\0';
    const char *pairs[] = {"amount", "1", "merchantTxnId", "LARGE", "orderId", "LARGE",
                           "payMode", "all", "merchantId", "M-7", "productInfo", sold,
                           "customerName", "A", "customerMobile", "9", "customerEmail", "a@b",
                           "redirectionURL", "https://shop.example.com/done",
                           "currencyCode", "INR", NULL};
    char *order = NULL;
    CHECK_RESULT(PAYORDER_OK, payorder_json_object(pairs, &order), order);
    free(sold);
    return order;
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    CHECK(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    payorder_client *client = client_of(argv[1]);
    char *large = large_order();
    for (int i = 0; i < 15; i++) {
        char *json = NULL;
        payorder_result result = create(client, "SMALL", NULL);
        CHECK(result == PAYORDER_OK || result == PAYORDER_CONNECTION_LOST);
        result = payorder_create_order(client, large, NULL, &json);
        CHECK(result == PAYORDER_OK || result == PAYORDER_CONNECTION_LOST);
        payorder_string_free(json);
    }
    CHECK(signal(SIGPIPE, SIG_DFL) == SIG_DFL); /* and the library did not change the action */
    payorder_string_free(large);
    free_client(client);
    nothing_is_live();
    return 0;
}
