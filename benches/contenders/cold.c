/*
 * The first call of a process: loads the library, creates a client, creates an order.
 *
 *     cold LIBRARY URL [CA_FILE]
 *
 * Writes {"load":...,"client":...,"call":...,"second":...} in nanoseconds. `second` is a second
 * client with its first call.
 */
#define _GNU_SOURCE
#include "work.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int32_t new_fn(const char *, void **, char **);
typedef int32_t create_fn(void *, const char *, const char *, char **);
typedef void free_fn(char *);

static unsigned long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000u + (unsigned long long)time.tv_nsec;
}

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "cold: %s\n", dlerror());
        exit(1);
    }
    return found;
}

static void succeeded(int32_t result, char **json)
{
    if (result != 0) {
        fprintf(stderr, "cold: %s\n", *json);
        exit(1);
    }
}

int main(int count, char **arguments)
{
    char config[4096], *json = NULL;
    unsigned long long began, loaded, made, called, second;
    void *library, *client = NULL;
    new_fn *client_new;
    create_fn *create_order;
    free_fn *string_free;

    if (count < 3) {
        fprintf(stderr, "usage: cold LIBRARY URL [CA_FILE]\n");
        return 1;
    }
    snprintf(config, sizeof config,
             "{\"baseUrl\":\"%s\",\"accessToken\":\"" ACCESS_TOKEN "\"%s%s%s}", arguments[2],
             count > 3 ? ",\"tls\":{\"caFile\":\"" : "", count > 3 ? arguments[3] : "",
             count > 3 ? "\"}" : "");
    began = now();
    library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "cold: %s\n", dlerror());
        return 1;
    }
    client_new = (new_fn *)symbol(library, "payorder_client_new");
    create_order = (create_fn *)symbol(library, "payorder_create_order");
    string_free = (free_fn *)symbol(library, "payorder_string_free");
    loaded = now();
    succeeded(client_new(config, &client, &json), &json);
    made = now();
    succeeded(create_order(client, ORDER, NULL, &json), &json);
    called = now();
    string_free(json);
    second = now();
    succeeded(client_new(config, &client, &json), &json);
    succeeded(create_order(client, ORDER, NULL, &json), &json);
    second = now() - second;
    string_free(json);
    printf("{\"load\":%llu,\"client\":%llu,\"call\":%llu,\"second\":%llu}\n", loaded - began,
           made - loaded, called - made, second);
    return 0;
}
