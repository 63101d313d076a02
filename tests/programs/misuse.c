/* Every misuse is a result, never a crash, and nothing is printed. */
#include "host.h"

#include <stdint.h>

static const char QUERY[] = "{\"orderId\":\"O-1\"}";

/* Checks a call's result. `json` starts with an invalid pointer, so that a call that does not write
 * it is detected. */
#define GIVES(expected, call) \
    do { \
        char *const wild = (char *)-1; \
        char *json = wild; \
        CHECK((call) == (expected)); \
        CHECK(json != wild); \
        payorder_string_free(json); \
    } while (0)

static void null_everywhere(void)
{
    payorder_client *client = (payorder_client *)-1;
    CHECK(strcmp(payorder_version(), PAYORDER_VERSION) == 0);
    CHECK(payorder_abi_version() == PAYORDER_ABI_VERSION);
    CHECK(payorder_cancellation_new(NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_cancellation_cancel(NULL) == PAYORDER_INVALID_HANDLE);
    CHECK(payorder_cancellation_free(NULL) == PAYORDER_OK);
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_client_new(NULL, &client, &json));
    CHECK(client == NULL);
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_client_new("{}", NULL, &json));
    CHECK(payorder_client_new(NULL, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_client_new("{}", &client, NULL) == PAYORDER_INVALID_CONFIG);
    CHECK(payorder_client_free(NULL) == PAYORDER_OK);
    CHECK(payorder_client_cancel(NULL) == PAYORDER_INVALID_HANDLE);
    CHECK(payorder_client_set_log(NULL, NULL, NULL) == PAYORDER_INVALID_HANDLE);
    GIVES(PAYORDER_INVALID_HANDLE, payorder_create_order(NULL, NULL, NULL, &json));
    GIVES(PAYORDER_INVALID_HANDLE, payorder_get_status(NULL, NULL, NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_build_create_order(NULL, NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_build_get_status(NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_parse_return_url(NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_verify_payment(NULL, NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_json_object(NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_json_get(NULL, NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_json_set(NULL, NULL, NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_json_quote(NULL, &json));
    CHECK(payorder_json_copy(NULL, NULL, NULL, 0, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_json_copy(NULL, NULL, NULL, SIZE_MAX, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_json_count(NULL, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_json_each(NULL, NULL, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_build_create_order(NULL, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_build_get_status(QUERY, NULL) == PAYORDER_OK);
    CHECK(payorder_parse_return_url("?txn=T", NULL) == PAYORDER_OK);
    CHECK(payorder_verify_payment(NULL, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_json_object(NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_json_get("{}", "", NULL) == PAYORDER_OK);
    payorder_string_free(NULL);
}

static void null_with_a_client(payorder_client *client)
{
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_create_order(client, NULL, NULL, &json));
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_get_status(client, NULL, NULL, &json));
    CHECK(payorder_create_order(client, "{}", NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_get_status(client, QUERY, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_client_set_log(client, NULL, NULL) == PAYORDER_OK);
}

static void a_dead_key(payorder_client *key)
{
    GIVES(PAYORDER_INVALID_HANDLE, payorder_create_order(key, "{}", NULL, &json));
    GIVES(PAYORDER_INVALID_HANDLE, payorder_get_status(key, QUERY, NULL, &json));
    CHECK(payorder_client_cancel(key) == PAYORDER_INVALID_HANDLE);
    CHECK(payorder_client_set_log(key, NULL, NULL) == PAYORDER_INVALID_HANDLE);
    CHECK(payorder_client_free(key) == PAYORDER_INVALID_HANDLE);
}

static void forged_keys(payorder_client *client)
{
    uintptr_t key = (uintptr_t)client;
    int on_the_stack = 0;
    for (uintptr_t small = 1; small < 70000; small += 13) {
        a_dead_key((payorder_client *)small);
    }
    for (int bit = 0; bit < (int)(8 * sizeof key); bit++) {
        a_dead_key((payorder_client *)(key ^ ((uintptr_t)1 << bit)));
    }
    for (int step = 1; step < 4096; step++) {
        a_dead_key((payorder_client *)(key + (uintptr_t)step));
        a_dead_key((payorder_client *)(key - (uintptr_t)step));
    }
    a_dead_key((payorder_client *)(void *)&on_the_stack);
    a_dead_key((payorder_client *)UINTPTR_MAX);
}

static void broken_texts(payorder_client *client)
{
    static const char *const texts[] = {
        "", "{", "[]", "null", "\xff", "{\"amount\":\"\xc3\x28\"}", "{} {}", "{\"a\":1,\"a\":1}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        payorder_client *none;
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_client_new(texts[i], &none, &json));
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_create_order(client, texts[i], NULL, &json));
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_create_order(client, "{}", texts[i], &json));
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_get_status(client, texts[i], NULL, &json));
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_verify_payment(texts[i], "{}", &json));
    }
}

/* A recursive parser would overflow the stack. */
static void deep_texts(payorder_client *client)
{
    enum { DEPTH = 15 * 1024 * 1024 };
    static const char *const openings[] = {"[", "{\"a\":"};
    char *deep = malloc(DEPTH + 1);
    CHECK(deep != NULL);
    for (size_t i = 0; i < sizeof openings / sizeof openings[0]; i++) {
        for (size_t length = 0, step = strlen(openings[i]); length < DEPTH; length += step) {
            memcpy(deep + length, openings[i], length + step <= DEPTH ? step : DEPTH - length);
        }
        deep[DEPTH] = '\0';
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_json_get(deep, "/0", &json));
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_json_set(deep, "", "1", &json));
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_json_set("{}", "/a", deep, &json));
        GIVES(PAYORDER_INVALID_ARGUMENT,
              payorder_verify_payment("{\"orderId\":\"O\",\"amount\":\"1\"}", deep, &json));
        deep[200 * 1024] = '\0';
        GIVES(PAYORDER_INVALID_ARGUMENT, payorder_create_order(client, deep, NULL, &json));
    }
    free(deep);
}

/* A callback may call every function, also on its own client. */
enum deed { FREE, CANCEL, CALL, SILENCE };

struct doer {
    payorder_client *client;
    enum deed deed;
    int events;
};

static void do_it(const char *event_json, void *user_data)
{
    struct doer *doer = user_data;
    CHECK(event_json[0] == '{');
    if (doer->events++ > 0) {
        return;
    }
    switch (doer->deed) {
    case FREE:
        CHECK(payorder_client_free(doer->client) == PAYORDER_OK);
        CHECK(payorder_client_free(doer->client) == PAYORDER_INVALID_HANDLE);
        break;
    case CANCEL:
        CHECK(payorder_client_cancel(doer->client) == PAYORDER_OK);
        break;
    case CALL:
        CHECK(create(doer->client, "IN-A-CALL", NULL) == PAYORDER_OK);
        GIVES(PAYORDER_OK, payorder_get_status(doer->client, QUERY, NULL, &json));
        break;
    case SILENCE:
        CHECK(payorder_client_set_log(doer->client, NULL, NULL) == PAYORDER_OK);
        break;
    }
}

static void in_a_callback(const char *config, enum deed deed, payorder_result expected)
{
    struct doer doer = {client_of(config), deed, 0};
    CHECK(payorder_client_set_log(doer.client, do_it, &doer) == PAYORDER_OK);
    CHECK(create(doer.client, deed == CANCEL ? "CANCELLED" : "CALLED-BACK", NULL) == expected);
    CHECK(doer.events >= 2); /* a call keeps the callback that it started with */
    CHECK(payorder_client_free(doer.client) ==
          (deed == FREE ? PAYORDER_INVALID_HANDLE : PAYORDER_OK));
}

static payorder_client *shared;
static atomic_int freed;

static void *call_and_free(void *argument)
{
    (void)argument;
    payorder_result result = create(shared, "RACE", NULL);
    CHECK(result == PAYORDER_OK || result == PAYORDER_INVALID_HANDLE);
    freed += payorder_client_free(shared) == PAYORDER_OK;
    return NULL;
}

static void freed_while_others_call(const char *config)
{
    for (int i = 0; i < 50; i++) {
        pthread_t threads[4];
        shared = client_of(config);
        freed = 0;
        for (int thread = 0; thread < 4; thread++) {
            threads[thread] = start_thread(call_and_free, NULL);
        }
        for (int thread = 0; thread < 4; thread++) {
            CHECK(pthread_join(threads[thread], NULL) == 0);
        }
        CHECK(freed == 1);
        a_dead_key(shared);
    }
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    null_everywhere();
    payorder_client *client = client_of(argv[1]);
    null_with_a_client(client);
    forged_keys(client);
    broken_texts(client);
    deep_texts(client);
    must_create(client, "AFTER-ALL-THAT");
    free_client(client);
    a_dead_key(client);
    in_a_callback(argv[1], FREE, PAYORDER_OK);
    in_a_callback(argv[1], CANCEL, PAYORDER_CANCELLED);
    in_a_callback(argv[1], CALL, PAYORDER_OK);
    in_a_callback(argv[1], SILENCE, PAYORDER_OK);
    freed_while_others_call(argv[1]);
    CHECK(strcmp(payorder_result_name(INT32_MIN), "PAYORDER_UNRECOGNISED") == 0);
    CHECK(payorder_result_outcome(INT32_MAX) == PAYORDER_OUTCOME_UNKNOWN);
    nothing_is_live();
    return 0;
}
