/* A library that is wrong on purpose, for the tests of the packages: it has version STUB_VERSION of
 * the ABI, and its answers cannot be read. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef STUB_VERSION
#define STUB_VERSION 1
#endif

static size_t strings = 0;

static int32_t give(int32_t result, const char *text, char **out)
{
    strings++;
    *out = strdup(text);
    return result;
}

uint32_t payorder_abi_version(void) { return STUB_VERSION; }
const char *payorder_version(void) { return "stub"; }
const char *payorder_result_name(int32_t result) { return result == 201 ? "LOST" : "STUB"; }
int32_t payorder_result_outcome(int32_t result) { return result == 0 ? 0 : 3; }
size_t payorder_live_clients(void) { return 0; }
size_t payorder_live_strings(void) { return strings; }
size_t payorder_live_calls(void) { return 0; }

int32_t payorder_client_new(const char *config, void **client, char **out)
{
    (void)config;
    *client = (void *)16;
    *out = NULL;
    return 0;
}

int32_t payorder_client_free(void *client) { return (void)client, 0; }
int32_t payorder_client_stop(void *client) { return (void)client, 0; }
int32_t payorder_client_set_credentials(void) { return 11; }
int32_t payorder_client_from_env(void) { return 11; }
int32_t payorder_client_cancel(void *client) { return (void)client, 0; }
int32_t payorder_client_set_log(void *client) { return (void)client, 0; }
int32_t payorder_cancellation_new(const char **out) { return *out = "token", 0; }
int32_t payorder_cancellation_cancel(const char *token) { return (void)token, 0; }
int32_t payorder_cancellation_free(const char *token) { return (void)token, 0; }

int32_t payorder_create_order(void *client, const char *order, const char *options, char **out)
{
    (void)client, (void)options;
    if (order != NULL && strstr(order, "without-text") != NULL) {
        return 201;
    }
    return give(0, "{\"data\":{\"url\":\"https://pay.example/only-copy\"}", out);
}

int32_t payorder_get_status(void *client, const char *query, const char *options, char **out)
{
    (void)client, (void)query, (void)options;
    return give(201, "{\"error\":", out);
}

int32_t payorder_wait_for_payment(void) { return 205; }
int32_t payorder_get_statuses(void) { return 205; }
int32_t payorder_set_idle(void) { return 0; }
int32_t payorder_start(void) { return 11; }
int32_t payorder_take_done(void) { return 11; }
intptr_t payorder_done_handle(void) { return -1; }
int32_t payorder_recover(void) { return 205; }
int32_t payorder_check(void) { return 205; }

/* Except for the first, results that the packages do not know. */
int32_t payorder_journal_list(void) { return 11; }
int32_t payorder_journal_resolve(void) { return 999; }
int32_t payorder_journal_settle(void) { return 155; }
int32_t payorder_journal_prune(void) { return 55; }

int32_t payorder_build_create_order(void) { return 11; }
int32_t payorder_build_get_status(void) { return 11; }
int32_t payorder_parse_return_url(void) { return 11; }
int32_t payorder_verify_payment(void) { return 11; }
int32_t payorder_json_object(void) { return 11; }
int32_t payorder_json_set(void) { return 11; }
int32_t payorder_json_quote(void) { return 11; }
int32_t payorder_json_get(void) { return 11; }
int32_t payorder_json_copy(void) { return 11; }
int32_t payorder_json_count(void) { return 11; }
int32_t payorder_json_each(void) { return 11; }

void payorder_string_free(char *text)
{
    strings -= text != NULL;
    free(text);
}
