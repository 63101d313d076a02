/* This library from C: one client for all threads. The order and the query are texts. */
#include "contender.h"
#include "work.h"

#include <payorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLIENTS = 1000 };

#define CREDENTIALS                                                    \
    "\"accessToken\":\"" ACCESS_TOKEN "\",\"clientKey\":\"" CLIENT_KEY \
    "\",\"clientId\":\"" CLIENT_ID "\",\"secretKey\":\"" SECRET_KEY "\""

struct worker {
    payorder_client **clients; /* shared by all workers */
    int count, next;
};

static char config[4096];

static void succeeded(payorder_result result, char **json)
{
    if (result != PAYORDER_OK) {
        fail(payorder_result_name(result), *json);
    }
    payorder_string_free(*json);
}

static payorder_client *new_client(void)
{
    payorder_client *client = NULL;
    char *json = NULL;
    succeeded(payorder_client_new(config, &client, &json), &json);
    return client;
}

void *open_worker(const struct target *target)
{
    static payorder_client *clients[MOST_CLIENTS];
    struct worker *worker = calloc(1, sizeof *worker);

    if (clients[0] == NULL) {
        int many = target->clients > 1;
        /* With many clients, the time between two calls of one client is long. */
        int idle = many ? 600000 : 2000;
        if (target->clients > MOST_CLIENTS) {
            fail("out of range", "clients");
        }
        snprintf(config, sizeof config,
                 "{\"baseUrl\":\"%s\"," CREDENTIALS ",\"timeoutMs\":%d,\"maxIdleMs\":%d%s%s%s}",
                 target->url, target->timeout, idle,
                 target->ca != NULL ? ",\"tls\":{\"caFile\":\"" : "",
                 target->ca != NULL ? target->ca : "", target->ca != NULL ? "\"}" : "");
        for (int index = 0; index < target->clients; index++) {
            clients[index] = new_client();
        }
    }
    worker->clients = clients;
    worker->count = target->clients;
    return worker;
}

static payorder_client *next_client(struct worker *worker)
{
    payorder_client *client = worker->clients[worker->next];
    worker->next = worker->next + 1 == worker->count ? 0 : worker->next + 1;
    return client;
}

static void create(void *argument)
{
    char *json;
    succeeded(payorder_create_order(next_client(argument), ORDER, NULL, &json), &json);
}

static void status(void *argument)
{
    char *json;
    succeeded(payorder_get_status(next_client(argument), QUERY, NULL, &json), &json);
}

static void both(void *argument)
{
    create(argument);
    status(argument);
}

static void client(void *argument)
{
    (void)argument;
    payorder_client_free(new_client());
}

static void build_order(void *argument)
{
    char *json;
    (void)argument;
    succeeded(payorder_build_create_order(ORDER, NULL, &json), &json);
}

static void build_query(void *argument)
{
    char *json;
    (void)argument;
    succeeded(payorder_build_get_status(QUERY, &json), &json);
}

static void return_url(void *argument)
{
    char *json;
    (void)argument;
    succeeded(
        payorder_parse_return_url("https://shop.example.com/return?txn=TX-7f3c1e5a9b2d4860", &json),
        &json);
}

static void verify(void *argument)
{
    char *json;
    (void)argument;
    succeeded(payorder_verify_payment(EXPECTED, STATUS, &json), &json);
}

static void json_object(void *argument)
{
    /* What a text costs depends on its alignment, and that of other literals can change. */
    static const char order_id[] __attribute__((aligned(16))) = ORDER_ID;
    static const char *const pairs[] = {"orderId", order_id, "amount", "1499.00", NULL};
    char *json;
    (void)argument;
    succeeded(payorder_json_object(pairs, &json), &json);
}

static void json_get(void *argument)
{
    char *value;
    (void)argument;
    succeeded(payorder_json_get(STATUS, "/data/transactionStatus", &value), &value);
}

const struct work works[] = {
    {.name = "create", .call = create},
    {.name = "status", .call = status},
    {.name = "both", .call = both},
    {.name = "client", .call = client},
    {.name = "build-order", .call = build_order},
    {.name = "build-query", .call = build_query},
    {.name = "return-url", .call = return_url},
    {.name = "verify", .call = verify},
    {.name = "json-object", .call = json_object},
    {.name = "json-get", .call = json_get},
    {.name = NULL},
};
