/*
 * The C driver of the conformance suite: see ../README.md.
 *
 * It is C11 with POSIX threads, and reads and writes JSON with the library's own functions. All
 * strings here are the library's, and are freed with payorder_string_free.
 */
#define _POSIX_C_SOURCE 200809L

#include "driver_reports.h"

#include <pthread.h>

enum { NAMES = 64 };

/* ---- Objects by name ----------------------------------------------------------------------- */

struct named {
    char name[NAME];
    payorder_client *client; /* kept after it was freed: the library must notice that */
    char *token;
    char *saved; /* a result's JSON text */
    char *step, *reported; /* of a thread */
    pthread_t thread;
};

static struct named objects[NAMES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int steps_here; /* how many steps this thread is in */

/* The object with this kind and name, which is made if there is none. */
static struct named *object(char kind, const char *step, const char *pointer)
{
    char name[NAME] = {kind};
    struct named *found = NULL;
    payorder_json_copy(step, pointer, name + 1, sizeof name - 1, NULL);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < NAMES && found == NULL; i++) {
        if (objects[i].name[0] == '\0' || strcmp(objects[i].name, name) == 0) {
            found = &objects[i];
            strcpy(found->name, name);
        }
    }
    pthread_mutex_unlock(&lock);
    if (found == NULL) {
        fprintf(stderr, "driver: a scenario has more than %d names\n", (int)NAMES);
        exit(1);
    }
    return found;
}

static payorder_client *client_of(const char *step)
{
    return object('c', step, "/client")->client;
}

static char **token_of(const char *step)
{
    return &object('k', step, "/cancellation")->token;
}

static const char *saved_of(const char *step, const char *pointer)
{
    return object('s', step, pointer)->saved;
}

/* The options of a step, with its cancellation. NULL if there are none. */
static char *options_of(const char *step)
{
    char *options = get(step, "/options");
    if (!is(step, "/cancellation", "")) {
        options = set_text(options, "/cancellation", *token_of(step));
    }
    return options;
}

/* The query of a step, or that of a result. */
static char *query_of(const char *step)
{
    if (is(step, "/queryOf", "")) {
        return get(step, "/query");
    }
    char *query = get(saved_of(step, "/queryOf"), "/error/statusQuery");
    return query != NULL ? query : get(saved_of(step, "/queryOf"), "/statusQuery");
}

/* ---- Callbacks ----------------------------------------------------------------------------- */

static char *run(const char *step);

static const char *this_thread(void) { return steps_here > 0 ? "caller" : "other"; }

/* Performs the step `then`. Returns 0 if it is `stop`. */
static int32_t perform(const char *then)
{
    if (is(then, "/op", "stop")) {
        return 0;
    }
    payorder_string_free(run(then));
    return 1;
}

static char *events; /* those that nobody has asked for, as {"events":[...]} */
static char *log_then, log_at[NAME];

static void take_event(const char *event_json, void *user_data)
{
    char *event = set_text(get(event_json, ""), "/thread", this_thread());
    (void)user_data;
    pthread_mutex_lock(&lock);
    events = set(events, "/events/-", event);
    pthread_mutex_unlock(&lock);
    if (log_then != NULL && is(event, "/event", log_at)) {
        perform(log_then);
    }
    payorder_string_free(event);
}

struct items {
    char *json, *then;
    size_t count, at;
};

static int32_t take_status(size_t index, int32_t result, const char *json, void *user_data)
{
    struct items *items = user_data;
    char *item = report(result, json, status_value);
    item = set_number(item, "/index", (unsigned long)index);
    item = set_text(item, "/thread", this_thread());
    items->json = set(items->json, "/-", item);
    payorder_string_free(item);
    return items->then != NULL && items->count++ == items->at ? perform(items->then) : 1;
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* Reports how a call ended, saves its text if the step says so, and frees it. */
static char *ended(const char *step, payorder_result result, char *json,
                   char *(*value_of)(const char *))
{
    char *text = report(result, json, value_of);
    if (!is(step, "/save", "") && json != NULL) {
        struct named *kept = object('s', step, "/save");
        payorder_string_free(kept->saved);
        kept->saved = json;
    } else {
        payorder_string_free(json);
    }
    return text;
}

static char *open_client(const char *step)
{
    struct named *opened = object('c', step, "/client");
    char *config = get(step, "/config"), *json = NULL;
    payorder_result result = payorder_client_new(config, &opened->client, &json);
    payorder_string_free(config);
    return ended(step, result, json, NULL);
}

static char *create(const char *step)
{
    char *order = get(step, "/order"), *options = options_of(step), *json = NULL;
    payorder_result result = payorder_create_order(client_of(step), order, options, &json);
    payorder_string_free(order);
    payorder_string_free(options);
    return ended(step, result, json, checkout_value);
}

static char *status(const char *step)
{
    char *query = query_of(step), *options = options_of(step), *json = NULL;
    payorder_result result = payorder_get_status(client_of(step), query, options, &json);
    payorder_string_free(query);
    payorder_string_free(options);
    return ended(step, result, json, status_value);
}

static char *wait_for_payment(const char *step)
{
    char *query = query_of(step), *options = options_of(step), *json = NULL;
    payorder_result result = payorder_wait_for_payment(client_of(step), query, options, &json);
    payorder_string_free(query);
    payorder_string_free(options);
    return ended(step, result, json, wait_value);
}

static char *statuses(const char *step)
{
    char *queries = get(step, "/queries"), *options = options_of(step), *json = NULL;
    struct items items = {set(NULL, "", "[]"), get(step, "/then"), 0, 0};
    char at[NAME], *text;
    copy(step, "/at", at);
    items.at = (size_t)atoi(at);
    payorder_result result = payorder_get_statuses(client_of(step), queries, options, take_status,
                                                   &items, &json);
    text = set(ended(step, result, json, whole_value), "/items", items.json);
    payorder_string_free(items.json);
    payorder_string_free(items.then);
    payorder_string_free(queries);
    payorder_string_free(options);
    return text;
}

static char *build(const char *step)
{
    char *query = get(step, "/query"), *order = get(step, "/order");
    char *options = options_of(step), *json = NULL;
    payorder_result result = query != NULL ? payorder_build_get_status(query, &json)
                                           : payorder_build_create_order(order, options, &json);
    payorder_string_free(query);
    payorder_string_free(order);
    payorder_string_free(options);
    return ended(step, result, json, text_value);
}

static char *parse(const char *step)
{
    char *url = get(step, "/url"), *json = NULL;
    payorder_result result = payorder_parse_return_url(url, &json);
    payorder_string_free(url);
    return ended(step, result, json, whole_value);
}

static char *verify(const char *step)
{
    char *expected = get(step, "/expected"), *found = get(step, "/status"), *json = NULL;
    if (found == NULL) {
        found = get(saved_of(step, "/statusOf"), "/status"); /* of a wait */
    }
    if (found == NULL) {
        found = get(saved_of(step, "/statusOf"), "");
    }
    payorder_result result = payorder_verify_payment(expected, found, &json);
    payorder_string_free(expected);
    payorder_string_free(found);
    return ended(step, result, json, whole_value);
}

static char *journal(const char *step)
{
    static const struct {
        const char *name;
        payorder_result (*function)(payorder_client *, const char *, char **);
        char *(*value_of)(const char *);
    } functions[] = {
        {"list", payorder_journal_list, entries_value},
        {"resolve", payorder_journal_resolve, whole_value},
        {"settle", payorder_journal_settle, whole_value},
        {"prune", payorder_journal_prune, removed_value},
    };
    char *options = options_of(step), *json = NULL;
    size_t which = 0;
    while (!is(step, "/do", functions[which].name)) {
        which++;
    }
    payorder_result result = functions[which].function(client_of(step), options, &json);
    payorder_string_free(options);
    return ended(step, result, json, functions[which].value_of);
}

static char *new_cancellation(const char *step)
{
    return report(payorder_cancellation_new(token_of(step)), NULL, NULL);
}

static char *cancel(const char *step)
{
    int of_client = is(step, "/cancellation", "");
    return report(of_client ? payorder_client_cancel(client_of(step))
                            : payorder_cancellation_cancel(*token_of(step)),
                  NULL, NULL);
}

static char *close_object(const char *step)
{
    int of_client = is(step, "/cancellation", "");
    payorder_result result = of_client ? payorder_client_free(client_of(step))
                                       : payorder_cancellation_free(*token_of(step));
    /* A second time, the library says that it is freed already. */
    return report(result == PAYORDER_INVALID_HANDLE ? PAYORDER_OK : result, NULL, NULL);
}

static char *set_log(const char *step)
{
    payorder_log_fn log = is(step, "/on", "false") ? NULL : take_event;
    payorder_string_free(log_then);
    log_then = get(step, "/then");
    copy(step, "/at", log_at);
    return report(payorder_client_set_log(client_of(step), log, NULL), NULL, NULL);
}

static char *take_events(const char *step)
{
    (void)step;
    pthread_mutex_lock(&lock);
    char *taken = events != NULL ? events : set(NULL, "/events", "[]");
    events = NULL;
    pthread_mutex_unlock(&lock);
    char *text = report(PAYORDER_OK, taken, whole_value), *list = get(taken, "/events");
    text = set(text, "/value", list);
    payorder_string_free(list);
    payorder_string_free(taken);
    return text;
}

static char *counters(const char *step)
{
    /* Before the report itself needs strings. */
    unsigned long clients = payorder_live_clients(), strings = payorder_live_strings();
    unsigned long calls = payorder_live_calls();
    (void)step;
    char *text = report(PAYORDER_OK, NULL, NULL);
    text = set_number(text, "/value/clients", clients);
    text = set_number(text, "/value/strings", strings);
    return set_number(text, "/value/calls", calls);
}

static void *in_thread(void *given)
{
    struct named *thread = given;
    thread->reported = run(thread->step);
    return NULL;
}

static char *start_thread(const char *step)
{
    struct named *thread = object('t', step, "/thread");
    thread->step = get(step, "");
    if (pthread_create(&thread->thread, NULL, in_thread, thread) != 0) {
        fprintf(stderr, "driver: no thread could be started\n");
        exit(1);
    }
    return report(PAYORDER_OK, NULL, NULL);
}

static char *join(struct named *thread)
{
    pthread_join(thread->thread, NULL);
    char *reported = thread->reported;
    payorder_string_free(thread->step);
    thread->step = thread->reported = NULL;
    return reported;
}

static char *join_thread(const char *step) { return join(object('t', step, "/thread")); }

static char *reset(const char *step)
{
    (void)step;
    for (size_t i = 0; i < NAMES; i++) {
        if (objects[i].step != NULL) {
            payorder_string_free(join(&objects[i]));
        }
        payorder_client_free(objects[i].client);
        payorder_cancellation_free(objects[i].token);
        payorder_string_free(objects[i].token);
        payorder_string_free(objects[i].saved);
    }
    memset(objects, 0, sizeof objects);
    payorder_string_free(log_then);
    payorder_string_free(events);
    log_then = events = NULL;
    return report(PAYORDER_OK, NULL, NULL);
}

static char *run(const char *step)
{
    static const struct {
        const char *name;
        char *(*perform)(const char *);
    } operations[] = {
        {"open", open_client}, {"create", create}, {"status", status}, {"wait", wait_for_payment},
        {"statuses", statuses}, {"build", build}, {"parse", parse}, {"verify", verify},
        {"journal", journal}, {"cancellation", new_cancellation}, {"cancel", cancel},
        {"close", close_object}, {"log", set_log}, {"events", take_events},
        {"counters", counters}, {"join", join_thread}, {"reset", reset},
    };
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        if (is(step, "/op", operations[i].name)) {
            steps_here++;
            char *text = operations[i].perform(step);
            steps_here--;
            return text;
        }
    }
    fprintf(stderr, "driver: unknown operation: %s\n", step);
    exit(1);
}

/* Writes a report on one line. A line break can only be between JSON's tokens. */
static void write_line(char *json)
{
    for (const char *at = json; *at != '\0'; at++) {
        putchar(*at == '\n' || *at == '\r' ? ' ' : *at);
    }
    putchar('\n');
    fflush(stdout);
    payorder_string_free(json);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    if (payorder_abi_version() != PAYORDER_ABI_VERSION) {
        printf("{\"refused\":\"the library has version %u of the ABI, and this program needs"
               " version %d\"}\n",
               (unsigned)payorder_abi_version(), PAYORDER_ABI_VERSION);
        return 1;
    }
    char *hello = set_text(NULL, "/driver", "c");
    hello = set_text(hello, "/language", "C");
    hello = set_text(hello, "/library", payorder_version());
    hello = set_number(hello, "/abi", payorder_abi_version());
    write_line(set(hello, "/features",
                   "[\"threads\",\"log-in-call\",\"load\",\"untyped\",\"closing\"]"));

    while ((length = getline(&line, &size, stdin)) > 0) {
        int starts = !is(line, "/op", "join") && !is(line, "/thread", "");
        line[length - 1] = '\0';
        write_line(starts ? start_thread(line) : run(line));
    }
    free(line);
    return 0;
}
