/* The process has no file descriptor left: the call reports that it cannot connect and sends
 * nothing. With free descriptors it works again. */
#include "host.h"

#include <sys/resource.h>

static void run(char **arguments)
{
    struct rlimit usual, none;
    payorder_client *client = client_of(arguments[0]);
    CHECK(getrlimit(RLIMIT_NOFILE, &usual) == 0);
    for (int i = 0; i < 3; i++) {
        none = usual;
        none.rlim_cur = 3; /* stdin, stdout and stderr */
        CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
        CHECK(create(client, "NOT-SENT", NULL) == PAYORDER_CONNECT_FAILED);
        CHECK(setrlimit(RLIMIT_NOFILE, &usual) == 0);
        must_create(client, "SENT-%d", i);
        free_client(client);
        client = client_of(arguments[0]);
    }
    free_client(client);
}
