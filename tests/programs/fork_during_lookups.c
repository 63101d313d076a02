/*
 * A process forks during name lookups. The system's lookup takes locks that nobody releases in a
 * forked child. Here it takes one for some milliseconds, so that a child forked during a lookup
 * would block forever in its own lookup.
 */
#include "host.h"

#include <dlfcn.h>
#include <netdb.h>

enum { THREADS = 3, FORKS = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int lookups;
static atomic_int stop;
static const char *config;

/* This function replaces the system's. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    void *symbol = dlsym(RTLD_NEXT, "getaddrinfo");
    memcpy(&real, &symbol, sizeof real);
    pthread_mutex_lock(&lock);
    lookups++;
    sleep_ms(3);
    int result = real(name, service, hints, found);
    pthread_mutex_unlock(&lock);
    return result;
}

static void *make_orders_with_new_clients(void *argument)
{
    for (int i = 0; !stop; i++) {
        payorder_client *client = client_of(config);
        must_create(client, "THREAD-%d-%d", (int)(long)argument, i);
        free_client(client);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    CHECK(argc == 2);
    config = argv[1];
    for (long i = 0; i < THREADS; i++) {
        threads[i] = start_thread(make_orders_with_new_clients, (void *)i);
    }
    for (int i = 0; i < FORKS; i++) {
        sleep_ms(i % 7);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60);
            payorder_client *client = client_of(config);
            must_create(client, "CHILD-%d", i);
            free_client(client);
            _exit(0);
        }
        must_end_well(child);
    }
    stop = 1;
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(lookups > FORKS); /* otherwise hardly any fork happened during one */
    nothing_is_live();
    return 0;
}
