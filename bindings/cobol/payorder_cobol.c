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

/* Its parts. */
#include "payorder_cobol_records.h"
#include "payorder_cobol_call.h"
#include "payorder_cobol_given.h"

/* ---- A client -------------------------------------------------------------------------------- */

int payorder_cobol_open(void)
{
    BEGIN(CLIENT, JOURNAL)
    const char *journal = call.data[JOURNAL];
    int is_named = !is_blank(journal, kinds[JOURNAL].size);
    payorder_client_free(call.client);
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

/* The newest call that sent an order, or NULL. */
static const struct sent *find_sent(const char *order_id)
{
    const struct sent *sent = NULL;
    size_t i;
    /* The newest comes last. */
    for (i = 0; i < SENT; i++) {
        const struct sent *one = &last_sent[(sent_count + i) % SENT];
        sent = memcmp(one->order_id, order_id, sizeof one->order_id) == 0 ? one : sent;
    }
    return sent;
}

int payorder_cobol_create_order(void)
{
    BEGIN(CLIENT, ORDER, PRICE, URL, STATUS)
    const struct order *order = call.data[ORDER];
    const struct output url[] = {{0, call.url_size, TEXT, "/data/url"}, NO_MORE};
    const time_t now = time(NULL);
    const struct sent *earlier = find_sent(order->order_id);
    struct sent *sent = &last_sent[sent_count++ % SENT];
    const struct sent oldest = *sent, before = earlier != NULL ? *earlier : oldest;
    int outcome;
    /* Before the call: the idle program may change the record, sell, and ask about this order. */
    memcpy(sent->order_id, order->order_id, sizeof sent->order_id);
    strftime(sent->began, sizeof sent->began, "\"%Y-%m-%dT%H:%M:%SZ\"", gmtime(&now));
    sent->is_own = 0;
#define ADD(pointer, name, field) add(&call, &call.request, pointer, name, FIELD(order->field))
    if (add_amount(&call, &call.request, "the price", call.price) &&
        ADD_TEXTS(ADD) &&
        succeeded(&call, payorder_create_order(call.client, call.request, NULL, &call.json)) &&
        !fill(call.data[URL], url, call.json)) {
        fail(&call, PAYORDER_BAD_RESPONSE, "checkout_url_unusable",
             "the order was created, but its checkout URL is longer than PAYO-URL");
    }
#undef ADD
    outcome = payorder_result_outcome(call.result);
    if (earlier != NULL &&
        (outcome == PAYORDER_OUTCOME_NOT_SENT || outcome == PAYORDER_OUTCOME_REJECTED)) {
        /* This call created nothing: what exists is of the call before. */
        if (sent == &last_sent[(sent_count - 1) % SENT]) {
            *sent = oldest;
            sent_count--;
        } else {
            /* The idle program has sold meanwhile. */
            *sent = before;
        }
        return end(&call);
    }
    /* An unknown outcome with one of these actions may be about another sale's order. */
    sent->is_own = outcome == PAYORDER_OUTCOME_DONE ||
                   (outcome == PAYORDER_OUTCOME_UNKNOWN &&
                    memcmp(call.error->action, "ask_person ", 11) != 0 &&
                    memcmp(call.error->action, "fix_request ", 12) != 0);
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
static void judge(struct call *call, const char *json, const char *order_id, char verdict[20],
                  char because[120])
{
    char *compared = NULL, paid[8], text[80] = "";
    size_t status_length = 0, date_length = 0;
    const struct sent *sent = find_sent(order_id);
    int is_open, is_paid;
    if (sent != NULL) {
        set(&call->expected, "/notBefore", sent->began);
    }
    payorder_verify_payment(call->expected, json, &compared);
    is_open = take_reasons(because, compared, "transactionStatus");
    /* Without it, such as for a status that is too long, nothing was compared. */
    is_open &= payorder_json_copy(compared, "/paid", paid, sizeof paid, NULL) == PAYORDER_OK;
    payorder_string_free(compared);
    is_paid = strcmp(paid, "true") == 0;
    if (is_paid && sent != NULL && !sent->is_own) {
        put_message(because, sizeof(char[120]), "orderExists");
        is_paid = 0;
    }
    /* A text that is too long for `text` is not "completed". */
    payorder_json_copy(json, "/data/transactionStatus", text, sizeof text, NULL);
    payorder_json_copy(json, "/data/settlementStatus", NULL, 0, &status_length);
    payorder_json_copy(json, "/data/settlementDate", NULL, 0, &date_length);
    is_open &= !is_nearly(text, "completed") && status_length == 0 && date_length == 0;
    put(verdict, sizeof(char[20]), is_paid ? "paid" : is_open ? "not_paid" : "check");
}

/* Fills PAYO-STATUS from the JSON of a status. */
static void take_status(struct call *call, const char *json)
{
    struct status *status = call->data[STATUS];
    if (!fill(status, status_outputs, json)) {
        fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value of the status does not fit into PAYO-STATUS; PAYO-VERDICT is right");
    }
    judge(call, json, ((struct order *)call->data[ORDER])->order_id, status->verdict,
          status->because);
}

int payorder_cobol_get_status(void)
{
    BEGIN(CLIENT, ORDER, PRICE, STATUS)
    if (expect(&call, 0) &&
        succeeded(&call, payorder_get_status(call.client, call.request, NULL, &call.json))) {
        take_status(&call, call.json);
    }
    return end(&call);
}

int payorder_cobol_wait(void)
{
    BEGIN(CLIENT, ORDER, PRICE, WAIT_MS, STATUS)
    char *seen = NULL, text[24] = "";
    payorder_result result;
    if (!expect(&call, 0) ||
        !add_number(&call, "/waitMs", "PAYO-WAIT-MS", call.data[WAIT_MS], sizeof(whole))) {
        return end(&call);
    }
    result = payorder_wait_for_payment(call.client, call.request, call.options, &call.json);
    if (result == PAYORDER_OK && !is_readable(&call)) {
        return end(&call);
    }
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
                                               SUMMARY(refusal, MESSAGE, "/refusal"), NO_MORE};
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
        judge(call, json, sale->order_id, sale->verdict, sale->because);
    }
    return 1;
}

static int by_order_id(const void *left, const void *right)
{
    const struct sale *const *one = left, *const *other = right;
    return memcmp((*one)->order_id, (*other)->order_id, sizeof (*one)->order_id);
}

/* One payment is not that of two sales: a paid order with several rows is for a person. */
static void check_repeated(struct sale *sales, struct sale **sorted, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        sorted[i] = &sales[i];
    }
    qsort(sorted, count, sizeof *sorted, by_order_id);
    for (i = 0; i < count; i++) {
        int is_repeated = (i > 0 && by_order_id(&sorted[i - 1], &sorted[i]) == 0) ||
                          (i + 1 < count && by_order_id(&sorted[i], &sorted[i + 1]) == 0);
        if (is_repeated && memcmp(sorted[i]->verdict, "paid ", 5) == 0) {
            put(FIELD(sorted[i]->verdict), "check");
            put(FIELD(sorted[i]->because), "orderId");
        }
    }
}

int payorder_cobol_get_statuses(void)
{
    BEGIN(CLIENT, SALES, SUMMARY)
    struct sales *sales = call.data[SALES];
    char *queries = list_rows(&call, 1);
    struct sale **sorted = malloc(call.rows * sizeof *sorted);
    long long filled;
    if (sorted == NULL) {
        fail(&call, PAYORDER_INTERNAL, "no_resources", "there is no memory left");
    } else if (queries != NULL) {
        /* Before the call: the idle program may change the record. */
        get_number(FIELD(sales->count), &filled);
        if (succeeded(&call, payorder_get_statuses(call.client, queries, NULL, take_row, &call,
                                                   &call.json))) {
            take_summary(&call, "");
        }
        check_repeated(sales->rows, sorted, (size_t)filled);
    }
    free(sorted);
    free(queries);
    return end(&call);
}

/* A verdict of payorder_recover. What the program gave comes first, without the rows with a mark. */
static int32_t take_verdict(size_t index, const char *key, const char *json, void *user_data)
{
    struct call *call = user_data;
    struct sales *sales = call->data[SALES];
    struct sale *sale;
    static const struct output asked[] = {SALE(order_id, TEXT, "/orderId"),
                                          SALE(amount, AMOUNT, "/amount"), NO_MORE};
    long long filled;
    (void)index;
    (void)key;
    while (call->row < call->rows && !is_blank(FIELD(sales->rows[call->row].name))) {
        call->row++;
    }
    if (call->row++ >= call->rows) {
        return 1;
    }
    sale = &sales->rows[call->row - 1];
    if (!fill(sale, asked, json) | !fill(sale, sale_outputs, json)) {
        fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
             "a value does not fit into PAYO-SALE (%zu)", call->row);
    }
    take_reasons(sale->because, json, "");
    get_number(FIELD(sales->count), &filled);
    if (filled < (long long)call->row) {
        cob_put_s64_comp3((long long)call->row, FIELD(sales->count));
    }
    return 1;
}

int payorder_cobol_recover(void)
{
    BEGIN(CLIENT, SALES, SUMMARY)
    char *sales = list_rows(&call, 0);
    if (sales != NULL &&
        succeeded(&call, payorder_recover(call.client, sales, NULL, &call.json))) {
        take_summary(&call, "/summary");
        payorder_json_each(call.json, "/sales", take_verdict, &call);
        if (call.row > call.rows) {
            fail(&call, PAYORDER_BAD_RESPONSE, "response_too_large",
                 "there are %zu sales, and PAYO-SALES has room for %zu: the others are left out",
                 call.row, call.rows);
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
