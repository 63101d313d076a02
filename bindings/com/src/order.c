/* An order: its fields, as the JSON that the library takes. */
#include "component.h"

static char *copy(const char *json)
{
    return json_get(json, "");
}

void order_copy(Order *order, char **json, char **extra)
{
    AcquireSRWLockShared(&guard);
    *json = order->json ? copy(order->json) : json_get("{}", "");
    *extra = copy(order->extra);
    ReleaseSRWLockShared(&guard);
}

/* Another thread may set the field meanwhile. */
static HRESULT get(char *const *json, const char *pointer, VARIANT *out)
{
    char *text;
    HRESULT status;
    AcquireSRWLockShared(&guard);
    text = json_get(*json, pointer);
    ReleaseSRWLockShared(&guard);
    VariantInit(out);
    status = text_give(text, &V_BSTR(out));
    if (SUCCEEDED(status))
        V_VT(out) = VT_BSTR;
    payorder_string_free(text);
    return status;
}

static HRESULT put(char **json, const wchar_t *name, const char *pointer, VARIANT *value,
                   int how)
{
    char *text;
    HRESULT status = text_read(&order_class, name, value, how, &text);
    AcquireSRWLockExclusive(&guard);
    if (SUCCEEDED(status))
        status = json_put(&order_class, name, json, pointer, text);
    /* A script may go on after the error: the price of the sale before must not be sent. */
    if (FAILED(status))
        json_put_value(&order_class, name, json, pointer, "null");
    ReleaseSRWLockExclusive(&guard);
    text_free(text);
    return status;
}

#define FIELD(name, pointer, how)                                                                  \
    static HRESULT STDMETHODCALLTYPE Order_get_##name(IPayorderOrder *self, VARIANT *out)          \
    {                                                                                              \
        return get(&((Order *)self)->json, pointer, out);                                           \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE Order_put_##name(IPayorderOrder *self, VARIANT value)         \
    {                                                                                              \
        return put(&((Order *)self)->json, L"" #name, pointer, &value, how);                       \
    }

/* The JSON pointer of a further field. */
static HRESULT pointer_of(VARIANT *name, char **pointer)
{
    char *text, *to;
    HRESULT status = text_read(&order_class, L"the name of a field", name, 0, &text);
    *pointer = NULL;
    if (FAILED(status))
        return status;
    to = *pointer = calloc(2, strlen(text) + 2);
    if (to) {
        *to++ = '/';
        for (const char *from = text; *from; from++) {
            *to++ = *from == '/' ? '~' : *from;
            if (*from == '/' || *from == '~')
                *to++ = *from == '/' ? '1' : '0';
        }
    }
    text_free(text);
    return *pointer ? S_OK : E_OUTOFMEMORY;
}

static HRESULT STDMETHODCALLTYPE Order_get_ExtraFields(IPayorderOrder *self, VARIANT name,
                                                       VARIANT *out)
{
    char *pointer = NULL;
    HRESULT status = left_out(&name) ? S_OK : pointer_of(&name, &pointer);
    VariantInit(out);
    if (SUCCEEDED(status))
        status = get(&((Order *)self)->extra, pointer ? pointer : "", out);
    free(pointer);
    return status;
}

static HRESULT STDMETHODCALLTYPE Order_put_ExtraFields(IPayorderOrder *self, VARIANT name,
                                                       VARIANT value)
{
    Order *order = (Order *)self;
    char *pointer, *json;
    HRESULT status;
    if (!left_out(&name)) {
        status = pointer_of(&name, &pointer);
        if (SUCCEEDED(status))
            status = put(&order->extra, L"ExtraFields", pointer, &value, 0);
        free(pointer);
        return status;
    }
    status = json_read(&order_class, L"ExtraFields", &value, TEXT_OPTIONAL, &json);
    if (SUCCEEDED(status) && json && *json != '{') {
        status = mistake(&order_class, E_INVALIDARG, L"ExtraFields must be a JSON object");
        payorder_string_free(json);
    }
    /* As in `put`. */
    if (FAILED(status))
        json = NULL;
    AcquireSRWLockExclusive(&guard);
    payorder_string_free(order->extra);
    order->extra = json;
    ReleaseSRWLockExclusive(&guard);
    return status;
}

static HRESULT STDMETHODCALLTYPE Order_Json(IPayorderOrder *self, BSTR *out)
{
    VARIANT value;
    HRESULT status = get(&((Order *)self)->json, "", &value);
    *out = SUCCEEDED(status) ? V_BSTR(&value) : NULL;
    return status;
}

#include "fields.h"

static void order_destroy(Object *object)
{
    payorder_string_free(((Order *)object)->json);
    payorder_string_free(((Order *)object)->extra);
}

Class order_class = {&order_methods, &IID_IPayorderOrder, L"Payorder.Order", sizeof(Order),
                     order_destroy, NULL};
