/* Results, and the values in their lists. Each keeps the library's JSON, and its properties are read
 * from there. */
#include <stdio.h>

#include "component.h"

typedef struct {
    Object object;
    Class *of;
    size_t count;
    char **items;
} List;

typedef struct {
    Object object;
    List *list;
    size_t at;
} Enumerator;

static Class list_class, enumerator_class, violation_class, reason_class, sale_class, entry_class,
    step_class;

/* ---- Properties */

/* What did not succeed has only its error, so that nobody takes the URL or the status of a failed
 * call for one that counts. */
static BOOL may_have(const Value *value, const Place *place)
{
    BOOL is_ok = value->result == PAYORDER_OK;
    return place->kind == KIND_ERROR ? !is_ok || value->kind == KIND_WAIT
                                   : is_ok && value->kind == place->kind;
}

char *value_get(const Value *value, const Place *places)
{
    char *text = NULL;
    for (; places->pointer && !text; places++)
        if (may_have(value, places))
            text = json_get(value->json, places->pointer);
    return text;
}

static HRESULT text_of(const void *self, const Place *places, BSTR *out)
{
    char *text = value_get(self, places);
    HRESULT status = text_give(text, out);
    payorder_string_free(text);
    return status;
}

static HRESULT number_of(const void *self, const Place *places, long *out)
{
    char *text = value_get(self, places);
    *out = text ? strtol(text, NULL, 10) : 0;
    payorder_string_free(text);
    return S_OK;
}

static HRESULT flag_of(const void *self, const Place *places, VARIANT_BOOL *out)
{
    char *text = value_get(self, places);
    *out = text && !strcmp(text, "true") ? VARIANT_TRUE : VARIANT_FALSE;
    payorder_string_free(text);
    return S_OK;
}

static int32_t add_item(size_t index, const char *key, const char *text, void *list_of)
{
    List *list = list_of;
    char **more = realloc(list->items, (index + 1) * sizeof *more);
    (void)key;
    if (!more)
        return 0;
    list->items = more;
    if (payorder_json_get(text, "", &more[index]) != PAYORDER_OK) {
        payorder_string_free(more[index]);
        return 0;
    }
    list->count = index + 1;
    return 1;
}

static HRESULT list_of(const void *self, const Place *places, Class *of, IPayorderList **out)
{
    const Value *value = self;
    const char *pointer = may_have(value, places) ? places->pointer : NULL;
    List *list = object_new(&list_class);
    size_t count = 0;
    *out = NULL;
    if (!list)
        return E_OUTOFMEMORY;
    list->of = of;
    if (pointer && value->json && payorder_json_count(value->json, pointer, &count) == PAYORDER_OK)
        payorder_json_each(value->json, pointer, add_item, list);
    if (list->count < count) {
        object_release(list);
        return E_OUTOFMEMORY;
    }
    *out = (IPayorderList *)list;
    return S_OK;
}

#define GETTER(class, name, type, make)                                                            \
    static HRESULT STDMETHODCALLTYPE class##_##name(IPayorder##class *self, type *out)             \
    {                                                                                              \
        return make;                                                                               \
    }
#define TEXT_OF(class, name, ...)                                                                  \
    GETTER(class, name, BSTR, text_of(self, PLACES(__VA_ARGS__), out))
#define NUMBER_OF(class, name, ...)                                                                \
    GETTER(class, name, long, number_of(self, PLACES(__VA_ARGS__), out))
#define FLAG_OF(class, name, ...)                                                                  \
    GETTER(class, name, VARIANT_BOOL, flag_of(self, PLACES(__VA_ARGS__), out))
#define LIST_OF(class, name, of, ...)                                                              \
    GETTER(class, name, IPayorderList *,                                                           \
           list_of(self, PLACES(__VA_ARGS__), &CLASS_OF_##of, out))
#define CLASS_OF_Violation violation_class
#define CLASS_OF_Reason reason_class
#define CLASS_OF_Sale sale_class
#define CLASS_OF_Entry entry_class
#define CLASS_OF_Step step_class

static HRESULT STDMETHODCALLTYPE Result_Ok(IPayorderResult *self, VARIANT_BOOL *out)
{
    const Value *value = (Value *)self;
    /* Only a check has it. */
    char *ok = value_get(value, PLACES({KIND_LIBRARY, "/ok"}));
    *out = value->result == PAYORDER_OK && !(ok && !strcmp(ok, "false")) ? VARIANT_TRUE
                                                                        : VARIANT_FALSE;
    payorder_string_free(ok);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE Result_Outcome(IPayorderResult *self, BSTR *out)
{
    static const char *const names[] = {"done", "not_sent", "rejected", "unknown"};
    return text_give(names[payorder_result_outcome(((Value *)self)->result)], out);
}

static HRESULT STDMETHODCALLTYPE Result_Result(IPayorderResult *self, long *out)
{
    *out = ((Value *)self)->result;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE Result_Json(IPayorderResult *self, BSTR *out)
{
    return text_give(((Value *)self)->json, out);
}

static HRESULT STDMETHODCALLTYPE Result_Get(IPayorderResult *self, VARIANT pointer, BSTR *out)
{
    const Value *value = (Value *)self;
    char *place, *text = NULL;
    HRESULT status = text_read(&result_class, L"pointer", &pointer, 0, &place);
    *out = NULL;
    if (FAILED(status))
        return status;
    if (*place && *place != '/')
        status = mistake(&result_class, E_INVALIDARG,
                         L"pointer must be a JSON pointer, such as \"/data/url\"");
    else
        status = text_give(text = json_get(value->json, place), out);
    payorder_string_free(text);
    text_free(place);
    return status;
}

#include "values.h"

/* ---- Lists */

static HRESULT item_new(const List *list, size_t at, IDispatch **out)
{
    Value *value = object_new(list->of);
    *out = NULL;
    if (!value)
        return E_OUTOFMEMORY;
    if (payorder_json_get(list->items[at], "", &value->json) != PAYORDER_OK) {
        object_release(value);
        return E_OUTOFMEMORY;
    }
    *out = (IDispatch *)value;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE List_Item(IPayorderList *self, VARIANT index, IDispatch **out)
{
    const List *list = (List *)self;
    double at;
    HRESULT status = number_read(&list_class, L"index", &index, 1, 1e9, &at);
    *out = NULL;
    if (FAILED(status))
        return status;
    if (at != (size_t)at || at > list->count)
        return mistake(&list_class, DISP_E_BADINDEX, L"there is no item %.15g: there are %lu", at,
                       (unsigned long)list->count);
    return item_new(list, (size_t)at - 1, out);
}

static HRESULT STDMETHODCALLTYPE List_Count(IPayorderList *self, long *out)
{
    *out = (long)((List *)self)->count;
    return S_OK;
}

static HRESULT enumerate(List *list, size_t at, void **out)
{
    Enumerator *enumerator = object_new(&enumerator_class);
    *out = enumerator;
    if (!enumerator)
        return E_OUTOFMEMORY;
    object_add(list);
    enumerator->list = list;
    enumerator->at = at;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE List_NewEnum(IPayorderList *self, IUnknown **out)
{
    return enumerate((List *)self, 0, (void **)out);
}

static const IPayorderListVtbl list_methods = {OBJECT_METHODS, List_Item, List_Count, List_NewEnum};

static HRESULT STDMETHODCALLTYPE Enumerator_Next(IEnumVARIANT *self, ULONG count, VARIANT *items,
                                                 ULONG *given)
{
    Enumerator *enumerator = (Enumerator *)self;
    ULONG made = 0;
    HRESULT status = S_OK;
    for (; made < count; made++) {
        /* Another thread may change it meanwhile. */
        size_t at = enumerator->at;
        if (at >= enumerator->list->count)
            break;
        enumerator->at = at + 1;
        VariantInit(&items[made]);
        status = item_new(enumerator->list, at, &V_DISPATCH(&items[made]));
        if (FAILED(status))
            break;
        V_VT(&items[made]) = VT_DISPATCH;
    }
    if (given)
        *given = made;
    return FAILED(status) ? status : made == count ? S_OK : S_FALSE;
}

static HRESULT STDMETHODCALLTYPE Enumerator_Skip(IEnumVARIANT *self, ULONG count)
{
    Enumerator *enumerator = (Enumerator *)self;
    size_t left = enumerator->list->count - enumerator->at;
    enumerator->at += count < left ? count : left;
    return count <= left ? S_OK : S_FALSE;
}

static HRESULT STDMETHODCALLTYPE Enumerator_Reset(IEnumVARIANT *self)
{
    ((Enumerator *)self)->at = 0;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE Enumerator_Clone(IEnumVARIANT *self, IEnumVARIANT **out)
{
    Enumerator *enumerator = (Enumerator *)self;
    return enumerate(enumerator->list, enumerator->at, (void **)out);
}

static const IEnumVARIANTVtbl enumerator_methods = {
    (void *)object_query, (void *)object_add, (void *)object_release, Enumerator_Next,
    Enumerator_Skip, Enumerator_Reset, Enumerator_Clone,
};

/* ---- Classes */

static void value_destroy(Object *object)
{
    payorder_string_free(((Value *)object)->json);
}

static void list_destroy(Object *object)
{
    List *list = (List *)object;
    while (list->count)
        payorder_string_free(list->items[--list->count]);
    free(list->items);
}

static void enumerator_destroy(Object *object)
{
    object_release(((Enumerator *)object)->list);
}

#define VALUE(name, text)                                                                          \
    {                                                                                              \
        &name##_methods, &IID_IPayorder##text, L"Payorder." L###text, sizeof(Value),               \
            value_destroy, NULL                                                                    \
    }
Class result_class = VALUE(result, Result);
static Class violation_class = VALUE(violation, Violation), reason_class = VALUE(reason, Reason),
             sale_class = VALUE(sale, Sale), entry_class = VALUE(entry, Entry),
             step_class = VALUE(step, Step);
static Class list_class = {&list_methods, &IID_IPayorderList, L"Payorder.List", sizeof(List),
                           list_destroy, NULL};
static Class enumerator_class = {&enumerator_methods, &IID_IEnumVARIANT, NULL, sizeof(Enumerator),
                                 enumerator_destroy, NULL};

Value *result_new(Kind kind)
{
    Value *value = object_new(&result_class);
    if (value)
        value->kind = kind;
    return value;
}

void value_refuse(Value *value, int32_t result, const char *cause, const char *action,
                  const char *message)
{
    static const char *const outcomes[] = {"done", "not_sent", "rejected", "unknown"};
    char error[512];
    snprintf(error, sizeof error,
             "{\"result\":%d,\"name\":\"%s\",\"outcome\":\"%s\",\"cause\":\"%s\",\"action\":\"%s\","
             "\"message\":\"%s\"}",
             (int)result, payorder_result_name(result), outcomes[payorder_result_outcome(result)],
             cause, action, message);
    value->result = result;
    payorder_json_set(NULL, "/error", error, &value->json);
}
