/*
 * A name lookup of the system hangs: calls still end in time, share one lookup, and a forked child
 * starts its own. The configuration is for a service with a host name, with a connect timeout of
 * 500 ms.
 */
#include "host.h"

#include <netdb.h>

static atomic_int asked;
static atomic_int held = 1;

/* This function replaces the system's. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    find_symbol(RTLD_NEXT, "getaddrinfo", &real);
    asked++;
    while (held) {
        sleep_ms(2);
    }
    return real(name, service, hints, found);
}

static void run(char **arguments)
{
    const int threads = entries("/proc/self/task");
    payorder_client *client = client_of(arguments[0]);
    for (int i = 0; i < 3; i++) {
        double began = seconds_now();
        CHECK(create(client, "NOT-SENT", NULL) == PAYORDER_CONNECT_FAILED);
        CHECK(seconds_now() - began > 0.45 && seconds_now() - began < 10);
    }
    CHECK(asked == 1);
    must_have_threads(threads + 1);

    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        held = 0;
        must_create(client, "CHILD");
        free_client(client);
        _exit(0);
    }
    must_end_well(child);

    held = 0;
    must_have_threads(threads);
    must_create(client, "PARENT");
    free_client(client);
}
