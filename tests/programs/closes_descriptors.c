/*
 * A host that closes descriptors which are not its own, and opens its own files, which then get the
 * same numbers. Nothing may be written into them, and none of them may be closed. The first
 * argument is a configuration with a journal and a service over plain http, the second the folder
 * for the host's files.
 */
#include "host.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

enum { MOST = 64 };

static const char *config, *folder;

/* The open descriptors above the standard streams whose link contains a text. */
static int descriptors(const char *text, int *found)
{
    int count = 0;
    for (int number = 3; number < 1024; number++) {
        char link[64], target[512];
        snprintf(link, sizeof link, "/proc/self/fd/%d", number);
        ssize_t length = readlink(link, target, sizeof target - 1);
        if (length < 0) {
            continue;
        }
        target[length] = '\0';
        if (strstr(target, text) != NULL) {
            CHECK(count < MOST);
            found[count++] = number;
        }
    }
    return count;
}

static int is_open(int descriptor)
{
    return fcntl(descriptor, F_GETFD) != -1;
}

/* A file of the host, which contains "mine". */
static int own_file(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/own-XXXXXX", folder);
    int own = mkstemp(path);
    CHECK(own >= 0 && write(own, "mine", 4) == 4);
    return own;
}

static void must_be_untouched(int own)
{
    char bytes[8];
    CHECK(is_open(own));
    CHECK(lseek(own, 0, SEEK_END) == 4);
    CHECK(pread(own, bytes, sizeof bytes, 0) == 4 && memcmp(bytes, "mine", 4) == 0);
}

/* Every call that needs the journal fails. */
static void journal_must_be_replaced(payorder_client *client, const char *order_id)
{
    char *order = order_of(order_id), *json = NULL;
    CHECK_RESULT(PAYORDER_JOURNAL_FAILED, payorder_create_order(client, order, NULL, &json), json);
    CHECK(strstr(json, "\"cause\":\"journal_replaced\"") != NULL);
    payorder_string_free(json);
    payorder_string_free(order);
    CHECK_RESULT(PAYORDER_JOURNAL_FAILED, payorder_journal_list(client, NULL, &json), json);
    CHECK(strstr(json, "\"cause\":\"journal_replaced\"") != NULL);
    payorder_string_free(json);
}

/* One descriptor of the journal belongs to a file of the host. Returns how many there are. */
static int with_one_descriptor_replaced(int which)
{
    int found[MOST];
    payorder_client *client = client_of(config), *another = client_of(config);
    must_create(client, "BEFORE-%d", which);
    must_create(another, "ANOTHER-%d", which);
    int count = descriptors("journal.db", found);
    CHECK(which < count);
    int own = own_file(), taken = found[which];
    CHECK(dup2(own, taken) == taken && close(own) == 0);
    /* Whichever client finds out, the other one does not use the journal any more either. */
    journal_must_be_replaced(client, "NEW");
    journal_must_be_replaced(another, "NEW");
    free_client(client);
    free_client(another);
    must_be_untouched(taken);
    CHECK(close(taken) == 0);
    CHECK(descriptors("journal.db", found) == 0);
    return count;
}

/* closefrom(3), and files of the host get the numbers. */
static void take_all_numbers(int *own)
{
    for (int number = 3; number < 1024; number++) {
        close(number);
    }
    for (int i = 0; i < MOST; i++) {
        own[i] = own_file();
    }
}

static void all_must_be_untouched(const int *own)
{
    for (int i = 0; i < MOST; i++) {
        must_be_untouched(own[i]);
        CHECK(close(own[i]) == 0);
    }
}

/* closefrom(3), and nobody notices until files of the host have the numbers. */
static void with_all_descriptors_replaced(int freed_at_once)
{
    int own[MOST];
    payorder_client *client = client_of(config);
    must_create(client, "ALL-%d", freed_at_once);
    take_all_numbers(own);
    if (!freed_at_once) {
        journal_must_be_replaced(client, "NEW");
    }
    free_client(client);
    all_must_be_untouched(own);
}

/* A daemon closes everything that it inherited, and uses the journal as before. */
static void in_a_daemon(void)
{
    int own[MOST];
    payorder_client *client = client_of(config);
    must_create(client, "PARENT");
    pid_t child = fork();
    if (child == 0) {
        take_all_numbers(own);
        CHECK(create(client, "PARENT", NULL) == PAYORDER_DUPLICATE);
        must_create(client, "DAEMON");
        free_client(client);
        all_must_be_untouched(own);
        _exit(0);
    }
    must_end_well(child);
    /* The library's new descriptors get the numbers of its old ones, in any order. */
    for (int files = 0; files < 12; files++) {
        child = fork();
        if (child == 0) {
            for (int number = 3; number < MOST; number++)
                close(number);
            for (int number = 0; number < files; number++)
                CHECK(open("/dev/null", O_RDONLY) != -1);
            must_create(client, "DAEMON-%d", files);
            _exit(0);
        }
        must_end_well(child);
    }
    CHECK(create(client, "DAEMON", NULL) == PAYORDER_DUPLICATE);
    free_client(client);
}

/* The kept connection's descriptor belongs to a connection of the host. */
static void with_a_connection_replaced(int freed_at_once)
{
    int found[MOST], pair[2];
    payorder_client *client = client_of(config);
    must_create(client, "FIRST-%d", freed_at_once);
    CHECK(descriptors("socket:", found) == 1);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    int taken = found[0];
    CHECK(dup2(pair[0], taken) == taken && close(pair[0]) == 0);
    pid_t child = fork();
    if (child == 0) {
        _exit(is_open(taken) ? 0 : 1);
    }
    must_end_well(child);
    if (!freed_at_once) {
        must_create(client, "SECOND");
    }
    free_client(client);
    struct pollfd arrived = {.fd = pair[1], .events = POLLIN};
    CHECK(poll(&arrived, 1, 0) == 0);
    CHECK(is_open(taken));
    CHECK(close(taken) == 0 && close(pair[1]) == 0);
}

static void run(char **arguments)
{
    config = arguments[0];
    folder = arguments[1];
    int which = 0;
    while (with_one_descriptor_replaced(which) > which + 1) {
        which++;
    }
    CHECK(which >= 3); /* the journal, its log, its index, and what keeps its number from others */
    with_all_descriptors_replaced(0);
    with_all_descriptors_replaced(1);
    in_a_daemon();
    with_a_connection_replaced(0);
    with_a_connection_replaced(1);
    /* The journal still knows what was sent. */
    payorder_client *client = client_of(config);
    CHECK(create(client, "BEFORE-0", NULL) == PAYORDER_DUPLICATE);
    CHECK(create(client, "ALL-1", NULL) == PAYORDER_DUPLICATE);
    must_create(client, "NEW");
    free_client(client);
}
