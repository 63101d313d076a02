/*
 * A fork inside an idle function, during a started call, and inside its `done`: the call belongs to
 * the parent, which gets its one result, and the client works on both sides. The service responds
 * after some time.
 */
#include "host.h"

static payorder_client *client;
static pid_t child = -1;

static payorder_result create_and_read(const char *order_id, char **json)
{
    char *order = order_of(order_id);
    payorder_result result = payorder_create_order(client, order, NULL, json);
    payorder_string_free(order);
    return result;
}

static int32_t fork_once(void *user_data)
{
    if (++*(int *)user_data == 1) {
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60);
            CHECK(payorder_live_calls() == 1);
        }
    }
    return 0;
}

static void in_an_idle_function(void)
{
    int runs = 0;
    char *json = NULL;
    CHECK(payorder_set_idle(fork_once, &runs) == PAYORDER_OK);
    payorder_result result = create_and_read("IDLE", &json);
    CHECK(runs > 0);
    if (child == 0) {
        CHECK_RESULT(PAYORDER_INTERNAL_IN_FLIGHT, result, json);
        CHECK(strstr(json, "\"orderId\":\"IDLE\"") != NULL);
        CHECK(payorder_live_calls() == 0);
        runs = 1; /* the child's only thread keeps the function */
        must_create(client, "CHILD-OF-IDLE");
        CHECK(runs > 1);
        _exit(0);
    }
    CHECK_RESULT(PAYORDER_OK, result, json);
    payorder_string_free(json);
    CHECK(payorder_set_idle(NULL, NULL) == PAYORDER_OK);
    must_end_well(child);
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
        pid_t forked = fork();
        CHECK(forked >= 0);
        if (forked == 0) {
            alarm(60);
            CHECK(payorder_live_calls() <= 1);
            must_create(client, call->does == CHILD_EXITS ? "CHILD-EXITS" : "CHILD-RETURNS");
            if (call->does == CHILD_EXITS) {
                _exit(0);
            }
            return; /* the last thread of a process ends it */
        }
        must_end_well(forked);
    }
    call->ends++;
}

static void start(struct started *call, const char *order_id)
{
    char *order = order_of(order_id), *json = NULL;
    CHECK_RESULT(PAYORDER_OK,
                 payorder_start(client, "create_order", order, NULL, take, call, &json), json);
    CHECK(json == NULL);
    payorder_string_free(order);
}

static void must_end_once(struct started *call)
{
    for (double began = seconds_now(); payorder_live_calls() > 0; sleep_ms(2)) {
        CHECK(seconds_now() - began < 60);
    }
    CHECK(call->ends == 1);
}

static void during_a_started_call(void)
{
    struct started call = {NOTHING, 0};
    start(&call, "STARTED");
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        CHECK(payorder_live_calls() == 0);
        must_create(client, "CHILD-OF-STARTED"); /* takes as long as the parent's call */
        CHECK(call.ends == 0);
        _exit(0);
    }
    must_end_once(&call);
    must_end_well(child);
}

static void in_done(int does, const char *order_id)
{
    struct started call = {does, 0};
    start(&call, order_id);
    must_end_once(&call);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    client = client_of(argv[1]);
    in_an_idle_function();
    during_a_started_call();
    in_done(CHILD_EXITS, "DONE-EXITS");
    in_done(CHILD_RETURNS, "DONE-RETURNS");
    free_client(client);
    nothing_is_live();
    return 0;
}
