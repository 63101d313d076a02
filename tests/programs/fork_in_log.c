/*
 * A log callback forks, so that parent and child both come back into the same call: only the parent's may send the order. Other threads are
 * inside calls on the same client meanwhile.
 */
#include "host.h"

enum { THREADS = 6, ROUNDS = 60 };

static payorder_client *client;
static atomic_int stop;
static pthread_t forking_thread;
static pid_t child;

static void fork_at_the_start(const char *event_json, void *user_data)
{
    (void)user_data;
    if (pthread_equal(pthread_self(), forking_thread) && strstr(event_json, "\"attempt_started\"") != NULL) {
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60); /* a child that waits for a lock would wait for ever */
        }
    }
}

static void *make_orders(void *argument)
{
    for (int i = 0; !stop; i++) {
        must_create(client, "THREAD-%d-%d", (int)(long)argument, i);
    }
    return NULL;
}

static void forked_in_a_call(int round)
{
    char order_id[32];
    snprintf(order_id, sizeof order_id, "FORKED-%d", round);
    CHECK(payorder_client_set_log(client, fork_at_the_start, NULL) == PAYORDER_OK);
    payorder_result result = create(client, order_id, NULL);
    CHECK(payorder_client_set_log(client, NULL, NULL) == PAYORDER_OK);
    if (child == 0) {
        CHECK(payorder_result_outcome(result) == PAYORDER_OUTCOME_NOT_SENT);
        must_create(client, "CHILD-%d", round);
        free_client(client);
        _exit(0);
    }
    CHECK(result == PAYORDER_OK);
    must_end_well(child);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    CHECK(argc == 2);
    forking_thread = pthread_self();
    client = client_of(argv[1]);
    must_create(client, "BEFORE"); /* leaves a kept connection, which is the parent's */
    forked_in_a_call(0);
    for (long i = 0; i < THREADS; i++) {
        threads[i] = start_thread(make_orders, (void *)i);
    }
    for (int round = 1; round < ROUNDS; round++) {
        forked_in_a_call(round);
    }
    stop = 1;
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    free_client(client);
    nothing_is_live();
    return 0;
}
