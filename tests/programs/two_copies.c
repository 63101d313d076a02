/*
 * Two copies of the library in one process, as in a till with a plug-in: one is linked into the
 * program, the other one is loaded. They share a journal, and send the same orders at the same
 * moment. The first argument is the library to load, the second a configuration.
 */
#include "host.h"

enum { ORDERS = 150, THREADS = 2 };

static struct library copies[2];

static char *orders[ORDERS];
static const char *config;
static atomic_int created[ORDERS], refused[ORDERS];
static pthread_barrier_t start;

static void *send_all(void *argument)
{
    const struct library *copy = argument;
    payorder_client *client = NULL;
    char *json = NULL;
    CHECK(copy->client_new(config, &client, &json) == PAYORDER_OK);
    for (int i = 0; i < ORDERS; i++) {
        pthread_barrier_wait(&start);
        payorder_result result = copy->create_order(client, orders[i], NULL, &json);
        if (result == PAYORDER_OK) {
            created[i]++;
        } else {
            CHECK_RESULT(PAYORDER_DUPLICATE, result, json);
            refused[i]++;
        }
        copy->string_free(json);
        /* One copy closes and opens its database now and then, while the other one writes. */
        if (copy == &copies[1] && i % 10 == 9) {
            CHECK(copy->client_free(client) == PAYORDER_OK);
            CHECK(copy->client_new(config, &client, &json) == PAYORDER_OK);
        }
    }
    CHECK(copy->client_free(client) == PAYORDER_OK);
    return NULL;
}

static void run(char **arguments)
{
    config = arguments[1];
    copies[0].client_new = payorder_client_new;
    copies[0].client_free = payorder_client_free;
    copies[0].create_order = payorder_create_order;
    copies[0].string_free = payorder_string_free;
    copies[1] = load(arguments[0]);
    CHECK(copies[0].create_order != copies[1].create_order);

    for (int i = 0; i < ORDERS; i++) {
        char order_id[32];
        snprintf(order_id, sizeof order_id, "O-%d", i);
        orders[i] = order_of(order_id);
    }
    pthread_t threads[2 * THREADS];
    CHECK(pthread_barrier_init(&start, NULL, 2 * THREADS) == 0);
    for (int i = 0; i < 2 * THREADS; i++) {
        threads[i] = start_thread(send_all, &copies[i % 2]);
    }
    for (int i = 0; i < 2 * THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    for (int i = 0; i < ORDERS; i++) {
        CHECK(created[i] == 1 && refused[i] == 2 * THREADS - 1);
        payorder_string_free(orders[i]);
    }
}
