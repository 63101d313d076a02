/*
 * A call leaves no thread, and a freed client no file descriptor. Descriptors of a live client are
 * closed in programs that the host starts. The further arguments are configurations, each with the
 * result that Create Order has with it.
 */
#include "host.h"

#include <fcntl.h>

enum { MOST = 256 };

static void all_close_on_exec(void)
{
    for (int descriptor = 3; descriptor < MOST; descriptor++) {
        int flags = fcntl(descriptor, F_GETFD);
        CHECK(flags < 0 || (flags & FD_CLOEXEC) != 0);
    }
}

static void run(char **arguments)
{
    for (int descriptor = 3; descriptor < MOST; descriptor++) {
        close(descriptor); /* descriptors that this process inherited */
    }
    const int threads = entries("/proc/self/task"), descriptors = entries("/proc/self/fd");
    for (int i = 0; arguments[i] != NULL; i += 2) {
        payorder_client *client = client_of(arguments[i]);
        for (int call = 0; call < 3; call++) {
            payorder_result result = create(client, "O-1", NULL);
            CHECK(result == atoi(arguments[i + 1]));
            must_have_threads(threads);
        }
        if (atoi(arguments[i + 1]) == PAYORDER_OK) {
            CHECK(entries("/proc/self/fd") == descriptors + 1); /* the kept connection */
        }
        all_close_on_exec();
        free_client(client);
        CHECK(entries("/proc/self/fd") == descriptors);
    }
}
