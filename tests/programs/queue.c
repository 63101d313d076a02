/* The queue of started calls: how many threads it has, what a forked child sees of it, and that nothing
 * of it is sent once the process exits. The arguments: a service with pending payments, one that does not
 * answer, one with a journal that answers once a file is there, and that file. Each client makes 4 calls
 * at once. */
#include "host.h"

#include <sys/socket.h>

enum { WAITS = 500, ORDERS = 1000, AT_ONCE = 4, OTHERS = 4, QUEUED = 20 };

static atomic_int asked, sent;

static void count(const char *event_json, void *user_data)
{
    (void)user_data;
    asked += strstr(event_json, "\"attempt_finished\"") != NULL;
    sent += strstr(event_json, "\"attempt_started\"") != NULL;
}

static void start(payorder_client *client, const char *operation, const char *request,
                  const char *options)
{
    char *error = NULL;
    CHECK_RESULT(PAYORDER_OK,
                 payorder_start(client, operation, request, options, NULL, client, &error), error);
}

static void start_order(payorder_client *client, int number)
{
    char order_id[32];
    snprintf(order_id, sizeof order_id, "QUEUED-%d", number);
    char *order = order_of(order_id);
    start(client, "create_order", order, NULL);
    payorder_string_free(order);
}

/* Takes one answer, which must come. */
static int32_t take(payorder_client *client)
{
    int32_t taken = 0, result = -1;
    char *json = NULL;
    void *user_data = NULL;
    CHECK(payorder_take_done(client, 60000, &taken, &result, &json, &user_data) == PAYORDER_OK);
    CHECK(taken == 1 && user_data == client && json != NULL);
    payorder_string_free(json);
    return result;
}

static void no_answer(payorder_client *client)
{
    int32_t taken = 1, result = 1;
    char *json = "";
    void *user_data = client;
    CHECK(payorder_take_done(client, 0, &taken, &result, &json, &user_data) == PAYORDER_OK);
    CHECK(taken == 0 && result == 0 && json == NULL && user_data == NULL);
}

static void threads_are_there_only_while_there_is_work(const char *pending)
{
    const char *wait = "{\"waitMs\":600000,\"intervalMs\":600000,\"maxIntervalMs\":600000}";
    int before = entries("/proc/self/task"), most = 0;
    payorder_client *client = client_of(pending);
    CHECK(payorder_client_set_log(client, count, NULL) == PAYORDER_OK);
    for (int i = 0; i < WAITS; i++) {
        start(client, "wait_for_payment", "{\"orderId\":\"O-1\"}", wait);
    }
    while (asked < WAITS) {
        sleep_ms(5);
    }

    must_have_threads(before + 1); /* it watches the time */
    CHECK(payorder_live_calls() == WAITS);
    CHECK(payorder_client_cancel(client) == PAYORDER_OK);
    for (int i = 0; i < WAITS; i++) {
        CHECK(take(client) == PAYORDER_CANCELLED_IN_FLIGHT);
    }
    must_have_threads(before);
    for (int i = 0; i < ORDERS; i++) {
        start_order(client, i);
    }
    for (int i = 0; i < ORDERS; i++) {
        CHECK(take(client) == PAYORDER_OK);
        int now = entries("/proc/self/task");
        most = now > most ? now : most;
    }
    CHECK(most <= before + AT_ONCE + OTHERS);
    CHECK(payorder_live_calls() == 0);
    must_have_threads(before);
    free_client(client);
}

static void a_cancel_needs_few_threads(const char *silent)
{
    int before = entries("/proc/self/task"), most = 0;
    payorder_client *client = client_of(silent);
    for (int i = 0; i < ORDERS; i++) {
        start_order(client, i);
    }
    CHECK(payorder_client_cancel(client) == PAYORDER_OK);
    for (int i = 0; i < ORDERS; i++) {
        take(client);
        int now = entries("/proc/self/task");
        most = now > most ? now : most;
    }
    free_client(client);
    CHECK(most <= before + AT_ONCE + OTHERS);
    must_have_threads(before);
}

static void a_forked_child_has_its_own(const char *silent, const char *pending)
{
    payorder_client *client = client_of(silent), *other = client_of(pending);
    CHECK(payorder_done_handle(client) != -1);
    for (int i = 0; i < QUEUED; i++) {
        start_order(client, i);
    }
    pid_t child = fork();
    if (child == 0) {
        CHECK(payorder_live_calls() == 0);
        no_answer(client);
        CHECK(payorder_done_handle(client) != -1);
        CHECK(payorder_client_cancel(client) == PAYORDER_OK);
        start(other, "get_status", "{\"orderId\":\"O-1\"}", NULL);
        CHECK(take(other) == PAYORDER_OK);
        free_client(client);
        free_client(other);
        _exit(0);
    }
    must_end_well(child);
    CHECK(payorder_live_calls() == QUEUED);
    CHECK(payorder_client_stop(client) == PAYORDER_OK);
    for (int i = 0, in_flight = 0; i < QUEUED; i++) {
        int32_t result = take(client);
        in_flight += result == PAYORDER_CANCELLED_IN_FLIGHT;
        CHECK(result == PAYORDER_CANCELLED || result == PAYORDER_CANCELLED_IN_FLIGHT);
        CHECK(in_flight <= AT_ONCE);
    }
    no_answer(client);
    free_client(client);
    free_client(other);
}

/* A host closes descriptors that are not its own, and has its own files with these numbers. */
static void a_closed_handle_is_the_hosts(const char *pending)
{
    payorder_client *client = client_of(pending);
    int handle = (int)payorder_done_handle(client), own[2], copies[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, own) == 0);
    for (int i = 0; i < 2; i++) {
        CHECK((copies[i] = dup2(own[i], handle + i)) == handle + i);
    }
    start(client, "get_status", "{\"orderId\":\"O-1\"}", NULL);
    CHECK(take(client) == PAYORDER_OK);
    CHECK(payorder_done_handle(client) != handle);
    free_client(client);
    for (int i = 0; i < 2; i++) {
        char byte;
        CHECK(recv(copies[i], &byte, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(close(copies[i]) == 0 && close(own[i]) == 0);
    }
}

/* The clean end of a program may be in an exit handler. */
static payorder_client *left;

static void end_cleanly(void)
{
    CHECK(payorder_client_stop(left) == PAYORDER_OK);
    while (payorder_live_calls() > 0) {
        sleep_ms(5);
    }
    free_client(left);
}

static void an_exit_handler_can_end_cleanly(const char *silent)
{
    pid_t child = fork();
    if (child == 0) {
        CHECK(atexit(end_cleanly) == 0);
        left = client_of(silent);
        for (int i = 0; i < QUEUED; i++) {
            start_order(left, i);
        }
        exit(0);
    }
    must_end_well(child);
}

static const char *exit_file;

/* The four calls end, and their places become free. Nothing more is sent. */
static void wait_for_answers(void)
{
    FILE *file = fopen(exit_file, "w");
    CHECK(file != NULL && fclose(file) == 0);
    sleep_ms(1000);
}

static void run(char **arguments)
{
    threads_are_there_only_while_there_is_work(arguments[0]);
    a_cancel_needs_few_threads(arguments[1]);
    a_forked_child_has_its_own(arguments[1], arguments[0]);
    a_closed_handle_is_the_hosts(arguments[0]);
    an_exit_handler_can_end_cleanly(arguments[1]);
    payorder_client *client = client_of(arguments[2]);
    CHECK(payorder_client_set_log(client, count, NULL) == PAYORDER_OK);
    sent = 0;
    for (int i = 0; i < QUEUED; i++) {
        start_order(client, i);
    }
    exit_file = arguments[3];
    CHECK(atexit(wait_for_answers) == 0);
    while (sent < AT_ONCE) {
        sleep_ms(5);
    }
    exit(0);
}
