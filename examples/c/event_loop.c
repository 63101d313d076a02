/*
 * A till with one thread and an event loop: it reads commands, shows a clock, and has any number of
 * sales open at the same time. No call blocks it.
 *
 *     event_loop AMOUNT ORDER_ID ...     begins these sales; on Unix also one for each line of stdin
 *
 * It ends when no sale is open and stdin has ended. Its settings are those of examples/c/till.c. The
 * loop waits with poll on Unix, and with MsgWaitForMultipleObjects on Windows: the client's handle
 * is one of the till's events. A journal (PAYORDER_JOURNAL) remembers the sales after a crash.
 */
#define _POSIX_C_SOURCE 199309L
#include <payorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <poll.h>
#include <unistd.h>
#endif

struct sale {
    char amount[32], order_id[64], began[24];
    int is_ordered; /* the customer has the page; the till waits for the payment */
};

static payorder_client *client;
static int open_sales;

static void print_value(const char *before, const char *json, const char *pointer)
{
    char *value = NULL;
    if (payorder_json_get(json, pointer, &value) == PAYORDER_OK) {
        printf("%s%s", before, value);
    }
    payorder_string_free(value);
}

static int action_is(const char *error, const char *expected)
{
    char action[64] = "";
    payorder_json_copy(error, "/error/action", action, sizeof action, NULL);
    return strcmp(action, expected) == 0;
}

/* What happened to the order, and what to do. */
static void print_error(const struct sale *sale, const char *error)
{
    printf("%s:", sale->order_id);
    if (sale->is_ordered) { /* an error of the wait says nothing about the order */
        printf(" open, the order may be paid; hand nothing over yet");
    } else {
        print_value(" this time ", error, "/error/outcome"); /* an earlier run may have sent it */
        print_value(", ", error, "/error/action");
    }
    print_value(": ", error, "/error/message");
    if (!action_is(error, "ask_person")) { /* then it may be the page of another sale */
        print_value("\n  the customer can still pay at ", error, "/error/checkoutUrl");
    }
    print_value("\n  the customer pays at ", error, "/error/previous/url");
    printf("\n");
}

static void close_sale(struct sale *sale)
{
    open_sales--;
    free(sale);
}

static void start(struct sale *sale, const char *operation, const char *request)
{
    char *error = NULL;
    if (payorder_start(client, operation, request, NULL, NULL, sale, &error) != PAYORDER_OK) {
        print_error(sale, error); /* there will be no answer */
        close_sale(sale);
    }
    payorder_string_free(error);
}

static void begin_sale(const char *amount, const char *order_id)
{
    struct sale *sale = calloc(1, sizeof *sale);
    time_t now = time(NULL);
    const char *pairs[] = {
        "amount", amount, "merchantTxnId", order_id, "orderId", order_id, "payMode", "all",
        "merchantId", "M-1001", "productInfo", "Two coffees", "customerName", "Asha Rao",
        "customerMobile", "9000000000", "customerEmail", "asha@example.com",
        "redirectionURL", "https://shop.example.com/return", "currencyCode", "INR", NULL};
    char *order = NULL;
    if (sale == NULL || strlen(amount) >= sizeof sale->amount
        || strlen(order_id) >= sizeof sale->order_id
        || payorder_json_object(pairs, &order) != PAYORDER_OK) {
        printf("%s: not sent: no order could be written\n", order_id);
        free(sale);
    } else {
        strcpy(sale->amount, amount);
        strcpy(sale->order_id, order_id);
        strftime(sale->began, sizeof sale->began, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
        open_sales++;
        start(sale, "create_order", order);
    }
    payorder_string_free(order);
}

/* Only a verified payment is paid. One from long before this sale is another sale's. */
static void print_payment(const struct sale *sale, const char *waited)
{
    const char *pairs[] = {"orderId", sale->order_id, "amount", sale->amount,
                           "notBefore", sale->began, NULL};
    char *expected = NULL, *status = NULL, *verdict = NULL;
    char paid[8] = "";
    payorder_json_object(pairs, &expected);
    if (payorder_json_get(waited, "/status", &status) != PAYORDER_OK
        || payorder_verify_payment(expected, status, &verdict) != PAYORDER_OK) {
        printf("%s: it is not known whether it is paid, hand nothing over", sale->order_id);
        print_value(": ", waited, "/error/message"); /* of the last question */
        printf("\n");
    } else if (payorder_json_copy(verdict, "/paid", paid, sizeof paid, NULL) == PAYORDER_OK
               && strcmp(paid, "true") == 0) {
        printf("%s: PAID %s\n", sale->order_id, sale->amount);
    } else {
        printf("%s: not paid, or to be checked by a person: %s\n", sale->order_id, verdict);
    }
    payorder_string_free(verdict);
    payorder_string_free(status);
    payorder_string_free(expected);
}

/* Whether this order exists, or may: then its status decides. */
static int may_be_paid(const char *error)
{
    return action_is(error, "ask_status") || action_is(error, "use_previous");
}

static void wait_for_payment(struct sale *sale)
{
    const char *pairs[] = {"orderId", sale->order_id, NULL};
    char *query = NULL;
    sale->is_ordered = 1;
    payorder_json_object(pairs, &query);
    start(sale, "wait_for_payment", query);
    payorder_string_free(query);
}

static void take_answers(void)
{
    for (;;) {
        int32_t taken = 0, result = 0;
        char *json = NULL;
        void *user_data = NULL;
        payorder_take_done(client, 0, &taken, &result, &json, &user_data);
        if (!taken) {
            payorder_string_free(json);
            return;
        }
        struct sale *sale = user_data;
        if (result != PAYORDER_OK) {
            print_error(sale, json);
        } else if (sale->is_ordered) {
            print_payment(sale, json);
        } else {
            printf("%s:", sale->order_id);
            print_value(" send the customer to ", json, "/data/url");
            printf("\n");
        }
        if (!sale->is_ordered && (result == PAYORDER_OK || may_be_paid(json))) {
            wait_for_payment(sale);
        } else {
            close_sale(sale);
        }
        payorder_string_free(json);
    }
}

static void show_clock(void)
{
    printf("clock: %d open\n", open_sales);
}

#ifdef _WIN32

/* A window's messages, here those of a timer, and the answers. */
static void run(void)
{
    HANDLE done = (HANDLE)payorder_done_handle(client);
    MSG message;
    SetTimer(NULL, 0, 200, NULL);
    while (open_sales > 0) {
        MsgWaitForMultipleObjects(1, &done, FALSE, INFINITE, QS_ALLINPUT);
        while (PeekMessage(&message, NULL, 0, 0, PM_REMOVE)) {
            if (message.message == WM_TIMER) {
                show_clock();
            }
            DispatchMessage(&message);
        }
        take_answers();
    }
}

#else

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Reads what is there of stdin. Returns 0 at its end. */
static int read_commands(void)
{
    static char lines[4096];
    static size_t length;
    char *end;
    ssize_t got = read(STDIN_FILENO, lines + length, sizeof lines - 1 - length);
    if (got <= 0) {
        return 0;
    }
    length += (size_t)got;
    lines[length] = '\0';
    while ((end = strchr(lines, '\n')) != NULL) {
        *end = '\0';
        const char *amount = strtok(lines, " \t\r");
        const char *order_id = amount != NULL ? strtok(NULL, " \t\r") : NULL;
        if (order_id != NULL && strtok(NULL, " \t\r") == NULL) {
            begin_sale(amount, order_id);
        } else {
            printf("write AMOUNT ORDER_ID\n");
        }
        length -= (size_t)(end + 1 - lines);
        memmove(lines, end + 1, length + 1);
    }
    return length < sizeof lines - 1; /* a line without an end is no command */
}

/* The keyboard, the clock and the answers. */
static void run(void)
{
    struct pollfd events[2] = {{(int)payorder_done_handle(client), POLLIN, 0},
                               {STDIN_FILENO, POLLIN, 0}};
    long long tick = now_ms() + 200;
    while (open_sales > 0 || events[1].fd >= 0) {
        long long left = tick - now_ms();
        poll(events, 2, left > 0 ? (int)left : 0);
        if (now_ms() >= tick) {
            show_clock();
            tick += 200;
        }
        if (events[1].fd >= 0 && events[1].revents != 0 && !read_commands()) {
            events[1].fd = -1; /* poll leaves it out */
        }
        take_answers();
    }
}

#endif

/*
 * A till that cannot ask for a status must not sell. Without its credentials this query fails before
 * anything is sent, and no other answer matters.
 */
static payorder_result open_client(char **error)
{
    payorder_result result = payorder_client_from_env(NULL, &client, error);
    if (result == PAYORDER_OK) {
        result = payorder_get_status(client, "{\"orderId\":\"-\"}", "{\"timeoutMs\":1}", error);
        result = result == PAYORDER_MISSING_CREDENTIALS ? result : PAYORDER_OK;
    }
    return result;
}

int main(int count, char **arguments)
{
    char *error = NULL;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (open_client(&error) != PAYORDER_OK) {
        print_value("", error, "/error/message");
        printf("\n");
        payorder_string_free(error);
        payorder_client_free(client);
        return 1;
    }
    payorder_string_free(error);
    for (int i = 1; i + 1 < count; i += 2) {
        begin_sale(arguments[i], arguments[i + 1]);
    }
    run();
    payorder_client_free(client);
    return 0;
}
