/*
 * A signal arrives every 20 ms, and its handler does not restart system calls. The second and third
 * arguments are configurations for a service that never responds and one that never accepts the
 * connection, both with a timeout of 1000 ms.
 */
#include "host.h"

#include <sys/time.h>

static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
    (void)signal;
    signals++;
}

static void interrupt_every_20_ms(void)
{
    struct sigaction action;
    struct itimerval every = {{0, 20000}, {0, 20000}};
    memset(&action, 0, sizeof action);
    action.sa_handler = count_signal;
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
}

/* The service once sends `Retry-After: 1`: the wait between the attempts must be that long. */
static void must_wait_between_attempts(payorder_client *client)
{
    char *json = NULL;
    double began = seconds_now();
    CHECK_RESULT(PAYORDER_OK, payorder_get_status(client, "{\"orderId\":\"LIMITED\"}", NULL, &json),
                 json);
    CHECK(seconds_now() - began > 0.95);
    payorder_string_free(json);
}

static void read_mask(int32_t result, const char *json, void *user_data)
{
    (void)result;
    (void)json;
    pthread_sigmask(SIG_BLOCK, NULL, user_data);
}

/* The function of a started call runs on a thread of the library. The process's signals do not
 * arrive there, but errors of the function do, and the signals by which runtimes stop a thread. */
static void must_leave_signals_to_threads(payorder_client *client)
{
    sigset_t of_host, mask;
    char *json;
    sigemptyset(&of_host);
    sigaddset(&of_host, SIGRTMIN);
    CHECK(pthread_sigmask(SIG_BLOCK, &of_host, NULL) == 0);
    CHECK(payorder_start(client, "get_status", "{\"orderId\":\"SLOW\"}", NULL, read_mask, &mask,
                         &json) == PAYORDER_OK);
    while (payorder_live_calls() != 0) {
        usleep(1000);
    }
    const int blocked[] = {SIGALRM, SIGTERM, SIGINT, SIGCHLD, SIGUSR1, SIGRTMIN};
    const int open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPWR, SIGXCPU, SIGRTMIN + 1, SIGRTMAX};
    for (size_t i = 0; i < sizeof blocked / sizeof *blocked; i++) {
        CHECK(sigismember(&mask, blocked[i]) == 1);
    }
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        CHECK(sigismember(&mask, open[i]) == 0);
    }
}

static void run(char **arguments)
{
    interrupt_every_20_ms();
    payorder_client *client = client_of(arguments[0]);
    must_wait_between_attempts(client);
    must_leave_signals_to_threads(client);
    for (int i = 0; i < 20; i++) {
        must_create(client, "SLOW-%d", i);
    }
    free_client(client);
    must_give_up_in_time(arguments[1], PAYORDER_TIMEOUT);
    must_give_up_in_time(arguments[2], PAYORDER_CONNECT_FAILED);
    CHECK(signals > 50); /* one second has that many */
}
