/* exit() while other threads are inside calls with a timeout of a minute: the process ends at once,
 * with the given status. */
#include "host.h"

static payorder_client *client;
static atomic_int started;

static void count_started(const char *event_json, void *user_data)
{
    (void)user_data;
    if (strstr(event_json, "\"attempt_started\"") != NULL) {
        started++;
    }
}

static void *wait_for_an_answer(void *argument)
{
    create(client, argument, NULL);
    return NULL;
}

/* A host may call the library from an exit handler. */
static void tidy_up(void)
{
    payorder_client_free(client);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    CHECK(atexit(tidy_up) == 0);
    client = client_of(argv[1]);
    CHECK(payorder_client_set_log(client, count_started, NULL) == PAYORDER_OK);
    start_thread(wait_for_an_answer, "ONE");
    start_thread(wait_for_an_answer, "TWO");
    while (started < 2) {
        sleep_ms(5);
    }
    sleep_ms(200); /* until they wait for their responses */
    return 7;
}
