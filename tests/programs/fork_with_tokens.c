/*
 * Cancellation tokens across a fork, while other threads take and release the locks of the same
 * token. The child can use, cancel and free its copies at once, without any effect on the parent.
 */
#include "host.h"

enum { THREADS = 4, ROUNDS = 80 };

static payorder_client *client;
static char *shared, *options;
static atomic_int stop;

static void *ask(void *argument)
{
    (void)argument;
    while (!stop) {
        char *json = NULL;
        CHECK_RESULT(PAYORDER_OK,
                     payorder_get_status(client, "{\"orderId\":\"O-1\"}", options, &json), json);
        payorder_string_free(json);
    }
    return NULL;
}

static void in_the_child(void)
{
    char *json = NULL, *own = NULL;
    alarm(60); /* a child that waits for a lock would wait for ever */
    CHECK(payorder_live_calls() == 0);
    CHECK_RESULT(PAYORDER_OK, payorder_get_status(client, "{\"orderId\":\"O-1\"}", options, &json),
                 json);
    payorder_string_free(json);
    CHECK(payorder_cancellation_cancel(shared) == PAYORDER_OK);
    CHECK(payorder_get_status(client, "{\"orderId\":\"O-1\"}", options, &json) ==
          PAYORDER_CANCELLED);
    payorder_string_free(json);
    CHECK(payorder_cancellation_free(shared) == PAYORDER_OK);
    CHECK(payorder_cancellation_new(&own) == PAYORDER_OK);
    CHECK(payorder_cancellation_cancel(own) == PAYORDER_OK);
    CHECK(payorder_cancellation_free(own) == PAYORDER_OK);
    payorder_string_free(own);
    CHECK(payorder_live_calls() == 0);
    _exit(0);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    CHECK(argc == 2);
    client = client_of(argv[1]);
    CHECK(payorder_cancellation_new(&shared) == PAYORDER_OK);
    const char *pairs[] = {"cancellation", shared, NULL};
    CHECK(payorder_json_object(pairs, &options) == PAYORDER_OK);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(ask, NULL);
    }
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            in_the_child();
        }
        must_end_well(child);
    }
    stop = 1;
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(payorder_cancellation_free(shared) == PAYORDER_OK);
    payorder_string_free(shared);
    payorder_string_free(options);
    free_client(client);
    nothing_is_live();
    return 0;
}
