/* exit() while other threads are inside calls with a timeout of a minute: the process ends at once,
 * with the given status. The result of a started call that ends later is not delivered: what its
 * callback needs may be gone. Once exit has begun, no call can be started. */
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

static int way;

static void *may_not_start(void *unused)
{
    char *order = order_of("NEVER"), *error = NULL;
    CHECK_RESULT(PAYORDER_INTERNAL, payorder_start(client, "create_order", order, NULL,
                                                   end_otherwise, NULL, &error), error);
    CHECK(strstr(error, "\"cause\":\"no_thread\"") != NULL);
    CHECK(strstr(error, "the process is exiting") != NULL);
    payorder_string_free(error);
    payorder_string_free(order);
    return unused;
}

static void count_ended(int32_t result, const char *json, void *user_data)
{
    (void)user_data;
    CHECK_RESULT(PAYORDER_INVALID_REQUEST, result, json);
    started++;
}

enum { AFTER_A_START = 1, IN_ANOTHER_THREAD = 2, WAYS = 4 };

/* It was given to atexit before the client was created, and once more at the end. */
static void start_at_exit(void)
{
    static int runs;
    may_not_start(NULL);
    if (!(way & IN_ANOTHER_THREAD)) {
        CHECK(pthread_join(start_thread(may_not_start, NULL), NULL) == 0);
    }
    if (++runs == 2) {
        _exit(0);
    }
}

static void *exit_with_a_client(void *config)
{
    char *error = NULL;
    CHECK(atexit(start_at_exit) == 0);
    client = client_of(config);
    if (way & AFTER_A_START) {
        CHECK_RESULT(PAYORDER_OK, payorder_start(client, "create_order", "{}", NULL, count_ended,
                                                 NULL, &error), error);
        while (started == 0) {
            sleep_ms(1);
        }
    }
    CHECK(atexit(start_at_exit) == 0);
    exit(1);
}

static void run(char **arguments)
{
    for (way = 0; way < WAYS; way++) {
        pid_t child = fork();
        if (child == 0 && way & IN_ANOTHER_THREAD) {
            pthread_join(start_thread(exit_with_a_client, arguments[0]), NULL);
        } else if (child == 0) {
            exit_with_a_client(arguments[0]);
        }
        must_end_well(child);
    }
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
