/* SIGPIPE at its default, which ends the process, and a service that hangs up: between two calls, and in the middle of a request. */
#include "host.h"

/* A large request does not fit into what the kernel takes at once from a service that no longer reads. */
static char *large_order(void)
{
    enum { LENGTH = 200 * 1024 };
    char *sold = malloc(LENGTH + 1);
    CHECK(sold != NULL);
    memset(sold, 'x', LENGTH);
    sold[LENGTH] = '\0';
    const char *pairs[] = {"amount", "1", "merchantTxnId", "LARGE", "orderId", "LARGE", "payMode", "all", "merchantId", "M-7",
                           "productInfo", sold, "customerName", "A", "customerMobile", "9", "customerEmail", "a@b",
                           "redirectionURL", "https://shop.example.com/done", "currencyCode", "INR", NULL};
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
    CHECK(signal(SIGPIPE, SIG_DFL) == SIG_DFL); /* nor did the library set it to anything else */
    payorder_string_free(large);
    free_client(client);
    nothing_is_live();
    return 0;
}
