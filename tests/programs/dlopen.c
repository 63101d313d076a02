/*
 * The library is loaded, used, closed, and loaded again, while a thread that made a call is still
 * running. Code that this thread or the system can still call must stay loaded. The first argument
 * is the library, the second a configuration.
 */
#define OWN_MAIN
#include "host.h"

static const char *config;
static atomic_int step;
enum { LOADED, ASKED, CLOSED };

static void *ask(void *argument)
{
    const struct library *library = argument;
    payorder_client *client = NULL;
    char *json = NULL;
    CHECK(library->client_new(config, &client, &json) == 0);
    CHECK(library->get_status(client, "{\"orderId\":\"O-1\"}", NULL, &json) == 0);
    library->string_free(json);
    CHECK(library->client_free(client) == 0);
    CHECK(library->live_clients() == 0 && library->live_strings() == 0);
    return NULL;
}

static void *ask_and_live_on(void *argument)
{
    ask(argument);
    step = ASKED;
    while (step != CLOSED) {
        sleep_ms(1);
    }
    return NULL; /* what the library keeps for a thread ends here, after it was closed */
}

static void fork_once(void)
{
    pid_t child = fork(); /* what the library registered for forks is called, closed or not */
    CHECK(child >= 0);
    if (child == 0) {
        _exit(0);
    }
    must_end_well(child);
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    config = argv[2];
    for (int i = 0; i < 5; i++) {
        /* No thread that used the library is running when it is closed, so only the library itself
         * keeps it loaded. */
        struct library library = load(argv[1]);
        CHECK(pthread_join(start_thread(ask, &library), NULL) == 0);
        CHECK(dlclose(library.handle) == 0);
        fork_once();

        library = load(argv[1]);
        step = LOADED;
        pthread_t thread = start_thread(ask_and_live_on, &library);
        while (step != ASKED) {
            sleep_ms(1);
        }
        CHECK(dlclose(library.handle) == 0);
        fork_once();
        step = CLOSED;
        CHECK(pthread_join(thread, NULL) == 0);
    }
    return 0;
}
