/*
 * A till: creates an order, shows where the customer pays, asks for the status, and verifies the
 * payment.
 *
 *     till AMOUNT ORDER_ID [WHAT_IS_SOLD]
 *
 * Its settings are in the environment: PAYORDER_BASE_URL, PAYORDER_ACCESS_TOKEN,
 * PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID and PAYORDER_SECRET_KEY. If PAYORDER_JOURNAL is set, it is
 * the path of a journal. The exit status is:
 *
 *     0  paid
 *     1  not sent: nothing of the order left this machine
 *     2  rejected: the service refused the order
 *     3  open: it is not known yet whether the order was made, or whether it was paid
 *     4  the order was made, and is not paid
 *
 * C99, and no JSON library: payorder_json_object writes JSON, and payorder_json_get reads it.
 */
#include <payorder.h>

#include <stdio.h>
#include <stdlib.h>

enum { PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3, NOT_PAID = 4 };

struct sale {
    const char *amount; /* always decimal text: a double could lose paise */
    const char *order_id;
    const char *sold;
};

/* A JSON object of strings, or NULL after printing why there is none. */
static char *object(const char *const *pairs)
{
    char *json = NULL, *message = NULL;
    if (payorder_json_object(pairs, &json) == PAYORDER_OK) {
        return json;
    }
    payorder_json_get(json, "/error/message", &message);
    fprintf(stderr, "till: %s\n", message);
    payorder_string_free(message);
    payorder_string_free(json);
    return NULL;
}

/* The value at a JSON pointer, or NULL if nothing is there. */
static char *value_at(const char *json, const char *pointer)
{
    char *value = NULL;
    if (payorder_json_get(json, pointer, &value) == PAYORDER_OK) {
        return value;
    }
    payorder_string_free(value); /* an error object, which must be freed too */
    return NULL;
}

/* Prints a line with the value at a JSON pointer. Returns whether there was one. */
static int print_value(const char *before, const char *json, const char *pointer)
{
    char *value = value_at(json, pointer);
    if (value == NULL) {
        return 0;
    }
    printf("%s%s\n", before, value);
    payorder_string_free(value);
    return 1;
}

/* Prints one member of each item of a list ("" for the whole item). Returns the number of items. */
static int print_each(const char *json, const char *list, const char *member)
{
    char pointer[64];
    for (int count = 0;; count++) {
        snprintf(pointer, sizeof pointer, "%s/%d%s", list, count, member);
        if (!print_value("  - ", json, pointer)) {
            return count;
        }
    }
}

/* A status is not a payment yet: the right order must be completed, with the right amount, and not
 * refunded. */
static int verify(const struct sale *sale, const char *status_json)
{
    const char *const pairs[] = {"orderId", sale->order_id, "amount", sale->amount, NULL};
    char *expected = object(pairs);
    char *verdict = NULL, *paid = NULL;
    int ends_with = OPEN;

    if (payorder_verify_payment(expected, status_json, &verdict) != PAYORDER_OK) {
        print_value("OPEN, the status cannot be checked: ", verdict, "/error/message");
    } else if ((paid = value_at(verdict, "/paid")) != NULL && paid[0] == 't') {
        printf("PAID: %s for order %s\n", sale->amount, sale->order_id);
        ends_with = PAID;
    } else {
        printf("NOT PAID: order %s; hand nothing over yet\n", sale->order_id);
        print_each(verdict, "/reasons", "");
        ends_with = NOT_PAID;
    }
    payorder_string_free(paid);
    payorder_string_free(verdict);
    payorder_string_free(expected);
    return ends_with;
}

/* Asks for the status of an order. Asking again does no harm; the library has already done so where it
 * helps. */
static int settle(payorder_client *client, const struct sale *sale, const char *query)
{
    char *json = NULL;
    int ends_with = OPEN;

    if (payorder_get_status(client, query, NULL, &json) == PAYORDER_OK) {
        print_value("status: ", json, "/data/transactionStatus");
        ends_with = verify(sale, json);
    } else {
        /* Even "no such order" does not close it: the service may not know the order yet. */
        print_value("no status: ", json, "/error/message");
        printf("OPEN: keep order %s, and ask for it again before you charge this customer again\n", sale->order_id);
    }
    payorder_string_free(json);
    return ends_with;
}

/* The customer pays on the checkout page, on any device. */
static int take_payment(payorder_client *client, const struct sale *sale, const char *json)
{
    const char *const pairs[] = {"searchType", "1", "orderId", sale->order_id, NULL};
    char *query = object(pairs);
    int key, ends_with;

    print_value("send the customer to ", json, "/data/url");
    printf("press Enter when the customer is back\n");
    fflush(stdout); /* the customer waits for that line, and a pipe would hold it back */
    do {
        key = getchar();
    } while (key != '\n' && key != EOF);
    ends_with = settle(client, sale, query);
    payorder_string_free(query);
    return ends_with;
}

static int sell(payorder_client *client, const struct sale *sale)
{
    /* If the till itself fails in the middle, the order id is needed to ask for the status. With a
     * journal it is recorded first. */
    const char *const pairs[] = {
        "amount", sale->amount, "merchantTxnId", sale->order_id, "orderId", sale->order_id,
        "payMode", "all", "merchantId", "M-1", "productInfo", sale->sold,
        "customerName", "Asha Rao", "customerMobile", "9000000000", "customerEmail", "asha@example.com",
        "redirectionURL", "https://shop.example/return", "currencyCode", "INR", NULL};
    char *order = object(pairs);
    char *json = NULL, *query = NULL;
    int ends_with = OPEN;

    if (order == NULL) {
        return NOT_SENT;
    }
    payorder_result result = payorder_create_order(client, order, NULL, &json);

    /* The one place that decides what to do: by the outcome. The result only says why. */
    switch (payorder_result_outcome(result)) {
    case PAYORDER_OUTCOME_DONE:
        ends_with = take_payment(client, sale, json);
        break;

    case PAYORDER_OUTCOME_NOT_SENT:
        printf("NOT SENT: fix this, and call again with the same order id\n");
        if (print_each(json, "/error/violations", "/message") == 0) {
            print_value("  - ", json, "/error/message");
        }
        ends_with = NOT_SENT;
        break;

    case PAYORDER_OUTCOME_REJECTED:
        /* The service would refuse the same order again. */
        print_value("REJECTED: ", json, "/error/message");
        print_value("  the service says: ", json, "/error/responseMessage");
        ends_with = REJECTED;
        break;

    case PAYORDER_OUTCOME_UNKNOWN:
    default: /* an outcome that this program does not know is treated as unknown */
        /* The order may exist, and ordering again could charge twice. The error has the query that
         * finds out. If the order exists, its checkout URL was lost with the answer: a new attempt
         * needs a new order id, and this one stays on the list of orders to ask about. */
        print_value("UNKNOWN: ", json, "/error/message");
        /* After PAYORDER_DUPLICATE the journal may have the checkout URL of the earlier attempt. */
        print_value("the customer can still pay at ", json, "/error/previous/url");
        query = value_at(json, "/error/statusQuery");
        ends_with = settle(client, sale, query);
        break;
    }
    payorder_string_free(query);
    payorder_string_free(json);
    payorder_string_free(order);
    return ends_with;
}

/* The client, or NULL after printing why there is none. A till creates one client when it starts and
 * keeps it, because the client keeps the connections. */
static payorder_client *open_client(void)
{
    const char *const settings[][2] = {
        {"baseUrl", "PAYORDER_BASE_URL"}, {"accessToken", "PAYORDER_ACCESS_TOKEN"}, {"clientKey", "PAYORDER_CLIENT_KEY"},
        {"clientId", "PAYORDER_CLIENT_ID"}, {"secretKey", "PAYORDER_SECRET_KEY"}, {"journal", "PAYORDER_JOURNAL"}};
    enum { COUNT = sizeof settings / sizeof settings[0], NEEDED = COUNT - 1 };
    const char *pairs[2 * COUNT + 1] = {NULL};
    payorder_client *client = NULL;
    char *config, *json = NULL;

    for (int i = 0; i < COUNT; i++) {
        const char *value = getenv(settings[i][1]);
        if (value != NULL) {
            pairs[2 * i] = settings[i][0];
            pairs[2 * i + 1] = value;
        } else if (i < NEEDED) {
            fprintf(stderr, "till: %s is not set\n", settings[i][1]);
            return NULL;
        }
    }
    if ((config = object(pairs)) != NULL && payorder_client_new(config, &client, &json) != PAYORDER_OK) {
        print_value("NOT SENT: ", json, "/error/message");
    }
    payorder_string_free(json);
    payorder_string_free(config);
    return client;
}

int main(int argc, char **argv)
{
    if (payorder_abi_version() != 1) {
        fprintf(stderr, "till: payorder %s has another interface than this program was made for\n", payorder_version());
        return NOT_SENT;
    }
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: till AMOUNT ORDER_ID [WHAT_IS_SOLD]\n");
        return NOT_SENT;
    }
    struct sale sale = {argv[1], argv[2], argc > 3 ? argv[3] : "Two coffees"};
    payorder_client *client = open_client();
    int ends_with = client != NULL ? sell(client, &sale) : NOT_SENT;
    payorder_client_free(client);
    return ends_with;
}
