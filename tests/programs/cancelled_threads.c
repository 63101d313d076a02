/*
 * A thread that the host cancels (pthread_cancel) inside a call first finishes the call, so the
 * library is not interrupted and the host gets the result. The thread ends at its next cancellation
 * point. Cancellation is also disabled during a callback. The thread of a started call may end in its
 * callback.
 */
#include "host.h"

enum { KINDS = 5 };

static payorder_client *client;
static atomic_int inside, ended[KINDS], after[KINDS];

static void in_the_call(const char *event_json, void *user_data)
{
    (void)event_json;
    (void)user_data;
    inside++;
    sleep_ms(1); /* a cancellation point */
}

static int32_t each(size_t index, int32_t result, const char *json, void *user_data)
{
    (void)index;
    (void)result;
    (void)json;
    (void)user_data;
    sleep_ms(1);
    return 1;
}

static void *call(void *argument)
{
    const char *query = "{\"orderId\":\"O-1\"}";
    char *json = NULL, *other = NULL;
    int kind = (int)(long)argument, state = -1;
    switch (kind) {
    case 0:
        json = order_of("CANCELLED-1");
        payorder_create_order(client, json, NULL, &other);
        break;
    case 1:
        payorder_get_status(client, query, NULL, &other);
        break;
    case 2:
        payorder_wait_for_payment(client, query,
                                  "{\"waitMs\":600,\"timeoutMs\":300,\"intervalMs\":100}", &other);
        break;
    case 3:
        payorder_get_statuses(client, "[{\"orderId\":\"O-1\"},{\"orderId\":\"O-2\"}]", NULL, each,
                              NULL, &other);
        break;
    default:
        inside++;
        while (ended[0] == 0) {
            payorder_string_free(order_of("OFFLINE"));
        }
    }
    payorder_string_free(json);
    payorder_string_free(other);
    ended[kind] = 1;
    /* The previous state is restored. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    CHECK(state == PTHREAD_CANCEL_ENABLE);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    pthread_testcancel();
    after[kind] = 1;
    return NULL;
}

static void *uncancelled(void *argument)
{
    int state = -1;
    (void)argument;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    payorder_string_free(order_of("OFFLINE"));
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    CHECK(state == PTHREAD_CANCEL_DISABLE);
    return NULL;
}

/* Ends the thread of a started call. */
static void leave(int32_t result, const char *json, void *user_data)
{
    (void)result, (void)json;
    *(atomic_int *)user_data = 1;
    pthread_exit(NULL);
}

static void run(char **arguments)
{
    static atomic_int left;
    char *json = NULL;
    void *value = NULL;
    client = client_of(arguments[0]);
    CHECK(payorder_client_set_log(client, in_the_call, NULL) == PAYORDER_OK);
    for (long kind = 0; kind < KINDS; kind++) {
        inside = 0;
        if (kind == KINDS - 1) {
            ended[0] = 0;
        }
        pthread_t thread = start_thread(call, (void *)kind);
        for (double began = seconds_now(); inside == 0 && seconds_now() - began < 10;) {
            sleep_ms(1);
        }
        sleep_ms(30);
        CHECK(pthread_cancel(thread) == 0);
        sleep_ms(30);
        if (kind == KINDS - 1) {
            ended[0] = 1;
        }
        CHECK(pthread_join(thread, &value) == 0);
        CHECK(value == PTHREAD_CANCELED);
        CHECK(ended[kind] == 1);
        CHECK(after[kind] == 0);
        CHECK(payorder_live_calls() == 0);
    }
    CHECK(pthread_join(start_thread(uncancelled, NULL), &value) == 0);
    CHECK(payorder_client_set_log(client, NULL, NULL) == PAYORDER_OK);
    CHECK_RESULT(PAYORDER_OK, payorder_start(client, "get_status", "{}", NULL, leave, &left, &json),
                 json);
    while (left == 0) {
        sleep_ms(1);
    }
    sleep_ms(100); /* the process goes on */
    free_client(client);
}
