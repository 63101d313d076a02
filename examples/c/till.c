/*
 * A till: creates an order, shows where the customer pays, asks until it is paid, and verifies the
 * payment.
 *
 *     till AMOUNT ORDER_ID [WHAT_IS_SOLD]     sells
 *     till                                    sells what the variables SALE_... say
 *
 * It takes its settings from the environment (docs/configuration.md): PAYORDER_BASE_URL,
 * PAYORDER_ACCESS_TOKEN, PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID, PAYORDER_SECRET_KEY, and
 * PAYORDER_JOURNAL, the path of a journal; or PAYORDER_CONFIG, a file with them. The variables
 * SALE_... are those of docs/certify.md: the till passes that exam. The exit status is:
 *
 *     0  paid
 *     1  not sent: no part of the order left this machine
 *     2  rejected: the service refused the order
 *     3  open: the order may exist, or can still be paid, or a person must look at the payment
 *
 * The journal knows each order before it is sent, so after a crash the same command goes on with
 * the sale. It is C99 and needs no JSON library: the functions payorder_json_... write and read
 * JSON.
 */
#include <payorder.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the options waitMs and timeoutMs may be at most. */
#define LONGEST_WAIT 86400000
#define LONGEST_CALL 600000

enum verdict { PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3 };

struct sale {
    const char *amount; /* always decimal text: a double could lose paise */
    const char *order_id;
    const char *sold;
    time_t started;
};

/* ---- JSON ---------------------------------------------------------------------------------- */

/* Returns the value at a JSON pointer, or NULL if there is none. Free it. */
static char *value_at(const char *json, const char *pointer)
{
    char *value = NULL;
    if (payorder_json_get(json, pointer, &value) == PAYORDER_OK) {
        return value;
    }
    payorder_string_free(value); /* an error object, which must be freed too */
    return NULL;
}

/* Prints the value at a JSON pointer between two texts, or nothing if there is no value. */
static void print_value(const char *before, const char *json, const char *pointer,
                        const char *after)
{
    char *value = value_at(json, pointer);
    if (value != NULL) {
        printf("%s%s%s", before, value, after);
    }
    payorder_string_free(value);
}

/* Returns a JSON object of strings, or NULL. */
static char *object(const char *const *pairs)
{
    char *json = NULL;
    if (payorder_json_object(pairs, &json) == PAYORDER_OK) {
        return json;
    }
    print_value("till: ", json, "/error/message", "\n");
    payorder_string_free(json);
    return NULL;
}

static int is(const char *json, const char *pointer, const char *expected)
{
    char *text = value_at(json, pointer);
    int same = text != NULL && strcmp(text, expected) == 0;
    payorder_string_free(text);
    return same;
}

/* ---- The cashier --------------------------------------------------------------------------- */

static const char *variable(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL ? value : otherwise;
}

/* The library reads a variable that is empty as one that is not set. */
static int is_set(const char *name)
{
    return variable(name, "")[0] != '\0';
}

/* Prints what the cashier should do after an error: the sentence for its action in a file, which you
 * can translate. Without the file or the sentence, the messages above have to do. */
static void say_to_cashier(const char *answer)
{
    char words[8192], pointer[64] = "/";
    size_t length;
    FILE *file = fopen(variable("TILL_SAY", "say.json"), "rb");
    if (file == NULL) {
        return;
    }
    length = fread(words, 1, sizeof words - 1, file);
    words[length] = '\0';
    fclose(file);
    if (payorder_json_copy(answer, "/error/action", pointer + 1, sizeof pointer - 1, NULL)
        == PAYORDER_OK) {
        print_value("CASHIER: ", words, pointer, "\n");
    }
}

/* ---- A payment ----------------------------------------------------------------------------- */

/* How many milliseconds are left. The verdict must be there before SALE_SECONDS are over, and a
 * fifth of them is kept for the program's end and for a busy machine. */
static long left(const struct sale *sale)
{
    double seconds = atof(variable("SALE_SECONDS", "300"));
    double rest = (seconds * 0.8 - difftime(time(NULL), sale->started)) * 1000;
    return rest < 100 ? 100 : rest < LONGEST_WAIT ? (long)rest : LONGEST_WAIT;
}

/* Writes the options of one call, which may take this part of the time that is left. */
static void limit_call(char options[64], const struct sale *sale, long part)
{
    long limit = left(sale) / part;
    snprintf(options, 64, "{\"timeoutMs\":%ld}", limit < LONGEST_CALL ? limit : LONGEST_CALL);
}

/* Prints one reason why a payment could not be verified. */
static int32_t print_reason(size_t index, const char *key, const char *reason, void *user_data)
{
    (void)index, (void)key, (void)user_data;
    print_value("  - ", reason, "/check", ": ");
    print_value("expected \"", reason, "/expected", "\", ");
    print_value("but the service says \"", reason, "/actual", "\"");
    printf("\n");
    return 1; /* continue */
}

/* Whether money moved, or may have: the status has the letters of "Completed", in any case, or there
 * is a refund or a settlement. Text that cannot be read counts too. */
static int money_moved(const char *status)
{
    char letters[16] = "", *text = value_at(status, "/data/transactionStatus");
    size_t length = 0;
    int is_unread = text == NULL;
    for (const char *at = text; at != NULL && *at != '\0'; at++) {
        if (isalpha((unsigned char)*at) && length < sizeof letters - 1) {
            letters[length++] = (char)tolower((unsigned char)*at);
        }
    }
    payorder_string_free(text);
    return is_unread || strcmp(letters, "completed") == 0 || !is(status, "/data/refundStatus", "")
           || !is(status, "/data/refundType", "") || !is(status, "/data/settlementStatus", "")
           || !is(status, "/data/settlementDate", "");
}

/* A status alone does not prove a payment: the right order must be completed, with the right
 * amount, not refunded, and not long before this sale: a counter that began again at 1 meets old
 * orders. For a till that starts again a day after the payment, a person decides. */
static enum verdict verify(const struct sale *sale, const char *status)
{
    char started[24] = "";
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&sale->started));
    const char *const pairs[] = {"orderId", sale->order_id, "amount", sale->amount,
                                 "notBefore", started, NULL};
    char *expected = object(pairs);
    char *payment = NULL;
    enum verdict verdict = OPEN;

    if (payorder_verify_payment(expected, status, &payment) != PAYORDER_OK) {
        print_value("OPEN, the status cannot be checked: ", payment, "/error/message", "\n");
    } else if (is(payment, "/paid", "true")) {
        printf("PAID: %s for order %s\n", sale->amount, sale->order_id);
        verdict = PAID;
    } else {
        if (money_moved(status)) {
            printf("CHECK: money moved, not as expected: show order %s to a person\n",
                   sale->order_id);
        } else {
            /* Also after "Failed": the customer can try again on the same page. Do not sell the
             * same goods again with another order: the customer could pay both. */
            printf("OPEN: order %s is not paid yet and can still be paid; hand nothing over\n",
                   sale->order_id);
        }
        payorder_json_each(payment, "/reasons", print_reason, NULL);
    }
    payorder_string_free(payment);
    payorder_string_free(expected);
    return verdict;
}

/* Where the customer can pay, or NULL. After a restart the order is a duplicate: if the customer
 * may pay it, `previous` has its URL. */
static char *checkout_url(const char *answer)
{
    static const char *const places[] = {"/data/url", "/error/previous/url",
                                         "/error/checkoutUrl"};
    char *url = NULL;
    for (size_t i = 0; url == NULL && i < sizeof places / sizeof places[0]; i++) {
        url = value_at(answer, places[i]);
    }
    return url;
}

/* What comes after Create Order. If the customer can pay, it asks until the order is paid; the
 * return URL is not needed, because it proves nothing. Without a checkout URL nobody can pay now,
 * so one answer is enough. */
static enum verdict go_on(payorder_client *client, const struct sale *sale, const char *answer)
{
    const char *const pairs[] = {"searchType", "1", "orderId", sale->order_id, NULL};
    char *query = object(pairs), *url = checkout_url(answer);
    char options[160], *json = NULL, *status = NULL;
    enum verdict verdict = OPEN;

    if (url != NULL) {
        printf("send the customer to %s\n", url);
        fflush(stdout); /* the customer waits for it */
        snprintf(options, sizeof options,
                 "{\"waitMs\":%ld,\"intervalMs\":500,\"maxIntervalMs\":1000,\"timeoutMs\":5000}",
                 left(sale));
        if (payorder_wait_for_payment(client, query, options, &json) == PAYORDER_OK) {
            status = value_at(json, "/status");
        }
    } else {
        limit_call(options, sale, 1);
        if (payorder_get_status(client, query, options, &json) == PAYORDER_OK) {
            status = value_at(json, "");
        }
    }
    if (status != NULL) {
        print_value("status: ", status, "/data/transactionStatus", "\n");
        verdict = verify(sale, status);
    } else {
        /* Even "no such order" proves nothing: the service may not know the order yet. */
        print_value("no status: ", json, "/error/message", "\n");
        printf("OPEN: keep order %s, and ask for it again before you charge this customer again\n",
               sale->order_id);
    }
    payorder_string_free(status);
    payorder_string_free(json);
    payorder_string_free(url);
    payorder_string_free(query);
    return verdict;
}

/* Prints what is wrong with one field of an order. */
static int32_t print_violation(size_t index, const char *key, const char *violation,
                               void *user_data)
{
    (void)index, (void)key, (void)user_data;
    print_value("  - ", violation, "/message", "\n");
    return 1; /* continue */
}

/* Sets *may_exist if the entry of the journal is of an order that may exist. */
static int32_t read_entry(size_t index, const char *key, const char *entry, void *may_exist)
{
    (void)index, (void)key;
    if (!is(entry, "/state", "not_sent") && !is(entry, "/state", "rejected")) {
        *(int *)may_exist = 1;
    }
    return 1; /* continue */
}

/* Whether an earlier run may have sent the order: only the journal can tell. If it cannot be read,
 * prints why; it may have an entry then. */
static int may_have_been_sent(payorder_client *client, const struct sale *sale)
{
    const char *const pairs[] = {"orderId", sale->order_id, NULL};
    char *options = object(pairs), *answer = NULL;
    int may_exist = 0;

    if (options == NULL || payorder_journal_list(client, options, &answer) != PAYORDER_OK
        || payorder_json_each(answer, "/entries", read_entry, &may_exist) != PAYORDER_OK) {
        may_exist = !is(answer, "/error/cause", "no_journal");
        if (may_exist) {
            print_value("till: ", answer, "/error/message", "\n");
        }
    }
    payorder_string_free(answer);
    payorder_string_free(options);
    return may_exist;
}

/* The result of a query for the order, which changes nothing. */
static payorder_result ask(payorder_client *client, const struct sale *sale, const char *options,
                           char **answer)
{
    const char *const pairs[] = {"orderId", sale->order_id, NULL};
    char *query = object(pairs);
    payorder_result result = payorder_get_status(client, query, options, answer);

    payorder_string_free(query);
    return result;
}

static enum verdict sell(payorder_client *client, const struct sale *sale)
{
    const char *const pairs[] = {
        "amount", sale->amount, "merchantTxnId", sale->order_id, "orderId", sale->order_id,
        "payMode", "all", "productInfo", sale->sold,
        "merchantId", variable("SALE_MERCHANT_ID", "M-1"),
        "customerName", variable("SALE_CUSTOMER_NAME", "Asha Rao"),
        "customerMobile", variable("SALE_CUSTOMER_MOBILE", "9000000000"),
        "customerEmail", variable("SALE_CUSTOMER_EMAIL", "asha@example.com"),
        "redirectionURL", variable("SALE_RETURN_URL", "https://shop.example/return"),
        "currencyCode", variable("SALE_CURRENCY", "INR"), NULL};
    char *order = object(pairs);
    char options[64], *answer = NULL;
    size_t violations = 0;
    enum verdict verdict = OPEN;

    payorder_result result = PAYORDER_OK;
    if (is_set("PAYORDER_CONFIG")) {
        /* The file may lack what a query needs. */
        limit_call(options, sale, 4);
        result = ask(client, sale, options, &answer);
    }
    if (result != PAYORDER_MISSING_CREDENTIALS) {
        payorder_string_free(answer);
        /* Half of the time is kept for asking what happened. */
        limit_call(options, sale, 2);
        result = payorder_create_order(client, order, options, &answer);
    }

    if (result != PAYORDER_OK) {
        say_to_cashier(answer);
    }
    /* Only the outcome decides what to do next. The result says why. */
    switch (payorder_result_outcome(result)) {
    case PAYORDER_OUTCOME_DONE:
        verdict = go_on(client, sale, answer);
        break;

    case PAYORDER_OUTCOME_NOT_SENT:
        if (result == PAYORDER_JOURNAL_FAILED || may_have_been_sent(client, sale)) {
            printf("OPEN: an earlier run may have sent order %s; this one has not\n",
                   sale->order_id);
        } else {
            printf("NOT SENT: the same order id can be used again\n");
            verdict = NOT_SENT;
        }
        payorder_json_count(answer, "/error/violations", &violations);
        if (violations > 0) {
            payorder_json_each(answer, "/error/violations", print_violation, NULL);
        } else {
            print_value("  - ", answer, "/error/message", "\n");
        }
        break;

    case PAYORDER_OUTCOME_REJECTED:
        /* The service would refuse the same order again. */
        print_value("REJECTED: ", answer, "/error/message", "\n");
        print_value("  the service says: ", answer, "/error/responseMessage", "\n");
        verdict = REJECTED;
        break;

    case PAYORDER_OUTCOME_UNKNOWN:
    default: /* an outcome that this program does not know is treated as unknown */
        /* The order may exist, and a second order could charge the customer twice. If its checkout
         * URL was lost with the response, only a person may decide to sell again. */
        print_value("UNKNOWN: ", answer, "/error/message", "\n");
        if (is(answer, "/error/action", "ask_status")
            || is(answer, "/error/action", "use_previous")) {
            verdict = go_on(client, sale, answer);
        } else { /* It may be another sale's order, and then a payment is for other goods. */
            printf("OPEN: show order %s to a person, and hand nothing over\n", sale->order_id);
        }
        break;
    }
    payorder_string_free(answer);
    payorder_string_free(order);
    return verdict;
}

/* ---- The client ---------------------------------------------------------------------------- */

/* Returns the client. If there is none, prints why and returns NULL. A till that cannot ask for a
 * status must not sell, so it needs the credentials of both calls: in variables, or in the file that
 * PAYORDER_CONFIG names. It creates one client when it starts and keeps it, because the client keeps
 * its connections. */
static payorder_client *open_client(void)
{
    static const char *const needed[] = {"PAYORDER_ACCESS_TOKEN", "PAYORDER_CLIENT_KEY",
                                         "PAYORDER_CLIENT_ID", "PAYORDER_SECRET_KEY"};
    payorder_client *client = NULL;
    char *json = NULL;

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!is_set(needed[i]) && !is_set("PAYORDER_CONFIG")) {
            fprintf(stderr, "till: %s is not set\n", needed[i]);
            return NULL;
        }
    }
    if (payorder_client_from_env(NULL, &client, &json) != PAYORDER_OK) {
        print_value("till: ", json, "/error/message", "\n");
    }
    payorder_string_free(json);
    return client;
}

int main(int argc, char **argv)
{
    struct sale sale = {argc > 1 ? argv[1] : getenv("SALE_AMOUNT"),
                        argc > 2 ? argv[2] : getenv("SALE_ORDER_ID"),
                        argc > 3 ? argv[3] : variable("SALE_PRODUCT", "Two coffees"), time(NULL)};
    enum verdict verdict = OPEN;

    if (payorder_abi_version() != PAYORDER_HEADER_ABI_VERSION) {
        fprintf(stderr, "till: this program needs another version of payorder than %s\n",
                payorder_version());
        return OPEN;
    }
    if (argc > 4 || argc == 2 || sale.amount == NULL || sale.order_id == NULL) {
        fprintf(stderr, "usage: till AMOUNT ORDER_ID [WHAT_IS_SOLD]\n");
        return NOT_SENT;
    }
    payorder_client *client = open_client();
    if (client != NULL) {
        verdict = sell(client, &sale);
    } else { /* The journal was not read. */
        printf("OPEN: an earlier run may have sent order %s\n", sale.order_id);
    }
    payorder_client_free(client);
    return verdict;
}
