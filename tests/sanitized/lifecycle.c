/*
 * Clients that are freed, cancelled and stopped during calls: by a log callback, by other threads,
 * and while calls are started. tests/programs/hpp/cancellation.cpp has the idle function, streams and
 * the environment, and the conformance suite's C++ driver the faults of the sandbox. The first
 * argument is the configuration of a client of the sandbox.
 */
#include "../programs/host.h"

static const char *const FAULTS[] = {"drop-after-commit", "stall", "html-502", "malformed-json",
                                     "too-large", "reject", "few-fields"};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0], THREADS = 8, TURNS = 20 };

/* Cancels, replaces the log callback and frees the client, all inside the call. */
static void pull_the_rug(const char *event_json, void *user_data)
{
    (void)event_json;
    payorder_client_cancel(user_data);
    payorder_client_set_log(user_data, NULL, NULL);
    payorder_client_free(user_data);
}

static char *faulty_order(const char *order_id, const char *fault)
{
    char sold[64];
    snprintf(sold, sizeof sold, "Two coffees sandbox:%s", fault);
    return order_with(order_id, sold);
}

static atomic_int ended;

static void start(payorder_client *client, int index, payorder_done_fn done)
{
    char order_id[32], *order, *json = NULL;
    snprintf(order_id, sizeof order_id, "STARTED-%d", index);
    order = faulty_order(order_id, FAULTS[index % FAULT_COUNT]);
    CHECK_RESULT(PAYORDER_OK,
                 payorder_start(client, "create_order", order, "{\"timeoutMs\":300}", done, client,
                                &json),
                 json);
    CHECK(json == NULL);
    payorder_string_free(order);
}

static void end(int32_t result, const char *json, void *user_data)
{
    CHECK(payorder_result_name(result) != NULL && strlen(json) > 2 && user_data != NULL);
    ended++;
}

static void start_another(int32_t result, const char *json, void *user_data)
{
    start(user_data, 100 + ended, end);
    end(result, json, user_data);
}

static void must_end(int count)
{
    for (double began = seconds_now(); payorder_live_calls() > 0; sleep_ms(2)) {
        CHECK(seconds_now() - began < 300);
    }
    CHECK(ended == count);
}

/* Each call that ends starts another one, and the last ones run while their client is stopped. */
static void started_calls(const char *config)
{
    payorder_client *client = client_of(config);
    for (int i = 0; i < FAULT_COUNT; i++) {
        start(client, i, start_another);
    }
    must_end(2 * FAULT_COUNT);
    ended = 0;
    for (int i = 0; i < 4; i++) {
        start(client, i, end);
    }
    CHECK(payorder_client_stop(client) == PAYORDER_OK);
    free_client(client);
    must_end(4);
}

static int take(payorder_client *client, uint32_t wait_ms)
{
    int32_t taken = 0, result = 0;
    char *json = NULL;
    void *user_data = NULL;
    payorder_take_done(client, wait_ms, &taken, &result, &json, &user_data);
    payorder_string_free(json);
    return taken;
}

/* Some answers are taken, and the client is freed while others are ready, calls run, calls are queued,
 * and waits sleep. */
static void taken_calls(const char *config)
{
    enum { CALLS = 12, TAKEN = 3 };
    char *few = NULL, *json = NULL;
    CHECK(payorder_json_set(config, "/maxCalls", "2", &few) == PAYORDER_OK);
    payorder_client *client = client_of(few);
    for (int i = 0; i < CALLS; i++) {
        start(client, 200 + i, NULL);
        CHECK(payorder_start(client, "wait_for_payment", "{\"orderId\":\"NONE\"}", NULL, NULL,
                             client, &json) == PAYORDER_OK);
    }
    CHECK(payorder_done_handle(client) != -1);
    for (int i = 0; i < TAKEN; i++) {
        CHECK(take(client, 60000));
    }
    free_client(client);
    CHECK(!take(client, 0));
    must_end(ended);
    payorder_string_free(few);
}

static const char *config;
static _Atomic(payorder_client *) shared;

/* Calls, cancels and frees the client that is currently shared, and shares a new one. */
static void *fight(void *argument)
{
    for (int turn = 0; turn < TURNS; turn++) {
        char order_id[64], *order, *json = NULL;
        snprintf(order_id, sizeof order_id, "FIGHT-%d-%d", (int)(long)argument, turn);
        payorder_client *client = shared;
        if (turn % 4 == 3) {
            payorder_client *next = client_of(config), *before = atomic_exchange(&shared, next);
            CHECK(payorder_client_free(before) == PAYORDER_OK);
        } else if (turn % 4 == 1) {
            payorder_client_cancel(client);
        }
        order = faulty_order(order_id, turn % 3 == 0 ? "stall" : "few-fields");
        if (turn % 5 == 0) {
            payorder_start(client, "create_order", order, "{\"timeoutMs\":100}", NULL, NULL, &json);
            take(client, 5);
        } else {
            payorder_create_order(client, order, "{\"timeoutMs\":100}", &json);
            CHECK(json != NULL);
        }
        payorder_string_free(json);
        payorder_string_free(order);
    }
    return NULL;
}

static void run(char **arguments)
{
    pthread_t threads[THREADS];
    int before = entries("/proc/self/task");
    config = arguments[0];
    started_calls(config);
    taken_calls(config);

    payorder_client *client = client_of(config);
    CHECK(payorder_client_set_log(client, pull_the_rug, client) == PAYORDER_OK);
    CHECK(create(client, "RUG", NULL) == PAYORDER_CANCELLED);

    shared = client_of(config);
    for (long i = 0; i < THREADS; i++) {
        threads[i] = start_thread(fight, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    free_client(shared);
    must_end(ended);
    must_have_threads(before);
}
