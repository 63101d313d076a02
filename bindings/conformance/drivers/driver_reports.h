/* The values in the reports of the C driver. */
#ifndef DRIVER_REPORTS_H
#define DRIVER_REPORTS_H

#include "driver_json.h"

static char *checkout_value(const char *json)
{
    char *value = set_from(NULL, "/url", json, "/data/url");
    value = set_from(value, "/responseCode", json, "/responseCode");
    return set_from(value, "/responseMessage", json, "/responseMessage");
}

/* A status: the data, with the texts around it. */
static char *status_value(const char *json)
{
    char *value = get(json, "/data"), *completed = get(json, "/derived/completed");
    value = set_from(value, "/responseCode", json, "/responseCode");
    value = set_from(value, "/responseMessage", json, "/responseMessage");
    value = set_from(value, "/date", json, "/derived/transactionDate");
    value = set(value, "/completed", completed);
    payorder_string_free(completed);
    return value;
}

/* Replaces a status in a text, as the library writes it, with the report of it. */
static char *with_status(char *json)
{
    char *status = get(json, "/status");
    if (status != NULL) {
        char *value = status_value(status);
        json = set(json, "/status", value);
        payorder_string_free(value);
        payorder_string_free(status);
    }
    return json;
}

static char *error_value(payorder_result result, const char *json)
{
    static const char *const outcomes[] = {"done", "not_sent", "rejected", "unknown"};
    const char *outcome = outcomes[payorder_result_outcome(result)];
    char *error = json != NULL ? get(json, "/error") : NULL;
    if (error == NULL) {
        /* A function without out_json: the result is all that there is. */
        error = set_text(NULL, "/outcome", outcome);
    }
    error = set_number(error, "/result", (unsigned long)result);
    error = set_text(error, "/name", payorder_result_name(result));
    error = set_text(error, "/caught", outcome);
    return with_status(error);
}

static char *wait_value(const char *json)
{
    char *value = with_status(get(json, ""));
    char *error = get(value, "/error");
    if (error != NULL) {
        char number[NAME], *inner;
        copy(error, "/result", number);
        inner = error_value((payorder_result)atoi(number), value);
        value = set(value, "/error", inner);
        payorder_string_free(inner);
        payorder_string_free(error);
    }
    return value;
}

static char *whole_value(const char *json) { return get(json, ""); }
static char *entries_value(const char *json) { return get(json, "/entries"); }
static char *removed_value(const char *json) { return get(json, "/removed"); }

/* The body of a request is reported as text. */
static char *text_value(const char *json)
{
    char *value = NULL;
    payorder_json_quote(json, &value);
    return value;
}

static char *report(payorder_result result, const char *json, char *(*value_of)(const char *))
{
    int ok = result == PAYORDER_OK;
    char *text = set(NULL, "/ok", ok ? "true" : "false");
    if (!ok || value_of != NULL) {
        char *value = ok ? value_of(json) : error_value(result, json);
        text = set(text, ok ? "/value" : "/error", value);
        payorder_string_free(value);
    }
    return text;
}

#endif
