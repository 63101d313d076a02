/*
 * A part of payorder_cobol.c. The records of the copybooks, and what a call writes into them.
 */

/* PACKED-DECIMAL: two digits in a byte, and the sign in the last half. */
typedef char whole[5];   /* PIC S9(9) */
typedef char amount[10]; /* PIC S9(15)V999, in thousandths */
typedef char number[10]; /* PIC S9(18) */

/* Each other array is a PIC X. All are bytes, so there are no gaps. */
/* <order> bindings/generate writes it. */
struct order {
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
    char refusal[400];
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

static const struct output violation_outputs[] = {
    OUTPUT(violation, field, MESSAGE, "/field"), OUTPUT(violation, rule, MESSAGE, "/rule"),
    OUTPUT(violation, message, MESSAGE, "/message"), NO_MORE};

#define ERROR(field, kind, pointer) OUTPUT(error, field, kind, pointer)
static const struct output error_outputs[] = {
    ERROR(outcome, TEXT, NULL), ERROR(result, ZERO, NULL), ERROR(name, TEXT, NULL),
    ERROR(cause, TEXT, "/error/cause"), ERROR(action, TEXT, "/error/action"),
    ERROR(message, MESSAGE, "/error/message"), ERROR(http_status, ZERO, "/error/httpStatus"),
    ERROR(retry_after_ms, ZERO, "/error/retryAfterMs"),
    ERROR(response_code, TEXT, "/error/responseCode"), ERROR(request_id, TEXT, "/error/requestId"),
    ERROR(checkout_url, TEXT, "/error/checkoutUrl"),
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
    SUMMARY(other_services, COUNT, NULL), SUMMARY(removed, COUNT, "/removed"),
    SUMMARY(refusal, MESSAGE, NULL), NO_MORE};

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
            /* A pause that does not fit is the longest, and not none. */
            int is_long = output->size == (int)sizeof(whole) && strlen(text) > 9;
            long long number = is_long ? 999999999 : atoll(text);
            cob_put_s64_comp3(found ? number : output->kind == ZERO ? 0 : -1, field, output->size);
        }
        payorder_string_free(value);
    }
    return fits;
}
