/* Every misuse is a result, never a crash, and nothing is printed. tests/causes gives NULL for each
 * text. */
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
    GIVES(PAYORDER_INVALID_ARGUMENT, payorder_json_object(NULL, &json));
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
    CHECK(payorder_journal_list(client, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_journal_resolve(client, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_journal_settle(client, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_journal_prune(client, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
    CHECK(payorder_recover(client, NULL, NULL, NULL) == PAYORDER_INVALID_ARGUMENT);
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

/* Another thread may still cancel with a token that was just freed, and an old program also frees
 * its text. */
static void a_dead_token(payorder_client *client)
{
    char *options = NULL;
    const char *token = NULL, *pairs[] = {"cancellation", NULL, NULL};
    CHECK(payorder_cancellation_new(&token) == PAYORDER_OK && payorder_live_strings() == 0);
    payorder_string_free((char *)token);
    pairs[1] = token;
    CHECK(payorder_json_object(pairs, &options) == PAYORDER_OK);
    CHECK(payorder_cancellation_free(token) == PAYORDER_OK);
    payorder_string_free((char *)token);
    CHECK(payorder_cancellation_free(token) == PAYORDER_INVALID_HANDLE);
    CHECK(payorder_cancellation_cancel(token) == PAYORDER_INVALID_HANDLE);
    GIVES(PAYORDER_INVALID_HANDLE, payorder_get_status(client, QUERY, options, &json));
    payorder_string_free(options);
    CHECK(payorder_live_strings() == 0);
}

static void run(char **arguments)
{
    null_everywhere();
    payorder_client *client = client_of(arguments[0]);
    null_with_a_client(client);
    a_dead_token(client);
    must_create(client, "AFTER-ALL-THAT");
    free_client(client);
    a_dead_key(client);
    CHECK(strcmp(payorder_result_name(INT32_MIN), "PAYORDER_UNRECOGNISED") == 0);
    CHECK(payorder_result_outcome(INT32_MAX) == PAYORDER_OUTCOME_UNKNOWN);
}
