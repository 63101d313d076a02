/* Arguments of the client's methods, as JSON of the library. */
#include <stdio.h>

#include "component.h"

HRESULT order_read(VARIANT *given, VARIANT *more, char **request, char **options)
{
    Order *order = object_of(given, &order_class);
    char *extra = NULL, *twice = NULL;
    HRESULT status;
    *request = *options = NULL;
    status = json_read(&client_class, L"options", more, TEXT_OPTIONAL, options);
    if (FAILED(status))
        return status;
    if (order) {
        order_copy(order, request, &extra);
    } else {
        VARIANT value;
        VariantInit(&value);
        status = VariantCopyInd(&value, given);
        if (SUCCEEDED(status) && V_VT(&value) != VT_BSTR)
            status = mistake(&client_class, DISP_E_TYPEMISMATCH,
                             L"order must be a Payorder.Order, or its fields as JSON");
        if (SUCCEEDED(status))
            status = json_read(&client_class, L"order", &value, 0, request);
        VariantClear(&value);
    }
    if (SUCCEEDED(status) && extra && (twice = json_get(*options, "/extraFields")))
        status = mistake(&client_class, E_INVALIDARG,
                         L"extraFields are in the options and in the order: give them once");
    if (SUCCEEDED(status) && extra)
        status = json_put_value(&client_class, L"options", options, "/extraFields", extra);
    payorder_string_free(extra);
    payorder_string_free(twice);
    if (FAILED(status)) {
        payorder_string_free(*request);
        payorder_string_free(*options);
    }
    return status;
}

/* Whether a query is meant as JSON. An order id may be in braces, as a GUID is, without these. */
static int is_json(const char *text)
{
    return *text == '{' && (strlen(text) < 3 || strpbrk(text, "\"': \t\r\n"));
}

HRESULT query_read(VARIANT *given, VARIANT *more, VARIANT *seconds, char **request, char **options)
{
    const Value *result = object_of(given, &result_class);
    char *text = NULL, written[32];
    double time;
    HRESULT status;
    *request = *options = NULL;
    status = json_read(&client_class, L"options", more, TEXT_OPTIONAL, options);
    if (FAILED(status))
        return status;
    if (result) {
        *request = value_get(result, PLACES({KIND_ERROR, "/error/statusQuery"},
                                            {KIND_LIBRARY, "/statusQuery"}));
        if (!*request)
            status = mistake(&client_class, E_INVALIDARG, L"this result has no StatusQuery");
    } else {
        status = text_read(&client_class, L"query", given, 0, &text);
        if (SUCCEEDED(status) && is_json(text))
            status = json_read(&client_class, L"query", given, 0, request);
        else if (SUCCEEDED(status))
            status = json_put(&client_class, L"query", request, "/orderId", text);
        text_free(text);
    }
    if (SUCCEEDED(status) && seconds) {
        status = number_read(&client_class, L"seconds", seconds, 0.001, 86400, &time);
        snprintf(written, sizeof written, "%.0f", SUCCEEDED(status) ? time * 1000 : 0);
        if (SUCCEEDED(status))
            status = json_put_value(&client_class, L"options", options, "/waitMs", written);
    }
    if (FAILED(status)) {
        payorder_string_free(*request);
        payorder_string_free(*options);
    }
    return status;
}

HRESULT recover_read(VARIANT *sales, VARIANT *more, char **request, char **options)
{
    HRESULT status = json_read(&client_class, L"sales", sales, TEXT_OPTIONAL, request);
    *options = NULL;
    if (FAILED(status))
        return status;
    status = json_read(&client_class, L"options", more, TEXT_OPTIONAL, options);
    if (FAILED(status))
        payorder_string_free(*request);
    return status;
}

HRESULT number_option(VARIANT *given, const wchar_t *name, const char *pointer, char **options)
{
    char *text, written[32];
    double number;
    HRESULT status;
    *options = NULL;
    if (left_out(given))
        return S_OK;
    if (SUCCEEDED(text_read(&client_class, name, given, 0, &text))) {
        text_free(text);
        return json_read(&client_class, name, given, 0, options);
    }
    status = number_read(&client_class, name, given, 1, 9e15, &number);
    if (SUCCEEDED(status) && number != (double)(long long)number)
        status = mistake(&client_class, E_INVALIDARG, L"%ls must be a whole number", name);
    if (FAILED(status))
        return status;
    snprintf(written, sizeof written, "%.0f", number);
    return json_put_value(&client_class, name, options, pointer, written);
}

HRESULT began_read(VARIANT *given, char **expected)
{
    VARIANT value;
    SYSTEMTIME local, utc;
    char *text = NULL, written[64];
    HRESULT status;
    VariantInit(&value);
    status = VariantCopyInd(&value, given);
    if (FAILED(status))
        return status;
    /* A variable that was never set, whose Date is in 1899 (36526 is the year 2000), or the empty
     * column of a database. It is not a COM error, after which a script may go on with the
     * verification of the sale before. */
    if (V_VT(&value) == VT_EMPTY || V_VT(&value) == VT_NULL ||
        (V_VT(&value) == VT_DATE && V_DATE(&value) < 36526))
        return json_put(&client_class, L"began", expected, "/notBefore", "");
    if (V_VT(&value) != VT_DATE) {
        VariantClear(&value);
        if (left_out(given))
            return S_OK;
        status = text_read(&client_class, L"began", given, 0, &text);
        if (SUCCEEDED(status))
            status = json_put(&client_class, L"began", expected, "/notBefore", text);
        text_free(text);
        return status;
    }
    if (!VariantTimeToSystemTime(V_DATE(&value), &local) ||
        !TzSpecificLocalTimeToSystemTime(NULL, &local, &utc))
        return mistake(&client_class, E_INVALIDARG, L"began is no date");
    snprintf(written, sizeof written, "%04u-%02u-%02uT%02u:%02u:%02uZ", utc.wYear, utc.wMonth,
             utc.wDay, utc.wHour, utc.wMinute, utc.wSecond);
    return json_put(&client_class, L"began", expected, "/notBefore", written);
}
