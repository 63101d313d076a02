/*
 * The functions that COBOL programs call: see payorder.cpy and README.md.
 *
 * COBOL passes addresses, and checks neither their number nor the fields behind them. So each
 * function asks libcob for both before it touches a field.
 *
 * COBOL has fixed-length fields, filled with spaces. An input field that is full to its last
 * character may have been cut, so it is an error. An output value that does not fit is an error
 * too, and its field is blank: half a URL must not be shown to a customer.
 */
#include "payorder.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libcob.h>

/* ---- The records of the copybooks ------------------------------------------------------------ */

/* PACKED-DECIMAL: two digits in a byte, and the sign in the last half. */
typedef char count[5];   /* PIC S9(9) */
typedef char amount[10]; /* PIC S9(15)V999: thousandths */
typedef char number[10]; /* PIC S9(18) */

/* Each other array is a PIC X. All are bytes, so there are no gaps. */
struct order {
    amount amount;
    char merchant_txn_id[65], order_id[65], pay_mode[9], merchant_id[65];
    char product_info[257], customer_name[257], customer_mobile[33], customer_email[257];
    char redirection_url[1025], currency_code[9];
};

struct violation {
    char field[33], rule[17], message[160];
};

struct error {
    char outcome[8];
    count result;
    char name[40], cause[40], action[40], message[400];
    count http_status, retry_after_ms;
    char response_code[65], request_id[201], checkout_url[2049];
    count violation_count;
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
    count asked, answered, refused, unclear, not_asked, unresolved, other_services, removed;
};

struct sale {
    char order_id[65];
    amount amount;
    char verdict[20], because[120], url[2049], status[65], name[40], cause[40];
    number entry;
};

struct sales {
    count count;
    struct sale rows[1];
};

struct entry {
    char which[20];
    number number;
    char note[201];
    char found[1], order_id[65], merchant_txn_id[65];
    amount amount;
    char amount_text[65], state[20], status[65], service[257], started_at[25];
};

/* ---- Fields ---------------------------------------------------------------------------------- */

#define FIELD(name) (name), sizeof(name)

static void put_number(char *field, size_t size, long long value)
{
    size_t i = size - 1;
    int sign = value < 0 ? 0xD : 0xC;
    unsigned long long rest = (unsigned long long)(value < 0 ? -value : value);
    field[i] = (char)(rest % 10 << 4 | sign);
    for (rest /= 10; i > 0; rest /= 100) {
        field[--i] = (char)(rest / 10 % 10 << 4 | rest % 10);
    }
}

/* Reads what COBOL writes into a signed field: 0 for other bytes, such as those of a text. */
static int get_number(const char *field, size_t size, long long *value)
{
    int last = field[size - 1] & 0xF;
    size_t half;
    *value = 0;
    for (half = 0; half < 2 * size - 1; half++) {
        int digit = (half % 2 == 0 ? field[half / 2] >> 4 : field[half / 2]) & 0xF;
        /* 20 halves are a zero, 18 digits and the sign. */
        if (digit > 9 || (half == 0 && size == 10 && digit != 0)) {
            return 0;
        }
        *value = *value * 10 + digit;
    }
    *value = last == 0xD ? -*value : *value;
    return last == 0xC || last == 0xD;
}

static void blank(char *field, size_t size)
{
    memset(field, ' ', size);
}

static int is_blank(const char *field, size_t size)
{
    return field[0] == ' ' && memcmp(field, field + 1, size - 1) == 0;
}

/* Writes a text into a field. Returns 0 if it does not fit; the field is blank then. */
static int put(char *field, size_t size, const char *text)
{
    size_t length = strlen(text);
    blank(field, size);
    if (length > size) {
        return 0;
    }
    memcpy(field, text, length);
    return 1;
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
    blank(field, size);
    memcpy(field, text, length);
}

/* Writes the value at a JSON pointer into a field; a missing one is blank. */
static int copy(char *field, size_t size, const char *json, const char *pointer)
{
    char *value = NULL;
    int fits = 1;
    blank(field, size);
    if (payorder_json_get(json, pointer, &value) == PAYORDER_OK) {
        fits = put(field, size, value);
    }
    payorder_string_free(value);
    return fits;
}

static void copy_message(char *field, size_t size, const char *json, const char *pointer)
{
    char *value = NULL;
    blank(field, size);
    if (payorder_json_get(json, pointer, &value) == PAYORDER_OK) {
        put_message(field, size, value);
    }
    payorder_string_free(value);
}

/* Writes a whole number of the JSON; a missing one, or one that does not fit, is `otherwise`. */
static void copy_number(char *field, size_t size, const char *json, const char *pointer,
                        long long otherwise)
{
    char text[20];
    long long value = otherwise;
    if (payorder_json_copy(json, pointer, text, sizeof text, NULL) == PAYORDER_OK) {
        value = atoll(text);
        if (value < 0 || (size == sizeof(count) && value > 999999999)) {
            value = otherwise;
        }
    }
    put_number(field, size, value);
}

/* An amount of the service as a number: -1 unless all of it is a decimal that fits. */
static void copy_amount(amount field, const char *json, const char *pointer)
{
    static const long long limit = 100000000000000000; /* then there is room for a digit more */
    char text[40];
    long long value = 0;
    int decimals = -1, i;
    int fits = payorder_json_copy(json, pointer, text, sizeof text, NULL) == PAYORDER_OK;
    for (i = 0; fits && text[i] != '\0'; i++) {
        if (text[i] == '.' && decimals < 0 && i > 0) {
            decimals = 0;
        } else if (text[i] < '0' || text[i] > '9') {
            fits = 0;
        } else if (decimals == 3) {
            fits = text[i] == '0';
        } else {
            fits = value < limit;
            value = fits ? value * 10 + (text[i] - '0') : 0;
            decimals += decimals >= 0;
        }
    }
    fits = fits && i > 0 && decimals != 0;
    for (decimals = decimals < 0 ? 0 : decimals; fits && decimals < 3; decimals++) {
        fits = value < limit;
        value *= fits ? 10 : 0;
    }
    put_number(field, sizeof(amount), fits ? value : -1000);
}

/* ---- A call ---------------------------------------------------------------------------------- */

enum kind { CLIENT, JOURNAL, ORDER, URL, ERROR, STATUS, WAIT_MS, SUMMARY, DAYS, SALES, ENTRY, KINDS };

static const struct {
    const char *name;
    int size, is_written;
} kinds[KINDS] = {
    {"PAYO-CLIENT", sizeof(void *), 0},
    {"PAYO-JOURNAL", 257, 0},
    {"PAYO-ORDER", sizeof(struct order), 0},
    {"PAYO-URL", 2049, 1},
    {"PAYO-ERROR", sizeof(struct error), 1},
    {"PAYO-STATUS", sizeof(struct status), 1},
    {"PAYO-WAIT-MS", sizeof(count), 0},
    {"PAYO-SUMMARY", sizeof(struct summary), 1},
    {"PAYO-DAYS", sizeof(count), 0},
    {"PAYO-SALES", sizeof(struct sales), 1},
    {"PAYO-ENTRY", sizeof(struct entry), 1},
};

/* What COBOL passed, by kind. */
struct call {
    payorder_client *client;
    struct error *error;
    int32_t result;
    void *data[KINDS];
    size_t rows;
};

static int is(enum kind kind, int size)
{
    return size == kinds[kind].size ||
           (kind == SALES && size > kinds[SALES].size &&
            (size - sizeof(count)) % sizeof(struct sale) == 0);
}

/* Writes that nothing is known: the results of an earlier call must not stay. */
static void clear(enum kind kind, void *data, size_t rows)
{
    struct status *status = data;
    struct summary *summary = data;
    struct sales *sales = data;
    struct entry *entry = data;
    size_t i;
    switch (kind) {
    case URL:
        blank(data, kinds[URL].size);
        break;
    case STATUS:
        blank(data, sizeof *status);
        put_number(FIELD(status->amount), -1000);
        break;
    case SUMMARY:
        blank(FIELD(summary->stopped));
        for (i = 0; i < sizeof *summary / sizeof(count); i++) {
            put_number(summary->asked + i * sizeof(count), sizeof(count), -1);
        }
        break;
    case SALES:
        for (i = 0; i < rows; i++) {
            blank(sales->rows[i].verdict, sizeof(struct sale) - offsetof(struct sale, verdict));
            put(FIELD(sales->rows[i].verdict), "unknown");
            put_number(FIELD(sales->rows[i].entry), 0);
        }
        break;
    case ENTRY:
        blank(entry->found, sizeof *entry - offsetof(struct entry, found));
        put_number(FIELD(entry->amount), -1000);
        break;
    default:
        break;
    }
}

static void clear_error(struct error *error)
{
    size_t i;
    blank((char *)error, sizeof *error);
    put_number(FIELD(error->result), 0);
    put_number(FIELD(error->http_status), 0);
    put_number(FIELD(error->retry_after_ms), 0);
    put_number(FIELD(error->violation_count), 0);
    put_number(FIELD(error->previous_amount), -1000);
    for (i = 0; i < sizeof error->violations / sizeof *error->violations; i++) {
        blank((char *)&error->violations[i], sizeof *error->violations);
    }
}

/* An error of this file. Returns 0. */
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
    clear_error(error);
    put(FIELD(error->cause), cause);
    put(FIELD(error->action), result < 100 ? "fix_request" : "ask_status");
    put_message(FIELD(error->message), message);
    return 0;
}

/* Writes how the call ended, and returns its result, which COBOL puts into RETURN-CODE. */
static int end(struct call *call, int is_order)
{
    static const char *const outcomes[] = {"OK", "NOT-SENT", "REJECTED", "UNKNOWN"};
    int32_t result = call->result;
    struct error *error = call->error;
    if (error != NULL) {
        put(FIELD(error->outcome), result == PAYORDER_OK ? "OK"
                                   : is_order ? outcomes[payorder_result_outcome(result)]
                                              : "FAILED");
        put_number(FIELD(error->result), result);
        put(FIELD(error->name), payorder_result_name(result));
    }
    return result;
}

/*
 * Looks at the arguments: `using` has their kinds, and ends with ERROR. Returns 0 if they are not
 * these: then the error is written if there is a PAYO-ERROR, and no old verdict is left.
 */
static int begin(struct call *call, const char *function, const enum kind *using)
{
    int given = cob_get_num_params(), expected = 0, wrong = 0, size, i, kind;
    memset(call, 0, sizeof *call);
    while (using[expected++] != ERROR) {
    }
    for (i = 1; i <= given; i++) {
        /* libcob warns about OMITTED, with the argument's number. */
        void *data = (size = cob_get_param_size(i)) > 0 ? cob_get_param_data(i) : NULL;
        int is_constant = data != NULL && cob_get_param_constant(i);
        if (i <= expected) {
            kind = using[i - 1];
            if (data == NULL || !is(kind, size) || (is_constant && kinds[kind].is_written)) {
                wrong = wrong != 0 ? wrong : i;
            } else {
                call->data[kind] = data;
            }
        }
        for (kind = 0; data != NULL && !is_constant && kind < KINDS; kind++) {
            if (kinds[kind].is_written && is(kind, size)) {
                size_t rows = (size - sizeof(count)) / sizeof(struct sale);
                clear(kind, data, rows);
                call->error = kind == ERROR ? data : call->error;
                call->rows = kind == SALES ? rows : call->rows;
            }
        }
    }
    if (call->error != NULL) {
        clear_error(call->error);
    }
    if (wrong == 0 && given != expected) {
        wrong = given < expected ? given + 1 : given;
    }
    if (wrong > expected) {
        return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                    "%s has %d arguments, and not %d", function, expected, given);
    }
    if (wrong != 0) {
        return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                    "argument %d of %s must be %s, as in its copybook and not BY CONTENT", wrong,
                    function, kinds[using[wrong - 1]].name);
    }
    if (payorder_abi_version() != PAYORDER_ABI_VERSION) {
        return fail(call, PAYORDER_INVALID_CONFIG, "unreadable_file",
                    "the library has another version of the interface; nothing was sent");
    }
    memcpy(&call->client, call->data[CLIENT], sizeof call->client);
    return 1;
}

#define BEGIN(...)                                                                                 \
    static const enum kind using[] = {__VA_ARGS__, ERROR};                                         \
    struct call call;                                                                              \
    int goes_on = begin(&call, __func__, using)

/* Takes the error of a JSON text. */
static void take_error(struct call *call, payorder_result result, const char *json)
{
    struct error *error = call->error;
    char pointer[60];
    size_t count = 0, i;
    int fits = 1;
    call->result = result;
    clear_error(error);
    copy(FIELD(error->cause), json, "/error/cause");
    copy(FIELD(error->action), json, "/error/action");
    copy_message(FIELD(error->message), json, "/error/message");
    copy_number(FIELD(error->http_status), json, "/error/httpStatus", 0);
    copy_number(FIELD(error->retry_after_ms), json, "/error/retryAfterMs", 0);
    copy_message(FIELD(error->response_code), json, "/error/responseCode");
    copy_message(FIELD(error->request_id), json, "/error/requestId");
    payorder_json_count(json, "/error/violations", &count);
    if (count > sizeof error->violations / sizeof *error->violations) {
        count = sizeof error->violations / sizeof *error->violations;
    }
    put_number(FIELD(error->violation_count), (long long)count);
    for (i = 0; i < count; i++) {
        struct violation *violation = &error->violations[i];
#define VIOLATION(key) (snprintf(pointer, sizeof pointer, "/error/violations/%zu/" key, i), pointer)
        copy_message(FIELD(violation->field), json, VIOLATION("field"));
        copy_message(FIELD(violation->rule), json, VIOLATION("rule"));
        copy_message(FIELD(violation->message), json, VIOLATION("message"));
    }
    fits &= copy(FIELD(error->checkout_url), json, "/error/checkoutUrl");
    fits &= copy(FIELD(error->previous_url), json, "/error/previous/url");
    fits &= copy(FIELD(error->previous_order_id), json, "/error/previous/orderId");
    fits &= copy(FIELD(error->previous_amount_text), json, "/error/previous/amount");
    fits &= copy(FIELD(error->previous_status), json, "/error/previous/transactionStatus");
    fits &= copy(FIELD(error->previous_state), json, "/error/previous/state");
    copy_amount(error->previous_amount, json, "/error/previous/amount");
    if (!fits) {
        /* What does not fit is blank, as if it was not known: the program asks for the status. */
        put_message(FIELD(error->message), "a value does not fit into PAYO-ERROR, and is left out");
    }
}

/* Ends a call of the library: takes its error, and frees its JSON. Returns whether it succeeded. */
static int succeeded(struct call *call, payorder_result result, char **json)
{
    if (result != PAYORDER_OK) {
        take_error(call, result, *json);
        payorder_string_free(*json);
        *json = NULL;
    }
    return result == PAYORDER_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Sets a JSON value. Frees the text, and returns the changed one, or NULL. */
static char *set(char *json, const char *pointer, const char *value)
{
    char *changed = NULL;
    if (payorder_json_set(json, pointer, value, &changed) != PAYORDER_OK) {
        payorder_string_free(changed);
        changed = NULL;
    }
    payorder_string_free(json);
    return changed;
}

static char *set_text(char *json, const char *pointer, const char *text)
{
    char *quoted = NULL;
    if (payorder_json_quote(text, &quoted) == PAYORDER_OK) {
        json = set(json, pointer, quoted);
    } else {
        payorder_string_free(json);
        json = NULL;
    }
    payorder_string_free(quoted);
    return json;
}

/* Adds a field to a JSON object (NULL: a new one). Returns 0 on failure, and *json is NULL then. */
static int add(struct call *call, char **json, const char *pointer, const char *name,
               const char *field, size_t size)
{
    char text[2048];
    const char *cause, *problem;
    size_t length = size;
    while (length > 0 && field[length - 1] == ' ') {
        length--;
    }
    if (memchr(field, '\0', size) != NULL) {
        cause = "invalid_value";
        problem = "contains X\"00\"";
    } else if (length == size) {
        cause = "too_long";
        problem = "is full: its end may be lost";
    } else {
        cause = "not_utf8";
        problem = "is not UTF-8";
        memcpy(text, field, length);
        text[length] = '\0';
        if ((*json = set_text(*json, pointer, text)) != NULL) {
            return 1;
        }
    }
    payorder_string_free(*json);
    *json = NULL;
    return fail(call, PAYORDER_INVALID_ARGUMENT, cause, "%s %s", name, problem);
}

/* The amount that a program gives, exactly, with two decimals. */
static int add_amount(struct call *call, char **json, const char *name, const amount field)
{
    long long value;
    char text[24];
    const char *problem;
    if (!get_number(field, sizeof(amount), &value)) {
        problem = "is not a number: something else was moved over it";
    } else if (value <= 0) {
        problem = "must be above zero";
    } else if (value % 10 != 0) {
        problem = "has more than two decimals: round it first, with COMPUTE ... ROUNDED";
    } else {
        snprintf(text, sizeof text, "%lld.%02lld", value / 1000, value / 10 % 100);
        *json = set_text(*json, "/amount", text);
        return 1;
    }
    payorder_string_free(*json);
    *json = NULL;
    return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value", "%s %s", name, problem);
}

/* {"orderId":..., "amount":...} of an order, and {"orderId":...}. */
static int expect(struct call *call, const char *order_id, const char *order_id_name,
                  const amount field, const char *amount_name, char **expected, char **query)
{
    *expected = NULL;
    *query = NULL;
    if (!add(call, expected, "/orderId", order_id_name, order_id, sizeof(char[65]))) {
        return 0;
    }
    payorder_json_set(NULL, "", *expected, query);
    return add_amount(call, expected, amount_name, field);
}

/* ---- A client -------------------------------------------------------------------------------- */

int payorder_cobol_open(void)
{
    BEGIN(CLIENT, JOURNAL);
    char *config = NULL, *json = NULL;
    const char *journal = call.data[JOURNAL];
    if (goes_on) {
        call.client = NULL;
        if (is_blank(journal, kinds[JOURNAL].size)) {
            goes_on = 1;
        } else if (journal[0] == ' ') {
            goes_on = fail(&call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                           "PAYO-JOURNAL begins with a space");
        } else {
            goes_on = add(&call, &config, "/journal", "PAYO-JOURNAL", journal, kinds[JOURNAL].size);
        }
        if (goes_on) {
            /* The settings of the environment, and of the file that PAYORDER_CONFIG names. */
            succeeded(&call, payorder_client_from_env(config, &call.client, &json), &json);
        }
        payorder_string_free(config);
        memcpy(call.data[CLIENT], &call.client, sizeof call.client);
    }
    return end(&call, 0);
}

/* Returns its second argument, which is RETURN-CODE: a failed step stays a failed step. */
int payorder_cobol_close(void)
{
    payorder_client *client;
    int given = cob_get_num_params();
    if (given >= 1 && cob_get_param_size(1) == kinds[CLIENT].size) {
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

int payorder_cobol_create_order(void)
{
    BEGIN(CLIENT, ORDER, URL, STATUS);
    const struct order *order = call.data[ORDER];
    char *request = NULL, *json = NULL;
#define ADD(key, name, field) add(&call, &request, key, name, FIELD(order->field))
    if (goes_on && add_amount(&call, &request, "PAYO-AMOUNT", order->amount) &&
        ADD("/merchantTxnId", "PAYO-MERCHANT-TXN-ID", merchant_txn_id) &&
        ADD("/orderId", "PAYO-ORDER-ID", order_id) && ADD("/payMode", "PAYO-PAY-MODE", pay_mode) &&
        ADD("/merchantId", "PAYO-MERCHANT-ID", merchant_id) &&
        ADD("/productInfo", "PAYO-PRODUCT-INFO", product_info) &&
        ADD("/customerName", "PAYO-CUSTOMER-NAME", customer_name) &&
        ADD("/customerMobile", "PAYO-CUSTOMER-MOBILE", customer_mobile) &&
        ADD("/customerEmail", "PAYO-CUSTOMER-EMAIL", customer_email) &&
        ADD("/redirectionURL", "PAYO-REDIRECTION-URL", redirection_url) &&
        ADD("/currencyCode", "PAYO-CURRENCY-CODE", currency_code) &&
        succeeded(&call, payorder_create_order(call.client, request, NULL, &json), &json)) {
        if (!copy(call.data[URL], kinds[URL].size, json, "/data/url")) {
            fail(&call, PAYORDER_BAD_RESPONSE, "checkout_url_unusable",
                 "the order was created, but its checkout URL is longer than PAYO-URL");
        }
        payorder_string_free(json);
    }
#undef ADD
    payorder_string_free(request);
    return end(&call, 1);
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
 * Writes what a status says of the expected order: "paid", "not_paid" if it is only not paid yet,
 * and otherwise "check".
 */
static int judge(struct call *call, const char *expected, const char *json, char verdict[20],
                 char because[120])
{
    char *compared = NULL, check[8], text[80] = "";
    size_t length;
    int is_open;
    if (!succeeded(call, payorder_verify_payment(expected, json, &compared), &compared)) {
        return 0;
    }
    is_open = take_reasons(because, compared, "transactionStatus");
    payorder_json_copy(compared, "/paid", check, sizeof check, NULL);
    payorder_string_free(compared);
    /* A text that is too long for `text` is not "completed". */
    payorder_json_copy(json, "/data/transactionStatus", text, sizeof text, NULL);
    is_open &= !is_nearly(text, "completed");
    payorder_json_copy(json, "/data/settlementStatus", NULL, 0, &length);
    is_open &= length == 0;
    payorder_json_copy(json, "/data/settlementDate", NULL, 0, &length);
    is_open &= length == 0;
    put(verdict, sizeof(char[20]), strcmp(check, "true") == 0 ? "paid"
                                   : is_open                  ? "not_paid"
                                                              : "check");
    return 1;
}

/* Fills PAYO-STATUS from the JSON of a status. */
static void take_status(struct call *call, const char *json, const char *expected)
{
    struct status *status = call->data[STATUS];
    int fits = copy(FIELD(status->order_id), json, "/data/orderId") &
               copy(FIELD(status->transaction_id), json, "/data/transactionId") &
               copy(FIELD(status->transaction_status), json, "/data/transactionStatus") &
               copy(FIELD(status->transaction_date), json, "/data/transactionDate") &
               copy(FIELD(status->amount_text), json, "/data/amount") &
               copy(FIELD(status->pay_mode), json, "/data/payMode") &
               copy(FIELD(status->refund_status), json, "/data/refundStatus") &
               copy(FIELD(status->refund_type), json, "/data/refundType") &
               copy(FIELD(status->settlement_status), json, "/data/settlementStatus");
    copy_amount(status->amount, json, "/data/amount");
    if (judge(call, expected, json, status->verdict, status->because) && !fits) {
        fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value of the status does not fit into PAYO-STATUS; PAYO-VERDICT is right");
    }
}

int payorder_cobol_get_status(void)
{
    BEGIN(CLIENT, ORDER, STATUS);
    const struct order *order = call.data[ORDER];
    char *expected = NULL, *query = NULL, *json = NULL;
    if (goes_on &&
        expect(&call, order->order_id, "PAYO-ORDER-ID", order->amount, "PAYO-AMOUNT", &expected,
               &query) &&
        succeeded(&call, payorder_get_status(call.client, query, NULL, &json), &json)) {
        take_status(&call, json, expected);
        payorder_string_free(json);
    }
    payorder_string_free(expected);
    payorder_string_free(query);
    return end(&call, 0);
}

int payorder_cobol_wait(void)
{
    BEGIN(CLIENT, ORDER, WAIT_MS, STATUS);
    const struct order *order = call.data[ORDER];
    struct status *status = call.data[STATUS];
    char *expected = NULL, *query = NULL, *json = NULL, *seen = NULL, *options = NULL, text[24];
    long long wait_ms;
    if (goes_on && !get_number(call.data[WAIT_MS], sizeof(count), &wait_ms)) {
        goes_on = fail(&call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                       "PAYO-WAIT-MS is not a number");
    }
    if (goes_on && expect(&call, order->order_id, "PAYO-ORDER-ID", order->amount, "PAYO-AMOUNT",
                          &expected, &query)) {
        payorder_result result;
        const char *pointer = "/status";
        snprintf(text, sizeof text, "%lld", wait_ms);
        options = set(NULL, "/waitMs", text);
        result = payorder_wait_for_payment(call.client, query, options, &json);
        if (result == PAYORDER_OK) {
            payorder_json_copy(json, "/timedOut", text, sizeof text, NULL);
            put(FIELD(status->timed_out), strcmp(text, "true") == 0 ? "Y" : "N");
        } else {
            /* The last status that it saw, before it was cancelled for example. */
            pointer = "/error/status";
        }
        if (payorder_json_get(json, pointer, &seen) == PAYORDER_OK) {
            take_status(&call, seen, expected);
        } else if (result == PAYORDER_OK) {
            /* No query was answered: that is the error of the last one, and not "not paid". */
            payorder_json_copy(json, "/error/result", text, sizeof text, NULL);
            result = (payorder_result)atoi(text);
            result = result == PAYORDER_OK ? PAYORDER_TIMEOUT : result;
        }
        if (result != PAYORDER_OK) {
            take_error(&call, result, json);
        }
        payorder_string_free(seen);
        payorder_string_free(json);
    }
    payorder_string_free(options);
    payorder_string_free(expected);
    payorder_string_free(query);
    return end(&call, 0);
}

/* ---- Many orders ----------------------------------------------------------------------------- */

/* The number of filled rows, or -1. */
static long long rows(struct call *call)
{
    struct sales *sales = call->data[SALES];
    long long filled;
    if (get_number(FIELD(sales->count), &filled) && filled >= 0 &&
        filled <= (long long)call->rows) {
        return filled;
    }
    fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
         "PAYO-SALE-COUNT is not a number from 0 to %zu", call->rows);
    return -1;
}

/* What is expected of a row (from 0), and its query. */
static int expect_row(struct call *call, size_t row, char **expected, char **query)
{
    const struct sale *sale = &((struct sales *)call->data[SALES])->rows[row];
    char order_id_name[40], amount_name[40];
    snprintf(order_id_name, sizeof order_id_name, "PAYO-SALE-ORDER-ID (%zu)", row + 1);
    snprintf(amount_name, sizeof amount_name, "PAYO-SALE-AMOUNT (%zu)", row + 1);
    return expect(call, sale->order_id, order_id_name, sale->amount, amount_name, expected, query);
}

static void take_summary(struct call *call, const char *json, const char *prefix)
{
    struct summary *summary = call->data[SUMMARY];
    char pointer[40], stopped[8] = "";
#define COUNT(key) (snprintf(pointer, sizeof pointer, "%s/" key, prefix), pointer)
    payorder_json_copy(json, COUNT("stopped"), stopped, sizeof stopped, NULL);
    put(FIELD(summary->stopped), strcmp(stopped, "true") == 0 ? "Y" : "N");
    copy_number(FIELD(summary->asked), json, COUNT("asked"), -1);
    copy_number(FIELD(summary->answered), json, COUNT("ok"), -1);
    copy_number(FIELD(summary->refused), json, COUNT("rejected"), -1);
    copy_number(FIELD(summary->unclear), json, COUNT("unknown"), -1);
    copy_number(FIELD(summary->not_asked), json, COUNT("notSent"), -1);
    copy_number(FIELD(summary->other_services), json, "/otherServices", -1);
}

/* A run over the rows: payorder_stream_statuses calls back with it. */
struct run {
    struct call *call;
    size_t next, filled;
    char *query;
};

static const char *next_query(void *user_data)
{
    struct run *run = user_data;
    char *expected;
    payorder_string_free(run->query);
    run->query = NULL;
    if (run->next < run->filled) {
        /* All rows were looked at before the first query. */
        expect_row(run->call, run->next++, &expected, &run->query);
        payorder_string_free(expected);
    }
    return run->query;
}

static int32_t take_row(size_t index, int32_t result, const char *json, void *user_data)
{
    struct call *call = ((struct run *)user_data)->call;
    struct sale *sale = &((struct sales *)call->data[SALES])->rows[index];
    char *expected, *query;
    put(FIELD(sale->name), payorder_result_name(result));
    if (result != PAYORDER_OK) {
        copy(FIELD(sale->cause), json, "/error/cause");
        return 1;
    }
    if (expect_row(call, index, &expected, &query)) {
        copy_message(FIELD(sale->status), json, "/data/transactionStatus");
        judge(call, expected, json, sale->verdict, sale->because);
    }
    payorder_string_free(expected);
    payorder_string_free(query);
    return 1;
}

int payorder_cobol_get_statuses(void)
{
    BEGIN(CLIENT, SALES, SUMMARY);
    struct run run = {&call, 0, 0, NULL};
    char *expected, *query, *json = NULL;
    long long filled = goes_on ? rows(&call) : -1, i;
    for (i = 0; i < filled && goes_on; i++) {
        goes_on = expect_row(&call, (size_t)i, &expected, &query);
        payorder_string_free(expected);
        payorder_string_free(query);
    }
    if (filled >= 0 && goes_on) {
        run.filled = (size_t)filled;
        if (succeeded(&call,
                      payorder_stream_statuses(call.client, next_query, take_row, &run, NULL, &json),
                      &json)) {
            take_summary(&call, json, "");
            payorder_string_free(json);
        }
        payorder_string_free(run.query);
    }
    return end(&call, 0);
}

/* A verdict of payorder_recover. What the program gave comes first, in its order. */
static int32_t take_verdict(size_t index, const char *key, const char *json, void *user_data)
{
    struct call *call = user_data;
    struct sales *sales = call->data[SALES];
    struct sale *sale = &sales->rows[index];
    (void)key;
    if (index >= call->rows) {
        return 0;
    }
    if (!copy(FIELD(sale->order_id), json, "/orderId") |
        !copy(FIELD(sale->url), json, "/url")) {
        fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value does not fit into PAYO-SALE (%zu)", index + 1);
    }
    copy_amount(sale->amount, json, "/amount");
    copy(FIELD(sale->verdict), json, "/verdict");
    copy_message(FIELD(sale->status), json, "/transactionStatus");
    copy_number(FIELD(sale->entry), json, "/entry", 0);
    take_reasons(sale->because, json, "");
    put_number(FIELD(sales->count), (long long)index + 1);
    return 1;
}

int payorder_cobol_recover(void)
{
    BEGIN(CLIENT, SALES, SUMMARY);
    long long filled = goes_on ? rows(&call) : -1, i;
    char *expected = NULL, *query, *json = NULL, *end_of_list = NULL;
    /* A sale is at most an identifier of 64 characters, escaped, and an amount. */
    char *list = filled >= 0 ? malloc((size_t)filled * 512 + 3) : NULL;
    if (filled >= 0 && list == NULL) {
        goes_on = fail(&call, PAYORDER_INTERNAL, "no_resources", "there is no memory left");
    }
    if (list != NULL) {
        end_of_list = list;
        *end_of_list++ = '[';
        for (i = 0; i < filled && goes_on; i++) {
            goes_on = expect_row(&call, (size_t)i, &expected, &query);
            if (goes_on) {
                end_of_list += sprintf(end_of_list, "%s%s", i > 0 ? "," : "", expected);
            }
            payorder_string_free(expected);
            payorder_string_free(query);
        }
        strcpy(end_of_list, "]");
    }
    if (list != NULL && goes_on &&
        succeeded(&call, payorder_recover(call.client, list, NULL, &json), &json)) {
        size_t all = 0;
        take_summary(&call, json, "/summary");
        payorder_json_count(json, "/sales", &all);
        payorder_json_each(json, "/sales", take_verdict, &call);
        if (all > call.rows) {
            fail(&call, PAYORDER_BAD_RESPONSE, "response_too_large",
                 "there are %zu sales, and PAYO-SALES has room for %zu: the others are left out", all,
                 call.rows);
        }
        payorder_string_free(json);
    }
    free(list);
    return end(&call, 0);
}

/* ---- The journal ----------------------------------------------------------------------------- */

int payorder_cobol_resolve(void)
{
    BEGIN(CLIENT, SUMMARY);
    struct summary *summary = call.data[SUMMARY];
    char *json = NULL;
    size_t count = 0;
    if (goes_on && succeeded(&call, payorder_journal_resolve(call.client, NULL, &json), &json)) {
        take_summary(&call, json, "/summary");
        if (payorder_json_count(json, "/entries", &count) == PAYORDER_OK) {
            put_number(FIELD(summary->unresolved), (long long)count);
        }
        payorder_string_free(json);
    }
    return end(&call, 0);
}

static void take_entry(struct call *call, const char *json)
{
    struct entry *entry = call->data[ENTRY];
    int fits = copy(FIELD(entry->order_id), json, "/orderId") &
               copy(FIELD(entry->merchant_txn_id), json, "/merchantTxnId") &
               copy(FIELD(entry->amount_text), json, "/amount") &
               copy(FIELD(entry->state), json, "/state") &
               copy(FIELD(entry->status), json, "/transactionStatus") &
               copy(FIELD(entry->service), json, "/service") &
               copy(FIELD(entry->started_at), json, "/startedAt");
    copy_number(FIELD(entry->number), json, "/entry", 0);
    copy_amount(entry->amount, json, "/amount");
    put(FIELD(entry->found), "Y");
    if (!fits) {
        fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value of the entry does not fit into PAYO-ENTRY");
    }
}

/* The number of PAYO-ENTRY as JSON text. */
static int entry_number(struct call *call, char text[24])
{
    long long value;
    if (get_number(FIELD(((struct entry *)call->data[ENTRY])->number), &value) && value >= 0) {
        sprintf(text, "%lld", value);
        return 1;
    }
    return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                "PAYO-ENTRY-NUMBER is not a number: begin with 0");
}

/* The first entry after the one in the record. */
int payorder_cobol_next_entry(void)
{
    BEGIN(CLIENT, ENTRY);
    struct entry *entry = call.data[ENTRY];
    char *options = NULL, *json = NULL, *found = NULL, text[24];
    if (goes_on && entry_number(&call, text)) {
        options = set(set(NULL, "/after", text), "/limit", "1");
        if (is_blank(FIELD(entry->which))) {
            put(FIELD(entry->which), "open");
        }
        if ((memcmp(entry->which, "all ", 4) == 0 ||
             add(&call, &options, "/state", "PAYO-ENTRY-WHICH", FIELD(entry->which))) &&
            succeeded(&call, payorder_journal_list(call.client, options, &json), &json)) {
            if (payorder_json_get(json, "/entries/0", &found) == PAYORDER_OK) {
                take_entry(&call, found);
            } else {
                put(FIELD(entry->found), "N");
            }
            payorder_string_free(found);
            payorder_string_free(json);
        }
        payorder_string_free(options);
    }
    return end(&call, 0);
}

int payorder_cobol_settle(void)
{
    BEGIN(CLIENT, ENTRY);
    struct entry *entry = call.data[ENTRY];
    char *options = NULL, *json = NULL, text[24];
    if (goes_on && entry_number(&call, text)) {
        options = set(NULL, "/entry", text);
        if ((is_blank(FIELD(entry->note)) ||
             add(&call, &options, "/note", "PAYO-ENTRY-NOTE", FIELD(entry->note))) &&
            succeeded(&call, payorder_journal_settle(call.client, options, &json), &json)) {
            take_entry(&call, json);
            payorder_string_free(json);
        }
        payorder_string_free(options);
    }
    return end(&call, 0);
}

int payorder_cobol_prune(void)
{
    BEGIN(CLIENT, DAYS, SUMMARY);
    struct summary *summary = call.data[SUMMARY];
    char *options, *json = NULL, text[24];
    long long days;
    if (goes_on && !get_number(call.data[DAYS], sizeof(count), &days)) {
        goes_on =
            fail(&call, PAYORDER_INVALID_ARGUMENT, "invalid_value", "PAYO-DAYS is not a number");
    }
    if (goes_on) {
        snprintf(text, sizeof text, "%lld", days);
        options = set(NULL, "/olderThanDays", text);
        if (succeeded(&call, payorder_journal_prune(call.client, options, &json), &json)) {
            copy_number(FIELD(summary->removed), json, "/removed", -1);
            payorder_string_free(json);
        }
        payorder_string_free(options);
    }
    return end(&call, 0);
}

/* For tests: everything that is live. */
int payorder_cobol_live(void)
{
    return (int)(payorder_live_clients() + payorder_live_strings() + payorder_live_calls());
}
