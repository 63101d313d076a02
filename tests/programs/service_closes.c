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
    char *order = order_with("LARGE", sold);
    free(sold);
    return order;
}

/* Creates an order, which may succeed or lose its connection: before anything was sent, or later. */
static void may_lose_its_connection(payorder_client *client, const char *order, int *not_sent)
{
    char *json = NULL;
    payorder_result result = payorder_create_order(client, order, NULL, &json);
    int was_ended = result == PAYORDER_CONNECT_FAILED
                    && (strstr(json, "connection_reset") || strstr(json, "connection_closed"));
    *not_sent += was_ended;
    if (result != PAYORDER_OK && result != PAYORDER_CONNECTION_LOST && !was_ended) {
        dprintf(2, "result %d: %s\n", (int)result, json);
        _exit(1);
    }
    payorder_string_free(json);
}

static void run(char **arguments)
{
    CHECK(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    payorder_client *client = client_of(arguments[0]);
    char *large = large_order(), *small = order_of("SMALL");
    int not_sent = 0;
    for (int i = 0; i < 15; i++) {
        may_lose_its_connection(client, small, &not_sent);
        may_lose_its_connection(client, large, &not_sent);
    }
    /* The test compares it with what the service received. */
    FILE *report = fopen(arguments[1], "w");
    CHECK(report != NULL && fprintf(report, "%d", not_sent) > 0 && fclose(report) == 0);
    CHECK(signal(SIGPIPE, SIG_DFL) == SIG_DFL); /* and the library did not change the action */
    payorder_string_free(large);
    payorder_string_free(small);
    free_client(client);
}
