/* A freed client and a freed token are errors, never a crash, and nothing is printed.
 * tests/repository/cdef gives NULL for each pointer, and tests/causes for each text. */
#include "host.h"

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
    payorder_client *client = client_of(arguments[0]);
    a_dead_token(client);
    must_create(client, "AFTER-ALL-THAT");
    free_client(client);
    a_dead_key(client);
}
