/* The payment client: each method is a call of the library, which waits for it or starts it. */
#include <stdio.h>

#include "component.h"

typedef struct Client Client;

/* A call of an object while it runs, so that the object can cancel its calls and no others. */
typedef struct Running {
    struct Running *next;
    Client *owner;
    Shared *shared;
    const char *token;
    char *options; /* with the token */
} Running;

struct Client {
    Object object;
    Shared *shared;
    Running *running;
    char *failed; /* what a failed Open said */
    int32_t failure;
    BOOL is_stopped;
};

typedef struct {
    Object object;
    Running running;
    Value *value;
    HANDLE ended;
} Call;

static Class call_class;

/* ---- What calls have together */

/* The library's client of an object, opened if it is not yet. Without one, value says why. */
static Shared *attach(Client *client, Value *value)
{
    Shared *shared = NULL, *opened;
    AcquireSRWLockExclusive(&guard);
    if (client->shared)
        shared = shared_add(client->shared);
    else if (client->failed && payorder_json_get(client->failed, "", &value->json) == PAYORDER_OK)
        value->result = client->failure;
    ReleaseSRWLockExclusive(&guard);
    if (shared || value->json)
        return shared;
    value->result = shared_open(NULL, &opened, &value->json);
    if (value->result != PAYORDER_OK)
        return NULL;
    AcquireSRWLockExclusive(&guard);
    shared = shared_add(opened);
    if (!client->shared) {
        client->shared = opened;
        opened = NULL;
    }
    ReleaseSRWLockExclusive(&guard);
    shared_release(opened);
    return shared;
}

/* Ends what begin began. */
static void end(Running *call)
{
    AcquireSRWLockExclusive(&guard);
    for (Running **at = &call->owner->running; *at; at = &(*at)->next)
        if (*at == call) {
            *at = call->next;
            break;
        }
    payorder_cancellation_free(call->token);
    call->token = NULL;
    ReleaseSRWLockExclusive(&guard);
    shared_release(call->shared);
    payorder_string_free(call->options);
    object_release(call->owner);
}

/* Takes the options, which are freed with the call. If the call may not be made, value says why; it
 * is begun if value->json is NULL. An error is a mistake in the program. */
static HRESULT begin(Client *client, Running *call, char *options, BOOL only_reads, Value *value)
{
    HRESULT status = S_OK;
    BOOL is_stopped;
    object_add(client);
    call->owner = client;
    call->options = options;
    call->shared = attach(client, value);
    if (call->shared) {
        value->result = payorder_cancellation_new(&call->token);
        if (value->result != PAYORDER_OK)
            value_refuse(value, PAYORDER_INTERNAL, "bug", "retry", "no memory; nothing was sent");
        else
            status = json_put(&client_class, L"options", &call->options, "/cancellation",
                              call->token);
        AcquireSRWLockExclusive(&guard);
        is_stopped = client->is_stopped && !only_reads;
        call->next = client->running;
        client->running = call;
        ReleaseSRWLockExclusive(&guard);
        if (is_stopped && SUCCEEDED(status))
            value_refuse(value, PAYORDER_CANCELLED, "client_stopped", "none",
                         "the client was stopped; nothing was sent");
    } else if (!value->json) {
        value_refuse(value, PAYORDER_INTERNAL, "bug", "retry", "no memory; nothing was sent");
    }
    if (FAILED(status) || value->json)
        end(call);
    return status;
}

typedef payorder_result (*Function)(payorder_client *, const char *, const char *, char **);

#define WITHOUT_REQUEST(name)                                                                      \
    static payorder_result name(payorder_client *client, const char *request, const char *options, \
                                char **json)                                                       \
    {                                                                                              \
        (void)request;                                                                             \
        return payorder_##name(client, options, json);                                             \
    }
WITHOUT_REQUEST(check)
WITHOUT_REQUEST(journal_list)
WITHOUT_REQUEST(journal_resolve)
WITHOUT_REQUEST(journal_settle)
WITHOUT_REQUEST(journal_prune)

/* Whether an answer is too long for the library's JSON functions: its lists would be empty. With
 * the default `maxResponseBytes`, only answers about many sales or entries can be so long. */
static int is_too_long(const char *json)
{
    return json && strlen(json) > 16 * 1024 * 1024;
}

static void refuse_long(Value *value)
{
    payorder_string_free(value->json);
    value->json = NULL;
    value_refuse(value, PAYORDER_INTERNAL_IN_FLIGHT, "too_long", "fix_request",
                 "the answer is longer than 16 MiB: ask about fewer sales or entries");
}

/* Frees the request and the options. A result is there before anything is sent: nothing that can
 * fail comes after the call. */
static HRESULT make(void *self, Kind kind, Function function, char *request, char *options,
                    IPayorderResult **out)
{
    Running call = {0};
    Value *value = result_new(kind);
    HRESULT status = E_OUTOFMEMORY;
    if (value)
        status = begin(self, &call, options, function == journal_list, value);
    else
        payorder_string_free(options);
    if (SUCCEEDED(status) && !value->json) {
        value->result = function(shared_client(call.shared), request, call.options, &value->json);
        if (is_too_long(value->json))
            refuse_long(value);
        end(&call);
    }
    payorder_string_free(request);
    if (SUCCEEDED(status))
        *out = (IPayorderResult *)value;
    else if (value)
        object_release(value);
    return status;
}

/* On a thread of the library. */
static void on_done(int32_t result, const char *json, void *call_of)
{
    Call *call = call_of;
    call->value->result = result;
    if (is_too_long(json))
        refuse_long(call->value);
    else
        payorder_json_get(json, "", &call->value->json);
    end(&call->running);
    SetEvent(call->ended);
    object_release(call);
}

/* The same for a call that is started. */
static HRESULT start(void *self, Kind kind, const char *operation, char *request, char *options,
                     IPayorderCall **out)
{
    Call *call = object_new(&call_class);
    HRESULT status = E_OUTOFMEMORY;
    char *error;
    if (call && (call->value = result_new(kind)) &&
        (call->ended = CreateEventW(NULL, TRUE, FALSE, NULL)))
        status = begin(self, &call->running, options, FALSE, call->value);
    else
        payorder_string_free(options);
    if (SUCCEEDED(status) && call->value->json) {
        SetEvent(call->ended);
    } else if (SUCCEEDED(status)) {
        int32_t result;
        object_add(call);
        result = payorder_start(shared_client(call->running.shared), operation, request,
                                call->running.options, on_done, call, &error);
        if (result != PAYORDER_OK) {
            on_done(result, error, call);
            payorder_string_free(error);
        }
    }
    payorder_string_free(request);
    if (SUCCEEDED(status))
        *out = (IPayorderCall *)call;
    else if (call)
        object_release(call);
    return status;
}

/* ---- Methods */

#define METHOD(name, ...) static HRESULT STDMETHODCALLTYPE name(IPayorderClient *self, __VA_ARGS__)

METHOD(Open, VARIANT settings)
{
    Client *client = (Client *)self;
    Shared *shared, *before;
    char *text, *json, *failed, *copy = NULL;
    int32_t result;
    HRESULT status = text_read(&client_class, L"settings", &settings, TEXT_OPTIONAL, &text);
    if (FAILED(status))
        return status;
    result = shared_open(text, &shared, &json);
    text_free(text);
    /* Calls after a failed Open say why it failed, and do not use other settings. */
    if (result != PAYORDER_OK)
        copy = json_get(json, "");
    AcquireSRWLockExclusive(&guard);
    before = client->shared;
    failed = client->failed;
    client->shared = shared;
    client->failed = copy;
    client->failure = result;
    ReleaseSRWLockExclusive(&guard);
    shared_release(before);
    payorder_string_free(failed);
    return result == PAYORDER_OK ? S_OK : mistake_of(&client_class, L"Open", json);
}

METHOD(CreateOrder, VARIANT order, VARIANT more, IPayorderResult **out)
{
    char *request, *options;
    HRESULT status = order_read(&order, &more, &request, &options);
    *out = NULL;
    return FAILED(status) ? status
                          : make(self, KIND_CREATE, payorder_create_order, request, options, out);
}

METHOD(StartCreateOrder, VARIANT order, VARIANT more, IPayorderCall **out)
{
    char *request, *options;
    HRESULT status = order_read(&order, &more, &request, &options);
    *out = NULL;
    return FAILED(status) ? status
                          : start(self, KIND_CREATE, "create_order", request, options, out);
}

METHOD(GetStatus, VARIANT query, VARIANT more, IPayorderResult **out)
{
    char *request, *options;
    HRESULT status = query_read(&query, &more, NULL, &request, &options);
    *out = NULL;
    return FAILED(status) ? status
                          : make(self, KIND_STATUS, payorder_get_status, request, options, out);
}

METHOD(StartGetStatus, VARIANT query, VARIANT more, IPayorderCall **out)
{
    char *request, *options;
    HRESULT status = query_read(&query, &more, NULL, &request, &options);
    *out = NULL;
    return FAILED(status) ? status : start(self, KIND_STATUS, "get_status", request, options, out);
}

METHOD(WaitForPayment, VARIANT query, VARIANT seconds, VARIANT more, IPayorderResult **out)
{
    char *request, *options;
    HRESULT status = query_read(&query, &more, &seconds, &request, &options);
    *out = NULL;
    return FAILED(status) ? status
                          : make(self, KIND_WAIT, payorder_wait_for_payment, request, options, out);
}

METHOD(StartWaitForPayment, VARIANT query, VARIANT seconds, VARIANT more, IPayorderCall **out)
{
    char *request, *options;
    HRESULT status = query_read(&query, &more, &seconds, &request, &options);
    *out = NULL;
    return FAILED(status) ? status
                          : start(self, KIND_WAIT, "wait_for_payment", request, options, out);
}

METHOD(Recover, VARIANT sales, VARIANT more, IPayorderResult **out)
{
    char *request, *options;
    HRESULT status = recover_read(&sales, &more, &request, &options);
    *out = NULL;
    return FAILED(status) ? status
                          : make(self, KIND_LIBRARY, payorder_recover, request, options, out);
}

METHOD(StartRecover, VARIANT sales, VARIANT more, IPayorderCall **out)
{
    char *request, *options;
    HRESULT status = recover_read(&sales, &more, &request, &options);
    *out = NULL;
    return FAILED(status) ? status : start(self, KIND_LIBRARY, "recover", request, options, out);
}

METHOD(Check, VARIANT more, IPayorderResult **out)
{
    char *options;
    HRESULT status = json_read(&client_class, L"options", &more, TEXT_OPTIONAL, &options);
    *out = NULL;
    return FAILED(status) ? status : make(self, KIND_LIBRARY, check, NULL, options, out);
}

METHOD(JournalList, VARIANT state, IPayorderResult **out)
{
    char *text, *options = NULL;
    HRESULT status = text_read(&client_class, L"state", &state, TEXT_OPTIONAL, &text);
    *out = NULL;
    if (FAILED(status))
        return status;
    if (text && *text == '{')
        status = json_read(&client_class, L"state", &state, 0, &options);
    else if (text)
        status = json_put(&client_class, L"state", &options, "/state", text);
    text_free(text);
    return FAILED(status) ? status : make(self, KIND_LIBRARY, journal_list, NULL, options, out);
}

METHOD(JournalResolve, VARIANT more, IPayorderResult **out)
{
    char *options;
    HRESULT status = json_read(&client_class, L"options", &more, TEXT_OPTIONAL, &options);
    *out = NULL;
    return FAILED(status) ? status : make(self, KIND_LIBRARY, journal_resolve, NULL, options, out);
}

METHOD(JournalSettle, VARIANT entry, VARIANT note, IPayorderResult **out)
{
    char *options, *text = NULL;
    HRESULT status = number_option(&entry, L"entry", "/entry", &options);
    *out = NULL;
    if (SUCCEEDED(status))
        status = text_read(&client_class, L"note", &note, TEXT_OPTIONAL, &text);
    if (SUCCEEDED(status) && text)
        status = json_put(&client_class, L"note", &options, "/note", text);
    text_free(text);
    if (FAILED(status)) {
        payorder_string_free(options);
        return status;
    }
    return make(self, KIND_LIBRARY, journal_settle, NULL, options, out);
}

METHOD(JournalPrune, VARIANT days, IPayorderResult **out)
{
    char *options;
    HRESULT status = number_option(&days, L"olderThanDays", "/olderThanDays", &options);
    *out = NULL;
    return FAILED(status) ? status : make(self, KIND_LIBRARY, journal_prune, NULL, options, out);
}

/* A result of a function that makes no call. */
static HRESULT answer(int32_t result, char **json, Value *value, IPayorderResult **out)
{
    value->result = result;
    value->json = *json;
    *out = (IPayorderResult *)value;
    return S_OK;
}

METHOD(SetCredentials, VARIANT credentials, IPayorderResult **out)
{
    Value *value;
    Shared *shared;
    char *text, *json = NULL;
    HRESULT status = json_read(&client_class, L"credentials", &credentials, 0, &text);
    *out = NULL;
    if (FAILED(status))
        return status;
    value = result_new(KIND_LIBRARY);
    if (value && (shared = attach((Client *)self, value))) {
        int32_t result = payorder_client_set_credentials(shared_client(shared), text, &json);
        shared_release(shared);
        answer(result, &json, value, out);
    }
    *out = (IPayorderResult *)value;
    payorder_string_free(text);
    return value ? S_OK : E_OUTOFMEMORY;
}

METHOD(ParseReturnUrl, VARIANT url, IPayorderResult **out)
{
    Value *value;
    char *text, *json = NULL;
    HRESULT status = text_read(&client_class, L"url", &url, 0, &text);
    *out = NULL;
    (void)self;
    if (FAILED(status))
        return status;
    value = result_new(KIND_LIBRARY);
    status = value ? answer(payorder_parse_return_url(text, &json), &json, value, out)
                   : E_OUTOFMEMORY;
    text_free(text);
    return status;
}

/* Whether a text is that of a wait. A status may have a `final` too, next to its data. */
static BOOL is_wait(const char *json)
{
    char *final = json_get(json, "/final"), *data = json_get(json, "/data");
    BOOL is = final && !data;
    payorder_string_free(final);
    payorder_string_free(data);
    return is;
}

/* Also if a wrapper gives its own argument that was left out, which is a reference. */
static BOOL is_missing(VARIANT *given)
{
    VARIANT value;
    BOOL is;
    VariantInit(&value);
    is = SUCCEEDED(VariantCopyInd(&value, given)) && V_VT(&value) == VT_ERROR &&
         V_ERROR(&value) == DISP_E_PARAMNOTFOUND;
    VariantClear(&value);
    return is;
}

METHOD(VerifyPayment, VARIANT order_id, VARIANT amount, VARIANT status_of, VARIANT began,
       VARIANT transaction_id, IPayorderResult **out)
{
    const Value *known = object_of(&status_of, &result_class);
    Value *value;
    char *expected = NULL, *id = NULL, *price = NULL, *transaction = NULL;
    char *answered = NULL, *waited, *json = NULL;
    HRESULT status = text_read(&client_class, L"orderId", &order_id, 0, &id);
    *out = NULL;
    (void)self;
    if (SUCCEEDED(status))
        status = json_put(&client_class, L"orderId", &expected, "/orderId", id);
    if (SUCCEEDED(status))
        status = text_read(&client_class, L"amount", &amount, TEXT_AMOUNT, &price);
    if (SUCCEEDED(status))
        status = json_put(&client_class, L"amount", &expected, "/amount", price);
    if (SUCCEEDED(status))
        status = began_read(&began, &expected);
    /* One that is empty is not left out: the program got it from somewhere, and counts on it. */
    if (SUCCEEDED(status) && !is_missing(&transaction_id)) {
        status = text_read(&client_class, L"transactionId", &transaction_id, 0, &transaction);
        if (SUCCEEDED(status))
            status = json_put(&client_class, L"transactionId", &expected, "/transactionId",
                              transaction);
    }
    if (SUCCEEDED(status) && known) {
        answered = json_get(known->json, "");
    } else if (SUCCEEDED(status)) {
        VARIANT copy;
        VariantInit(&copy);
        if (FAILED(VariantCopyInd(&copy, &status_of)) || V_VT(&copy) != VT_BSTR)
            status = mistake(&client_class, DISP_E_TYPEMISMATCH,
                             L"status must be a result, or its Json");
        else
            status = json_read(&client_class, L"status", &copy, 0, &answered);
        VariantClear(&copy);
    }
    if (SUCCEEDED(status) && (known ? known->kind == KIND_WAIT : is_wait(answered))) {
        /* The status that it ended with. Without one, the library refuses it. */
        waited = json_get(answered, "/status");
        if (waited) {
            payorder_string_free(answered);
            answered = waited;
        }
    }
    if (SUCCEEDED(status) && !(value = result_new(KIND_LIBRARY)))
        status = E_OUTOFMEMORY;
    if (SUCCEEDED(status))
        answer(payorder_verify_payment(expected, answered, &json), &json, value, out);
    payorder_string_free(expected);
    payorder_string_free(answered);
    text_free(id);
    text_free(price);
    text_free(transaction);
    return status;
}

static HRESULT cancel(Client *client, BOOL stop)
{
    AcquireSRWLockExclusive(&guard);
    client->is_stopped |= stop;
    for (Running *one = client->running; one; one = one->next)
        payorder_cancellation_cancel(one->token);
    ReleaseSRWLockExclusive(&guard);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE Cancel(IPayorderClient *self)
{
    return cancel((Client *)self, FALSE);
}

static HRESULT STDMETHODCALLTYPE Stop(IPayorderClient *self)
{
    return cancel((Client *)self, TRUE);
}

METHOD(Version, BSTR *out)
{
    (void)self;
    return text_give(payorder_version(), out);
}

METHOD(Live, BSTR *out)
{
    char written[128];
    (void)self;
    shared_clear();
    snprintf(written, sizeof written, "{\"clients\":%lu,\"strings\":%lu,\"calls\":%lu,\"objects\":%ld}",
             (unsigned long)payorder_live_clients(), (unsigned long)payorder_live_strings(),
             (unsigned long)payorder_live_calls(), live_objects);
    return text_give(written, out);
}

static const IPayorderClientVtbl client_methods = {
    OBJECT_METHODS, Open, CreateOrder, GetStatus, WaitForPayment, VerifyPayment, ParseReturnUrl,
    Recover, Check, SetCredentials, Cancel, Stop, Version, JournalList, JournalResolve,
    JournalSettle, JournalPrune, StartCreateOrder, StartGetStatus, StartWaitForPayment,
    StartRecover, Live,
};

static void client_destroy(Object *object)
{
    shared_release(((Client *)object)->shared);
    payorder_string_free(((Client *)object)->failed);
}

Class client_class = {&client_methods, &IID_IPayorderClient, L"Payorder.Client", sizeof(Client),
                      client_destroy, NULL};

/* ---- A started call */

static BOOL is_done(const Call *call, DWORD wait)
{
    return WaitForSingleObject(call->ended, wait) == WAIT_OBJECT_0;
}

static HRESULT STDMETHODCALLTYPE Call_Done(IPayorderCall *self, VARIANT_BOOL *out)
{
    *out = is_done((Call *)self, 0) ? VARIANT_TRUE : VARIANT_FALSE;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE Call_Wait(IPayorderCall *self, VARIANT milliseconds,
                                           VARIANT_BOOL *out)
{
    double time;
    HRESULT status = number_read(&call_class, L"milliseconds", &milliseconds, 0, 86400000, &time);
    *out = VARIANT_FALSE;
    if (SUCCEEDED(status) && is_done((Call *)self, (DWORD)time))
        *out = VARIANT_TRUE;
    return status;
}

static HRESULT STDMETHODCALLTYPE Call_Result(IPayorderCall *self, IPayorderResult **out)
{
    Call *call = (Call *)self;
    Value *value = call->value;
    *out = NULL;
    if (is_done(call, 0)) {
        object_add(value);
    } else if ((value = result_new(KIND_LIBRARY))) {
        value_refuse(value, -1, "not_done", "ask_status", "the call has not ended: see Done");
    }
    *out = (IPayorderResult *)value;
    return value ? S_OK : E_OUTOFMEMORY;
}

static HRESULT STDMETHODCALLTYPE Call_Cancel(IPayorderCall *self)
{
    AcquireSRWLockExclusive(&guard);
    if (((Call *)self)->running.token)
        payorder_cancellation_cancel(((Call *)self)->running.token);
    ReleaseSRWLockExclusive(&guard);
    return S_OK;
}

static const IPayorderCallVtbl call_methods = {OBJECT_METHODS, Call_Done, Call_Wait, Call_Result,
                                               Call_Cancel};

static void call_destroy(Object *object)
{
    Call *call = (Call *)object;
    if (call->value)
        object_release(call->value);
    if (call->ended)
        CloseHandle(call->ended);
}

static Class call_class = {&call_methods, &IID_IPayorderCall, L"Payorder.Call", sizeof(Call),
                           call_destroy, NULL};
