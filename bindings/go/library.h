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
size_t payorder_go_live_clients(void);
size_t payorder_go_live_strings(void);
size_t payorder_go_live_calls(void);
void payorder_go_string_free(char *string);

int32_t payorder_go_cancellation_new(char **out_token);
int32_t payorder_go_cancellation_cancel(const char *token);
void payorder_go_cancellation_free(char *token);

int32_t payorder_go_client_new(const char *config, uintptr_t *out_client, char **out);
int32_t payorder_go_client_from_env(const char *config, uintptr_t *out_client, char **out);
int32_t payorder_go_client_stop(uintptr_t client);
int32_t payorder_go_client_set_credentials(uintptr_t client, const char *credentials, char **out);
int32_t payorder_go_client_free(uintptr_t client);
int32_t payorder_go_client_cancel(uintptr_t client);
int32_t payorder_go_client_set_log(uintptr_t client, int on);

/* call is the Go number of the call, to which log events and results go, or 0. */
int32_t payorder_go_create_order(uintptr_t call, uintptr_t client, const char *order,
                                 const char *options, char **out);
int32_t payorder_go_get_status(uintptr_t call, uintptr_t client, const char *query,
                               const char *options, char **out);
int32_t payorder_go_wait_for_payment(uintptr_t call, uintptr_t client, const char *query,
                                     const char *options, char **out);
int32_t payorder_go_get_statuses(uintptr_t call, uintptr_t client, const char *queries,
                                 const char *options, char **out);
int32_t payorder_go_recover(uintptr_t call, uintptr_t client, const char *sales,
                            const char *options, char **out);
int32_t payorder_go_journal_list(uintptr_t call, uintptr_t client, const char *options, char **out);
int32_t payorder_go_journal_resolve(uintptr_t call, uintptr_t client, const char *options,
                                    char **out);
int32_t payorder_go_journal_settle(uintptr_t call, uintptr_t client, const char *options,
                                   char **out);
int32_t payorder_go_journal_prune(uintptr_t call, uintptr_t client, const char *options,
                                  char **out);

int32_t payorder_go_build_create_order(const char *order, const char *options, char **out);
int32_t payorder_go_build_get_status(const char *query, char **out);
int32_t payorder_go_parse_return_url(const char *url, char **out);
int32_t payorder_go_verify_payment(const char *expected, const char *status, char **out);

#endif
