/*
 * Callbacks fork inside payorder_wait_for_payment, payorder_get_statuses (in the log callback and
 * in the status callback) and payorder_journal_resolve. In the child the call returns at once with
 * the cause `forked`, and the child can make its own calls. The parent's call continues.
 */
#include "host.h"

enum { ROUNDS = 25, QUERIES = 60 };

static payorder_client *client;
static pid_t child;
static int forked;
static const char *fork_at;

static void fork_once(void)
{
    if (!forked) {
        forked = 1;
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60); /* a child that waits for a lock would wait for ever */
        }
    }
}

static void in_log(const char *event_json, void *user_data)
{
    (void)user_data;
    if (fork_at != NULL && strstr(event_json, fork_at) != NULL) {
        fork_once();
    }
}

struct received {
    int fork_at_result, stop_in_child, count;
};

static int32_t each(size_t index, int32_t result, const char *json, void *user_data)
{
    struct received *received = user_data;
    (void)index;
    CHECK_RESULT(PAYORDER_OK, result, json);
    if (++received->count == received->fork_at_result) {
        fork_once();
        if (child == 0 && received->stop_in_child) {
            return 0;
        }
    }
    return 1;
}

static void must_ask(void)
{
    char *json = NULL;
    CHECK_RESULT(PAYORDER_OK, payorder_get_status(client, "{\"orderId\":\"O\"}", NULL, &json),
                 json);
    payorder_string_free(json);
}

/* Ends the child, whose call must say that the parent continues it. The parent's call must succeed.
 */
static void both_ended(payorder_result result, const char *json)
{
    CHECK(forked);
    CHECK(payorder_client_set_log(client, NULL, NULL) == PAYORDER_OK);
    if (child == 0) {
        if (result != PAYORDER_INTERNAL_IN_FLIGHT) {
            dprintf(2, "in the child: %s: %s\n", payorder_result_name(result), json);
            _exit(1);
        }
        must_ask();
        free_client(client);
        _exit(0);
    }
    CHECK_RESULT(PAYORDER_OK, result, json);
    must_end_well(child);
    must_ask();
}

static void begin(const char *event)
{
    forked = 0;
    child = -1;
    fork_at = event;
    CHECK(payorder_client_set_log(client, event != NULL ? in_log : NULL, NULL) == PAYORDER_OK);
}

static void ask_for_many(const char *event, struct received received)
{
    char queries[QUERIES * 20] = "[", *json = NULL;
    for (int i = 0; i < QUERIES; i++) {
        strcat(queries, i == 0 ? "{\"orderId\":\"O\"}" : ",{\"orderId\":\"O\"}");
    }
    strcat(queries, "]");
    begin(event);
    payorder_result result = payorder_get_statuses(client, queries, NULL, each, &received, &json);
    CHECK(json != NULL);
    if (child != 0) {
        CHECK(received.count == QUERIES);
        CHECK(strstr(json, "\"asked\":60,\"ok\":60") != NULL);
    }
    both_ended(result, json);
    payorder_string_free(json);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    client = client_of(argv[1]);
    must_create(client, "OPEN");
    for (int round = 0; round < ROUNDS; round++) {
        char *json = NULL;
        begin("\"attempt_started\"");
        payorder_result result = payorder_wait_for_payment(client, "{\"orderId\":\"O\"}",
                                                           "{\"final\":[\"Pending\"]}", &json);
        both_ended(result, json);
        payorder_string_free(json);

        ask_for_many("\"attempt_started\"", (struct received){0, 0, 0});
        ask_for_many("\"call_finished\"", (struct received){0, 0, 0});
        ask_for_many(NULL, (struct received){1 + round * 2, 0, 0});
        ask_for_many(NULL, (struct received){2 + round * 2, 1, 0});

        begin("\"attempt_started\"");
        json = NULL;
        result = payorder_journal_resolve(client, NULL, &json);
        both_ended(result, json);
        payorder_string_free(json);
    }
    free_client(client);
    nothing_is_live();
    return 0;
}
