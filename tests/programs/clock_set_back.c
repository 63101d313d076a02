/*
 * The machine's clock is set back by an hour, then forward by a day, during calls. Deadlines, waits
 * and kept connections are not affected. The second argument is the configuration for a service
 * that never responds, with a timeout of 1000 ms; the third for one that first sends Retry-After
 * with the current date.
 */
#include "host.h"

#include <sys/time.h>

static atomic_llong shift; /* in seconds */
static atomic_int asked;   /* how often the time of day was asked for */

/* This function replaces the system's. Only the time of day can be changed. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    int (*real)(clockid_t, struct timespec *);
    find_symbol(RTLD_NEXT, "clock_gettime", &real);
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME) {
        asked++;
        now->tv_sec += shift;
    }
    return result;
}

static void *set_amid_the_call(void *seconds)
{
    sleep_ms(300);
    shift = *(long *)seconds;
    return NULL;
}

static void with_the_clock_set(const char *config, long seconds)
{
    pthread_t clock = start_thread(set_amid_the_call, &seconds);
    must_give_up_in_time(config, PAYORDER_TIMEOUT);
    CHECK(pthread_join(clock, NULL) == 0);
}

static void run(char **arguments)
{
    const long back = -3600, on = 86400;
    payorder_client *client = client_of(arguments[0]);
    for (int i = 0; i < 10; i++) {
        shift = i % 2 ? back : on;
        must_create(client, "KEPT-%d", i);
    }
    free_client(client);

    with_the_clock_set(arguments[1], back);
    with_the_clock_set(arguments[1], on);

    /* The date in Retry-After has passed, or is an hour ahead of this clock: then the call has no
     * time for another attempt. */
    for (int i = 0; i < 2; i++) {
        char *json = NULL;
        shift = i == 0 ? on : back;
        client = client_of(arguments[2]);
        asked = 0;
        CHECK_RESULT(i == 0 ? PAYORDER_OK : PAYORDER_RATE_LIMITED,
                     payorder_get_status(client, "{\"orderId\":\"O\"}", NULL, &json), json);
        CHECK(asked > 0); /* otherwise the library does not use this clock */
        payorder_string_free(json);
        free_client(client);
    }
}
