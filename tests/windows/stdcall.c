/*
 * Calls payorder-stdcall.dll as VB6 and VBA do: by undecorated names, with stdcall functions and
 * stdcall callbacks. After each call, the stack pointer must be where it was.
 *
 *     stdcall CONFIG_FILE ORDER_ID
 *
 * Prints nothing and exits with 0, or says which check failed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

typedef void(__stdcall *log_fn)(const char *event, void *user_data);
typedef int32_t(__stdcall *status_fn)(size_t index, int32_t result, const char *json,
                                    void *user_data);
typedef void(__stdcall *done_fn)(int32_t result, const char *json, void *user_data);
typedef int32_t(__stdcall *item_fn)(size_t index, const char *key, const char *value,
                                  void *user_data);

#define REQUIRE(condition)                                                       \
    do {                                                                         \
        if (!(condition)) {                                                      \
            printf("line %d: not true: %s\n", __LINE__, #condition);             \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

static HMODULE library;

static FARPROC named(const char *name)
{
    FARPROC found = GetProcAddress(library, name);
    if (!found) {
        printf("%s is not exported\n", name);
        exit(1);
    }
    return found;
}

/* The function of this name, with this result and these parameters. */
#define FUNCTION(result, name, parameters) ((result(__stdcall *) parameters)(void *)named(name))

static uintptr_t stack_pointer(void)
{
    uintptr_t now;
    __asm__ volatile("movl %%esp, %0" : "=r"(now));
    return now;
}

/* Makes a call, and checks that the callee removed its arguments from the stack. */
#define CALL(target, call)                                                       \
    do {                                                                         \
        uintptr_t before = stack_pointer();                                      \
        target = (call);                                                         \
        REQUIRE(stack_pointer() == before);                                      \
    } while (0)

static void __stdcall on_event(const char *event, void *user_data)
{
    REQUIRE(strstr(event, "\"event\":") != NULL);
    ++*(int *)user_data;
}

static int32_t __stdcall on_status(size_t index, int32_t result, const char *json, void *user_data)
{
    REQUIRE(index < 2 && json != NULL);
    ((int32_t *)user_data)[index] = result;
    return 1;
}

static int32_t __stdcall on_item(size_t index, const char *key, const char *value, void *user_data)
{
    REQUIRE(key == NULL && value != NULL);
    *(size_t *)user_data += (index + 1) * (size_t)atoi(value);
    return index < 1;
}

/* A till with one thread: its timer shows the clock, and takes what calls ended with. */
static void *till;
static int ticks;
static int32_t ended, ended_with;
static char *answer;

static void CALLBACK on_timer(HWND window, UINT message, UINT_PTR id, DWORD time)
{
    void *number = NULL;
    int32_t result;

    (void)window, (void)message, (void)id, (void)time;
    ++ticks;
    CALL(result, FUNCTION(int32_t, "payorder_take_done",
                          (void *, uint32_t, int32_t *, int32_t *, char **, void **))(
                     till, 0, &ended, &ended_with, &answer, &number));
    REQUIRE(result == 0 && (number == (void *)7) == (ended == 1));
}

static void __stdcall on_done(int32_t result, const char *json, void *user_data)
{
    REQUIRE(json != NULL);
    *(volatile int32_t *)user_data = result;
}

static char *text_of(const char *path)
{
    static char text[4096];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = 0;
    if (file)
        fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    void *client = (void *)1;
    char *json = NULL, *order = NULL;
    const char *token = NULL;
    char queries[256], number[16];
    const char *pairs[] = {
        "amount", "100.10", "merchantTxnId", argv[2], "orderId", argv[2], "payMode", "all",
        "merchantId", "M-7", "productInfo", "Two coffees", "customerName", "Asha Verma",
        "customerMobile", "9876543210", "customerEmail", "asha@example.com",
        "redirectionURL", "https://shop.example.com/done", "currencyCode", "INR", NULL};
    int32_t result, results[2] = {-1, -1};
    size_t count = 0, sum = 0, length = 0;
    int events = 0, logged;
    volatile int32_t done_with = -1;

    REQUIRE(argc == 3);
    library = LoadLibraryA("payorder-stdcall.dll");
    REQUIRE(library != NULL);

    uint32_t version;
    CALL(version, FUNCTION(uint32_t, "payorder_abi_version", (void))());
    REQUIRE(version == 1);
    const char *name;
    CALL(name, FUNCTION(const char *, "payorder_result_name", (int32_t))(206));
    REQUIRE(strcmp(name, "PAYORDER_DUPLICATE") == 0);

    /* What is wrong is an error with a text, and no client. */
    int32_t(__stdcall *client_new)(const char *, void **, char **) =
        FUNCTION(int32_t, "payorder_client_new", (const char *, void **, char **));
    void(__stdcall *string_free)(char *) = FUNCTION(void, "payorder_string_free", (char *));
    CALL(result, client_new("{}", &client, &json));
    REQUIRE(result == 3 && client == NULL && json != NULL);
    string_free(json);
    CALL(result, client_new(text_of(argv[1]), &client, &json));
    REQUIRE(result == 0 && client != NULL);
    string_free(json);

    /* A log callback lives until another one is set. */
    int32_t(__stdcall *set_log)(void *, log_fn, void *) =
        FUNCTION(int32_t, "payorder_client_set_log", (void *, log_fn, void *));
    CALL(result, set_log((void *)16, on_event, &events));
    REQUIRE(result == 2);
    CALL(result, set_log(client, on_event, &events));
    REQUIRE(result == 0);

    CALL(result, FUNCTION(int32_t, "payorder_json_object", (const char *const *, char **))(
                     pairs, &order));
    REQUIRE(result == 0);
    int32_t(__stdcall *create)(void *, const char *, const char *, char **) =
        FUNCTION(int32_t, "payorder_create_order", (void *, const char *, const char *, char **));
    CALL(result, create(client, order, NULL, &json));
    REQUIRE(result == 0 && strstr(json, "/checkout/") != NULL && events > 0);
    string_free(json);
    CALL(result, set_log(client, NULL, NULL));
    REQUIRE(result == 0);
    logged = events;

    /* A call that does not block: its timer goes on. */
    int32_t(__stdcall *start)(void *, const char *, const char *, const char *, done_fn, void *,
                              char **) =
        FUNCTION(int32_t, "payorder_start",
                 (void *, const char *, const char *, const char *, done_fn, void *, char **));
    sprintf(queries, "{\"orderId\":\"%s\"}", argv[2]);
    CALL(result, start(client, "wait_for_payment", queries, "{\"waitMs\":1000}", NULL, (void *)7,
                       &json));
    REQUIRE(result == 0 && json == NULL);
    till = client;
    MSG message;
    REQUIRE(SetTimer(NULL, 0, 50, on_timer) != 0);
    while (!ended && GetMessage(&message, NULL, 0, 0))
        DispatchMessage(&message);
    REQUIRE(ended_with == 0 && strstr(answer, "\"timedOut\":true") != NULL && ticks >= 5);
    string_free(answer);
    CALL(result, start(client, "get_status", queries, NULL, on_done, (void *)&done_with, &json));
    REQUIRE(result == 0 && json == NULL);
    while (FUNCTION(size_t, "payorder_live_calls", (void))() != 0)
        Sleep(10);
    REQUIRE(done_with == 0);

    sprintf(queries, "[{\"searchType\":\"1\",\"orderId\":\"%s\"},{\"searchType\":\"9\"}]", argv[2]);
    CALL(result, FUNCTION(int32_t, "payorder_get_statuses",
                          (void *, const char *, const char *, status_fn, void *, char **))(
                     client, queries, NULL, on_status, results, &json));
    REQUIRE(result == 0 && results[0] == 0 && results[1] == 4 && events == logged);
    string_free(json);

    int32_t(__stdcall *each)(const char *, const char *, item_fn, void *) =
        FUNCTION(int32_t, "payorder_json_each", (const char *, const char *, item_fn, void *));
    CALL(result, each("{\"a\":[10,20,30]}", "/a", on_item, &sum));
    REQUIRE(result == 0 && sum == 50);
    CALL(result, each("[]", "", NULL, NULL));
    REQUIRE(result == 1);
    CALL(result, FUNCTION(int32_t, "payorder_json_count", (const char *, const char *, size_t *))(
                     "[1,2,3]", "", &count));
    REQUIRE(result == 0 && count == 3);
    CALL(result, FUNCTION(int32_t, "payorder_json_copy",
                          (const char *, const char *, char *, size_t, size_t *))(
                     "{\"a\":\"12345\"}", "/a", number, sizeof number, &length));
    REQUIRE(result == 0 && length == 5 && strcmp(number, "12345") == 0);

    /* A cancelled token: nothing is sent. */
    CALL(result, FUNCTION(int32_t, "payorder_cancellation_new", (const char **))(&token));
    REQUIRE(result == 0);
    CALL(result, FUNCTION(int32_t, "payorder_cancellation_cancel", (const char *))(token));
    REQUIRE(result == 0);
    sprintf(queries, "{\"cancellation\":\"%s\"}", token);
    CALL(result, create(client, order, queries, &json));
    REQUIRE(result == 8);
    string_free(json);
    CALL(result, FUNCTION(int32_t, "payorder_cancellation_free", (const char *))(token));
    REQUIRE(result == 0);
    string_free(order);

    CALL(result, FUNCTION(int32_t, "payorder_client_free", (void *))(client));
    REQUIRE(result == 0);
    size_t live;
    CALL(live, FUNCTION(size_t, "payorder_live_clients", (void))());
    REQUIRE(live == 0);
    CALL(live, FUNCTION(size_t, "payorder_live_strings", (void))());
    REQUIRE(live == 0);

    /* It stays loaded, because a thread may still be in it. */
    REQUIRE(FreeLibrary(library) && GetModuleHandleA("payorder-stdcall.dll") == library);
    return 0;
}
