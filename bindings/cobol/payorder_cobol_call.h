/*
 * A part of payorder_cobol.c. A call: its arguments, and how it ended.
 */

enum kind {
    CLIENT, JOURNAL, ORDER, PRICE, URL, ERROR, STATUS, WAIT_MS, SUMMARY, DAYS, SALES, ENTRY, KINDS
};

static const struct {
    const char *name;
    size_t size;
    const struct output *outputs;
} kinds[KINDS] = {
    {"PAYO-CLIENT", sizeof(void *), NULL},
    {"PAYO-JOURNAL", 257, NULL},
    {"PAYO-ORDER", sizeof(struct order), NULL},
    {"the price", 0, NULL},
    {"PAYO-URL", 2049, NULL},
    {"PAYO-ERROR", sizeof(struct error), error_outputs},
    {"PAYO-STATUS", sizeof(struct status), status_outputs},
    {"PAYO-WAIT-MS", sizeof(whole), NULL},
    {"PAYO-SUMMARY", sizeof(struct summary), summary_outputs},
    {"PAYO-DAYS", sizeof(whole), NULL},
    {"PAYO-SALES", sizeof(struct sales), sale_outputs},
    {"PAYO-ENTRY", sizeof(struct entry), entry_outputs},
};

/* The arguments, by kind, and what the call needs until its end. */
struct call {
    void *data[KINDS];
    payorder_client *client;
    struct error *error;
    cob_field *price;
    int32_t result;
    int is_order, url_size;
    /* How many PAYO-SALES has, and the last one that was taken. */
    size_t rows, row;
    char *request, *expected, *options, *json;
};

/* The orders that this program sent last, and when: an older payment of one is another sale's. So is
 * any, if that call did not make the order. Several, because the idle program may sell too. */
static struct sent {
    char order_id[sizeof((struct order *)0)->order_id];
    char began[24];
    int is_own;
} last_sent[64];
static size_t sent_count;
enum { SENT = sizeof last_sent / sizeof *last_sent };

/* Returns 0, so that a function can stop with it. */
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
    fill(error, error_outputs, NULL);
    put(FIELD(error->cause), cause);
    put(FIELD(error->action), result < 100 ? "fix_request" : "ask_status");
    put_message(FIELD(error->message), message);
    return 0;
}

static int invalid(struct call *call, const char *name, const char *problem)
{
    return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value", "%s %s", name, problem);
}

/* Writes how the call ended, and returns its result, which COBOL puts into RETURN-CODE. */
static int end(struct call *call)
{
    static const char *const outcomes[] = {"OK", "NOT-SENT", "REJECTED", "UNKNOWN"};
    int32_t result = call->result;
    if (call->error != NULL) {
        /* Only of a new order the result says whether it exists. */
        put(FIELD(call->error->outcome), result == PAYORDER_OK || call->is_order
                                             ? outcomes[payorder_result_outcome(result)]
                                             : "FAILED");
        cob_put_s64_comp3(result, FIELD(call->error->result));
        put(FIELD(call->error->name), payorder_result_name(result));
    }
    payorder_string_free(call->request);
    payorder_string_free(call->expected);
    payorder_string_free(call->options);
    payorder_string_free(call->json);
    return result;
}

/*
 * A price is a field of the program, so no MOVE can change it on its way. Whole numbers may be paise,
 * and floats are not exact. Of a group or a text, the call cannot know what its bytes mean.
 */
static int is_price(const cob_field *field)
{
    int type = cob_get_field_type(field), scale = cob_get_field_scale(field);
    return (type == COB_TYPE_NUMERIC_DISPLAY || type == COB_TYPE_NUMERIC_BINARY ||
            type == COB_TYPE_NUMERIC_PACKED || type == COB_TYPE_NUMERIC_COMP5) &&
           scale >= 2 && scale <= 18;
}

static int is(enum kind kind, size_t size)
{
    return size == kinds[kind].size ||
           (kind == SALES && size > sizeof(struct sales) &&
            (size - sizeof(struct sales)) % sizeof(struct sale) == 0);
}

/* Leaves nothing of an earlier call in a record. Returns how many rows it has. */
static size_t clear(enum kind kind, void *data, size_t size)
{
    size_t rows = kind == SALES ? (size - sizeof(whole)) / sizeof(struct sale) : 0, i;
    if (kind == URL) {
        memset(data, ' ', size);
    } else if (kind != SALES && kinds[kind].outputs != NULL) {
        fill(data, kinds[kind].outputs, NULL);
    }
    for (i = 0; i < rows; i++) {
        struct sale *sale = &((struct sales *)data)->rows[i];
        fill(sale, sale_outputs, NULL);
        put(FIELD(sale->verdict), "unknown");
    }
    return rows;
}

/*
 * Looks at the arguments: `using` has their kinds, and ends with ERROR. Returns 0 if they are not
 * these. Then PAYO-ERROR is written, if it is there, and the other records of the function are
 * cleared: no verdict of an earlier call is left.
 */
static int begin(struct call *call, const char *function, const enum kind *using)
{
    int given = cob_get_num_params(), expected = 0, wrong = 0, i, j;
    memset(call, 0, sizeof *call);
    do {
        call->is_order |= using[expected] == URL;
    } while (using[expected++] != ERROR);
    for (i = 1; i <= given; i++) {
        /* libcob warns about OMITTED, with the argument's number. */
        int size = cob_get_param_size(i);
        void *data = size > 0 ? cob_get_param_data(i) : NULL;
        /* BY CONTENT: what is written there does not reach the program. */
        int is_copy = data != NULL && cob_get_param_constant(i);
        if (data != NULL && i <= expected && using[i - 1] == PRICE) {
            call->price = cob_get_param_field(i, function);
            call->data[PRICE] = is_price(call->price) ? data : NULL;
            /* A record that is there by mistake is cleared. A text may only have its size. */
            if (cob_get_field_type(call->price) != COB_TYPE_GROUP) {
                data = NULL;
            }
        }
        for (j = 0; data != NULL && j < expected; j++) {
            enum kind kind = using[j];
            /* Only a text in the place of PAYO-URL may be longer. */
            int is_long_url = kind == URL && i == j + 1 && size > (int)kinds[URL].size &&
                              cob_get_param_type(i) == COB_TYPE_ALPHANUMERIC;
            if ((is_copy && (kind == CLIENT || kind == URL || kinds[kind].outputs != NULL)) ||
                !(is(kind, size) || is_long_url)) {
                continue;
            }
            if (i == j + 1) {
                call->data[kind] = data;
                call->url_size = kind == URL ? size : call->url_size;
            }
            call->error = kind == ERROR ? data : call->error;
            call->rows += clear(kind, data, size);
        }
        if (wrong == 0 && (i > expected || call->data[using[i - 1]] == NULL)) {
            wrong = i;
        }
    }
    wrong = wrong == 0 && given < expected ? given + 1 : wrong;
    if (wrong > expected) {
        return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                    "%s has %d arguments, and not %d", function, expected, given);
    }
    if (wrong != 0 && using[wrong - 1] == PRICE) {
        return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                    "argument %d of %s must be the price: a field with two decimals, such as "
                    "PIC S9(7)V99, and not a group, a text, a float or a whole number",
                    wrong, function);
    }
    if (wrong != 0) {
        return fail(call, PAYORDER_INVALID_ARGUMENT, "invalid_value",
                    "argument %d of %s must be %s, as in its copybook and not BY CONTENT", wrong,
                    function, kinds[using[wrong - 1]].name);
    }
    if (payorder_abi_version() != PAYORDER_HEADER_ABI_VERSION) {
        return fail(call, PAYORDER_INVALID_CONFIG, "unreadable_file",
                    "the library has another version of the interface; nothing was sent");
    }
    memcpy(&call->client, call->data[CLIENT], sizeof call->client);
    return 1;
}

#define BEGIN(...)                                                                                 \
    static const enum kind using[] = {__VA_ARGS__, ERROR};                                         \
    struct call call;                                                                              \
    if (!begin(&call, __func__, using)) {                                                          \
        return end(&call);                                                                         \
    }

/* Whether the library's JSON functions read call->json. */
static int is_readable(struct call *call)
{
    return call->json == NULL || strlen(call->json) <= 16 * 1024 * 1024 ||
           fail(call, PAYORDER_BAD_RESPONSE, "response_too_large",
                "the answer is longer than 16 MiB and cannot be read");
}

/* Takes the error of a call of the library that gave call->json. Returns whether it succeeded. */
static int succeeded(struct call *call, payorder_result result)
{
    struct error *error = call->error;
    size_t count = sizeof error->violations / sizeof *error->violations, i;
    if (result == PAYORDER_OK) {
        return is_readable(call);
    }
    call->result = result;
    if (!fill(error, error_outputs, call->json)) {
        /* What does not fit is blank, as if it was not known: the program asks for the status. */
        char *words = NULL, message[sizeof error->message + 8];
        payorder_json_get(call->json, "/error/message", &words);
        snprintf(message, sizeof message,
                 "a value does not fit into PAYO-ERROR, and is left out: %s",
                 words == NULL ? "" : words);
        put_message(FIELD(error->message), message);
        payorder_string_free(words);
        if (is_blank(FIELD(error->previous_url)) &&
            memcmp(error->action, "use_previous ", 13) == 0) {
            put(FIELD(error->action), "ask_status");
        }
    }
    for (i = 0; i < count; i++) {
        struct violation *violation = &error->violations[i];
        char pointer[40], *json = NULL;
        snprintf(pointer, sizeof pointer, "/error/violations/%zu", i);
        if (payorder_json_get(call->json, pointer, &json) == PAYORDER_OK) {
            fill(violation, violation_outputs, json);
            cob_put_s64_comp3((long long)i + 1, FIELD(error->violation_count));
        }
        payorder_string_free(json);
    }
    return 0;
}
