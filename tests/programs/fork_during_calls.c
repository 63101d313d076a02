/*
 * A process forks while its threads create orders, and create and free clients. No lock held by one
 * of them may block the child. With a journal in the configuration, this includes the database's
 * locks, and neither side may damage the other's file.
 */
#include "host.h"

enum { THREADS = 6, FORKS = 40 };

static payorder_client *client;
static const char *config;
static atomic_int stop;

static void *make_orders(void *argument)
{
    for (int i = 0; !stop; i++) {
        must_create(client, "THREAD-%d-%d", (int)(long)argument, i);
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

int main(int argc, char **argv)
{
    pthread_t threads[THREADS + 1];
    CHECK(argc == 2);
    config = argv[1];
    client = client_of(config);
    for (long i = 0; i < THREADS; i++) {
        threads[i] = start_thread(make_orders, (void *)i);
    }
    threads[THREADS] = start_thread(make_and_free_clients, NULL);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60); /* a child that waits for a lock would wait for ever */
            CHECK(payorder_live_calls() == 0); /* the threads' calls go on in the parent */
            must_create(client, "CHILD-%d", i);
            payorder_client *own = client_of(config);
            must_create(own, "OWN-CHILD-%d", i);
            free_client(own);
            free_client(client);
            CHECK(payorder_live_calls() == 0);
            _exit(0);
        }
        must_end_well(child);
    }
    stop = 1;
    for (int i = 0; i <= THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    free_client(client);
    nothing_is_live();
    return 0;
}
