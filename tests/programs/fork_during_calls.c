/*
 * A process forks while its threads look up names, create orders with a shared token, and create
 * and free clients. No lock held by one of them may block the child: neither those of the library,
 * nor the database's with a journal in the configuration, nor that of the system's lookup, which
 * nobody releases in a child that is forked during one. Neither side may damage the other's journal,
 * and the child can cancel and free its copy of the token without any effect on the parent.
 */
#include "host.h"

#include <netdb.h>

enum { THREADS = 6, FORKS = 40 };

static pthread_mutex_t lookup = PTHREAD_MUTEX_INITIALIZER;
static atomic_int lookups;

/* This function replaces the system's. It takes its lock for some milliseconds. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    find_symbol(RTLD_NEXT, "getaddrinfo", &real);
    pthread_mutex_lock(&lookup);
    lookups++;
    sleep_ms(3);
    int result = real(name, service, hints, found);
    pthread_mutex_unlock(&lookup);
    return result;
}

static payorder_client *client;
static const char *config;
static const char *token;
static char *with_token;
static atomic_int stop;

static void *make_orders(void *argument)
{
    char order_id[64];
    for (int i = 0; !stop; i++) {
        snprintf(order_id, sizeof order_id, "THREAD-%d-%d", (int)(long)argument, i);
        CHECK(create(client, order_id, with_token) == PAYORDER_OK);
    }
    return NULL;
}

static void *make_and_free_clients(void *argument)
{
    (void)argument;
    for (int i = 0; !stop; i++) {
        payorder_client *own = client_of(config);
        must_create(own, "OWN-%d", i);
        free_client(own);
    }
    return NULL;
}

static void in_the_child(int number)
{
    const char *own_token = NULL;
    alarm(60); /* a child that waits for a lock would wait for ever */
    CHECK(payorder_live_calls() == 0); /* the threads' calls go on in the parent */
    must_create(client, "CHILD-%d", number);
    payorder_client *own = client_of(config);
    must_create(own, "OWN-CHILD-%d", number);
    free_client(own);
    CHECK(payorder_cancellation_cancel(token) == PAYORDER_OK);
    CHECK(create(client, "CANCELLED", with_token) == PAYORDER_CANCELLED);
    CHECK(payorder_cancellation_free(token) == PAYORDER_OK);
    CHECK(payorder_cancellation_new(&own_token) == PAYORDER_OK);
    CHECK(payorder_cancellation_cancel(own_token) == PAYORDER_OK);
    CHECK(payorder_cancellation_free(own_token) == PAYORDER_OK);
    free_client(client);
    CHECK(payorder_live_calls() == 0);
    _exit(0);
}

static void run(char **arguments)
{
    pthread_t threads[THREADS + 1];
    config = arguments[0];
    client = client_of(config);
    CHECK(payorder_cancellation_new(&token) == PAYORDER_OK);
    const char *pairs[] = {"cancellation", token, NULL};
    CHECK(payorder_json_object(pairs, &with_token) == PAYORDER_OK);
    for (long i = 0; i < THREADS; i++) {
        threads[i] = start_thread(make_orders, (void *)i);
    }
    threads[THREADS] = start_thread(make_and_free_clients, NULL);
    for (int i = 0; i < FORKS; i++) {
        sleep_ms(i % 7);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            in_the_child(i);
        }
        must_end_well(child);
    }
    stop = 1;
    for (int i = 0; i <= THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    /* Otherwise hardly any fork happened during one. */
    CHECK(strstr(config, "localhost") == NULL || lookups > FORKS);
    CHECK(payorder_cancellation_free(token) == PAYORDER_OK);
    payorder_string_free(with_token);
    free_client(client);
}
