/* This library from C. The order and the query are texts. */
#include "contender.h"

#include <dirent.h>
#include <malloc.h>
#include <payorder.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define CREDENTIALS                                                    \
    "\"accessToken\":\"" ACCESS_TOKEN "\",\"clientKey\":\"" CLIENT_KEY \
    "\",\"clientId\":\"" CLIENT_ID "\",\"secretKey\":\"" SECRET_KEY "\""

#define EXPECTED "{\"orderId\":\"" ORDER_ID "\",\"amount\":\"1499.00\"}"

#define STATUS \
    "{\"responseCode\":\"200\",\"responseMessage\":\"Success\",\"data\":{" \
    "\"merchantRefId\":\"T-20261121-000001\",\"orderId\":\"" ORDER_ID "\"," \
    "\"transactionId\":\"TX-7f3c1e5a9b2d4860\",\"amount\":\"1499.00\"," \
    "\"customerName\":\"Asha Rao\",\"customerMobile\":\"9000000000\"," \
    "\"customerEmail\":\"asha@example.com\",\"transactionStatus\":\"Completed\"," \
    "\"transactionDate\":\"11/21/2026 02:05:06 PM\",\"refundStatus\":\"\"," \
    "\"refundType\":\"\",\"merchantName\":\"Example Shop\",\"settlementStatus\":\"\"," \
    "\"settlementDate\":\"\",\"payMode\":\"upi\"}}"

static char config[4096];
static payorder_client *client;

static void succeeded(payorder_result result, char *json)
{
    if (result != PAYORDER_OK) {
        fail(payorder_result_name(result), json);
    }
    payorder_string_free(json);
}

static payorder_client *new_client(void)
{
    payorder_client *made = NULL;
    char *json = NULL;
    payorder_result result = payorder_client_new(config, &made, &json);
    succeeded(result, json);
    return made;
}

static void begin(void)
{
    const char *journal = getenv("JOURNAL");
    snprintf(config, sizeof config,
             "{\"baseUrl\":\"%s\"," CREDENTIALS
             ",\"timeoutMs\":%ld,\"maxIdleMs\":600000%s%s%s%s%s%s}",
             url, timeout_ms, ca != NULL ? ",\"tls\":{\"caFile\":\"" : "", ca != NULL ? ca : "",
             ca != NULL ? "\"}" : "", journal != NULL ? ",\"journal\":\"" : "",
             journal != NULL ? journal : "", journal != NULL ? "\"" : "");
    client = new_client();
}

static void create_with(payorder_client *with)
{
    char *json;
    payorder_result result = payorder_create_order(with, ORDER, NULL, &json);
    succeeded(result, json);
}

static void create(void)
{
    create_with(client);
}

static void status(void)
{
    char *json;
    payorder_result result = payorder_get_status(client, QUERY, NULL, &json);
    succeeded(result, json);
}

/* An order that no other has: a journal refuses a second one. */
static void new_order(void)
{
    static atomic_long number;
    char order[1024], *json;
    long own = number++;
    snprintf(order, sizeof order, NEW_ORDER, getpid(), own, getpid(), own);
    payorder_result result = payorder_create_order(client, order, NULL, &json);
    succeeded(result, json);
}

static void *new_orders(void *count)
{
    for (long left = *(long *)count; left > 0; left--) {
        new_order();
    }
    return NULL;
}

/* Prints how many new orders a second THREADS threads create together. */
static void threads_of_orders(void)
{
    enum { ORDERS = 4000 };
    static int was_printed;
    pthread_t ids[64];
    int count = atoi(getenv("THREADS"));
    long each = ORDERS / count;
    if (was_printed++) {
        return;
    }
    new_order();
    long long began = now();
    for (int at = 0; at < count; at++) {
        pthread_create(&ids[at], NULL, new_orders, &each);
    }
    for (int at = 0; at < count; at++) {
        pthread_join(ids[at], NULL);
    }
    printf("%.0f\n", each * count * 1e9 / (now() - began));
}

static void both(void)
{
    create();
    status();
}

static void new_and_free(void)
{
    payorder_client_free(new_client());
}

/* Prints the bytes of heap that each of a hundred connected clients needs. */
static void memory(void)
{
    enum { COUNT = 100 };
    payorder_client *clients[COUNT];
    size_t before = mallinfo2().uordblks;
    for (int index = 0; index < COUNT; index++) {
        create_with(clients[index] = new_client());
    }
    printf("%zu\n", (mallinfo2().uordblks - before) / COUNT);
    for (int index = 0; index < COUNT; index++) {
        payorder_client_free(clients[index]);
    }
}

/* A call that goes through the queue, on a thread that is warm. */
static void started(void)
{
    int32_t taken = 0, result = -1;
    char *json = NULL;
    succeeded(payorder_start(client, "create_order", ORDER, NULL, NULL, NULL, &json), json);
    succeeded(payorder_take_done(client, 60000, &taken, &result, &json, NULL), NULL);
    succeeded(taken ? result : PAYORDER_TIMEOUT, json);
}

static atomic_int asked;

static void count_asked(const char *event_json, void *user_data)
{
    (void)user_data;
    asked += strstr(event_json, "\"attempt_finished") != NULL;
}

static long resident_bytes(void)
{
    long size, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) {
        fail("statm", "cannot be read");
    }
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static int threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(tasks);
    return count;
}

/* Prints the bytes that each of 10,000 waits needs between its queries, and how many threads there
 * are. */
static void waits(void)
{
    enum { COUNT = 10000 };
    static const char options[] =
        "{\"waitMs\":600000,\"intervalMs\":600000,\"maxIntervalMs\":600000}";
    static int was_printed;
    char *json = NULL;
    if (was_printed++) {
        return;
    }
    started();
    char pending[256];
    snprintf(pending, sizeof pending, "\"%s/pending\"", url);
    char *other = NULL;
    succeeded(payorder_json_set(config, "/baseUrl", pending, &other), NULL);
    succeeded(payorder_client_new(other, &client, &json), json);
    payorder_string_free(other);
    payorder_client_set_log(client, count_asked, NULL);
    long before = resident_bytes();
    for (int index = 0; index < COUNT; index++) {
        succeeded(payorder_start(client, "wait_for_payment", QUERY, options, NULL, NULL, &json),
                  json);
    }
    while (asked < COUNT) {
        usleep(10000);
    }
    sleep(1);
    printf("%ld %d\n", (resident_bytes() - before) / COUNT, threads() - 1);
    payorder_client_stop(client);
    for (int32_t taken = 1, result; taken;) {
        payorder_take_done(client, 60000, &taken, &result, &json, NULL);
        payorder_string_free(json);
    }
}

/* A cancellation token, made and freed beside 10,000 others. */
static void token(void)
{
    enum { OTHERS = 10000 };
    static int others;
    const char *made;
    for (; others < OTHERS; others++) {
        succeeded(payorder_cancellation_new(&made), NULL);
    }
    succeeded(payorder_cancellation_new(&made), NULL);
    succeeded(payorder_cancellation_free(made), NULL);
}

static void build_order(void)
{
    char *json;
    payorder_result result = payorder_build_create_order(ORDER, NULL, &json);
    succeeded(result, json);
}

static void build_query(void)
{
    char *json;
    payorder_result result = payorder_build_get_status(QUERY, &json);
    succeeded(result, json);
}

static void return_url(void)
{
    static const char came_back[] = "https://shop.example.com/return?txn=TX-7f3c1e5a9b2d4860";
    char *json;
    payorder_result result = payorder_parse_return_url(came_back, &json);
    succeeded(result, json);
}

static void verify(void)
{
    char *json;
    payorder_result result = payorder_verify_payment(EXPECTED, STATUS, &json);
    succeeded(result, json);
}

static void json_object(void)
{
    /* What a text costs depends on its alignment, and that of other literals can change. */
    static const char order_id[] __attribute__((aligned(16))) = ORDER_ID;
    static const char *const pairs[] = {"orderId", order_id, "amount", "1499.00", NULL};
    char *json;
    payorder_result result = payorder_json_object(pairs, &json);
    succeeded(result, json);
}

static void json_get(void)
{
    char *value;
    payorder_result result = payorder_json_get(STATUS, "/data/transactionStatus", &value);
    succeeded(result, value);
}

int main(int count, char **arguments)
{
    static const struct work works[] = {
        {"create", create},
        {"new-order", new_order},
        {"threads", threads_of_orders},
        {"status", status},
        {"both", both},
        {"started", started},
        {"waits", waits},
        {"client", new_and_free},
        {"memory", memory},
        {"token", token},
        {"build-order", build_order},
        {"build-query", build_query},
        {"return-url", return_url},
        {"verify", verify},
        {"json-object", json_object},
        {"json-get", json_get},
        {NULL, NULL},
    };
    return contend(count, arguments, begin, works);
}
