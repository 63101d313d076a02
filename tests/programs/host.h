/*
 * Shared by all host programs here. A host has a function `run`, which gets the program's arguments:
 * clients' configurations, then NULL. It prints nothing and exits with 0 if the promise was kept, so
 * any output is either a failed check or printed by the library.
 */
#ifndef HOST_H
#define HOST_H

#define _GNU_SOURCE
#include <payorder.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Exits with _exit, because a forked child must not run its parent's exit handlers. */
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            dprintf(2, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            _exit(1); \
        } \
    } while (0)

/* Compares a result with the expected one, and prints the JSON if they differ. */
#define CHECK_RESULT(expected, call, json) \
    do { \
        payorder_result host_result = (call); \
        if (host_result != (expected)) { \
            dprintf(2, "%s:%d: %s, expected %s: %s\n", __FILE__, __LINE__, \
                    payorder_result_name(host_result), payorder_result_name(expected), \
                    (json) != NULL ? (json) : ""); \
            _exit(1); \
        } \
    } while (0)

static inline payorder_client *client_of(const char *config)
{
    payorder_client *client = NULL;
    char *json = NULL;
    CHECK_RESULT(PAYORDER_OK, payorder_client_new(config, &client, &json), json);
    return client;
}

/* A valid order. Free it with payorder_string_free. */
static inline char *order_with(const char *order_id, const char *sold)
{
    const char *pairs[] = {"amount", "100.10", "merchantTxnId", order_id, "orderId", order_id,
                           "payMode", "all", "merchantId", "M-7", "productInfo", sold,
                           "customerName", "Asha Verma", "customerMobile", "9876543210",
                           "customerEmail", "asha@example.com",
                           "redirectionURL", "https://shop.example.com/done",
                           "currencyCode", "INR", NULL};
    char *json = NULL;
    CHECK_RESULT(PAYORDER_OK, payorder_json_object(pairs, &json), json);
    return json;
}

static inline char *order_of(const char *order_id)
{
    return order_with(order_id, "Two coffees");
}

/* Creates an order with this id and returns the result. The options may be NULL. */
static inline payorder_result create(payorder_client *client, const char *order_id,
                                     const char *options)
{
    char *order = order_of(order_id), *json = NULL;
    payorder_result result = payorder_create_order(client, order, options, &json);
    CHECK(json != NULL);
    payorder_string_free(json);
    payorder_string_free(order);
    return result;
}

/* The same, but only success is allowed. */
static inline void must_create(payorder_client *client, const char *format, ...)
{
    char order_id[64], *json = NULL;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(order_id, sizeof order_id, format, arguments);
    va_end(arguments);
    char *order = order_of(order_id);
    CHECK_RESULT(PAYORDER_OK, payorder_create_order(client, order, NULL, &json), json);
    payorder_string_free(json);
    payorder_string_free(order);
}

static inline void free_client(payorder_client *client)
{
    CHECK(payorder_client_free(client) == PAYORDER_OK);
}

/* Finds a function. C cannot convert an object pointer to a function pointer; POSIX guarantees that
 * their bytes are equal. */
static inline void find_symbol(void *handle, const char *name, void *function)
{
    void *symbol = dlsym(handle, name);
    CHECK(symbol != NULL);
    memcpy(function, &symbol, sizeof symbol);
}

/* A library that the host loads itself. */
struct library {
    void *handle;
    payorder_client_new_fn client_new;
    payorder_client_free_fn client_free;
    payorder_create_order_fn create_order;
    payorder_get_status_fn get_status;
    payorder_string_free_fn string_free;
    payorder_live_clients_fn live_clients;
    payorder_live_strings_fn live_strings;
};

static inline struct library load(const char *path)
{
    struct library library;
    library.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library.handle != NULL);
    find_symbol(library.handle, "payorder_client_new", &library.client_new);
    find_symbol(library.handle, "payorder_client_free", &library.client_free);
    find_symbol(library.handle, "payorder_create_order", &library.create_order);
    find_symbol(library.handle, "payorder_get_status", &library.get_status);
    find_symbol(library.handle, "payorder_string_free", &library.string_free);
    find_symbol(library.handle, "payorder_live_clients", &library.live_clients);
    find_symbol(library.handle, "payorder_live_strings", &library.live_strings);
    return library;
}

/* The library has no object left. */
static inline void nothing_is_live(void)
{
    CHECK(payorder_live_clients() == 0);
    CHECK(payorder_live_strings() == 0);
}

static inline double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Creates an order with a configuration whose time limit is 1000 ms. */
static inline void must_give_up_in_time(const char *config, payorder_result expected)
{
    payorder_client *client = client_of(config);
    double began = seconds_now();
    CHECK(create(client, "GIVEN-UP", NULL) == expected);
    double took = seconds_now() - began;
    CHECK(took > 0.95 && took < 10);
    free_client(client);
}

/* How many threads (/proc/self/task) or descriptors (/proc/self/fd) this process has. */
static inline int entries(const char *path)
{
    int count = 0;
    DIR *directory = opendir(path);
    CHECK(directory != NULL);
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count;
}

/* Sleeps for the whole time, even if signals arrive. */
static inline void sleep_ms(long ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

/* A joined thread can stay listed in /proc for a moment. */
static inline void must_have_threads(int count)
{
    for (double began = seconds_now(); entries("/proc/self/task") != count;) {
        CHECK(seconds_now() - began < 10);
        sleep_ms(2);
    }
}

static inline pthread_t start_thread(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, run, argument) == 0);
    return thread;
}

/* Waits for a child, which must exit with 0. */
static inline void must_end_well(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) != child) {
        CHECK(errno == EINTR);
    }
    if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        dprintf(2, "the child exited with status %#x\n", (unsigned)status);
        _exit(1);
    }
}

#ifndef OWN_MAIN
static void run(char **arguments);

int main(int argc, char **argv)
{
    CHECK(argc > 1);
    run(argv + 1);
    nothing_is_live();
    return 0;
}
#endif

#endif
