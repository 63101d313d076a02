/*
 * While a thread waits for another thread that flushes the same journal, its idle function runs, and
 * its call can be cancelled. It also waits when it is the first call of its client.
 */
#include "host.h"

#include <sys/syscall.h>

static atomic_int hold, flushing;

/* A flush of a slow disk. SQLite uses one of these two functions. */
static int flush(long number, int descriptor)
{
    for (double began = seconds_now(); hold && seconds_now() - began < 60;) {
        flushing = 1;
        sleep_ms(1);
    }
    return (int)syscall(number, descriptor);
}

int fsync(int descriptor)
{
    return flush(SYS_fsync, descriptor);
}

int fdatasync(int descriptor)
{
    return flush(SYS_fdatasync, descriptor);
}

struct sale {
    payorder_client *client;
    const char *order_id;
};

static void *sell(void *argument)
{
    const struct sale *sale = argument;
    must_create(sale->client, "%s", sale->order_id);
    return NULL;
}

static int32_t cancel_at_the_third(void *user_data)
{
    return ++*(int *)user_data == 3;
}

static void is_cancelled(payorder_client *client)
{
    int runs = 0;
    payorder_set_idle(cancel_at_the_third, &runs);
    CHECK(create(client, "CANCELLED", NULL) == PAYORDER_CANCELLED);
    CHECK(runs == 3);
    CHECK(payorder_live_calls() > 0); /* the flush goes on */
    payorder_set_idle(NULL, NULL);
}

static void run(char **arguments)
{
    payorder_client *client = client_of(arguments[0]), *other = client_of(arguments[0]);
    must_create(client, "BEFORE");
    hold = 1;
    struct sale first = {client, "FIRST"}, second = {client, "SECOND"};
    pthread_t flushes = start_thread(sell, &first);
    for (double began = seconds_now(); !flushing; sleep_ms(1)) {
        CHECK(seconds_now() - began < 30);
    }
    is_cancelled(client);
    is_cancelled(other);
    pthread_t waits = start_thread(sell, &second);
    while (payorder_live_calls() < 2) {
        sleep_ms(1);
    }
    hold = 0;
    CHECK(pthread_join(flushes, NULL) == 0);
    CHECK(pthread_join(waits, NULL) == 0);
    free_client(client);
    free_client(other);
}
