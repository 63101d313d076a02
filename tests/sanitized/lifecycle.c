/*
 * What no other program under a sanitizer uses: the idle function, started calls, a stream of
 * queries, and a client from the environment. The conformance suite's C++ driver has the faults of
 * the sandbox and callbacks that cancel and close; fuzz/targets/calls has threads that free and
 * cancel each other's clients. The first argument is the configuration of a client of the sandbox.
 */
#define OWN_MAIN
#include "../programs/host.h"

static const char *const FAULTS[] = {"drop-after-commit", "stall", "html-502", "malformed-json",
                                     "too-large", "reject", "few-fields"};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0] };

static char *faulty_order(const char *order_id, const char *fault)
{
    char sold[64];
    snprintf(sold, sizeof sold, "Two coffees sandbox:%s", fault);
    return order_with(order_id, sold);
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

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    further_calls(argv[1]);
    /* Meanwhile the threads of the started calls end. */
    payorder_client *client = client_of(argv[1]);
    idle(client);
    free_client(client);
    nothing_is_live();
    return 0;
}
