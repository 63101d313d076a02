/* The host closed its standard streams: no connection takes the number of one, also not the kept
 * one, no handle of answers, and no file of a journal, so that what the host prints is not sent or
 * written there. */
#include "host.h"

#include <fcntl.h>

static void run(char **arguments)
{
    int saved[3], taken[3];
    for (int stream = 0; stream < 3; stream++) {
        saved[stream] = fcntl(stream, F_DUPFD_CLOEXEC, 100);
        CHECK(saved[stream] >= 100 && close(stream) == 0);
    }
    payorder_client *client = client_of(arguments[0]);
    payorder_result first = create(client, "O-1", NULL), second = create(client, "O-2", NULL);
    intptr_t handle = payorder_done_handle(client);
    for (int stream = 0; stream < 3; stream++) {
        taken[stream] = fcntl(stream, F_GETFD) != -1;
        dup2(saved[stream], stream);
    }
    CHECK(first == PAYORDER_OK && second == PAYORDER_OK && handle != -1);
    CHECK(!taken[0] && !taken[1] && !taken[2]);
    free_client(client);
}
