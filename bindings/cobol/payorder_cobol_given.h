/*
 * A part of payorder_cobol.c. What a program gives, as JSON.
 */

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

/* Whether the digits of a number are digits. */
static int is_number(const cob_field *field)
{
    int halves = 2 * (int)field->size - (COB_FIELD_NO_SIGN_NIBBLE(field) ? 0 : 1);
    int has_gap = cob_get_field_type(field) == COB_TYPE_NUMERIC_PACKED &&
                  halves > cob_get_field_digits(field);
    return cob_is_numeric(field) && !(has_gap && (field->data[0] & 0xF0) != 0);
}

/* The amount that a program gives, exactly, with two decimals: libcob knows its PICTURE and USAGE. */
static int add_amount(struct call *call, char **json, const char *name, cob_field *field)
{
    enum { DIGITS = 38 };
    int scale = cob_get_field_scale(field);
    cob_field_attr attributes = {COB_TYPE_NUMERIC_DISPLAY, DIGITS, (short)scale,
                                 COB_FLAG_HAVE_SIGN | COB_FLAG_LEADSEP, NULL};
    char digits[1 + DIGITS + 1] = "", text[DIGITS + 8];
    cob_field moved = {1 + DIGITS, (unsigned char *)digits, &attributes};
    const char *whole = digits + 1, *decimals = digits + 1 + DIGITS - scale;
    if (!is_number(field)) {
        return invalid(call, name, "is not a number: something else was moved over it");
    }
    cob_move(field, &moved);
    if (COB_FIELD_BINARY_TRUNC(field) &&
        DIGITS - (int)strspn(digits + 1, "0") > cob_get_field_digits(field)) {
        return invalid(call, name, "has more digits than its PICTURE: something else was moved over it");
    }
    if (digits[0] == '-' || strspn(digits + 1, "0") == DIGITS) {
        return invalid(call, name, "must be above zero");
    }
    if (strspn(decimals + 2, "0") != (size_t)scale - 2) {
        return invalid(call, name,
                       "has more than two decimals: round it first, with COMPUTE ... ROUNDED");
    }
    while (*whole == '0' && whole < decimals - 1) {
        whole++;
    }
    snprintf(text, sizeof text, "\"%.*s.%.2s\"", (int)(decimals - whole), whole, decimals);
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
 * PAYO-ORDER and the price, or of a row of PAYO-SALES (from 1).
 */
static int expect(struct call *call, size_t row)
{
    const struct order *order = call->data[ORDER];
    struct sale *sale = row > 0 ? &((struct sales *)call->data[SALES])->rows[row - 1] : NULL;
    static const cob_field_attr packed = {COB_TYPE_NUMERIC_PACKED, 18, 3, COB_FLAG_HAVE_SIGN, NULL};
    cob_field amount = {sizeof sale->amount, row > 0 ? (unsigned char *)sale->amount : NULL,
                        &packed};
    char order_id_name[50] = "PAYO-ORDER-ID", amount_name[50] = "the price";
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
    return add_amount(call, &call->expected, amount_name, row > 0 ? &amount : call->price);
}

/*
 * Whether a row can be recovered. One that cannot is marked: a till needs what is known about its
 * other sales.
 */
static int is_sale(struct call *call, size_t row)
{
    struct sale *sale = &((struct sales *)call->data[SALES])->rows[row - 1];
    int is = expect(call, row) &&
             succeeded(call, payorder_verify_payment(call->expected, "{}", &call->json));
    if (!is) {
        put(FIELD(sale->name), payorder_result_name(call->result));
        memcpy(sale->cause, call->error->cause, sizeof sale->cause);
        fill(call->error, error_outputs, NULL);
        call->result = PAYORDER_OK;
    }
    payorder_string_free(call->json);
    call->json = NULL;
    return is;
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
        if (is_query && !expect(call, (size_t)row)) {
            free(list);
            return NULL;
        }
        if (is_query || is_sale(call, (size_t)row)) {
            last += sprintf(last, ",%s", is_query ? call->request : call->expected);
        }
    }
    strcpy(last, last > list ? "]" : "[]");
    list[0] = '[';
    return list;
}
