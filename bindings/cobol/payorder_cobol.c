/*
 * The functions that COBOL programs call: see payorder.cpy and README.md.
 *
 * COBOL has fixed-length fields, filled with spaces. An input field that is full to its last
 * character may have been cut, so it is an error. An output value that does not fit is an error
 * too, and its field is empty: half a URL must not be shown to a customer.
 */
#include <payorder.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The records of payorder.cpy. Each array is a field. */
struct order {
    char amount[21], merchant_txn_id[65], order_id[65], pay_mode[9], merchant_id[65];
    char product_info[257], customer_name[257], customer_mobile[33], customer_email[257];
    char redirection_url[1025], currency_code[9];
};

struct error {
    int32_t result;
    char name[40], cause[40], action[40], message[400];
    char previous_order_id[65], previous_amount[21], previous_state[20];
    char previous_status[65], previous_url[2049];
};

struct status {
    char paid[1], not_paid_because[120], timed_out[1];
    char order_id[65], transaction_id[65], transaction_status[65], transaction_date[65];
    char amount[21], pay_mode[33], refund_status[65], refund_type[65], settlement_status[65];
};

/* COBOL has no gap after the number, and C may have one at the end. */
struct entry {
    int64_t number;
    char order_id[65], amount[21], state[20];
};

enum { URL = 2049, JOURNAL = 257, ENTRY = 8 + 65 + 21 + 20 };
/* struct error ends with a multiple of 4 bytes. */
enum { ERROR = 4 + 3 * 40 + 400 + 65 + 21 + 20 + 65 + 2049 };

/* ---- Fields ---------------------------------------------------------------------------------- */

#define FIELD(name) (name), sizeof(name)

static void blank(char *field, size_t size)
{
    memset(field, ' ', size);
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

/* ---- Errors ---------------------------------------------------------------------------------- */

static void begin(struct error *error)
{
    memset(error, ' ', ERROR);
    error->result = PAYORDER_OK;
    put(FIELD(error->name), "PAYORDER_OK");
}

/* An error of this file. */
static void fail(struct error *error, int32_t result, const char *cause, const char *format, ...)
{
    char message[sizeof error->message + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    begin(error);
    error->result = result;
    put(FIELD(error->name), payorder_result_name(result));
    put(FIELD(error->cause), cause);
    put(FIELD(error->action), result < 100 ? "fix_request" : "ask_status");
    put_message(FIELD(error->message), message);
}

/* Takes the library's JSON of a failed call, and frees it. */
static void take_error(struct error *error, payorder_result result, char *json)
{
    char *message = NULL;
    begin(error);
    error->result = result;
    put(FIELD(error->name), payorder_result_name(result));
    copy(FIELD(error->cause), json, "/error/cause");
    copy(FIELD(error->action), json, "/error/action");
    if (payorder_json_get(json, "/error/message", &message) == PAYORDER_OK) {
        put_message(FIELD(error->message), message);
    }
    payorder_string_free(message);
    if (!copy(FIELD(error->previous_order_id), json, "/error/previous/orderId") ||
        !copy(FIELD(error->previous_amount), json, "/error/previous/amount") ||
        !copy(FIELD(error->previous_status), json, "/error/previous/transactionStatus") ||
        !copy(FIELD(error->previous_url), json, "/error/previous/url")) {
        /* What does not fit is blank, as if it was not known: the program asks for the status. */
        put_message(FIELD(error->message), "the journal's entry does not fit into PAYO-ERROR");
    }
    copy(FIELD(error->previous_state), json, "/error/previous/state");
    payorder_string_free(json);
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

/* Adds a field to a JSON object (NULL: a new one). On failure it fills `error` and returns 0. */
static int add(char **json, const char *key, const char *name, const char *field, size_t size,
               struct error *error)
{
    char text[2048], pointer[40];
    size_t length = size;
    while (length > 0 && field[length - 1] == ' ') {
        length--;
    }
    /* An edited number begins with spaces. They are part of any other text. */
    if (strcmp(key, "amount") == 0 && length < size) {
        while (length > 0 && field[0] == ' ') {
            field++;
            length--;
            size--;
        }
    }
    if (length == size || memchr(field, '\0', size) != NULL) {
        payorder_string_free(*json);
        *json = NULL;
        fail(error, PAYORDER_INVALID_ARGUMENT, length == size ? "too_long" : "invalid_value",
             length == size ? "%s is full: its end may be lost" : "%s contains X\"00\"", name);
        return 0;
    }
    memcpy(text, field, length);
    text[length] = '\0';
    snprintf(pointer, sizeof pointer, "/%s", key);
    *json = set_text(*json, pointer, text);
    if (*json == NULL) {
        fail(error, PAYORDER_INVALID_ARGUMENT, "not_utf8", "%s is not UTF-8", name);
        return 0;
    }
    return 1;
}

/* ---- A client -------------------------------------------------------------------------------- */

int payorder_cobol_open(payorder_client **client, const char journal[JOURNAL],
                        const int32_t lengths[4], struct error *error)
{
    char *config = NULL, *json = NULL;
    payorder_result result;

    *client = NULL;
    if (lengths[0] != (int32_t)sizeof(struct order) || lengths[1] != ERROR ||
        lengths[2] != (int32_t)sizeof(struct status) || lengths[3] != ENTRY) {
        /* PAYO-ERROR may be shorter than what is known here. */
        error->result = PAYORDER_INTERNAL;
        return 0;
    }
    if (payorder_abi_version() != PAYORDER_ABI_VERSION) {
        fail(error, PAYORDER_INVALID_CONFIG, "unreadable_file",
             "the library has another version of the interface; nothing was sent");
        return 0;
    }
    if (journal[0] != ' ' && !add(&config, "journal", "PAYO-JOURNAL", journal, JOURNAL, error)) {
        return 0;
    }
    begin(error);
    /* The settings of the environment, and of the file that PAYORDER_CONFIG names. */
    result = payorder_client_from_env(config, client, &json);
    payorder_string_free(config);
    if (result != PAYORDER_OK) {
        take_error(error, result, json);
    }
    return 0;
}

int payorder_cobol_close(payorder_client **client)
{
    payorder_client_free(*client);
    *client = NULL;
    return 0;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

int payorder_cobol_create_order(payorder_client **client, const struct order *order, char url[URL],
                                struct error *error)
{
    char *request = NULL, *json = NULL;
    payorder_result result;
    blank(url, URL);
#define ADD(key, name, field) add(&request, key, name, FIELD(order->field), error)
    if (!ADD("amount", "PAYO-AMOUNT", amount) ||
        !ADD("merchantTxnId", "PAYO-MERCHANT-TXN-ID", merchant_txn_id) ||
        !ADD("orderId", "PAYO-ORDER-ID", order_id) || !ADD("payMode", "PAYO-PAY-MODE", pay_mode) ||
        !ADD("merchantId", "PAYO-MERCHANT-ID", merchant_id) ||
        !ADD("productInfo", "PAYO-PRODUCT-INFO", product_info) ||
        !ADD("customerName", "PAYO-CUSTOMER-NAME", customer_name) ||
        !ADD("customerMobile", "PAYO-CUSTOMER-MOBILE", customer_mobile) ||
        !ADD("customerEmail", "PAYO-CUSTOMER-EMAIL", customer_email) ||
        !ADD("redirectionURL", "PAYO-REDIRECTION-URL", redirection_url) ||
        !ADD("currencyCode", "PAYO-CURRENCY-CODE", currency_code)) {
        return 0;
    }
#undef ADD
    result = payorder_create_order(*client, request, NULL, &json);
    payorder_string_free(request);
    if (result != PAYORDER_OK) {
        take_error(error, result, json);
        return 0;
    }
    begin(error);
    if (!copy(url, URL, json, "/data/url")) {
        fail(error, PAYORDER_BAD_RESPONSE, "checkout_url_unusable",
             "the order was created, but its checkout URL is longer than PAYO-URL");
    }
    payorder_string_free(json);
    return 0;
}

/* Fills the record from the JSON of a status, and compares it with what is expected. */
static void take_status(struct status *status, const char *json, const char *expected,
                        struct error *error)
{
    char *verdict = NULL, check[40], pointer[40], because[sizeof status->not_paid_because + 64];
    size_t count = 0, i;
    int fits = copy(FIELD(status->order_id), json, "/data/orderId") &
               copy(FIELD(status->transaction_id), json, "/data/transactionId") &
               copy(FIELD(status->transaction_status), json, "/data/transactionStatus") &
               copy(FIELD(status->transaction_date), json, "/data/transactionDate") &
               copy(FIELD(status->amount), json, "/data/amount") &
               copy(FIELD(status->pay_mode), json, "/data/payMode") &
               copy(FIELD(status->refund_status), json, "/data/refundStatus") &
               copy(FIELD(status->refund_type), json, "/data/refundType") &
               copy(FIELD(status->settlement_status), json, "/data/settlementStatus");
    payorder_result result = payorder_verify_payment(expected, json, &verdict);
    if (result != PAYORDER_OK) {
        take_error(error, result, verdict);
        return;
    }
    payorder_json_copy(verdict, "/paid", check, sizeof check, NULL);
    if (strcmp(check, "true") == 0) {
        status->paid[0] = 'Y';
    }
    because[0] = '\0';
    payorder_json_count(verdict, "/reasons", &count);
    for (i = 0; i < count; i++) {
        snprintf(pointer, sizeof pointer, "/reasons/%u/check", (unsigned)i);
        if (payorder_json_copy(verdict, pointer, check, sizeof check, NULL) == PAYORDER_OK &&
            strlen(because) + strlen(check) + 1 < sizeof because) {
            strcat(because, check);
            strcat(because, " ");
        }
    }
    put_message(FIELD(status->not_paid_because), because);
    payorder_string_free(verdict);
    if (!fits) {
        fail(error, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value of the status does not fit into PAYO-STATUS; PAYO-PAID is right");
    }
}

/* {"orderId":..., "amount":...} of the order, and {"orderId":...}. */
static int expectations(const struct order *order, char **expected, char **query,
                        struct error *error)
{
    *expected = NULL;
    *query = NULL;
    if (!add(expected, "orderId", "PAYO-ORDER-ID", FIELD(order->order_id), error)) {
        return 0;
    }
    payorder_json_set(NULL, "", *expected, query);
    return add(expected, "amount", "PAYO-AMOUNT", FIELD(order->amount), error);
}

static void begin_status(struct status *status)
{
    memset(status, ' ', sizeof *status);
    status->paid[0] = 'N';
    status->timed_out[0] = 'N';
}

int payorder_cobol_get_status(payorder_client **client, const struct order *order,
                              struct status *status, struct error *error)
{
    char *expected, *query, *json = NULL;
    begin_status(status);
    begin(error);
    if (expectations(order, &expected, &query, error)) {
        payorder_result result = payorder_get_status(*client, query, NULL, &json);
        if (result == PAYORDER_OK) {
            take_status(status, json, expected, error);
            payorder_string_free(json);
        } else {
            take_error(error, result, json);
        }
    }
    payorder_string_free(expected);
    payorder_string_free(query);
    return 0;
}

int payorder_cobol_wait(payorder_client **client, const struct order *order,
                        const int32_t *wait_ms, struct status *status, struct error *error)
{
    char *expected, *query, *json = NULL, *last = NULL, *options = NULL, number[16];
    begin_status(status);
    begin(error);
    snprintf(number, sizeof number, "%d", (int)*wait_ms);
    if (expectations(order, &expected, &query, error)) {
        payorder_result result;
        options = set(NULL, "/waitMs", number);
        result = payorder_wait_for_payment(*client, query, options, &json);
        if (result == PAYORDER_OK) {
            char over[8];
            payorder_json_copy(json, "/timedOut", over, sizeof over, NULL);
            status->timed_out[0] = strcmp(over, "true") == 0 ? 'Y' : 'N';
            if (payorder_json_get(json, "/status", &last) == PAYORDER_OK) {
                take_status(status, last, expected, error);
            }
            payorder_string_free(last);
            payorder_string_free(json);
        } else {
            take_error(error, result, json);
        }
    }
    payorder_string_free(options);
    payorder_string_free(expected);
    payorder_string_free(query);
    return 0;
}

/* ---- The journal ----------------------------------------------------------------------------- */

int payorder_cobol_resolve(payorder_client **client, int32_t *unresolved, struct error *error)
{
    char *json = NULL;
    size_t count = 0;
    payorder_result result = payorder_journal_resolve(*client, NULL, &json);
    *unresolved = 0;
    begin(error);
    if (result != PAYORDER_OK) {
        take_error(error, result, json);
        return 0;
    }
    payorder_json_count(json, "/entries", &count);
    *unresolved = (int32_t)count;
    payorder_string_free(json);
    return 0;
}

/* The first unresolved entry after the one in the record; the number 0 if there is none. */
int payorder_cobol_next_unresolved(payorder_client **client, struct entry *entry,
                                   struct error *error)
{
    char options[80], number[24], *json = NULL;
    payorder_result result;
    snprintf(options, sizeof options, "{\"state\":\"unresolved\",\"limit\":1,\"after\":%lld}",
             (long long)entry->number);
    memset(entry, ' ', ENTRY);
    entry->number = 0;
    begin(error);
    result = payorder_journal_list(*client, options, &json);
    if (result != PAYORDER_OK) {
        take_error(error, result, json);
        return 0;
    }
    if (payorder_json_copy(json, "/entries/0/entry", number, sizeof number, NULL) == PAYORDER_OK) {
        entry->number = atoll(number);
        if (!copy(FIELD(entry->order_id), json, "/entries/0/orderId") ||
            !copy(FIELD(entry->amount), json, "/entries/0/amount")) {
            fail(error, PAYORDER_BAD_RESPONSE, "response_too_large",
                 "a value of the entry does not fit into PAYO-ENTRY");
        }
        copy(FIELD(entry->state), json, "/entries/0/state");
    }
    payorder_string_free(json);
    return 0;
}

/* For tests: everything that is live. */
int payorder_cobol_live(int32_t *live)
{
    *live = (int32_t)(payorder_live_clients() + payorder_live_strings() + payorder_live_calls());
    return 0;
}
