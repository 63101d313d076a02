/*
 * The process has no memory left, either for a response of 12 MiB (the first configuration) or for
 * a thread that looks up a name (the second). The call returns an error, the process continues, and
 * the client works again when there is memory.
 */
#include "host.h"

#include <sys/resource.h>

static struct rlimit usual;

static void allow(rlim_t more)
{
    unsigned long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    CHECK(sizes != NULL && fscanf(sizes, "%lu", &pages) == 1);
    fclose(sizes);
    struct rlimit limited = usual;
    limited.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    CHECK(setrlimit(RLIMIT_AS, &limited) == 0);
}

static void ask(payorder_client *client, payorder_result expected, const char *reason)
{
    char *json = NULL;
    CHECK_RESULT(expected, payorder_get_status(client, "{\"orderId\":\"O\"}", NULL, &json), json);
    CHECK(reason == NULL || strstr(json, reason) != NULL);
    payorder_string_free(json);
}

static void run(char **arguments)
{
    CHECK(getrlimit(RLIMIT_AS, &usual) == 0);
    payorder_client *large = client_of(arguments[0]), *named = client_of(arguments[1]);
    for (int i = 0; i < 2; i++) {
        allow(3 << 20);
        ask(large, PAYORDER_CONNECTION_LOST, "memory");
        CHECK(setrlimit(RLIMIT_AS, &usual) == 0);
        ask(large, PAYORDER_OK, NULL);
    }
    allow(64 << 10);
    ask(named, PAYORDER_CONNECT_FAILED, "cannot start looking up");
    CHECK(setrlimit(RLIMIT_AS, &usual) == 0);
    ask(named, PAYORDER_OK, NULL);
    free_client(large);
    free_client(named);
}
