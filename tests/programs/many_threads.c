/* 200 threads on one client. */
#include "host.h"

enum { THREADS = 200, ORDERS = 5 };

static payorder_client *client;

static void *make_orders(void *argument)
{
    for (int i = 0; i < ORDERS; i++) {
        must_create(client, "O-%d-%d", (int)(long)argument, i);
    }
    return NULL;
}

static void run(char **arguments)
{
    pthread_t threads[THREADS];
    client = client_of(arguments[0]);
    for (long i = 0; i < THREADS; i++) {
        threads[i] = start_thread(make_orders, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    free_client(client);
}
