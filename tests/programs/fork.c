/* A client with a kept connection is used on both sides of a fork, one after the other and both at
 * once. */
#include "host.h"

enum { ORDERS = 10 };

static void make_orders(payorder_client *client, const char *who)
{
    for (int i = 0; i < ORDERS; i++) {
        must_create(client, "%s-%d", who, i);
    }
}

static int descriptors;
static int has_journal;

static pid_t start_child(payorder_client *client, const char *name)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        /* While a child has a copy of the parent's connection, the service does not see that the
         * parent closes it. Of a journal it has only the descriptor that names the file. */
        CHECK(entries("/proc/self/fd") == descriptors + has_journal);
        make_orders(client, name);
        free_client(client);
        nothing_is_live();
        _exit(0);
    }
    return child;
}

static void run(char **arguments)
{
    descriptors = entries("/proc/self/fd");
    has_journal = strstr(arguments[0], "\"journal\"") != NULL;
    payorder_client *client = client_of(arguments[0]);
    make_orders(client, "PARENT-A");
    must_end_well(start_child(client, "CHILD-A"));
    make_orders(client, "PARENT-B");
    pid_t child = start_child(client, "CHILD-B");
    make_orders(client, "PARENT-C");
    must_end_well(child);
    make_orders(client, "PARENT-D");
    if (has_journal) {
        CHECK(create(client, "CHILD-A-0", NULL) == PAYORDER_DUPLICATE);
    }
    free_client(client);
}
