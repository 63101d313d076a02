/*
 * Callbacks fork inside every call that blocks (at an event of the log, at a status, in an idle
 * function), and the function of a started call forks. The call belongs to the parent, which gets
 * its one result. In the child the call returns at once: an order may exist, and the client works.
 * Meanwhile other threads are inside calls. The first argument is the configuration for a quick
 * service, the second for one that responds after some time.
 */
#include "host.h"

enum { THREADS = 4, ROUNDS = 20, QUERIES = 60 };
enum call { CREATE, WAIT, STATUSES, RESOLVE };

static payorder_client *client;
static pthread_t forking_thread;
static pid_t child;
static int forked, round_number;
static atomic_int stop;

static void fork_once(void)
{
    if (!forked && pthread_equal(pthread_self(), forking_thread)) {
        forked = 1;
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60); /* a child that waits for a lock would wait for ever */
            CHECK(payorder_live_calls() == 1); /* none of the other threads' */
        }
    }
}

static void in_log(const char *event_json, void *user_data)
{
    if (strstr(event_json, user_data) != NULL) {
        fork_once();
    }
}

static int32_t in_idle(void *user_data)
{
    ++*(int *)user_data;
    fork_once();
    return 0;
}

struct received {
    int fork_at, stop_in_child, count;
};

static int32_t each(size_t index, int32_t result, const char *json, void *user_data)
{
    struct received *received = user_data;
    (void)index;
    CHECK_RESULT(PAYORDER_OK, result, json);
    if (++received->count == received->fork_at) {
        fork_once();
    }
    return child != 0 || !received->stop_in_child;
}

/* Makes a call in which something forks, and checks both results. */
static void forking(enum call call, struct received received)
{
    char text[QUERIES * 20 + 2] = "[", *json = NULL;
    payorder_result result;
    switch (call) {
    case CREATE:
        snprintf(text, sizeof text, "FORKED-%d", ++round_number);
        char *order = order_of(text);
        result = payorder_create_order(client, order, NULL, &json);
        payorder_string_free(order);
        break;
    case WAIT:
        result = payorder_wait_for_payment(client, "{\"orderId\":\"O\"}",
                                           "{\"final\":[\"Pending\"]}", &json);
        break;
    case STATUSES:
        for (int i = 0; i < QUERIES; i++) {
            strcat(text, i == 0 ? "{\"orderId\":\"O\"}" : ",{\"orderId\":\"O\"}");
        }
        result = payorder_get_statuses(client, strcat(text, "]"), NULL, each, &received, &json);
        CHECK(child == 0 || strstr(json, "\"asked\":60,\"ok\":60") != NULL);
        break;
    default:
        result = payorder_journal_resolve(client, NULL, &json);
    }
    CHECK(forked);
    CHECK(payorder_client_set_log(client, NULL, NULL) == PAYORDER_OK);
    if (child == 0) {
        /* Not "not sent", and without its checkout URL. */
        CHECK_RESULT(PAYORDER_INTERNAL_IN_FLIGHT, result, json);
        CHECK(call != CREATE || strstr(json, text) != NULL);
        CHECK(payorder_live_calls() == 0);
        must_create(client, "CHILD-%d-%d-%d", (int)call, round_number, (int)getpid());
        free_client(client);
        _exit(0);
    }
    CHECK_RESULT(PAYORDER_OK, result, json);
    payorder_string_free(json);
    must_end_well(child);
    forked = 0;
    child = -1;
}

static void forking_at(const char *event, enum call call)
{
    CHECK(payorder_client_set_log(client, in_log, (void *)event) == PAYORDER_OK);
    forking(call, (struct received){0, 0, 0});
}

static void *make_orders(void *argument)
{
    for (int i = 0; !stop; i++) {
        must_create(client, "THREAD-%d-%d", (int)(long)argument, i);
    }
    return NULL;
}

/* What `done` does: nothing, or fork a child that ends the process or returns. */
enum { NOTHING, CHILD_EXITS, CHILD_RETURNS };

struct started {
    int does;
    atomic_int ends;
};

static void take(int32_t result, const char *json, void *user_data)
{
    struct started *call = user_data;
    CHECK_RESULT(PAYORDER_OK, result, json);
    if (call->does != NOTHING) {
        pid_t own = fork();
        CHECK(own >= 0);
        if (own == 0) {
            alarm(60);
            CHECK(payorder_live_calls() <= 1);
            must_create(client, "CHILD-DONE-%d", call->does);
            if (call->does == CHILD_EXITS) {
                _exit(0);
            }
            return; /* the last thread of a process ends it */
        }
        must_end_well(own);
    }
    call->ends++;
}

static void in_a_started_call(int does)
{
    struct started call = {does, 0};
    char order_id[16], *json = NULL;
    snprintf(order_id, sizeof order_id, "STARTED-%d", does);
    char *order = order_of(order_id);
    CHECK_RESULT(PAYORDER_OK,
                 payorder_start(client, "create_order", order, NULL, take, &call, &json), json);
    payorder_string_free(order);
    if (does == NOTHING) {
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60);
            CHECK(payorder_live_calls() == 0);
            must_create(client, "CHILD-STARTED"); /* takes as long as the parent's call */
            CHECK(call.ends == 0);
            _exit(0);
        }
        must_end_well(child);
    }
    for (double began = seconds_now(); payorder_live_calls() > 0; sleep_ms(2)) {
        CHECK(seconds_now() - began < 60);
    }
    CHECK(call.ends == 1);
}

static void run(char **arguments)
{
    pthread_t threads[THREADS];
    forking_thread = pthread_self();
    child = -1;
    client = client_of(arguments[0]);
    must_create(client, "BEFORE"); /* leaves a kept connection, which belongs to the parent */
    for (int round = 0; round < ROUNDS && strstr(arguments[0], "\"journal\"") != NULL; round++) {
        forking_at("\"attempt_started\"", RESOLVE); /* while few orders are open */
    }
    for (long i = 0; i < THREADS; i++) {
        threads[i] = start_thread(make_orders, (void *)i);
    }
    for (int round = 0; round < ROUNDS; round++) {
        forking_at("\"attempt_started\"", CREATE);
        forking_at("\"call_finished\"", CREATE);
        forking_at("\"attempt_started\"", WAIT);
        forking_at("\"attempt_started\"", STATUSES);
        forking_at("\"call_finished\"", STATUSES);
        forking(STATUSES, (struct received){1 + round * 2, 0, 0});
        forking(STATUSES, (struct received){2 + round * 2, 1, 0});
    }
    stop = 1;
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    free_client(client);

    client = client_of(arguments[1]);
    int runs = 0;
    CHECK(payorder_set_idle(in_idle, &runs) == PAYORDER_OK);
    forking(CREATE, (struct received){0, 0, 0});
    CHECK(payorder_set_idle(NULL, NULL) == PAYORDER_OK);
    in_a_started_call(NOTHING);
    in_a_started_call(CHILD_EXITS);
    in_a_started_call(CHILD_RETURNS);
    free_client(client);
}
