/* libcurl with cJSON: one easy handle for each thread; checks the responses as payorder does. */
#include "cjson_order.h"
#include "contender.h"
#include "work.h"

#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

struct worker {
    CURL *curl;
    struct curl_slist *create_headers, *status_headers;
    char create_url[512], status_url[512];
    char *response;
    size_t length;
};

static size_t take(char *bytes, size_t size, size_t count, void *argument)
{
    struct worker *worker = argument;
    size_t length = size * count;
    if (worker->length + length >= MOST_BYTES) {
        return 0;
    }
    memcpy(worker->response + worker->length, bytes, length);
    worker->length += length;
    return length;
}

void *open_worker(const struct target *target)
{
    struct worker *worker = calloc(1, sizeof *worker);
    CURL *curl = worker->curl = curl_easy_init();

    worker->response = malloc(MOST_BYTES);
    snprintf(worker->create_url, sizeof worker->create_url, "%s" CREATE_PATH, target->url);
    snprintf(worker->status_url, sizeof worker->status_url, "%s" STATUS_PATH, target->url);
    worker->create_headers = curl_slist_append(NULL, "Content-Type: application/json");
    worker->create_headers =
        curl_slist_append(worker->create_headers, "ACCESS-TOKEN: " ACCESS_TOKEN);
    worker->status_headers = curl_slist_append(NULL, "Content-Type: application/json");
    worker->status_headers = curl_slist_append(worker->status_headers, "X-CLIENT-KEY: " CLIENT_KEY);
    worker->status_headers = curl_slist_append(worker->status_headers, "X-CLIENT-ID: " CLIENT_ID);
    worker->status_headers = curl_slist_append(worker->status_headers, "X-SECRET-KEY: " SECRET_KEY);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)target->timeout);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, worker);
    if (target->ca != NULL) {
        curl_easy_setopt(curl, CURLOPT_CAINFO, target->ca);
    }
    return worker;
}

/* Returns the data of a successful response. The caller deletes *response. */
static const cJSON *post(struct worker *worker, const char *url, struct curl_slist *headers,
                         const char *body, cJSON **response)
{
    const cJSON *data;
    const char *code;
    long http_status = 0;
    CURLcode result;

    worker->length = 0;
    curl_easy_setopt(worker->curl, CURLOPT_URL, url);
    curl_easy_setopt(worker->curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(worker->curl, CURLOPT_POSTFIELDSIZE, (long)strlen(body));
    curl_easy_setopt(worker->curl, CURLOPT_POSTFIELDS, body);
    result = curl_easy_perform(worker->curl);
    if (result != CURLE_OK) {
        fail(url, curl_easy_strerror(result));
    }
    curl_easy_getinfo(worker->curl, CURLINFO_RESPONSE_CODE, &http_status);
    *response = cJSON_ParseWithLength(worker->response, worker->length);
    code = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(*response, "responseCode"));
    data = cJSON_GetObjectItemCaseSensitive(*response, "data");
    if (http_status != 200 || code == NULL || strcmp(code, "200") != 0 || data == NULL) {
        fail(url, "an unexpected response");
    }
    return data;
}

static void create(void *argument)
{
    struct worker *worker = argument;
    char *body = cjson_order(ORDER);
    cJSON *response;
    const cJSON *data = post(worker, worker->create_url, worker->create_headers, body, &response);
    const char *checkout = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(data, "url"));
    if (checkout == NULL || strncmp(checkout, "https://", 8) != 0) {
        fail("no checkout", worker->create_url);
    }
    cJSON_Delete(response);
    cJSON_free(body);
}

static void status(void *argument)
{
    struct worker *worker = argument;
    cJSON *response;
    const cJSON *data = post(worker, worker->status_url, worker->status_headers, QUERY, &response);
    const char *order_id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(data, "orderId"));
    const char *said =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(data, "transactionStatus"));
    if (order_id == NULL || strcmp(order_id, ORDER_ID) != 0 || said == NULL) {
        fail("another order's status", worker->status_url);
    }
    cJSON_Delete(response);
}

static void both(void *argument)
{
    create(argument);
    status(argument);
}

const struct work works[] = {
    {.name = "create", .call = create},
    {.name = "status", .call = status},
    {.name = "both", .call = both},
    {.name = NULL},
};
