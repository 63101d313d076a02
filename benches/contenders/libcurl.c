/*
 * libcurl with cJSON: checks that the order is complete, and the responses, with what a C program
 * would write by hand.
 */
#include "contender.h"

#include <cjson/cJSON.h>
#include <curl/curl.h>

enum { MOST_BYTES = 1 << 20 };

static CURL *curl;
static struct curl_slist *create_headers, *status_headers;
static char create_url[512], status_url[512];
static char response[MOST_BYTES];
static size_t response_length;

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static int is_order(const cJSON *order)
{
    static const char *const fields[] = {"amount",         "merchantTxnId",  "orderId",
                                         "payMode",        "merchantId",     "productInfo",
                                         "customerName",   "customerMobile", "customerEmail",
                                         "redirectionURL", "currencyCode"};
    enum { COUNT = sizeof fields / sizeof *fields };
    if (!cJSON_IsObject(order) || cJSON_GetArraySize(order) != COUNT) {
        return 0;
    }
    for (size_t index = 0; index < COUNT; index++) {
        const char *value = text_of(order, fields[index]);
        if (value == NULL || value[strspn(value, " \t\r\n")] == '\0') {
            return 0;
        }
    }
    return 1;
}

static size_t take(char *bytes, size_t size, size_t count, void *unused)
{
    size_t length = size * count;
    (void)unused;
    if (response_length + length >= MOST_BYTES) {
        return 0;
    }
    memcpy(response + response_length, bytes, length);
    response_length += length;
    return length;
}

static void begin(void)
{
    curl = curl_easy_init();
    snprintf(create_url, sizeof create_url, "%s" CREATE_PATH, url);
    snprintf(status_url, sizeof status_url, "%s" STATUS_PATH, url);
    create_headers = curl_slist_append(NULL, "Content-Type: application/json");
    create_headers = curl_slist_append(create_headers, "ACCESS-TOKEN: " ACCESS_TOKEN);
    status_headers = curl_slist_append(NULL, "Content-Type: application/json");
    status_headers = curl_slist_append(status_headers, "X-CLIENT-KEY: " CLIENT_KEY);
    status_headers = curl_slist_append(status_headers, "X-CLIENT-ID: " CLIENT_ID);
    status_headers = curl_slist_append(status_headers, "X-SECRET-KEY: " SECRET_KEY);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    if (ca != NULL) {
        curl_easy_setopt(curl, CURLOPT_CAINFO, ca);
    }
}

/* A successful response, which the caller deletes. */
static cJSON *post(const char *to, struct curl_slist *headers, const char *body)
{
    const char *code;
    long http_status = 0;
    CURLcode result;
    cJSON *object;

    response_length = 0;
    curl_easy_setopt(curl, CURLOPT_URL, to);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)strlen(body));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    result = curl_easy_perform(curl);
    if (result != CURLE_OK) {
        fail(to, curl_easy_strerror(result));
    }
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &http_status);
    object = cJSON_ParseWithLength(response, response_length);
    code = text_of(object, "responseCode");
    if (http_status != 200 || code == NULL || strcmp(code, "200") != 0) {
        fail(to, "an unexpected response");
    }
    return object;
}

static void create(void)
{
    cJSON *order = cJSON_Parse(ORDER), *object;
    char *body = is_order(order) ? cJSON_PrintUnformatted(order) : NULL;
    const char *checkout;

    cJSON_Delete(order);
    if (body == NULL) {
        fail("not sent", "the order breaks a rule");
    }
    object = post(create_url, create_headers, body);
    checkout = text_of(cJSON_GetObjectItemCaseSensitive(object, "data"), "url");
    if (checkout == NULL || strncmp(checkout, "https://", 8) != 0) {
        fail("no checkout", create_url);
    }
    cJSON_Delete(object);
    cJSON_free(body);
}

static void status(void)
{
    cJSON *object = post(status_url, status_headers, QUERY);
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(object, "data");
    const char *order_id = text_of(data, "orderId");
    if (order_id == NULL || strcmp(order_id, ORDER_ID) != 0 ||
        text_of(data, "transactionStatus") == NULL) {
        fail("another order's status", status_url);
    }
    cJSON_Delete(object);
}

static void both(void)
{
    create();
    status();
}

int main(int count, char **arguments)
{
    static const struct work works[] = {{"both", both}, {NULL, NULL}};
    return contend(count, arguments, begin, works);
}
