#include "library.h"

#include <stdio.h>
#include <string.h>

#include "_cgo_export.h"

#define PAYORDER_GO_ABI_VERSION 1

/* Every function that this package calls: its result, name and arguments. */
#define FUNCTIONS(FUNCTION)                                                                        \
    FUNCTION(const char *, payorder_version, (void))                                               \
    FUNCTION(uint32_t, payorder_abi_version, (void))                                               \
    FUNCTION(size_t, payorder_live_clients, (void))                                                \
    FUNCTION(size_t, payorder_live_strings, (void))                                                \
    FUNCTION(size_t, payorder_live_calls, (void))                                                  \
    FUNCTION(payorder_result, payorder_cancellation_new, (char **))                                \
    FUNCTION(payorder_result, payorder_cancellation_cancel, (const char *))                        \
    FUNCTION(payorder_result, payorder_cancellation_free, (const char *))                          \
    FUNCTION(payorder_result, payorder_client_new, (const char *, payorder_client **, char **))    \
    FUNCTION(payorder_result, payorder_client_from_env,                                            \
             (const char *, payorder_client **, char **))                                          \
    FUNCTION(payorder_result, payorder_client_free, (payorder_client *))                           \
    FUNCTION(payorder_result, payorder_client_stop, (payorder_client *))                           \
    FUNCTION(payorder_result, payorder_client_set_credentials,                                     \
             (payorder_client *, const char *, char **))                                           \
    FUNCTION(payorder_result, payorder_recover,                                                    \
             (payorder_client *, const char *, const char *, char **))                             \
    FUNCTION(payorder_result, payorder_client_cancel, (payorder_client *))                         \
    FUNCTION(payorder_result, payorder_client_set_log,                                             \
             (payorder_client *, payorder_log_fn, void *))                                         \
    FUNCTION(payorder_result, payorder_create_order,                                               \
             (payorder_client *, const char *, const char *, char **))                             \
    FUNCTION(payorder_result, payorder_get_status,                                                 \
             (payorder_client *, const char *, const char *, char **))                             \
    FUNCTION(payorder_result, payorder_wait_for_payment,                                           \
             (payorder_client *, const char *, const char *, char **))                             \
    FUNCTION(payorder_result, payorder_get_statuses,                                               \
             (payorder_client *, const char *, const char *, payorder_status_fn, void *, char **)) \
    FUNCTION(payorder_result, payorder_journal_list, (payorder_client *, const char *, char **))   \
    FUNCTION(payorder_result, payorder_journal_resolve,                                            \
             (payorder_client *, const char *, char **))                                           \
    FUNCTION(payorder_result, payorder_journal_settle,                                             \
             (payorder_client *, const char *, char **))                                           \
    FUNCTION(payorder_result, payorder_journal_prune, (payorder_client *, const char *, char **))  \
    FUNCTION(payorder_result, payorder_build_create_order,                                         \
             (const char *, const char *, char **))                                                \
    FUNCTION(payorder_result, payorder_build_get_status, (const char *, char **))                  \
    FUNCTION(payorder_result, payorder_parse_return_url, (const char *, char **))                  \
    FUNCTION(payorder_result, payorder_verify_payment, (const char *, const char *, char **))      \
    FUNCTION(void, payorder_string_free, (char *))

#ifdef PAYORDER_GO_LINK

/* The compiler compares the list above with the header. */
#include <payorder.h>

#if PAYORDER_ABI_VERSION != PAYORDER_GO_ABI_VERSION
#error "payorder.h is for another version of the ABI than this package"
#endif

#define DECLARE(result, name, arguments) static result(*const go_##name) arguments = name;
FUNCTIONS(DECLARE)

static int find_functions(const char *path, char *message, size_t size)
{
    (void)path, (void)message, (void)size;
    return 1;
}

#else

typedef int32_t payorder_result;
typedef struct payorder_client payorder_client;
typedef void (*payorder_log_fn)(const char *event_json, void *user_data);
typedef int32_t (*payorder_status_fn)(size_t index, int32_t result, const char *json,
                                      void *user_data);

#define DECLARE(result, name, arguments) static result(*go_##name) arguments;
FUNCTIONS(DECLARE)

#ifdef _WIN32
#include <windows.h>

static void *open_library(const char *path, char *message, size_t size)
{
    wchar_t wide[32768];
    HMODULE library = NULL;
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, 32768) > 0) {
        library = LoadLibraryW(wide);
    }
    if (library == NULL) {
        snprintf(message, size, "error %lu of the system", (unsigned long)GetLastError());
    }
    return (void *)library;
}

static void *find(void *library, const char *name)
{
    return (void *)GetProcAddress((HMODULE)library, name);
}

#else
#include <dlfcn.h>

static void *open_library(const char *path, char *message, size_t size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(message, size, "%s", dlerror());
    }
    return library;
}

static void *find(void *library, const char *name)
{
    return dlsym(library, name);
}
#endif

/* memcpy, because ISO C has no cast from an object pointer to a function pointer. */
#define FIND(result, name, arguments)                                                              \
    address = find(library, #name);                                                                \
    if (address == NULL) {                                                                         \
        snprintf(message, size, "has no %s: it is older than this package", #name);                \
        return 0;                                                                                  \
    }                                                                                              \
    memcpy(&go_##name, &address, sizeof address);

static int find_functions(const char *path, char *message, size_t size)
{
    void *library = open_library(path, message, size), *address;
    if (library == NULL) {
        return 0;
    }
    /* First the version: a library with another one may lack functions. */
    address = find(library, "payorder_abi_version");
    if (address == NULL) {
        snprintf(message, size, "not a payorder library");
        return 0;
    }
    memcpy(&go_payorder_abi_version, &address, sizeof address);
    if (go_payorder_abi_version() != PAYORDER_GO_ABI_VERSION) {
        return 1;
    }
    FUNCTIONS(FIND)
    return 1;
}

#endif

int payorder_go_load(const char *path, char *message, size_t size)
{
    if (!find_functions(path, message, size)) {
        return 0;
    }
    uint32_t version = go_payorder_abi_version();
    if (version != PAYORDER_GO_ABI_VERSION) {
        snprintf(message, size,
                 "has version %lu of the ABI, and this package needs version %d",
                 (unsigned long)version, PAYORDER_GO_ABI_VERSION);
        return 0;
    }
    return 1;
}

const char *payorder_go_version(void)
{
    return go_payorder_version();
}

size_t payorder_go_live(char what)
{
    return what == 's' ? go_payorder_live_strings() :
           what == 'c' ? go_payorder_live_calls() : go_payorder_live_clients();
}

void payorder_go_string_free(char *string)
{
    go_payorder_string_free(string);
}

int32_t payorder_go_cancellation_new(char **out_token)
{
    return go_payorder_cancellation_new(out_token);
}

int32_t payorder_go_cancellation_cancel(const char *token)
{
    return go_payorder_cancellation_cancel(token);
}

/* Frees the token, and then its text. */
void payorder_go_cancellation_free(char *token)
{
    go_payorder_cancellation_free(token);
    go_payorder_string_free(token);
}

static payorder_client *pointer(uintptr_t client)
{
    return (payorder_client *)client;
}

int32_t payorder_go_client_new(int from_env, const char *config, uintptr_t *out_client, char **out)
{
    payorder_client *client = NULL;
    int32_t result = from_env ? go_payorder_client_from_env(config, &client, out)
                              : go_payorder_client_new(config, &client, out);
    *out_client = (uintptr_t)client;
    return result;
}

int32_t payorder_go_client_set_credentials(uintptr_t client, const char *credentials, char **out)
{
    return go_payorder_client_set_credentials(pointer(client), credentials, out);
}

int32_t payorder_go_client_free(uintptr_t client)
{
    return go_payorder_client_free(pointer(client));
}

int32_t payorder_go_client_cancel(uintptr_t client)
{
    return go_payorder_client_cancel(pointer(client));
}

int32_t payorder_go_client_stop(uintptr_t client)
{
    return go_payorder_client_stop(pointer(client));
}

/* The Go number of the call that this thread is in, or 0 if nobody takes its log events. The
 * library calls back on the thread that is inside the call. */
static _Thread_local uintptr_t current;

static void log_event(const char *event_json, void *user_data)
{
    (void)user_data;
    if (current != 0) {
        payorderGoLog((char *)event_json, current);
    }
}

int32_t payorder_go_client_set_log(uintptr_t client, int on)
{
    return go_payorder_client_set_log(pointer(client), on ? log_event : NULL, NULL);
}

static int32_t take_status(size_t index, int32_t result, const char *json, void *user_data)
{
    return payorderGoStatus(index, result, (char *)json, (uintptr_t)user_data);
}

static int32_t call_function(int function, uintptr_t call, payorder_client *client,
                             const char *request, const char *options, char **out)
{
    switch (function) {
    case PAYORDER_GO_CREATE_ORDER:
        return go_payorder_create_order(client, request, options, out);
    case PAYORDER_GO_GET_STATUS:
        return go_payorder_get_status(client, request, options, out);
    case PAYORDER_GO_WAIT_FOR_PAYMENT:
        return go_payorder_wait_for_payment(client, request, options, out);
    case PAYORDER_GO_GET_STATUSES:
        return go_payorder_get_statuses(client, request, options, take_status, (void *)call, out);
    case PAYORDER_GO_RECOVER:
        return go_payorder_recover(client, request, options, out);
    case PAYORDER_GO_JOURNAL_LIST:
        return go_payorder_journal_list(client, options, out);
    case PAYORDER_GO_JOURNAL_RESOLVE:
        return go_payorder_journal_resolve(client, options, out);
    case PAYORDER_GO_JOURNAL_SETTLE:
        return go_payorder_journal_settle(client, options, out);
    default:
        return go_payorder_journal_prune(client, options, out);
    }
}

int32_t payorder_go_call(int function, uintptr_t call, uintptr_t client, const char *request,
                         const char *options, char **out)
{
    uintptr_t outer = current;
    current = call;
    int32_t result = call_function(function, call, pointer(client), request, options, out);
    current = outer;
    return result;
}

int32_t payorder_go_offline(int function, const char *first, const char *second, char **out)
{
    switch (function) {
    case PAYORDER_GO_BUILD_CREATE_ORDER:
        return go_payorder_build_create_order(first, second, out);
    case PAYORDER_GO_BUILD_GET_STATUS:
        return go_payorder_build_get_status(first, out);
    case PAYORDER_GO_PARSE_RETURN_URL:
        return go_payorder_parse_return_url(first, out);
    default:
        return go_payorder_verify_payment(first, second, out);
    }
}
