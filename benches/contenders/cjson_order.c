#include "cjson_order.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char *const FIELDS[] = {"amount",         "merchantTxnId",  "orderId",
                                     "payMode",        "merchantId",     "productInfo",
                                     "customerName",   "customerMobile", "customerEmail",
                                     "redirectionURL", "currencyCode"};

static int is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* Decimal text, at least 1. */
static int is_amount(const char *text)
{
    size_t whole = strspn(text, "0123456789"), fraction = 0;
    if (whole == 0 || strspn(text, "0") == whole) {
        return 0;
    }
    if (text[whole] == '.') {
        fraction = strspn(text + whole + 1, "0123456789");
        return fraction > 0 && text[whole + 1 + fraction] == '\0';
    }
    return text[whole] == '\0';
}

static int is_pay_mode(const char *text)
{
    static const char *const modes[] = {"all", "cc", "dc", "upi", "nb"};
    for (size_t index = 0; index < sizeof modes / sizeof *modes; index++) {
        if (strcmp(text, modes[index]) == 0) {
            return 1;
        }
    }
    return 0;
}

static int is_url(const char *text)
{
    const char *host = strstr(text, "://");
    for (const char *at = text; *at != '\0'; at++) {
        if (iscntrl((unsigned char)*at) || *at == ' ' || *at == '\\') {
            return 0;
        }
    }
    return host != NULL && host != text && host[3] != '\0' && host[3] != '/';
}

static int is_valid(const cJSON *order)
{
    enum { COUNT = sizeof FIELDS / sizeof *FIELDS };
    if (!cJSON_IsObject(order) || cJSON_GetArraySize(order) != COUNT) {
        return 0;
    }
    for (size_t index = 0; index < COUNT; index++) {
        const char *value =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(order, FIELDS[index]));
        if (value == NULL || is_blank(value)) {
            return 0;
        }
    }
    return is_amount(cJSON_GetObjectItemCaseSensitive(order, "amount")->valuestring) &&
           is_pay_mode(cJSON_GetObjectItemCaseSensitive(order, "payMode")->valuestring) &&
           is_url(cJSON_GetObjectItemCaseSensitive(order, "redirectionURL")->valuestring);
}

char *cjson_order(const char *text)
{
    cJSON *order = cJSON_Parse(text);
    char *body = is_valid(order) ? cJSON_PrintUnformatted(order) : NULL;
    cJSON_Delete(order);
    return body;
}
