/* exit() while other threads are inside calls with a timeout of a minute: the process ends at once,
 * with the given status. The result of a started call that ends later is not delivered: what its
 * callback needs may be gone. */
#include "host.h"

static payorder_client *client;
static atomic_int started;

static void count_started(const char *event_json, void *user_data)
{
    (void)user_data;
    if (strstr(event_json, "\"attempt_started\"") != NULL) {
        started++;
    }
}

static void *wait_for_an_answer(void *argument)
{
    create(client, argument, NULL);
    return NULL;
}

static const char *token;

static void end_otherwise(int32_t result, const char *json, void *user_data)
{
    (void)result;
    (void)json;
    (void)user_data;
    _exit(8);
}

/* A host may call the library from an exit handler. */
static void tidy_up(void)
{
    CHECK(payorder_cancellation_cancel(token) == PAYORDER_OK);
    while (payorder_live_calls() > 2) {
        sleep_ms(5);
    }
    payorder_client_free(client);
}

static void run(char **arguments)
{
    CHECK(atexit(tidy_up) == 0);
    client = client_of(arguments[0]);
    CHECK(payorder_client_set_log(client, count_started, NULL) == PAYORDER_OK);
    start_thread(wait_for_an_answer, "ONE");
    start_thread(wait_for_an_answer, "TWO");
    char *order = order_of("THREE"), *options = NULL, *error = NULL;
    const char *pairs[] = {"cancellation", NULL, NULL};
    CHECK(payorder_cancellation_new(&token) == PAYORDER_OK);
    pairs[1] = token;
    CHECK(payorder_json_object(pairs, &options) == PAYORDER_OK);
    CHECK(payorder_start(client, "create_order", order, options, end_otherwise, NULL, &error)
          == PAYORDER_OK);
    while (started < 3) {
        sleep_ms(5);
    }
    sleep_ms(200); /* until they wait for their responses */
    exit(7);
}
