/*
 * A till that passes `payorder certify`: one sale, one verdict, and the truth after a crash.
 *
 *     payorder certify -- ./till
 *
 * The sale and the settings come from the environment, and the exit status is the verdict; see
 * docs/certify.md. The journal knows each order before it is sent, so a restart is the same call.
 */
#include <payorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum verdict { PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3 };

/* Sets the value at a pointer to a text, and frees the old JSON. NULL if that is not possible. */
static char *with_text(char *json, const char *pointer, const char *text)
{
    char *quoted = NULL, *changed = NULL;
    if (payorder_json_quote(text, &quoted) != PAYORDER_OK
        || payorder_json_set(json, pointer, quoted, &changed) != PAYORDER_OK) {
        payorder_string_free(changed); /* an error object */
        changed = NULL;
    }
    payorder_string_free(quoted);
    payorder_string_free(json);
    return changed;
}

/* Adds the variables that are set to a JSON object. NULL if a needed one is missing. */
static char *from_environment(const char *const (*settings)[2], size_t count, size_t needed)
{
    char *json = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *value = getenv(settings[i][1]);
        if (value != NULL) {
            json = with_text(json, settings[i][0], value);
        }
        if (json == NULL) {
            fprintf(stderr, "till: %s is not set or cannot be used\n", settings[i][1]);
            return NULL;
        }
        if (value == NULL && i < needed) {
            fprintf(stderr, "till: %s is not set\n", settings[i][1]);
            payorder_string_free(json);
            return NULL;
        }
    }
    return json;
}

static char *read_config(void)
{
    static const char *const settings[][2] = {
        {"/baseUrl", "PAYORDER_BASE_URL"},
        {"/accessToken", "PAYORDER_ACCESS_TOKEN"},
        {"/clientKey", "PAYORDER_CLIENT_KEY"},
        {"/clientId", "PAYORDER_CLIENT_ID"},
        {"/secretKey", "PAYORDER_SECRET_KEY"},
        {"/journal", "PAYORDER_JOURNAL"},
        {"/tls/caFile", "PAYORDER_CA_FILE"}, /* may be missing */
    };
    return from_environment(settings, 7, 6);
}

static char *read_order(void)
{
    static const char *const fields[][2] = {
        {"/amount", "SALE_AMOUNT"}, /* always text: a double could lose paise */
        {"/merchantTxnId", "SALE_ORDER_ID"},
        {"/orderId", "SALE_ORDER_ID"},
        {"/merchantId", "SALE_MERCHANT_ID"},
        {"/productInfo", "SALE_PRODUCT"},
        {"/customerName", "SALE_CUSTOMER_NAME"},
        {"/customerMobile", "SALE_CUSTOMER_MOBILE"},
        {"/customerEmail", "SALE_CUSTOMER_EMAIL"},
        {"/redirectionURL", "SALE_RETURN_URL"},
        {"/currencyCode", "SALE_CURRENCY"},
    };
    char *order = from_environment(fields, 10, 10);
    return order == NULL ? NULL : with_text(order, "/payMode", "all");
}

/* How many milliseconds are left. The verdict must be there before SALE_SECONDS are over, and a
 * fifth of them is kept for the program's end and for a busy machine. */
static long left(time_t started)
{
    const char *text = getenv("SALE_SECONDS");
    double seconds = text != NULL ? atof(text) : 300;
    double rest = seconds * 0.8 - difftime(time(NULL), started);
    return rest > 0.1 ? (long)(rest * 1000) : 100;
}

/* Prints a value of an answer. */
static void print(const char *before, const char *json, const char *pointer)
{
    char *text = NULL;
    if (payorder_json_get(json, pointer, &text) == PAYORDER_OK) {
        printf("%s%s\n", before, text);
    }
    payorder_string_free(text);
}

static int is(const char *json, const char *pointer, const char *expected)
{
    char text[256] = "";
    payorder_json_copy(json, pointer, text, sizeof text, NULL);
    return strcmp(text, expected) == 0;
}

/* Compares the service's words with this till's own order id and amount. */
static enum verdict judge(const char *status)
{
    const char *const pairs[] = {
        "orderId", getenv("SALE_ORDER_ID"), "amount", getenv("SALE_AMOUNT"), NULL};
    char *expected = NULL, *payment = NULL;
    /* It can still be paid, also after "Failed", or a person must look at it. */
    enum verdict verdict = OPEN;

    if (payorder_json_object(pairs, &expected) == PAYORDER_OK
        && payorder_verify_payment(expected, status, &payment) == PAYORDER_OK) {
        if (is(payment, "/paid", "true")) {
            verdict = PAID;
        } else {
            print("reasons: ", payment, "/reasons");
        }
    }
    payorder_string_free(payment);
    payorder_string_free(expected);
    return verdict;
}

/* Without a checkout URL nobody can pay now, so one answer is enough. Also "no such order" proves
 * nothing: the service may not know it yet. */
static enum verdict ask(payorder_client *client, const char *query, time_t started)
{
    char options[64], *status = NULL;
    enum verdict verdict = OPEN;

    snprintf(options, sizeof options, "{\"timeoutMs\":%ld}", left(started));
    if (payorder_get_status(client, query, options, &status) == PAYORDER_OK) {
        verdict = judge(status);
    } else {
        print("no status: ", status, "/error/message");
    }
    payorder_string_free(status);
    return verdict;
}

/* Asks until the order is paid. The return URL is not needed: it proves nothing. */
static enum verdict wait_for_payment(payorder_client *client, const char *query, time_t started)
{
    char options[160], *waited = NULL, *status = NULL;
    enum verdict verdict = OPEN;

    snprintf(options, sizeof options,
             "{\"waitMs\":%ld,\"intervalMs\":500,\"maxIntervalMs\":1000,\"timeoutMs\":5000}",
             left(started));
    if (payorder_wait_for_payment(client, query, options, &waited) == PAYORDER_OK
        && payorder_json_get(waited, "/status", &status) == PAYORDER_OK) {
        verdict = judge(status);
    } else {
        print("no status: ", waited, "/error/message");
    }
    payorder_string_free(status);
    payorder_string_free(waited);
    return verdict;
}

/* What comes after Create Order. After an unknown outcome the order may exist, and a second one
 * could charge the customer twice. After a restart it is a duplicate, and the journal may have its
 * checkout URL. */
static enum verdict go_on(payorder_client *client, const char *answer, const char *url_at,
                          time_t started)
{
    const char *const pairs[] = {"searchType", "1", "orderId", getenv("SALE_ORDER_ID"), NULL};
    char *query = NULL, *url = NULL;
    enum verdict verdict = OPEN;

    if (payorder_json_object(pairs, &query) == PAYORDER_OK) {
        if (url_at != NULL && payorder_json_get(answer, url_at, &url) == PAYORDER_OK) {
            printf("send the customer to %s\n", url);
            fflush(stdout); /* the customer waits for it */
            verdict = wait_for_payment(client, query, started);
        } else {
            verdict = ask(client, query, started);
        }
    }
    payorder_string_free(url);
    payorder_string_free(query);
    return verdict;
}

/* Whether the journal has this sale, and the customer can still pay it. Another sale, one that is
 * paid, or one that a person closed has no page for this customer. */
static int is_open(const char *duplicate)
{
    return is(duplicate, "/error/previous/orderId", getenv("SALE_ORDER_ID"))
        && is(duplicate, "/error/previous/amount", getenv("SALE_AMOUNT"))
        && is(duplicate, "/error/previous/state", "created")
        && !is(duplicate, "/error/previous/transactionStatus", "Completed");
}

static enum verdict sell(payorder_client *client, const char *order, time_t started)
{
    char options[64], *answer = NULL;
    enum verdict verdict = OPEN;

    /* Half of the time is kept for asking what happened. */
    snprintf(options, sizeof options, "{\"timeoutMs\":%ld}", left(started) / 2);
    payorder_result result = payorder_create_order(client, order, options, &answer);
    print("", answer, "/error/message");
    switch (payorder_result_outcome(result)) {
    case PAYORDER_OUTCOME_DONE:
        verdict = go_on(client, answer, "/data/url", started);
        break;
    case PAYORDER_OUTCOME_NOT_SENT:
        /* An earlier run may have sent the order: only the journal could tell. */
        verdict = result == PAYORDER_JOURNAL_FAILED ? go_on(client, answer, "/data/url", started)
                                                    : NOT_SENT;
        break;
    case PAYORDER_OUTCOME_REJECTED:
        verdict = REJECTED;
        break;
    case PAYORDER_OUTCOME_UNKNOWN:
        if (is(answer, "/error/httpStatus", "409")) {
            /* The service has an order with this id, and this till's journal does not know it: it
             * is another till's, which hands over the goods. */
            break;
        }
        verdict = go_on(client, answer, is_open(answer) ? "/error/previous/url" : NULL, started);
        break;
    default: /* an outcome that this program does not know is treated as unknown */
        verdict = go_on(client, answer, NULL, started);
        break;
    }
    payorder_string_free(answer);
    return verdict;
}

int main(void)
{
    static const char *const words[] = {"PAID", "NOT SENT", "REJECTED", "OPEN"};
    time_t started = time(NULL);
    payorder_client *client = NULL;
    char *order = read_order(), *config = read_config(), *problem = NULL;
    enum verdict verdict = NOT_SENT;

    if (order != NULL && config != NULL) {
        if (payorder_client_new(config, &client, &problem) == PAYORDER_OK) {
            verdict = sell(client, order, started);
        } else {
            print("", problem, "/error/message");
        }
    }
    printf("%s\n", words[verdict]);
    payorder_client_free(client);
    payorder_string_free(problem);
    payorder_string_free(config);
    payorder_string_free(order);
    return verdict;
}
