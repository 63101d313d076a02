/*
 * Makes calls for a while, with long-lived and with short-lived clients, and prints the size of the
 * process once a second.
 *
 *     soak SECONDS CONFIG...
 *
 * One line per second: seconds, calls, resident memory in KiB, file descriptors, further threads. They are
 * measured while no call is running, so any growth is a leak. At the end: "outcomes", the numbers
 * of calls that were done, not sent, rejected and unknown, and the file descriptors that are open
 * after all clients were freed.
 */
#define OWN_MAIN
#include "../programs/host.h"

enum { THREADS = 4, MOST_CLIENTS = 8 };

static const char *const FAULTS[] = {"",
                                     "",
                                     "",
                                     "",
                                     "sandbox:drop-before",
                                     "sandbox:drop-after-commit",
                                     "sandbox:drop-mid-answer",
                                     "sandbox:stall-before",
                                     "sandbox:html-502",
                                     "sandbox:service-error",
                                     "sandbox:malformed-json",
                                     "sandbox:no-url",
                                     "sandbox:bad-url",
                                     "sandbox:redirect",
                                     "sandbox:too-large",
                                     "sandbox:reject",
                                     "sandbox:status-drop",
                                     "sandbox:status-html-502-once",
                                     "sandbox:status-malformed-json",
                                     "sandbox:few-fields"};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0] };

/* Once in this many rounds. */
enum { NEW_CLIENT = 20, CANCEL = 50 };

static char **configs;
static int client_count;
static payorder_client *clients[MOST_CLIENTS];
/* Calls run under the read lock; measuring takes the write lock. */
static pthread_rwlock_t calling;
static atomic_int over;
static atomic_long calls, outcomes[4];

static void count(payorder_result result)
{
    calls++;
    outcomes[payorder_result_outcome(result)]++;
}

static void create_faulty(payorder_client *client, const char *order_id, const char *fault)
{
    char *order = order_with(order_id, fault[0] != '\0' ? fault : "Two coffees"), *json = NULL;
    count(payorder_create_order(client, order, "{\"timeoutMs\":60}", &json));
    payorder_string_free(json);
    payorder_string_free(order);
}

static void ask(payorder_client *client, const char *order_id)
{
    const char *pairs[] = {"searchType", "1", "orderId", order_id, NULL};
    char *query = NULL, *json = NULL, *verdict = NULL;
    payorder_json_object(pairs, &query);
    count(payorder_get_status(client, query, "{\"timeoutMs\":60}", &json));
    payorder_verify_payment("{\"orderId\":\"O-1\",\"amount\":\"100.10\"}", json, &verdict);
    payorder_string_free(verdict);
    payorder_string_free(json);
    payorder_string_free(query);
}

static void turn(int thread, int number, unsigned *seed)
{
    char order_id[64];
    int which = rand_r(seed) % client_count;
    payorder_client *client = clients[which];
    int own = rand_r(seed) % NEW_CLIENT == 0;
    if (own) {
        client = client_of(configs[which]);
    }
    if (rand_r(seed) % CANCEL == 0) {
        payorder_client_cancel(client);
    }
    snprintf(order_id, sizeof order_id, "SOAK-%d-%d", thread, number);
    create_faulty(client, order_id, FAULTS[rand_r(seed) % FAULT_COUNT]);
    ask(client, order_id);
    if (own) {
        payorder_client_free(client);
    }
}

static void *work(void *argument)
{
    int thread = (int)(long)argument;
    unsigned seed = (unsigned)thread + 1;
    const struct timespec pause = {0, 200 * 1000};
    for (int number = 0; !over; number++) {
        pthread_rwlock_rdlock(&calling);
        turn(thread, number, &seed);
        pthread_rwlock_unlock(&calling);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static long resident_kib(void)
{
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &all, &resident) != 2) {
        abort();
    }
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* A thread that has ended can stay listed in /proc for a moment. */
static int threads_left(int before)
{
    int threads = entries("/proc/self/task") - before;
    for (int tries = 0; threads > THREADS && tries < 400; tries++) {
        sleep_ms(5);
        threads = entries("/proc/self/task") - before;
    }
    return threads;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    pthread_rwlockattr_t attributes;
    int seconds = argc > 2 ? atoi(argv[1]) : 0;
    configs = argv + 2;
    client_count = argc - 2;
    if (seconds < 1 || client_count > MOST_CLIENTS) {
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    const int descriptors = entries("/proc/self/fd"), before = entries("/proc/self/task");

    /* New callers must not delay the measurement. */
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&calling, &attributes);
    for (int i = 0; i < client_count; i++) {
        clients[i] = client_of(configs[i]);
    }
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int second = 1; second <= seconds; second++) {
        sleep(1);
        pthread_rwlock_wrlock(&calling);
        printf("%d %ld %ld %d %d\n", second, calls, resident_kib(),
               entries("/proc/self/fd") - descriptors, threads_left(before));
        pthread_rwlock_unlock(&calling);
    }
    over = 1;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < client_count; i++) {
        payorder_client_free(clients[i]);
    }
    printf("outcomes %ld %ld %ld %ld left %d %zu %zu\n", outcomes[0], outcomes[1], outcomes[2],
           outcomes[3], entries("/proc/self/fd") - descriptors, payorder_live_clients(),
           payorder_live_strings());
    return 0;
}
