/* The functions of libpayorder, found when the program runs or, with the build tag payorder_link,
 * when it is linked. A client is passed as a number, because it is a key and not an address. */
#ifndef PAYORDER_GO_LIBRARY_H
#define PAYORDER_GO_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

/* The functions, and their numbers. */
#define PAYORDER_GO_FUNCTIONS(FUNCTION)                                                            \
    FUNCTION(PAYORDER_GO_ABI, payorder_abi_version)                                                \
    FUNCTION(PAYORDER_GO_VERSION, payorder_version)                                                \
    FUNCTION(PAYORDER_GO_LIVE_CLIENTS, payorder_live_clients)                                      \
    FUNCTION(PAYORDER_GO_LIVE_STRINGS, payorder_live_strings)                                      \
    FUNCTION(PAYORDER_GO_LIVE_CALLS, payorder_live_calls)                                          \
    FUNCTION(PAYORDER_GO_STRING_FREE, payorder_string_free)                                        \
    FUNCTION(PAYORDER_GO_CANCELLATION_NEW, payorder_cancellation_new)                              \
    FUNCTION(PAYORDER_GO_CANCELLATION_CANCEL, payorder_cancellation_cancel)                        \
    FUNCTION(PAYORDER_GO_CANCELLATION_FREE, payorder_cancellation_free)                            \
    FUNCTION(PAYORDER_GO_CLIENT_NEW, payorder_client_new)                                          \
    FUNCTION(PAYORDER_GO_CLIENT_FROM_ENV, payorder_client_from_env)                                \
    FUNCTION(PAYORDER_GO_CLIENT_FREE, payorder_client_free)                                        \
    FUNCTION(PAYORDER_GO_CLIENT_CANCEL, payorder_client_cancel)                                    \
    FUNCTION(PAYORDER_GO_CLIENT_STOP, payorder_client_stop)                                        \
    FUNCTION(PAYORDER_GO_CLIENT_SET_LOG, payorder_client_set_log)                                  \
    FUNCTION(PAYORDER_GO_BUILD_CREATE_ORDER, payorder_build_create_order)                          \
    FUNCTION(PAYORDER_GO_BUILD_GET_STATUS, payorder_build_get_status)                              \
    FUNCTION(PAYORDER_GO_PARSE_RETURN_URL, payorder_parse_return_url)                              \
    FUNCTION(PAYORDER_GO_VERIFY_PAYMENT, payorder_verify_payment)                                  \
    FUNCTION(PAYORDER_GO_START, payorder_start)                                                    \
    FUNCTION(PAYORDER_GO_GET_STATUSES, payorder_get_statuses)                                      \
    FUNCTION(PAYORDER_GO_JOURNAL_LIST, payorder_journal_list)                                      \
    FUNCTION(PAYORDER_GO_JOURNAL_SETTLE, payorder_journal_settle)                                  \
    FUNCTION(PAYORDER_GO_JOURNAL_PRUNE, payorder_journal_prune)                                    \
    FUNCTION(PAYORDER_GO_CLIENT_SET_CREDENTIALS, payorder_client_set_credentials)                  \
    FUNCTION(PAYORDER_GO_JSON_GET, payorder_json_get)

#define PAYORDER_GO_NUMBER(number, name) number,
enum { PAYORDER_GO_FUNCTIONS(PAYORDER_GO_NUMBER) };

/* Loads a library and looks up its functions. If that fails, writes why into message, returns 0,
 * and the functions must not be called. With payorder_link, path is not used. */
int payorder_go_load(const char *path, char *message, size_t size);

const char *payorder_go_version(void);
size_t payorder_go_live(int function);
void payorder_go_string_free(char *string);

int32_t payorder_go_cancellation_new(const char **out_token);
int32_t payorder_go_cancellation(int function, const char *token);

int32_t payorder_go_client_new(int function, const char *config, uintptr_t *out_client, char **out);
int32_t payorder_go_client(int function, uintptr_t client);

/* call is the Go number of the call, to which log events and results go; 0 for later calls that
 * block, which have one of their own. */
int32_t payorder_go_client_set_log(uintptr_t client, int on, uintptr_t call);
int32_t payorder_go_start(uintptr_t client, const char *operation, const char *request,
                          const char *options, uintptr_t call, int log, char **out);

/* A call that blocks. Only PAYORDER_GO_GET_STATUSES has a request. */
int32_t payorder_go_call(int function, uintptr_t call, uintptr_t client, const char *request,
                         const char *options, char **out);

/* A function without a client. Some have only one text. */
int32_t payorder_go_offline(int function, const char *first, const char *second, char **out);

#endif
