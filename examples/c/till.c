/*
 * A till: creates an order, shows where the customer pays, asks for the status, and verifies the
 * payment.
 *
 *     till AMOUNT ORDER_ID [WHAT_IS_SOLD]     sells
 *     till journal                            lists the orders in the journal
 *
 * It takes its settings from the environment (docs/configuration.md): PAYORDER_BASE_URL,
 * PAYORDER_ACCESS_TOKEN, PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID, PAYORDER_SECRET_KEY, and
 * PAYORDER_JOURNAL, the path of a journal. The exit status is:
 *
 *     0  paid; or the journal was listed
 *     1  not sent: no part of the order left this machine
 *     2  rejected: the service refused the order
 *     3  open: the order may exist, or can still be paid, or a person must look at the payment
 *
 * It is C99 and needs no JSON library: the functions payorder_json_... write and read JSON.
 */
#include <payorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3 };

struct sale {
    const char *amount; /* always decimal text: a double could lose paise */
    const char *order_id;
    const char *sold;
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

/* ---- A payment ----------------------------------------------------------------------------- */

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

static int is(const char *json, const char *pointer, const char *expected)
{
    char text[256] = "";
    payorder_json_copy(json, pointer, text, sizeof text, NULL);
    return strcmp(text, expected) == 0;
}

/* Prints where the customer can pay for an order that is not paid yet, if its error says so: the
 * response or the journal may have the URL. A person may have closed the journal's entry. */
static void print_checkout_url(const struct sale *sale, const char *error)
{
    print_value("the customer can pay at ", error, "/error/checkoutUrl", "\n");
    if (is(error, "/error/previous/orderId", sale->order_id)
        && is(error, "/error/previous/amount", sale->amount)
        && is(error, "/error/previous/state", "created")
        && !is(error, "/error/previous/transactionStatus", "Completed")) {
        print_value("the customer can pay at ", error, "/error/previous/url", "\n");
    }
}

/* A status alone does not prove a payment: the right order must be completed, with the right
 * amount, and not refunded. `error` is that of Create Order, or {}. */
static int verify(const struct sale *sale, const char *status_json, const char *error)
{
    const char *const pairs[] = {"orderId", sale->order_id, "amount", sale->amount, NULL};
    char *expected = object(pairs);
    char *verdict = NULL;
    int ends_with = OPEN;

    if (payorder_verify_payment(expected, status_json, &verdict) != PAYORDER_OK) {
        print_value("OPEN, the status cannot be checked: ", verdict, "/error/message", "\n");
    } else if (is(verdict, "/paid", "true")) {
        printf("PAID: %s for order %s\n", sale->amount, sale->order_id);
        ends_with = PAID;
    } else {
        if (is(status_json, "/derived/completed", "true")
            || !is(status_json, "/data/refundStatus", "")
            || !is(status_json, "/data/refundType", "")) {
            printf("CHECK: money moved, not as expected: show order %s to a person\n",
                   sale->order_id);
        } else {
            /* Also after "Failed": the customer can try again on the same page. Do not sell the
             * same goods again with another order: the customer could pay both. */
            printf("OPEN: order %s is not paid yet and can still be paid; hand nothing over\n",
                   sale->order_id);
            print_checkout_url(sale, error);
        }
        payorder_json_each(verdict, "/reasons", print_reason, NULL);
    }
    payorder_string_free(verdict);
    payorder_string_free(expected);
    return ends_with;
}

/* Asks for the status of an order. It is safe to ask again; the library has already done so if that
 * can help. */
static int ask(payorder_client *client, const struct sale *sale, const char *query,
               const char *error)
{
    char *json = NULL;
    int ends_with = OPEN;

    if (payorder_get_status(client, query, NULL, &json) == PAYORDER_OK) {
        print_value("status: ", json, "/data/transactionStatus", "\n");
        ends_with = verify(sale, json, error);
    } else {
        /* Even "no such order" proves nothing: the service may not know the order yet. */
        print_value("no status: ", json, "/error/message", "\n");
        printf("OPEN: keep order %s, and ask for it again before you charge this customer again\n",
               sale->order_id);
    }
    payorder_string_free(json);
    return ends_with;
}

/* Asks for the status of the sale's order by its order id. */
static int ask_by_id(payorder_client *client, const struct sale *sale, const char *error)
{
    const char *const pairs[] = {"searchType", "1", "orderId", sale->order_id, NULL};
    char *query = object(pairs);
    int ends_with = ask(client, sale, query, error);
    payorder_string_free(query);
    return ends_with;
}

/* Shows where the customer pays, waits until the cashier presses Enter, and asks for the status. */
static int take_payment(payorder_client *client, const struct sale *sale, const char *json)
{
    int key;

    print_value("send the customer to ", json, "/data/url", "\n");
    printf("press Enter when the customer is back\n");
    fflush(stdout); /* in a pipe, the text would otherwise stay in the buffer */
    do {
        key = getchar();
    } while (key != '\n' && key != EOF);
    return ask_by_id(client, sale, "{}");
}

/* Prints what is wrong with one field of an order. */
static int32_t print_violation(size_t index, const char *key, const char *violation,
                               void *user_data)
{
    (void)index, (void)key, (void)user_data;
    print_value("  - ", violation, "/message", "\n");
    return 1; /* continue */
}

static int sell(payorder_client *client, const struct sale *sale)
{
    /* If the till crashes during the sale, the order id is needed to ask for the status. A journal
     * records it before anything is sent. */
    const char *const pairs[] = {
        "amount", sale->amount, "merchantTxnId", sale->order_id, "orderId", sale->order_id,
        "payMode", "all", "merchantId", "M-1", "productInfo", sale->sold,
        "customerName", "Asha Rao", "customerMobile", "9000000000",
        "customerEmail", "asha@example.com", "redirectionURL", "https://shop.example/return",
        "currencyCode", "INR", NULL};
    char *order = object(pairs);
    char *json = NULL, *query = NULL;
    size_t violations = 0;
    int ends_with = OPEN;

    if (order == NULL) {
        return NOT_SENT;
    }
    payorder_result result = payorder_create_order(client, order, NULL, &json);

    /* Only the outcome decides what to do next. The result says why. */
    switch (payorder_result_outcome(result)) {
    case PAYORDER_OUTCOME_DONE:
        ends_with = take_payment(client, sale, json);
        break;

    case PAYORDER_OUTCOME_NOT_SENT:
        if (result == PAYORDER_JOURNAL_FAILED) {
            /* An earlier run may have sent the order: only the journal could tell. */
            print_value("UNKNOWN: ", json, "/error/message", "\n");
            ends_with = ask_by_id(client, sale, json);
            break;
        }
        printf("NOT SENT: the same order id can be used again\n");
        payorder_json_count(json, "/error/violations", &violations);
        if (violations > 0) {
            payorder_json_each(json, "/error/violations", print_violation, NULL);
        } else {
            print_value("  - ", json, "/error/message", "\n");
        }
        ends_with = NOT_SENT;
        break;

    case PAYORDER_OUTCOME_REJECTED:
        /* The service would refuse the same order again. */
        print_value("REJECTED: ", json, "/error/message", "\n");
        print_value("  the service says: ", json, "/error/responseMessage", "\n");
        ends_with = REJECTED;
        break;

    case PAYORDER_OUTCOME_UNKNOWN:
    default: /* an outcome that this program does not know is treated as unknown */
        /* The order may exist, and a second order could charge the customer twice. Ask for the
         * status with the query in the error. If the order exists and its checkout URL was lost
         * with the response, only a person may decide to sell again. */
        print_value("UNKNOWN: ", json, "/error/message", "\n");
        query = value_at(json, "/error/statusQuery");
        ends_with = ask(client, sale, query, json);
        break;
    }
    payorder_string_free(query);
    payorder_string_free(json);
    payorder_string_free(order);
    return ends_with;
}

/* ---- The journal --------------------------------------------------------------------------- */

/* Prints one entry, and stores its number in user_data, so that the next ones can be listed. */
static int32_t print_entry(size_t index, const char *key, const char *entry, void *user_data)
{
    (void)index, (void)key;
    payorder_json_copy(entry, "/entry", user_data, 24, NULL);
    print_value("entry ", entry, "/entry", "");
    print_value(": order ", entry, "/orderId", "");
    print_value(", ", entry, "/amount", "");
    print_value(" ", entry, "/currencyCode", "");
    print_value(", ", entry, "/state", "");
    print_value(", ", entry, "/transactionStatus", "");
    printf("\n");
    return 1; /* continue */
}

static int list_journal(payorder_client *client)
{
    char options[48] = "{}", last[24] = "0";
    size_t count = 0, all = 0;

    /* Read the entries page by page: each page starts after the last entry of the one before. */
    do {
        char *json = NULL;
        if (payorder_journal_list(client, options, &json) != PAYORDER_OK) {
            print_value("the journal cannot be read: ", json, "/error/message", "\n");
            payorder_string_free(json);
            return OPEN;
        }
        payorder_json_count(json, "/entries", &count);
        payorder_json_each(json, "/entries", print_entry, last);
        payorder_string_free(json);
        snprintf(options, sizeof options, "{\"after\":%s}", last);
        all += count;
    } while (count > 0);
    printf("%lu entries\n", (unsigned long)all);
    return DONE;
}

/* ---- The client ---------------------------------------------------------------------------- */

/* Returns the client. If there is none, prints why and returns NULL. A till that cannot ask for a
 * status must not sell, so it needs the credentials of both calls. It creates one client when it
 * starts and keeps it, because the client keeps its connections. */
static payorder_client *open_client(void)
{
    static const char *const needed[] = {"PAYORDER_ACCESS_TOKEN", "PAYORDER_CLIENT_KEY",
                                         "PAYORDER_CLIENT_ID", "PAYORDER_SECRET_KEY"};
    payorder_client *client = NULL;
    char *json = NULL;

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (getenv(needed[i]) == NULL) {
            fprintf(stderr, "till: %s is not set\n", needed[i]);
            return NULL;
        }
    }
    /* It is safe to ask for a status again, so allow many attempts. */
    if (payorder_client_from_env("{\"statusRetries\":3}", &client, &json) != PAYORDER_OK) {
        print_value("NOT SENT: ", json, "/error/message", "\n");
    }
    payorder_string_free(json);
    return client;
}

int main(int argc, char **argv)
{
    int is_list = argc == 2 && strcmp(argv[1], "journal") == 0;
    int ends_with = NOT_SENT;

    if (payorder_abi_version() != PAYORDER_ABI_VERSION) {
        fprintf(stderr, "till: this program needs another version of payorder than %s\n",
                payorder_version());
        return NOT_SENT;
    }
    if (!is_list && (argc < 3 || argc > 4)) {
        fprintf(stderr, "usage: till AMOUNT ORDER_ID [WHAT_IS_SOLD]\n"
                        "       till journal\n");
        return NOT_SENT;
    }
    payorder_client *client = open_client();
    if (client != NULL && is_list) {
        ends_with = list_journal(client);
    } else if (client != NULL) {
        struct sale sale = {argv[1], argv[2], argc > 3 ? argv[3] : "Two coffees"};
        ends_with = sell(client, &sale);
    }
    payorder_client_free(client);
    return ends_with;
}
