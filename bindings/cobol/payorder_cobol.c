/*
 * The functions that COBOL programs call: see payorder.cpy and README.md.
 *
 * COBOL passes addresses, and checks neither their number nor the fields behind them. So each
 * function asks libcob for both before it touches a field.
 */
#include "payorder.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libcob.h>

/* ---- The records of the copybooks ------------------------------------------------------------ */

/* PACKED-DECIMAL: two digits in a byte, and the sign in the last half. */
typedef char whole[5];   /* PIC S9(9) */
typedef char amount[10]; /* PIC S9(15)V999, in thousandths */
typedef char number[10]; /* PIC S9(18) */

/* Each other array is a PIC X. All are bytes, so there are no gaps. */
/* <order> bindings/generate writes it. */
struct order {
    amount amount;
    char merchant_txn_id[65];
    char order_id[65];
    char pay_mode[9];
    char merchant_id[65];
    char product_info[257];
    char customer_name[257];
    char customer_mobile[33];
    char customer_email[257];
    char redirection_url[1025];
    char currency_code[9];
};
/* </order> */

struct violation {
    char field[33], rule[17], message[160];
};

struct error {
    char outcome[8];
    whole result;
    char name[40], cause[40], action[40], message[400];
    whole http_status, retry_after_ms;
    char response_code[65], request_id[201], checkout_url[2049];
    whole violation_count;
    struct violation violations[12];
    char previous_url[2049], previous_order_id[65];
    amount previous_amount;
    char previous_amount_text[65], previous_state[20], previous_status[65];
};

struct status {
    char verdict[20], because[120], timed_out[1];
    char order_id[65], transaction_id[65], transaction_status[65], transaction_date[65];
    amount amount;
    char amount_text[65], pay_mode[65], refund_status[65], refund_type[65], settlement_status[65];
};

struct summary {
    char stopped[1];
    whole asked, answered, refused, unclear, not_asked, unresolved, other_services, removed;
};

struct sale {
    char order_id[65];
    amount amount;
    char verdict[20], because[120], url[2049], status[65], name[40], cause[40];
    number entry;
};

struct sales {
    whole count;
    struct sale rows[1];
};

struct entry {
    char which[20];
    number number;
    char note[201], found[1], order_id[65], merchant_txn_id[65];
    amount amount;
    char amount_text[65], state[20], status[65], service[257], started_at[25];
};

/* ---- Fields ---------------------------------------------------------------------------------- */

#define FIELD(name) (name), sizeof(name)

/* Reads what COBOL writes into a signed field: 0 for other bytes, such as those of a text. */
static int get_number(const char *field, size_t size, long long *value)
{
    char same[sizeof(number)];
    *value = cob_get_s64_comp3((void *)field, (int)size);
    cob_put_s64_comp3(*value, same, (int)size);
    /* 20 halves are a zero, 18 digits and the sign. */
    return memcmp(field, same, size) == 0 && (size < sizeof same || (field[0] & 0xF0) == 0);
}

static int is_blank(const char *field, size_t size)
{
    return field[0] == ' ' && memcmp(field, field + 1, size - 1) == 0;
}

/* For people: the beginning of a text that is too long, which ends with a whole character. */
static void put_message(char *field, size_t size, const char *text)
{
    size_t length = strlen(text);
    if (length > size) {
        length = size;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
            length--;
        }
    }
    memset(field, ' ', size);
    memcpy(field, text, length);
}

/* Writes a text into a field. Returns 0 if it does not fit; the field is blank then. */
static int put(char *field, size_t size, const char *text)
{
    int fits = strlen(text) <= size;
    put_message(field, size, fits ? text : "");
    return fits;
}

/* An amount of the service as a number: -1 unless all of it is a decimal that fits. */
static void put_amount(char *field, const char *text)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn(text, digits), decimals = 0, i;
    const char *end = text + whole;
    int fits = whole > 0 && whole - strspn(text, "0") <= 15;
    long long value = fits ? atoll(text) : 0;
    if (*end == '.') {
        decimals = strspn(++end, digits);
        fits &= decimals > 0;
    }
    for (i = 0; i < 3 || i < decimals; i++) {
        int digit = i < decimals ? end[i] - '0' : 0;
        if (i < 3) {
            value = value * 10 + digit;
        } else {
            fits &= digit == 0;
        }
    }
    fits &= end[decimals] == '\0';
    cob_put_s64_comp3(fits ? value : -1000, field, sizeof(amount));
}

/* What a call writes into a field: the value in a JSON text, and without one the default. */
struct output {
    int offset, size;
    /* The defaults: blank (a MESSAGE may be cut), 0, -1 and -1. */
    enum { TEXT, MESSAGE, ZERO, COUNT, AMOUNT } kind;
    const char *pointer;
};

#define OUTPUT(record, field, kind, pointer)                                                       \
    {offsetof(struct record, field), sizeof(((struct record *)0)->field), kind, pointer}
#define NO_MORE {0, 0, TEXT, NULL}

static const struct output url_outputs[] = {{0, 2049, TEXT, "/data/url"}, NO_MORE};

static const struct output violation_outputs[] = {
    OUTPUT(violation, field, MESSAGE, "/field"), OUTPUT(violation, rule, MESSAGE, "/rule"),
    OUTPUT(violation, message, MESSAGE, "/message"), NO_MORE};

#define ERROR(field, kind, pointer) OUTPUT(error, field, kind, pointer)
static const struct output error_outputs[] = {
    ERROR(outcome, TEXT, NULL), ERROR(result, ZERO, NULL), ERROR(name, TEXT, NULL),
    ERROR(cause, TEXT, "/error/cause"), ERROR(action, TEXT, "/error/action"),
    ERROR(message, MESSAGE, "/error/message"), ERROR(http_status, ZERO, "/error/httpStatus"),
    ERROR(retry_after_ms, ZERO, "/error/retryAfterMs"),
    ERROR(response_code, MESSAGE, "/error/responseCode"),
    ERROR(request_id, MESSAGE, "/error/requestId"), ERROR(checkout_url, TEXT, "/error/checkoutUrl"),
    ERROR(violation_count, ZERO, NULL), ERROR(violations, TEXT, NULL),
    ERROR(previous_url, TEXT, "/error/previous/url"),
    ERROR(previous_order_id, TEXT, "/error/previous/orderId"),
    ERROR(previous_amount, AMOUNT, "/error/previous/amount"),
    ERROR(previous_amount_text, TEXT, "/error/previous/amount"),
    ERROR(previous_state, TEXT, "/error/previous/state"),
    ERROR(previous_status, TEXT, "/error/previous/transactionStatus"), NO_MORE};

#define STATUS(field, kind, pointer) OUTPUT(status, field, kind, pointer)
static const struct output status_outputs[] = {
    STATUS(verdict, TEXT, NULL), STATUS(because, TEXT, NULL), STATUS(timed_out, TEXT, NULL),
    STATUS(order_id, TEXT, "/data/orderId"), STATUS(transaction_id, TEXT, "/data/transactionId"),
    STATUS(transaction_status, TEXT, "/data/transactionStatus"),
    STATUS(transaction_date, TEXT, "/data/transactionDate"), STATUS(amount, AMOUNT, "/data/amount"),
    STATUS(amount_text, TEXT, "/data/amount"), STATUS(pay_mode, TEXT, "/data/payMode"),
    STATUS(refund_status, TEXT, "/data/refundStatus"),
    STATUS(refund_type, TEXT, "/data/refundType"),
    STATUS(settlement_status, TEXT, "/data/settlementStatus"), NO_MORE};

#define SUMMARY(field, kind, pointer) OUTPUT(summary, field, kind, pointer)
static const struct output summary_outputs[] = {
    SUMMARY(stopped, TEXT, NULL), SUMMARY(asked, COUNT, "/asked"), SUMMARY(answered, COUNT, "/ok"),
    SUMMARY(refused, COUNT, "/rejected"), SUMMARY(unclear, COUNT, "/unknown"),
    SUMMARY(not_asked, COUNT, "/notSent"), SUMMARY(unresolved, COUNT, NULL),
    SUMMARY(other_services, COUNT, NULL), SUMMARY(removed, COUNT, "/removed"), NO_MORE};

/* Of payorder_recover. */
#define SALE(field, kind, pointer) OUTPUT(sale, field, kind, pointer)
static const struct output sale_outputs[] = {
    SALE(verdict, TEXT, "/verdict"), SALE(because, TEXT, NULL), SALE(url, TEXT, "/url"),
    SALE(status, MESSAGE, "/transactionStatus"), SALE(name, TEXT, NULL), SALE(cause, TEXT, NULL),
    SALE(entry, ZERO, "/entry"), NO_MORE};

#define ENTRY(field, kind, pointer) OUTPUT(entry, field, kind, pointer)
static const struct output entry_outputs[] = {
    ENTRY(found, TEXT, NULL), ENTRY(order_id, TEXT, "/orderId"),
    ENTRY(merchant_txn_id, TEXT, "/merchantTxnId"), ENTRY(amount, AMOUNT, "/amount"),
    ENTRY(amount_text, TEXT, "/amount"), ENTRY(state, TEXT, "/state"),
    ENTRY(status, TEXT, "/transactionStatus"), ENTRY(service, TEXT, "/service"),
    ENTRY(started_at, TEXT, "/startedAt"), NO_MORE};

/* Fills a record from a JSON text (NULL: with the defaults). Returns whether all values fit. */
static int fill(void *record, const struct output *output, const char *json)
{
    int fits = 1;
    for (; output->size > 0; output++) {
        char *field = (char *)record + output->offset, *value = NULL;
        int found = json != NULL && output->pointer != NULL &&
                    payorder_json_get(json, output->pointer, &value) == PAYORDER_OK;
        const char *text = found ? value : "";
        if (output->kind == TEXT) {
            fits &= put(field, output->size, text);
        } else if (output->kind == MESSAGE) {
            put_message(field, output->size, text);
        } else if (output->kind == AMOUNT) {
            put_amount(field, text);
        } else {
            int is_whole = found && (output->size > (int)sizeof(whole) || strlen(text) <= 9);
            cob_put_s64_comp3(is_whole ? atoll(text) : output->kind == ZERO ? 0 : -1, field,
                              output->size);
        }
        payorder_string_free(value);
    }
    return fits;
}

/* ---- A call ---------------------------------------------------------------------------------- */

enum kind {
    CLIENT, JOURNAL, ORDER, URL, ERROR, STATUS, WAIT_MS, SUMMARY, DAYS, SALES, ENTRY, KINDS
};

static const struct {
    const char *name;
    size_t size;
    const struct output *outputs;
} kinds[KINDS] = {
    {"PAYO-CLIENT", sizeof(void *), NULL},
    {"PAYO-JOURNAL", 257, NULL},
    {"PAYO-ORDER", sizeof(struct order), NULL},
    {"PAYO-URL", 2049, url_outputs},
    {"PAYO-ERROR", sizeof(struct error), error_outputs},
    {"PAYO-STATUS", sizeof(struct status), status_outputs},
    {"PAYO-WAIT-MS", sizeof(whole), NULL},
    {"PAYO-SUMMARY", sizeof(struct summary), summary_outputs},
    {"PAYO-DAYS", sizeof(whole), NULL},
    {"PAYO-SALES", sizeof(struct sales), sale_outputs},
    {"PAYO-ENTRY", sizeof(struct entry), entry_outputs},
};

/* The arguments, by kind, and what the call needs until its end. */
struct call {
    void *data[KINDS];
    payorder_client *client;
    struct error *error;
    int32_t result;
    int is_order;
    /* How many PAYO-SALES has. */
    size_t rows;
    char *request, *expected, *options, *json;
};

/* The order that this program sent last, and when: an older payment of it is another sale's. */
static struct {
    char order_id[sizeof((struct order *)0)->order_id];
    char began[24];
} last_sale;

/* Returns 0, so that a function can stop with it. */
static int fail(struct call *call, int32_t result, const char *cause, const char *format, ...)
{
    struct error *error = call->error;
    char message[sizeof error->message + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    call->result = result;
    if (error == NULL) {
        /* The program has no other place for it. */
        cob_runtime_warning("%s", message);
        return 0;
    }
    fill(error, error_outputs, NULL);
    put(FIELD(error->cause), cause);
    put(FIELD(error->action), result < 100 ? "fix_request" : "ask_status");
    put_message(FIELD(error->message), message);
    return 0;
}

static int invalid(struct call *call, const char *name, const char *problem)
{
    return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value", "%s %s", name, problem);
}

/* Writes how the call ended, and returns its result, which COBOL puts into RETURN-CODE. */
static int end(struct call *call)
{
    static const char *const outcomes[] = {"OK", "NOT-SENT", "REJECTED", "UNKNOWN"};
    int32_t result = call->result;
    if (call->error != NULL) {
        /* Only of a new order the result says whether it exists. */
        put(FIELD(call->error->outcome), result == PAYORDER_OK || call->is_order
                                             ? outcomes[payorder_result_outcome(result)]
                                             : "FAILED");
        cob_put_s64_comp3(result, FIELD(call->error->result));
        put(FIELD(call->error->name), payorder_result_name(result));
    }
    payorder_string_free(call->request);
    payorder_string_free(call->expected);
    payorder_string_free(call->options);
    payorder_string_free(call->json);
    return result;
}

static int is(enum kind kind, size_t size)
{
    return size == kinds[kind].size ||
           (kind == SALES && size > sizeof(struct sales) &&
            (size - sizeof(struct sales)) % sizeof(struct sale) == 0);
}

/* Leaves nothing of an earlier call in a record. Returns how many rows it has. */
static size_t clear(enum kind kind, void *data, size_t size)
{
    size_t rows = kind == SALES ? (size - sizeof(whole)) / sizeof(struct sale) : 0, i;
    if (kind != SALES && kinds[kind].outputs != NULL) {
        fill(data, kinds[kind].outputs, NULL);
    }
    for (i = 0; i < rows; i++) {
        struct sale *sale = &((struct sales *)data)->rows[i];
        fill(sale, sale_outputs, NULL);
        put(FIELD(sale->verdict), "unknown");
    }
    return rows;
}

/*
 * Looks at the arguments: `using` has their kinds, and ends with ERROR. Returns 0 if they are not
 * these. Then nothing is written but PAYO-ERROR, if it is there, and no verdict of an earlier call
 * is left.
 */
static int begin(struct call *call, const char *function, const enum kind *using)
{
    int given = cob_get_num_params(), expected = 0, wrong = 0, i, kind;
    memset(call, 0, sizeof *call);
    do {
        call->is_order |= using[expected] == URL;
    } while (using[expected++] != ERROR);
    for (i = 1; i <= given; i++) {
        /* libcob warns about OMITTED, with the argument's number. */
        int size = cob_get_param_size(i);
        void *data = size > 0 ? cob_get_param_data(i) : NULL;
        /* BY CONTENT: what is written there does not reach the program. */
        int is_copy = data != NULL && cob_get_param_constant(i);
        for (kind = 0; data != NULL && kind < KINDS; kind++) {
            if ((is_copy && (kind == CLIENT || kinds[kind].outputs != NULL)) || !is(kind, size)) {
                continue;
            }
            if (i <= expected && kind == (int)using[i - 1]) {
                call->data[kind] = data;
            }
            call->error = kind == ERROR ? data : call->error;
            call->rows += clear(kind, data, size);
        }
        if (wrong == 0 && (i > expected || call->data[using[i - 1]] == NULL)) {
            wrong = i;
        }
    }
    wrong = wrong == 0 && given < expected ? given + 1 : wrong;
    if (wrong > expected) {
        return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                    "%s has %d arguments, and not %d", function, expected, given);
    }
    if (wrong != 0) {
        return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                    "argument %d of %s must be %s, as in its copybook and not BY CONTENT", wrong,
                    function, kinds[using[wrong - 1]].name);
    }
    if (payorder_abi_version() != PAYORDER_HEADER_ABI_VERSION) {
        return fail(call, PAYORDER_INVALID_CONFIG, "unreadable_file",
                    "the library has another version of the interface; nothing was sent");
    }
    memcpy(&call->client, call->data[CLIENT], sizeof call->client);
    return 1;
}

#define BEGIN(...)                                                                                 \
    static const enum kind using[] = {__VA_ARGS__, ERROR};                                         \
    struct call call;                                                                              \
    if (!begin(&call, __func__, using)) {                                                          \
        return end(&call);                                                                         \
    }

/* Takes the error of a call of the library that gave call->json. Returns whether it succeeded. */
static int succeeded(struct call *call, payorder_result result)
{
    struct error *error = call->error;
    size_t count = sizeof error->violations / sizeof *error->violations, i;
    if (result == PAYORDER_OK) {
        return 1;
    }
    call->result = result;
    if (!fill(error, error_outputs, call->json)) {
        /* What does not fit is blank, as if it was not known: the program asks for the status. */
        put_message(FIELD(error->message), "a value does not fit into PAYO-ERROR, and is left out");
    }
    for (i = 0; i < count; i++) {
        struct violation *violation = &error->violations[i];
        char pointer[40], *json = NULL;
        snprintf(pointer, sizeof pointer, "/error/violations/%zu", i);
        if (payorder_json_get(call->json, pointer, &json) == PAYORDER_OK) {
            fill(violation, violation_outputs, json);
            cob_put_s64_comp3((long long)i + 1, FIELD(error->violation_count));
        }
        payorder_string_free(json);
    }
    return 0;
}

/* ---- What a program gives -------------------------------------------------------------------- */

/* Sets a JSON value. What cannot be set becomes the error object, which no call accepts. */
static void set(char **json, const char *pointer, const char *value)
{
    char *changed = NULL;
    payorder_json_set(*json, pointer, value, &changed);
    payorder_string_free(*json);
    *json = changed;
}

/* Adds a field to a JSON object (NULL: a new one). Returns 0 on failure. */
static int add(struct call *call, char **json, const char *pointer, const char *name,
               const char *field, size_t size)
{
    char text[2048], *quoted = NULL;
    size_t length = size;
    int is_utf8;
    while (length > 0 && field[length - 1] == ' ') {
        length--;
    }
    if (memchr(field, '\0', size) != NULL) {
        return invalid(call, name, "contains X\"00\"");
    }
    if (length == size) {
        return fail(call, PAYORDER_INVALID_ARGUMENT, "too_long",
                    "%s is full: its end may be lost", name);
    }
    memcpy(text, field, length);
    text[length] = '\0';
    is_utf8 = payorder_json_quote(text, &quoted) == PAYORDER_OK;
    if (is_utf8) {
        set(json, pointer, quoted);
    }
    payorder_string_free(quoted);
    return is_utf8 || fail(call, PAYORDER_INVALID_ARGUMENT, "not_utf8", "%s is not UTF-8", name);
}

/* The amount that a program gives, exactly, with two decimals. */
static int add_amount(struct call *call, char **json, const char *name, const amount field)
{
    long long value;
    char text[24];
    if (!get_number(field, sizeof(amount), &value)) {
        return invalid(call, name, "is not a number: something else was moved over it");
    }
    if (value <= 0) {
        return invalid(call, name, "must be above zero");
    }
    if (value % 10 != 0) {
        return invalid(call, name,
                       "has more than two decimals: round it first, with COMPUTE ... ROUNDED");
    }
    snprintf(text, sizeof text, "\"%lld.%02lld\"", value / 1000, value / 10 % 100);
    set(json, "/amount", text);
    return 1;
}

/* A whole number as an option. */
static int add_number(struct call *call, const char *pointer, const char *name, const char *field,
                      size_t size)
{
    long long value;
    char text[24];
    if (!get_number(field, size, &value)) {
        return invalid(call, name, "is not a number");
    }
    snprintf(text, sizeof text, "%lld", value);
    set(&call->options, pointer, text);
    return 1;
}

/*
 * Makes call->request {"orderId":...} and call->expected {"orderId":..., "amount":...} of
 * PAYO-ORDER, or of a row of PAYO-SALES (from 1).
 */
static int expect(struct call *call, size_t row)
{
    const struct order *order = call->data[ORDER];
    const struct sale *sale = row > 0 ? &((struct sales *)call->data[SALES])->rows[row - 1] : NULL;
    char order_id_name[50] = "PAYO-ORDER-ID", amount_name[50] = "PAYO-AMOUNT";
    if (row > 0) {
        snprintf(order_id_name, sizeof order_id_name, "PAYO-SALE-ORDER-ID (%zu)", row);
        snprintf(amount_name, sizeof amount_name, "PAYO-SALE-AMOUNT (%zu)", row);
    }
    payorder_string_free(call->request);
    payorder_string_free(call->expected);
    call->request = call->expected = NULL;
    if (!add(call, &call->expected, "/orderId", order_id_name,
             row > 0 ? sale->order_id : order->order_id, sizeof order->order_id)) {
        return 0;
    }
    set(&call->request, "", call->expected);
    return add_amount(call, &call->expected, amount_name, row > 0 ? sale->amount : order->amount);
}

/* The filled rows as an array: of queries, or of what is expected. The caller frees it. */
static char *list_rows(struct call *call, int is_query)
{
    /* An identifier of 64 characters, which may be escaped, and an amount. */
    enum { LONGEST = 512 };
    long long filled, row;
    char *list, *last;
    if (!get_number(FIELD(((struct sales *)call->data[SALES])->count), &filled) || filled < 0 ||
        filled > (long long)call->rows) {
        fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
             "PAYO-SALE-COUNT is not a number from 0 to %zu", call->rows);
        return NULL;
    }
    if ((list = last = malloc((size_t)filled * LONGEST + 3)) == NULL) {
        fail(call, PAYORDER_INTERNAL, "no_resources", "there is no memory left");
        return NULL;
    }
    for (row = 1; row <= filled; row++) {
        if (!expect(call, (size_t)row)) {
            free(list);
            return NULL;
        }
        last += sprintf(last, ",%s", is_query ? call->request : call->expected);
    }
    strcpy(last, filled > 0 ? "]" : "[]");
    list[0] = '[';
    return list;
}

/* ---- A client -------------------------------------------------------------------------------- */

int payorder_cobol_open(void)
{
    BEGIN(CLIENT, JOURNAL)
    const char *journal = call.data[JOURNAL];
    int is_named = !is_blank(journal, kinds[JOURNAL].size);
    call.client = NULL;
    if (is_named && journal[0] == ' ') {
        invalid(&call, "PAYO-JOURNAL", "begins with a space");
    } else if (!is_named || add(&call, &call.options, "/journal", "PAYO-JOURNAL", journal,
                                kinds[JOURNAL].size)) {
        /* The settings of the environment, and of the file that PAYORDER_CONFIG names. */
        succeeded(&call, payorder_client_from_env(call.options, &call.client, &call.json));
    }
    memcpy(call.data[CLIENT], &call.client, sizeof call.client);
    return end(&call);
}

/* Returns its second argument, which is RETURN-CODE: a failed step stays a failed step. */
int payorder_cobol_close(void)
{
    payorder_client *client;
    int given = cob_get_num_params();
    if (given >= 1 && cob_get_param_size(1) == (int)sizeof client) {
        memcpy(&client, cob_get_param_data(1), sizeof client);
        payorder_client_free(client);
        memset(cob_get_param_data(1), 0, sizeof client);
        if (given == 2 && cob_get_param_size(2) > 0) {
            return (int)cob_get_s64_param(2);
        }
    }
    cob_runtime_warning("payorder_cobol_close has the arguments PAYO-CLIENT and RETURN-CODE");
    return PAYORDER_INVALID_ARGUMENT;
}

/* ---- Orders and statuses --------------------------------------------------------------------- */

/* <texts-of-an-order> bindings/generate writes it. */
#define ADD_TEXTS(ADD) \
    ADD("/merchantTxnId", "PAYO-MERCHANT-TXN-ID", merchant_txn_id) && \
    ADD("/orderId", "PAYO-ORDER-ID", order_id) && \
    ADD("/payMode", "PAYO-PAY-MODE", pay_mode) && \
    ADD("/merchantId", "PAYO-MERCHANT-ID", merchant_id) && \
    ADD("/productInfo", "PAYO-PRODUCT-INFO", product_info) && \
    ADD("/customerName", "PAYO-CUSTOMER-NAME", customer_name) && \
    ADD("/customerMobile", "PAYO-CUSTOMER-MOBILE", customer_mobile) && \
    ADD("/customerEmail", "PAYO-CUSTOMER-EMAIL", customer_email) && \
    ADD("/redirectionURL", "PAYO-REDIRECTION-URL", redirection_url) && \
    ADD("/currencyCode", "PAYO-CURRENCY-CODE", currency_code)
/* </texts-of-an-order> */

int payorder_cobol_create_order(void)
{
    BEGIN(CLIENT, ORDER, URL, STATUS)
    const struct order *order = call.data[ORDER];
    const time_t now = time(NULL);
    memcpy(last_sale.order_id, order->order_id, sizeof last_sale.order_id);
    strftime(last_sale.began, sizeof last_sale.began, "\"%Y-%m-%dT%H:%M:%SZ\"", gmtime(&now));
#define ADD(pointer, name, field) add(&call, &call.request, pointer, name, FIELD(order->field))
    if (add_amount(&call, &call.request, "PAYO-AMOUNT", order->amount) &&
        ADD_TEXTS(ADD) &&
        succeeded(&call, payorder_create_order(call.client, call.request, NULL, &call.json)) &&
        !fill(call.data[URL], kinds[URL].outputs, call.json)) {
        fail(&call, PAYORDER_BAD_RESPONSE, "checkout_url_unusable",
             "the order was created, but its checkout URL is longer than PAYO-URL");
    }
#undef ADD
    return end(&call);
}

/* Whether a text is `word` in any case, or with spaces around it. */
static int is_nearly(const char *text, const char *word)
{
    for (text += strspn(text, " \t\r\n"); *word != '\0'; text++, word++) {
        if ((*text | 0x20) != (*word | 0x20)) {
            return 0;
        }
    }
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* Writes the checks of /reasons. Returns whether no other check than `only` failed. */
static int take_reasons(char because[120], const char *json, const char *only)
{
    char pointer[40], check[40], all[200] = "";
    size_t count = 0, i;
    int is_only = 1;
    payorder_json_count(json, "/reasons", &count);
    for (i = 0; i < count; i++) {
        snprintf(pointer, sizeof pointer, "/reasons/%zu/check", i);
        payorder_json_copy(json, pointer, check, sizeof check, NULL);
        is_only &= strcmp(check, only) == 0;
        if (strlen(all) + strlen(check) + 1 < sizeof all) {
            strcat(strcat(all, check), " ");
        }
    }
    put_message(because, sizeof(char[120]), all);
    return is_only;
}

/*
 * Writes what a status says of call->expected: "paid", "not_paid" if it is only not paid yet, and
 * otherwise "check".
 */
static void judge(struct call *call, const char *json, char verdict[20], char because[120])
{
    char *compared = NULL, check[8], text[80] = "";
    size_t status_length, date_length;
    int is_open;
    payorder_verify_payment(call->expected, json, &compared);
    is_open = take_reasons(because, compared, "transactionStatus");
    payorder_json_copy(compared, "/paid", check, sizeof check, NULL);
    payorder_string_free(compared);
    /* A text that is too long for `text` is not "completed". */
    payorder_json_copy(json, "/data/transactionStatus", text, sizeof text, NULL);
    payorder_json_copy(json, "/data/settlementStatus", NULL, 0, &status_length);
    payorder_json_copy(json, "/data/settlementDate", NULL, 0, &date_length);
    is_open &= !is_nearly(text, "completed") && status_length == 0 && date_length == 0;
    put(verdict, sizeof(char[20]), strcmp(check, "true") == 0 ? "paid"
                                   : is_open                  ? "not_paid"
                                                              : "check");
}

/* Fills PAYO-STATUS from the JSON of a status. */
static void take_status(struct call *call, const char *json)
{
    struct status *status = call->data[STATUS];
    if (!fill(status, status_outputs, json)) {
        fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value of the status does not fit into PAYO-STATUS; PAYO-VERDICT is right");
    }
    if (memcmp(last_sale.order_id, ((struct order *)call->data[ORDER])->order_id,
               sizeof last_sale.order_id) == 0) {
        set(&call->expected, "/notBefore", last_sale.began);
    }
    judge(call, json, status->verdict, status->because);
}

int payorder_cobol_get_status(void)
{
    BEGIN(CLIENT, ORDER, STATUS)
    if (expect(&call, 0) &&
        succeeded(&call, payorder_get_status(call.client, call.request, NULL, &call.json))) {
        take_status(&call, call.json);
    }
    return end(&call);
}

int payorder_cobol_wait(void)
{
    BEGIN(CLIENT, ORDER, WAIT_MS, STATUS)
    char *seen = NULL, text[24] = "";
    payorder_result result;
    if (!expect(&call, 0) ||
        !add_number(&call, "/waitMs", "PAYO-WAIT-MS", call.data[WAIT_MS], sizeof(whole))) {
        return end(&call);
    }
    result = payorder_wait_for_payment(call.client, call.request, call.options, &call.json);
    /* After an error, such as a cancellation: the last status that it saw. */
    if (payorder_json_get(call.json, result == PAYORDER_OK ? "/status" : "/error/status", &seen) ==
        PAYORDER_OK) {
        take_status(&call, seen);
    } else if (result == PAYORDER_OK) {
        /* No query was answered: that is the error of the last one, and not "not paid". */
        payorder_json_copy(call.json, "/error/result", text, sizeof text, NULL);
        result = (payorder_result)atoi(text);
        result = result == PAYORDER_OK ? PAYORDER_TIMEOUT : result;
    }
    payorder_json_copy(call.json, "/timedOut", text, sizeof text, NULL);
    put(FIELD(((struct status *)call.data[STATUS])->timed_out), text[0] == 't' ? "Y" : "N");
    succeeded(&call, result);
    payorder_string_free(seen);
    return end(&call);
}

/* ---- Many orders ----------------------------------------------------------------------------- */

/* Fills PAYO-SUMMARY from a summary, and from what is next to it. */
static void take_summary(struct call *call, const char *pointer)
{
    struct summary *summary = call->data[SUMMARY];
    static const struct output next_to_it[] = {SUMMARY(other_services, COUNT, "/otherServices"),
                                               NO_MORE};
    char *counts = NULL, stopped[8] = "";
    size_t unresolved;
    payorder_json_get(call->json, pointer, &counts);
    fill(summary, summary_outputs, counts);
    payorder_json_copy(counts, "/stopped", stopped, sizeof stopped, NULL);
    payorder_string_free(counts);
    put(FIELD(summary->stopped), stopped[0] == 't' ? "Y" : "N");
    fill(summary, next_to_it, call->json);
    if (payorder_json_count(call->json, "/entries", &unresolved) == PAYORDER_OK) {
        cob_put_s64_comp3((long long)unresolved, FIELD(summary->unresolved));
    }
}

static int32_t take_row(size_t index, int32_t result, const char *json, void *user_data)
{
    struct call *call = user_data;
    struct sale *sale = &((struct sales *)call->data[SALES])->rows[index];
    static const struct output answered[] = {SALE(status, MESSAGE, "/data/transactionStatus"),
                                             SALE(cause, TEXT, "/error/cause"), NO_MORE};
    fill(sale, answered, json);
    put(FIELD(sale->name), payorder_result_name(result));
    if (result == PAYORDER_OK && expect(call, index + 1)) {
        judge(call, json, sale->verdict, sale->because);
    }
    return 1;
}

int payorder_cobol_get_statuses(void)
{
    BEGIN(CLIENT, SALES, SUMMARY)
    char *queries = list_rows(&call, 1);
    if (queries != NULL && succeeded(&call, payorder_get_statuses(call.client, queries, NULL,
                                                                  take_row, &call, &call.json))) {
        take_summary(&call, "");
    }
    free(queries);
    return end(&call);
}

/* A verdict of payorder_recover. What the program gave comes first, in its order. */
static int32_t take_verdict(size_t index, const char *key, const char *json, void *user_data)
{
    struct call *call = user_data;
    struct sales *sales = call->data[SALES];
    struct sale *sale = &sales->rows[index];
    static const struct output asked[] = {SALE(order_id, TEXT, "/orderId"),
                                          SALE(amount, AMOUNT, "/amount"), NO_MORE};
    (void)key;
    if (index >= call->rows) {
        return 0;
    }
    if (!fill(sale, asked, json) | !fill(sale, sale_outputs, json)) {
        fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value does not fit into PAYO-SALE (%zu)", index + 1);
    }
    take_reasons(sale->because, json, "");
    cob_put_s64_comp3((long long)index + 1, FIELD(sales->count));
    return 1;
}

int payorder_cobol_recover(void)
{
    BEGIN(CLIENT, SALES, SUMMARY)
    char *sales = list_rows(&call, 0);
    size_t all = 0;
    if (sales != NULL &&
        succeeded(&call, payorder_recover(call.client, sales, NULL, &call.json))) {
        take_summary(&call, "/summary");
        payorder_json_each(call.json, "/sales", take_verdict, &call);
        payorder_json_count(call.json, "/sales", &all);
        if (all > call.rows) {
            fail(&call, PAYORDER_BAD_RESPONSE, "response_too_large",
                 "there are %zu sales, and PAYO-SALES has room for %zu: the others are left out",
                 all, call.rows);
        }
    }
    free(sales);
    return end(&call);
}

/* ---- The journal ----------------------------------------------------------------------------- */

int payorder_cobol_resolve(void)
{
    BEGIN(CLIENT, SUMMARY)
    if (succeeded(&call, payorder_journal_resolve(call.client, NULL, &call.json))) {
        take_summary(&call, "/summary");
    }
    return end(&call);
}

static void take_entry(struct call *call, const char *json)
{
    struct entry *entry = call->data[ENTRY];
    static const struct output listed[] = {ENTRY(number, ZERO, "/entry"), NO_MORE};
    if (!fill(entry, listed, json) | !fill(entry, entry_outputs, json)) {
        fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value of the entry does not fit into PAYO-ENTRY");
    }
    put(FIELD(entry->found), "Y");
}

/* The first entry after the one in the record. */
int payorder_cobol_next_entry(void)
{
    BEGIN(CLIENT, ENTRY)
    struct entry *entry = call.data[ENTRY];
    char *found = NULL;
    if (is_blank(FIELD(entry->which))) {
        put(FIELD(entry->which), "open");
    }
    set(&call.options, "/limit", "1");
    if (add_number(&call, "/after", "PAYO-ENTRY-NUMBER", FIELD(entry->number)) &&
        (memcmp(entry->which, "all ", 4) == 0 ||
         add(&call, &call.options, "/state", "PAYO-ENTRY-WHICH", FIELD(entry->which))) &&
        succeeded(&call, payorder_journal_list(call.client, call.options, &call.json))) {
        put(FIELD(entry->found), "N");
        if (payorder_json_get(call.json, "/entries/0", &found) == PAYORDER_OK) {
            take_entry(&call, found);
        }
        payorder_string_free(found);
    }
    return end(&call);
}

int payorder_cobol_settle(void)
{
    BEGIN(CLIENT, ENTRY)
    struct entry *entry = call.data[ENTRY];
    if (add_number(&call, "/entry", "PAYO-ENTRY-NUMBER", FIELD(entry->number)) &&
        (is_blank(FIELD(entry->note)) ||
         add(&call, &call.options, "/note", "PAYO-ENTRY-NOTE", FIELD(entry->note))) &&
        succeeded(&call, payorder_journal_settle(call.client, call.options, &call.json))) {
        take_entry(&call, call.json);
    }
    return end(&call);
}

int payorder_cobol_prune(void)
{
    BEGIN(CLIENT, DAYS, SUMMARY)
    if (add_number(&call, "/olderThanDays", "PAYO-DAYS", call.data[DAYS], sizeof(whole)) &&
        succeeded(&call, payorder_journal_prune(call.client, call.options, &call.json))) {
        fill(call.data[SUMMARY], summary_outputs, call.json);
    }
    return end(&call);
}

/* ---- While a call waits ---------------------------------------------------------------------- */

int payorder_cobol_set_idle(void)
{
    payorder_idle_fn idle;
    if (cob_get_num_params() == 1 && cob_get_param_size(1) == (int)sizeof idle) {
        memcpy(&idle, cob_get_param_data(1), sizeof idle);
        return payorder_set_idle(idle, NULL);
    }
    cob_runtime_warning("payorder_cobol_set_idle has one argument, a PROCEDURE-POINTER");
    return PAYORDER_INVALID_ARGUMENT;
}

/* For tests: everything that is live. */
int payorder_cobol_live(void)
{
    return (int)(payorder_live_clients() + payorder_live_strings() + payorder_live_calls());
}
