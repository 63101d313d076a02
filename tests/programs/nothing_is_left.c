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

int main(int argc, char **argv)
{
    CHECK(argc > 2 && argc % 2 == 1);
    for (int descriptor = 3; descriptor < MOST; descriptor++) {
        close(descriptor); /* descriptors that this process inherited */
    }
    const int threads = entries("/proc/self/task"), descriptors = entries("/proc/self/fd");
    for (int i = 1; i < argc; i += 2) {
        payorder_client *client = client_of(argv[i]);
        for (int call = 0; call < 3; call++) {
            payorder_result result = create(client, "O-1", NULL);
            CHECK(result == atoi(argv[i + 1]));
            must_have_threads(threads);
        }
        if (atoi(argv[i + 1]) == PAYORDER_OK) {
            CHECK(entries("/proc/self/fd") == descriptors + 1); /* the kept connection */
        }
        all_close_on_exec();
        free_client(client);
        CHECK(entries("/proc/self/fd") == descriptors);
    }
    nothing_is_live();
    return 0;
}
