/* With libcurl and cJSON, with care: after anything but a connection that was not made, and a clear
 * refusal, the order may exist, and the program asks for it. */
#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct text {
    char *data;
    size_t length;
};

static size_t append(char *data, size_t size, size_t count, void *user_data)
{
    struct text *text = user_data;
    char *grown = realloc(text->data, text->length + size * count + 1);

    if (grown == NULL)
        return 0;
    text->data = grown;
    memcpy(text->data + text->length, data, size * count);
    text->length += size * count;
    text->data[text->length] = 0;
    return size * count;
}

static CURLcode post(CURL *curl, const char *base, const char *path, const char *const *names,
                     const char *body, long *status, cJSON **answer)
{
    struct text text = {NULL, 0};
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    char url[256];
    CURLcode code;

    for (; *names != NULL; names++)
        headers = curl_slist_append(headers, *names);
    snprintf(url, sizeof url, "%s/api/v1/Gateway/%s", base, path);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 1000L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &text);
    code = curl_easy_perform(curl);
    *status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
    *answer = code == CURLE_OK ? cJSON_Parse(text.data) : NULL;
    curl_slist_free_all(headers);
    free(text.data);
    return code;
}

static const char *member(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));

    return text == NULL ? "" : text;
}

static const char *sell(CURL *curl, const char *base, const char *sale)
{
    static const char *const token[] = {"ACCESS-TOKEN: token", NULL};
    static const char *const key[] = {"ClientKey: key", "ClientId: id", "SecretKey: secret", NULL};
    cJSON *order = cJSON_CreateObject(), *query = cJSON_CreateObject(), *answer = NULL;
    const char *verdict = NULL;
    char *body;
    long status;
    CURLcode code;
    int tries;

    cJSON_AddStringToObject(order, "amount", "249.50");
    cJSON_AddStringToObject(order, "merchantTxnId", sale);
    cJSON_AddStringToObject(order, "orderId", sale);
    cJSON_AddStringToObject(order, "payMode", "all");
    cJSON_AddStringToObject(order, "merchantId", "M-1");
    cJSON_AddStringToObject(order, "productInfo", "Tea");
    cJSON_AddStringToObject(order, "customerName", "Asha");
    cJSON_AddStringToObject(order, "customerMobile", "9000000001");
    cJSON_AddStringToObject(order, "customerEmail", "asha@example.com");
    cJSON_AddStringToObject(order, "redirectionURL", "https://shop.example/return");
    cJSON_AddStringToObject(order, "currencyCode", "INR");
    body = cJSON_PrintUnformatted(order);
    code = post(curl, base, "CreateOrder", token, body, &status, &answer);
    free(body);
    if (code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT ||
        (status >= 400 && status < 500) || member(answer, "responseCode")[0] == '4')
        verdict = "failed";
    cJSON_Delete(answer);
    cJSON_AddStringToObject(query, "searchType", "1");
    cJSON_AddStringToObject(query, "orderId", sale);
    body = cJSON_PrintUnformatted(query);
    for (tries = 0; verdict == NULL && tries < 20; tries++) {
        post(curl, base, "GetStatus", key, body, &status, &answer);
        if (strcmp(member(answer, "responseCode"), "404") == 0)
            verdict = "failed";
        else if (strcmp(member(cJSON_GetObjectItemCaseSensitive(answer, "data"),
                               "transactionStatus"), "Completed") == 0)
            verdict = "paid";
        else
            usleep(100000);
        cJSON_Delete(answer);
    }
    free(body);
    cJSON_Delete(order);
    cJSON_Delete(query);
    return verdict == NULL ? "unknown" : verdict;
}

int main(int count, char **arguments)
{
    CURL *curl;
    int at;

    curl_global_init(CURL_GLOBAL_DEFAULT);
    curl = curl_easy_init();
    for (at = 2; at < count; at++) {
        printf("%s %s\n", arguments[at], sell(curl, arguments[1], arguments[at]));
        fflush(stdout);
    }
    curl_easy_cleanup(curl);
    curl_global_cleanup();
    return 0;
}
