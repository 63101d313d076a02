/*
 * Uses and frees what the library returns after every fault of the sandbox, in callbacks and started
 * calls, and with clients that are freed and cancelled during calls of other threads. The first argument is the
 * configuration of a client of the sandbox.
 */
#define OWN_MAIN
#include "../programs/host.h"

static const char *const FAULTS[] = {"drop-before",
                                     "drop-after-commit",
                                     "drop-mid-answer",
                                     "stall-before",
                                     "stall",
                                     "html-502",
                                     "service-error",
                                     "malformed-json",
                                     "no-url",
                                     "bad-url",
                                     "redirect",
                                     "too-large",
                                     "reject",
                                     "rate-limit",
                                     "wrong-amount",
                                     "wrong-order",
                                     "unknown-status",
                                     "refunded",
                                     "other-date",
                                     "few-fields",
                                     "not-found-once",
                                     "status-drop-once",
                                     "status-html-502-once",
                                     "status-rate-limit-once",
                                     "status-drop",
                                     "status-stall",
                                     "status-malformed-json"};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0], THREADS = 8, TURNS = 20 };

static atomic_int events;

static void count_event(const char *event_json, void *user_data)
{
    CHECK(strlen(event_json) > 2 && user_data == &events);
    events++;
}

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

/* Creates an order with a fault, asks for its status, and reads everything in the results. */
static void one_fault(payorder_client *client, const char *fault)
{
    char *order = faulty_order(fault, fault), *created = NULL, *status = NULL, *verdict = NULL,
         *value = NULL, *query = NULL;
    payorder_create_order(client, order, "{\"timeoutMs\":1000,\"extraFields\":{\"till\":\"7\"}}",
                          &created);
    CHECK(created != NULL);
    if (payorder_json_get(created, "/error/statusQuery", &query) != PAYORDER_OK) {
        payorder_string_free(query);
        const char *pairs[] = {"searchType", "1", "orderId", fault, NULL};
        CHECK(payorder_json_object(pairs, &query) == PAYORDER_OK);
    }
    payorder_get_status(client, query, "{\"timeoutMs\":1000}", &status);
    CHECK(status != NULL);
    payorder_verify_payment("{\"orderId\":\"O-1\",\"amount\":\"100.10\"}", status, &verdict);
    CHECK(verdict != NULL);
    payorder_json_get(verdict, "/reasons/0", &value);
    CHECK(value != NULL);
    payorder_string_free(value);
    payorder_string_free(verdict);
    payorder_string_free(status);
    payorder_string_free(query);
    payorder_string_free(created);
    payorder_string_free(order);
}

static int32_t cancel_at_the_second(void *user_data)
{
    return ++*(int *)user_data == 2;
}

/* The idle function also runs another call, and is replaced and removed during its own call. */
static int32_t call_and_end(void *user_data)
{
    char *json = NULL;
    CHECK(payorder_build_get_status("{}", &json) == PAYORDER_INVALID_REQUEST);
    payorder_string_free(json);
    *(int *)user_data += 1;
    return payorder_set_idle(NULL, NULL);
}

static void idle(payorder_client *client)
{
    int runs = 0;
    char *order = faulty_order("IDLE", "stall"),
         *other = faulty_order("IDLE-ENDS", "stall"), *json = NULL;
    CHECK(payorder_set_idle(cancel_at_the_second, &runs) == PAYORDER_OK);
    CHECK_RESULT(PAYORDER_CANCELLED_IN_FLIGHT,
                 payorder_create_order(client, order, NULL, &json), json);
    CHECK(runs == 2);
    payorder_string_free(json);
    CHECK(payorder_set_idle(call_and_end, &runs) == PAYORDER_OK);
    CHECK_RESULT(PAYORDER_TIMEOUT,
                 payorder_create_order(client, other, "{\"timeoutMs\":300}", &json), json);
    CHECK(runs > 2);
    payorder_string_free(json);
    payorder_string_free(other);
    payorder_string_free(order);
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

static const char *next_query(void *user_data)
{
    static char query[40];
    int *index = user_data;
    snprintf(query, sizeof query, *index % 5 == 0 ? "no query" : "{\"orderId\":\"Q-%d\"}", *index);
    return ++*index <= 20 ? query : NULL;
}

static int32_t take(size_t index, int32_t result, const char *json, void *user_data)
{
    (void)index;
    CHECK(result != PAYORDER_OK && strlen(json) > 2);
    return *(int *)user_data >= 0;
}

/* Calls that do not block, a stream, other credentials, and a client that is stopped. */
static void further_calls(const char *config)
{
    char *json = NULL;
    int index = 0;
    payorder_client *client = NULL;
    setenv("PAYORDER_CLIENT_ID", "another-id", 1);
    CHECK_RESULT(PAYORDER_OK, payorder_client_from_env(config, &client, &json), json);
    for (int i = 0; i < FAULT_COUNT; i++) {
        start(client, i, start_another);
    }
    must_end(2 * FAULT_COUNT);
    CHECK_RESULT(PAYORDER_OK,
                 payorder_stream_statuses(client, next_query, take, &index, NULL, &json), json);
    CHECK(index == 21);
    payorder_string_free(json);
    CHECK(payorder_client_set_credentials(client, "{\"clientId\":\"\"}", &json) ==
          PAYORDER_INVALID_CONFIG);
    payorder_string_free(json);
    CHECK_RESULT(PAYORDER_OK,
                 payorder_client_set_credentials(client, "{\"accessToken\":\"other\"}", &json),
                 json);
    CHECK(payorder_start(client, "unknown", "{}", NULL, end, NULL, &json) ==
          PAYORDER_INVALID_ARGUMENT);
    payorder_string_free(json);
    ended = 0;
    for (int i = 0; i < 4; i++) {
        start(client, i, end);
    }
    CHECK(payorder_client_stop(client) == PAYORDER_OK);
    free_client(client);
    must_end(4);
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
        payorder_create_order(client, order, "{\"timeoutMs\":100}", &json);
        CHECK(json != NULL);
        payorder_string_free(json);
        payorder_string_free(order);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    CHECK(argc == 2);
    config = argv[1];

    payorder_client *client = client_of(config);
    CHECK(payorder_client_set_log(client, count_event, &events) == PAYORDER_OK);
    for (int i = 0; i < FAULT_COUNT; i++) {
        one_fault(client, FAULTS[i]);
    }
    CHECK(events >= 3 * FAULT_COUNT);
    idle(client);
    free_client(client);

    client = client_of(config);
    CHECK(payorder_client_set_log(client, pull_the_rug, client) == PAYORDER_OK);
    CHECK(create(client, "RUG", NULL) == PAYORDER_CANCELLED);

    further_calls(config);

    shared = client_of(config);
    for (long i = 0; i < THREADS; i++) {
        threads[i] = start_thread(fight, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    free_client(shared);
    nothing_is_live();
    return 0;
}
