/*
 * A log callback forks at each event of a call in turn, so that parent and child both return into
 * the same call. Only the parent may send the order; the child learns that it may exist. Meanwhile
 * other threads are inside calls on the same client.
 */
#include "host.h"

enum { THREADS = 6, ROUNDS = 60 };

static payorder_client *client;
static atomic_int stop;
static pthread_t forking_thread;
static pid_t child;
static const char *fork_at;

static void fork_at_an_event(const char *event_json, void *user_data)
{
    (void)user_data;
    if (pthread_equal(pthread_self(), forking_thread) && strstr(event_json, fork_at) != NULL) {
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60); /* a child that waits for a lock would wait forever */
            CHECK(payorder_live_calls() == 1); /* only this call, none of the other threads' */
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

/* The child must not report the order as not sent, and must not return its checkout URL. */
static void may_exist(const char *order_id, payorder_result result, const char *json)
{
    char *asked_for = NULL;
    CHECK_RESULT(PAYORDER_INTERNAL_IN_FLIGHT, result, json);
    CHECK(payorder_json_get(json, "/error/statusQuery/orderId", &asked_for) == PAYORDER_OK);
    CHECK(strcmp(asked_for, order_id) == 0);
    payorder_string_free(asked_for);
}

static void forked_in_a_call(int round)
{
    char order_id[32], *order, *json = NULL;
    snprintf(order_id, sizeof order_id, "FORKED-%d", round);
    order = order_of(order_id);
    fork_at = round % 2 == 0 ? "\"attempt_started\"" : "\"call_finished\"";
    CHECK(payorder_client_set_log(client, fork_at_an_event, NULL) == PAYORDER_OK);
    payorder_result result = payorder_create_order(client, order, NULL, &json);
    CHECK(payorder_client_set_log(client, NULL, NULL) == PAYORDER_OK);
    if (child == 0) {
        may_exist(order_id, result, json);
        CHECK(payorder_live_calls() == 0);
        must_create(client, "CHILD-%d", round);
        free_client(client);
        _exit(0);
    }
    CHECK_RESULT(PAYORDER_OK, result, json);
    payorder_string_free(json);
    payorder_string_free(order);
    must_end_well(child);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    CHECK(argc == 2);
    forking_thread = pthread_self();
    client = client_of(argv[1]);
    must_create(client, "BEFORE"); /* leaves a kept connection, which belongs to the parent */
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
