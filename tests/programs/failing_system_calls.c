/*
 * System calls of the journal that fail in containers and on unusual file systems. Each either
 * decides always or never: two clients get the same answer. If no right is missing, the files are
 * private, whatever the umask. The first argument is a configuration with a journal, the second the
 * journal's path.
 */
#include "host.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum call { NONE, UMASK, ASK, CHMOD, LOCK, FLUSH_FOLDER };

static enum call fails;
static int with;

static int failed(void)
{
    errno = with;
    return -1;
}

int faccessat(int folder, const char *path, int mode, int flags)
{
    return fails == ASK ? failed() : (int)syscall(SYS_faccessat2, folder, path, mode, flags);
}

int fchmod(int descriptor, mode_t mode)
{
    return fails == CHMOD ? failed() : (int)syscall(SYS_fchmod, descriptor, mode);
}

int fcntl(int descriptor, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int is_lock = command == F_SETLK || command == F_OFD_SETLK;
    return fails == LOCK && is_lock ? failed()
                                    : (int)syscall(SYS_fcntl, descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) __attribute__((alias("fcntl")));

int fsync(int descriptor)
{
    struct stat about;
    CHECK(fstat(descriptor, &about) == 0);
    return fails == FLUSH_FOLDER && S_ISDIR(about.st_mode) ? failed()
                                                           : (int)syscall(SYS_fsync, descriptor);
}

static const struct {
    enum call call;
    int error;
    const char *refusal; /* NULL: the journal works */
} ways[] = {
    {UMASK, 0, NULL},
    {ASK, EPERM, NULL}, /* Docker before 20.10 does not know faccessat2 */
    {ASK, EACCES, "\"journal_read_only\""},
    {ASK, EROFS, "\"journal_read_only\""},
    {CHMOD, EPERM, NULL}, /* FAT */
    {CHMOD, EOPNOTSUPP, NULL},
    {LOCK, EOPNOTSUPP, "has no locks"},
    {LOCK, ENOSYS, "has no locks"},
    {FLUSH_FOLDER, EINVAL, NULL},
    {FLUSH_FOLDER, EOPNOTSUPP, NULL},
    {FLUSH_FOLDER, EACCES, "\"journal_read_only\""},
    {FLUSH_FOLDER, EIO, "the disk failed"},
    {FLUSH_FOLDER, ENOSPC, "\"journal_full\""},
};

static void must_be_private(const char *journal, const char *ending)
{
    char path[512];
    struct stat about;
    snprintf(path, sizeof path, "%s%s", journal, ending);
    CHECK(stat(path, &about) == 0 && (about.st_mode & 0777) == 0600);
}

static void run(char **arguments)
{
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        unlink(arguments[1]);
        fails = ways[way].call;
        with = ways[way].error;
        umask(fails == UMASK ? 0777 : 022);
        for (int number = 0; number < 2; number++) {
            payorder_client *client = client_of(arguments[0]);
            char order_id[32], *json = NULL;
            snprintf(order_id, sizeof order_id, "O-%zu-%d", way, number);
            char *order = order_of(order_id);
            payorder_result expected = ways[way].refusal ? PAYORDER_JOURNAL_FAILED : PAYORDER_OK;
            CHECK_RESULT(expected, payorder_create_order(client, order, NULL, &json), order_id);
            CHECK(ways[way].refusal == NULL || strstr(json, ways[way].refusal) != NULL);
            payorder_string_free(json);
            payorder_string_free(order);
            if (ways[way].refusal == NULL) {
                must_be_private(arguments[1], "");
                must_be_private(arguments[1], "-wal");
                must_be_private(arguments[1], "-shm");
            }
            free_client(client);
        }
        fails = NONE;
    }
}
