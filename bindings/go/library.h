/* The functions of libpayorder, found when the program runs or, with the build tag payorder_link,
 * when it is linked. A client is passed as a number, because it is a key and not an address. */
#ifndef PAYORDER_GO_LIBRARY_H
#define PAYORDER_GO_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

/* Loads a library and looks up its functions. If that fails, writes why into message, returns 0,
 * and the functions must not be called. With payorder_link, path is not used. */
int payorder_go_load(const char *path, char *message, size_t size);

const char *payorder_go_version(void);
/* How many strings ('s'), calls ('c') or clients are live. */
size_t payorder_go_live(char what);
void payorder_go_string_free(char *string);

int32_t payorder_go_cancellation_new(char **out_token);
int32_t payorder_go_cancellation_cancel(const char *token);
void payorder_go_cancellation_free(char *token);

int32_t payorder_go_client_new(int from_env, const char *config, uintptr_t *out_client, char **out);
int32_t payorder_go_client_free(uintptr_t client);
int32_t payorder_go_client_cancel(uintptr_t client);
int32_t payorder_go_client_stop(uintptr_t client);
int32_t payorder_go_client_set_credentials(uintptr_t client, const char *credentials, char **out);
int32_t payorder_go_client_set_log(uintptr_t client, int on);

enum {
    PAYORDER_GO_CREATE_ORDER,
    PAYORDER_GO_GET_STATUS,
    PAYORDER_GO_WAIT_FOR_PAYMENT,
    PAYORDER_GO_GET_STATUSES,
    PAYORDER_GO_RECOVER,
    PAYORDER_GO_JOURNAL_LIST,
    PAYORDER_GO_JOURNAL_RESOLVE,
    PAYORDER_GO_JOURNAL_SETTLE,
    PAYORDER_GO_JOURNAL_PRUNE,
    PAYORDER_GO_BUILD_CREATE_ORDER,
    PAYORDER_GO_BUILD_GET_STATUS,
    PAYORDER_GO_PARSE_RETURN_URL,
    PAYORDER_GO_VERIFY_PAYMENT
};

/* call is the Go number of the call, to which log events and results go, or 0. The functions of the
 * journal have no request. */
int32_t payorder_go_call(int function, uintptr_t call, uintptr_t client, const char *request,
                         const char *options, char **out);

/* A function without a client. Some have only one text. */
int32_t payorder_go_offline(int function, const char *first, const char *second, char **out);

#endif
