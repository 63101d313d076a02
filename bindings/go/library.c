#include "library.h"

#include <stdio.h>
#include <string.h>

#include "_cgo_export.h"

#define PAYORDER_GO_ABI_VERSION 1

/* A function, as its type. The compiler cannot compare these types with the header. */
#define PAYORDER_GO(result, number, arguments) ((result(*) arguments)functions[number])

/* The address of each function, by its number. A client is a number for Go, and both have the size
 * of an address. */
#ifdef PAYORDER_GO_LINK

#include <payorder.h>

#if PAYORDER_HEADER_ABI_VERSION != PAYORDER_GO_ABI_VERSION
#error "payorder.h is for another version of the ABI than this package"
#endif

#define ADDRESS(number, name) (void *)name,
static void *const functions[] = {PAYORDER_GO_FUNCTIONS(ADDRESS)};

static int find_functions(const char *path, char *message, size_t size)
{
    (void)path, (void)message, (void)size;
    return 1;
}

#else

#define NAME(number, name) #name,
static const char *const names[] = {PAYORDER_GO_FUNCTIONS(NAME)};
static void *functions[sizeof names / sizeof names[0]];

#ifdef _WIN32
#include <windows.h>

static void *open_library(const char *path, char *message, size_t size)
{
    wchar_t wide[32768];
    HMODULE library = NULL;
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, 32768) > 0) {
        /* Of a name without a folder, LoadLibraryW would also load a file in the working folder,
           which may be anybody's. */
        library = LoadLibraryExW(wide, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
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

/* First the version: a library with another one may lack functions. */
static int find_functions(const char *path, char *message, size_t size)
{
    void *library = open_library(path, message, size);
    if (library == NULL) {
        return 0;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        functions[i] = find(library, names[i]);
        if (functions[i] == NULL) {
            const char *problem =
                i == PAYORDER_GO_ABI ? "not a payorder library" : "it is older than this package";
            snprintf(message, size, "has no %s: %s", names[i], problem);
            return 0;
        }
        if (i == PAYORDER_GO_ABI && PAYORDER_GO(uint32_t, i, (void))() != PAYORDER_GO_ABI_VERSION) {
            return 1;
        }
    }
    return 1;
}

#endif

int payorder_go_load(const char *path, char *message, size_t size)
{
    if (!find_functions(path, message, size)) {
        return 0;
    }
    uint32_t version = PAYORDER_GO(uint32_t, PAYORDER_GO_ABI, (void))();
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
    return PAYORDER_GO(const char *, PAYORDER_GO_VERSION, (void))();
}

size_t payorder_go_live(int function)
{
    return PAYORDER_GO(size_t, function, (void))();
}

void payorder_go_string_free(char *string)
{
    PAYORDER_GO(void, PAYORDER_GO_STRING_FREE, (char *))(string);
}

int32_t payorder_go_cancellation_new(const char **out_token)
{
    return PAYORDER_GO(int32_t, PAYORDER_GO_CANCELLATION_NEW, (const char **))(out_token);
}

int32_t payorder_go_cancellation(int function, const char *token)
{
    return PAYORDER_GO(int32_t, function, (const char *))(token);
}

int32_t payorder_go_client_new(int function, const char *config, uintptr_t *out_client, char **out)
{
    return PAYORDER_GO(int32_t, function, (const char *, uintptr_t *, char **))(config, out_client,
                                                                                out);
}

int32_t payorder_go_client(int function, uintptr_t client)
{
    return PAYORDER_GO(int32_t, function, (uintptr_t))(client);
}

/* The Go number of the blocking call that this thread is in, or 0. */
static _Thread_local uintptr_t current;

static void log_event(const char *event_json, void *user_data)
{
    payorderGoLog((char *)event_json, current != 0 ? current : (uintptr_t)user_data);
}

int32_t payorder_go_client_set_log(uintptr_t client, int on, uintptr_t call)
{
    return PAYORDER_GO(int32_t, PAYORDER_GO_CLIENT_SET_LOG,
                       (uintptr_t, void (*)(const char *, void *), void *))(
        client, on ? log_event : NULL, (void *)call);
}

static void done(int32_t result, const char *json, void *user_data)
{
    payorderGoDone(result, (char *)json, (uintptr_t)user_data);
}

int32_t payorder_go_start(uintptr_t client, const char *operation, const char *request,
                          const char *options, uintptr_t call, int log, char **out)
{
    if (log) {
        payorder_go_client_set_log(client, 1, call);
    }
    return PAYORDER_GO(int32_t, PAYORDER_GO_START,
                       (uintptr_t, const char *, const char *, const char *,
                        void (*)(int32_t, const char *, void *), void *, char **))(
        client, operation, request, options, done, (void *)call, out);
}

static int32_t take_status(size_t index, int32_t result, const char *json, void *user_data)
{
    return payorderGoStatus(index, result, (char *)json, (uintptr_t)user_data);
}

int32_t payorder_go_call(int function, uintptr_t call, uintptr_t client, const char *request,
                         const char *options, char **out)
{
    int32_t result;
    current = call;
    if (function == PAYORDER_GO_GET_STATUSES) {
        result = PAYORDER_GO(int32_t, function,
                             (uintptr_t, const char *, const char *,
                              int32_t (*)(size_t, int32_t, const char *, void *), void *, char **))(
            client, request, options, take_status, (void *)call, out);
    } else {
        result = PAYORDER_GO(int32_t, function, (uintptr_t, const char *, char **))(client, options,
                                                                                    out);
    }
    current = 0;
    return result;
}

int32_t payorder_go_offline(int function, const char *first, const char *second, char **out)
{
    if (function == PAYORDER_GO_BUILD_GET_STATUS || function == PAYORDER_GO_PARSE_RETURN_URL) {
        return PAYORDER_GO(int32_t, function, (const char *, char **))(first, out);
    }
    return PAYORDER_GO(int32_t, function, (const char *, const char *, char **))(first, second,
                                                                                 out);
}
