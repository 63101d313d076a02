/* macos LIBRARY CONFIG ORDER_ID: makes an order, lets the customer pay it, and sees it paid, with the
 * x86-64 library for macOS, on Linux.
 *
 * The library's code is the same processor's. This program loads it, and gives it functions of glibc
 * in place of libSystem's, translated where the two differ in structures and numbers. That is enough
 * for one thread without TLS and without a journal. It shows that the file and its code are sound,
 * and not that macOS agrees.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <payorder.h>

/* What macOS calls it: its numbers of errors above 34 are its own. */
static int mac_errno;

static long answer(long result)
{
    static const int numbers[][2] = {{EAGAIN, 35}, {EINPROGRESS, 36}, {EPIPE, 32},
                                     {ECONNRESET, 54}, {ENOTCONN, 57}, {ECONNREFUSED, 61}};
    size_t at;
    if (result == -1) {
        mac_errno = errno;
        for (at = 0; at < sizeof numbers / sizeof *numbers; at++) {
            if (numbers[at][0] == errno) {
                mac_errno = numbers[at][1];
            }
        }
    }
    return result;
}

static int *mac_error(void) { return &mac_errno; }

/* A socket address starts with its length. All addresses here are IPv4. */
static int mac_connect(int file, const unsigned char *address, unsigned length)
{
    struct sockaddr_storage own = {0};
    memcpy(&own, address, length);
    own.ss_family = address[1];
    return answer(connect(file, (struct sockaddr *)&own, length));
}

/* The address of an end of a connection. */
static int mac_name(int result, const struct sockaddr_in *own, unsigned char *address, unsigned *length)
{
    if (result == 0) {
        unsigned size = *length < sizeof *own ? *length : sizeof *own;
        memcpy(address, own, size);
        address[0] = sizeof *own;
        address[1] = (unsigned char)own->sin_family;
        *length = sizeof *own;
    }
    return answer(result);
}

static int mac_getsockname(int file, unsigned char *address, unsigned *length)
{
    struct sockaddr_in own = {0};
    socklen_t size = sizeof own;
    return mac_name(getsockname(file, (struct sockaddr *)&own, &size), &own, address, length);
}

static int mac_getpeername(int file, unsigned char *address, unsigned *length)
{
    struct sockaddr_in own = {0};
    socklen_t size = sizeof own;
    return mac_name(getpeername(file, (struct sockaddr *)&own, &size), &own, address, length);
}

enum { MAC_SOL_SOCKET = 0xffff, MAC_SO_ERROR = 0x1007, MAC_NONBLOCK = 4, MAC_DUPFD_CLOEXEC = 67 };

static int mac_socket(int domain, int type, int protocol) { return answer(socket(domain, type, protocol)); }

static int mac_setsockopt(int file, int level, int option, const void *value, unsigned length)
{
    /* What is set is not needed here: SIGPIPE is ignored. */
    return level == MAC_SOL_SOCKET ? 0 : answer(setsockopt(file, level, option, value, length));
}

static int mac_getsockopt(int file, int level, int option, void *value, unsigned *length)
{
    if (level != MAC_SOL_SOCKET || option != MAC_SO_ERROR) {
        abort();
    }
    return answer(getsockopt(file, SOL_SOCKET, SO_ERROR, value, length));
}

static int mac_fcntl(int file, int command, long argument)
{
    long flags;
    if (command == F_SETFL) {
        argument = argument & MAC_NONBLOCK ? O_NONBLOCK : 0;
    }
    flags = fcntl(file, command == MAC_DUPFD_CLOEXEC ? F_DUPFD_CLOEXEC : command, argument);
    return command == F_GETFL ? (flags & O_NONBLOCK ? MAC_NONBLOCK : 0) : answer(flags);
}

static int blocks(int file) { return !(fcntl(file, F_GETFL) & O_NONBLOCK); }

/* As macOS, it ignores MSG_DONTWAIT: a socket that blocks would be a mistake. */
static long mac_send(int file, const void *bytes, size_t count, int flags)
{
    (void)flags;
    if (blocks(file)) {
        fputs("a send would block\n", stderr);
        abort();
    }
    return answer(send(file, bytes, count, 0));
}

static long mac_recv(int file, void *bytes, size_t count, int flags)
{
    return answer(recv(file, bytes, count, (flags & 2 ? MSG_PEEK : 0) | (flags & 0x80 ? MSG_DONTWAIT : 0)));
}

static long mac_read(int file, void *bytes, size_t count) { return answer(read(file, bytes, count)); }
static int mac_poll(struct pollfd *files, unsigned count, int time) { return answer(poll(files, count, time)); }
static int mac_clock(int clock, struct timespec *time)
{
    return clock_gettime(clock == 0 ? CLOCK_REALTIME : CLOCK_BOOTTIME, time);
}
static int mac_random(void *bytes, size_t count) { return getrandom(bytes, count, 0) == (long)count ? 0 : -1; }
static int nothing(void) { return 0; }

/* struct stat: what tells files apart. As on macOS, a socket has no number. */
static int mac_fstat(int file, char *out)
{
    struct stat own;
    if (fstat(file, &own) != 0) {
        return answer(-1);
    }
    memset(out, 0, 144);
    memcpy(out, &own.st_dev, 4);
    memcpy(out + 4, &own.st_mode, 2);
    if (!S_ISSOCK(own.st_mode)) {
        memcpy(out + 8, &own.st_ino, 8);
    }
    return 0;
}

static long mac_sysconf(int name) { return name == 29 ? 4096 : name == 58 ? 1 : -1; }

static int mac_thread_id(void *thread, uint64_t *out)
{
    (void)thread;
    *out = 1;
    return 0;
}

static int mac_cancel_state(int state, int *old)
{
    static int now = 1;
    if (old != NULL) {
        *old = now;
    }
    now = state;
    return 0;
}

/* What an optimised library calls to fill memory. */
static void mac_fill(char *to, const char *pattern, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        to[at] = pattern[at % 16];
    }
}

/* Memory of the thread: one block, as there is one thread. A descriptor has the offset. */
static char thread_local_block[1 << 16] __attribute__((aligned(64)));
__asm__("thread_local_address: mov 16(%rdi), %rax\n add thread_local_start(%rip), %rax\n ret");
extern char thread_local_address[];
char *thread_local_start = thread_local_block;

static const struct {
    const char *name;
    void *function;
} translated[] = {
    {"___error", mac_error}, {"_socket", mac_socket}, {"_connect", mac_connect},
    {"_getsockname", mac_getsockname}, {"_getpeername", mac_getpeername},
    {"_setsockopt", mac_setsockopt}, {"_getsockopt", mac_getsockopt}, {"_fcntl", mac_fcntl},
    {"_send", mac_send}, {"_recv", mac_recv}, {"_read", mac_read}, {"_poll", mac_poll},
    {"_clock_gettime", mac_clock}, {"_fstat$INODE64", mac_fstat}, {"_sysconf", mac_sysconf},
    {"_close$NOCANCEL", close},
    {"_CCRandomGenerateBytes", mac_random}, {"_pthread_threadid_np", mac_thread_id},
    {"_pthread_setcancelstate", mac_cancel_state}, {"___bzero", bzero},
    {"_memset_pattern16", mac_fill},
    {"__tlv_bootstrap", thread_local_address}, {"__tlv_atexit", nothing}, {"_pthread_atfork", nothing},
    {"_atexit", nothing}, {"_pthread_sigmask", nothing}, {"_sigemptyset", nothing},
    {"_sigfillset", nothing}, {"_sigaddset", nothing}, {"_sigdelset", nothing},
    /* One thread, so its locks are free. */
    {"_pthread_mutexattr_init", nothing}, {"_pthread_mutexattr_settype", nothing},
    {"_pthread_mutexattr_destroy", nothing}, {"_pthread_mutex_init", nothing},
    {"_pthread_mutex_destroy", nothing}, {"_pthread_mutex_lock", nothing},
    {"_pthread_mutex_trylock", nothing}, {"_pthread_mutex_unlock", nothing},
    {"_pthread_cond_broadcast", nothing}, {"_pthread_cond_signal", nothing},
    {"_pthread_cond_destroy", nothing},
};
/* The same in both systems. */
static const char *const same[] = {
    "memcpy", "memmove", "memset", "memcmp", "malloc", "calloc", "realloc", "free", "posix_memalign",
    "strlen", "strcmp", "strncmp", "strchr", "strrchr", "getenv", "getpid", "geteuid", "getuid", "abort",
    "shutdown", "close", "nanosleep", "time", "getentropy", "write", "munmap", "_Unwind_Backtrace",
    "_Unwind_Resume", "_Unwind_RaiseException", "_Unwind_DeleteException", "_Unwind_GetIP",
    "_Unwind_GetIPInfo", "_Unwind_GetLanguageSpecificData", "_Unwind_GetRegionStart",
    "_Unwind_GetTextRelBase", "_Unwind_GetDataRelBase", "_Unwind_SetGR", "_Unwind_SetIP",
};

static void missing(const char *name)
{
    fprintf(stderr, "the library called %s\n", name);
    abort();
}

/* A function that ends the program and says which one was called. */
static void *trap(const char *name)
{
    static unsigned char *room, *next;
    void (*function)(const char *) = missing;
    unsigned char *made;
    if (room == NULL || next + 32 > room + (1 << 16)) {
        next = room = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    made = next;
    memcpy(made, "\x48\xbf", 2); /* mov name, %rdi */
    memcpy(made + 2, &name, 8);
    memcpy(made + 10, "\x48\xb8", 2); /* mov missing, %rax */
    memcpy(made + 12, &function, 8);
    memcpy(made + 20, "\xff\xe0", 2); /* jmp *%rax */
    next += 32;
    return made;
}

static void *imported(const char *name)
{
    size_t at;
    for (at = 0; at < sizeof translated / sizeof *translated; at++) {
        if (strcmp(translated[at].name, name) == 0) {
            return translated[at].function;
        }
    }
    for (at = 0; at < sizeof same / sizeof *same; at++) {
        if (strcmp(same[at], name + 1) == 0) {
            return dlsym(RTLD_DEFAULT, same[at]);
        }
    }
    return trap(name);
}

/* The file's structures, as <mach-o/loader.h> has them. */
struct command { uint32_t kind, size; };
struct segment {
    struct command head;
    char name[16];
    uint64_t address, room, offset, size;
    int32_t most, first;
    uint32_t sections, flags;
};
struct fixups { struct command head; uint32_t rebase, rebase_size, bind, bind_size, weak, weak_size, lazy, lazy_size; };
struct symbols { struct command head; uint32_t table, count, names, size; };
struct symbol { uint32_t name; uint8_t type, section; uint16_t more; uint64_t value; };
struct section { char name[16], segment[16]; uint64_t address, size; uint32_t more[8]; };
struct variable { void *thunk; uint64_t key, offset; };
enum { SEGMENT = 0x19, FIXUPS = 0x80000022, SYMBOLS = 2 };

static unsigned char *file, *base;
static const struct symbols *table;
static const struct segment *segments[16];

static uint64_t number(const unsigned char **at)
{
    uint64_t value = 0;
    unsigned shift = 0;
    do {
        value |= (uint64_t)(**at & 0x7f) << shift;
        shift += 7;
    } while (*(*at)++ & 0x80);
    return value;
}

/* Adds the address of the library to the pointers that the file lists. */
static void rebase(const unsigned char *at, const unsigned char *end)
{
    uint64_t place = 0, count, skip;
    while (at < end) {
        unsigned char opcode = *at & 0xf0, small = *at++ & 0x0f;
        switch (opcode) {
        case 0x00: return;
        case 0x10: continue; /* the kind: a pointer */
        case 0x20: place = segments[small]->address + number(&at); continue;
        case 0x30: place += number(&at); continue;
        case 0x40: place += 8 * small; continue;
        case 0x50: count = small; skip = 0; break;
        case 0x60: count = number(&at); skip = 0; break;
        case 0x70: count = 1; skip = number(&at); break;
        case 0x80: count = number(&at); skip = number(&at); break;
        default: abort();
        }
        for (; count > 0; count--) {
            *(uint64_t *)(base + place) += (uint64_t)base;
            place += 8 + skip;
        }
    }
}

/* Writes the addresses of imported functions to the places that the file lists. */
static void bind_all(const unsigned char *at, const unsigned char *end)
{
    uint64_t place = 0, count, skip;
    int64_t addend = 0;
    const char *name = "";
    while (at < end) {
        unsigned char opcode = *at & 0xf0, small = *at++ & 0x0f;
        switch (opcode) {
        case 0x00: continue; /* in the lazy list, one function ends */
        case 0x10: case 0x30: case 0x50: continue; /* which library; the kind: a pointer */
        case 0x20: number(&at); continue;
        case 0x40: name = (const char *)at; at += strlen(name) + 1; continue;
        case 0x60: addend = number(&at); continue;
        case 0x70: place = segments[small]->address + number(&at); continue;
        case 0x80: place += number(&at); continue;
        case 0x90: count = 1; skip = 0; break;
        case 0xa0: count = 1; skip = number(&at); break;
        case 0xb0: count = 1; skip = 8 * small; break;
        case 0xc0: count = number(&at); skip = number(&at); break;
        default: abort();
        }
        for (; count > 0; count--) {
            *(uint64_t *)(base + place) = (uint64_t)imported(name) + addend;
            place += 8 + skip;
        }
    }
}

/* Puts the initial values into the thread's memory. The linker places them one after the other. */
static void start_thread_locals(const struct segment *segment)
{
    const struct section *section = (const void *)(segment + 1);
    uint64_t start = 0;
    uint32_t at;
    for (at = 0; at < segment->sections; at++) {
        switch (section[at].more[4] & 0xff) {
        case 0x11: /* with values */
        case 0x12: /* zero */
            if (start == 0) {
                start = section[at].address;
            }
            if (section[at].address + section[at].size - start > sizeof thread_local_block) {
                abort();
            }
            memcpy(thread_local_block + (section[at].address - start), base + section[at].address,
                   section[at].size);
        }
    }
}

static void load(const char *path)
{
    int descriptor = open(path, O_RDONLY);
    off_t size = lseek(descriptor, 0, SEEK_END);
    const struct fixups *fixups = NULL;
    const unsigned char *at;
    uint64_t end = 0;
    uint32_t left, count = 0, one;
    file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (descriptor == -1 || file == MAP_FAILED) {
        perror(path);
        exit(2);
    }
    at = file + 32;
    for (left = *(uint32_t *)(file + 16); left > 0; left--) {
        const struct command *command = (const void *)at;
        switch (command->kind) {
        case SEGMENT:
            segments[count] = (const void *)at;
            end = segments[count]->address + segments[count]->room;
            count++;
            break;
        case FIXUPS: fixups = (const void *)at; break;
        case SYMBOLS: table = (const void *)at; break;
        }
        at += command->size;
    }
    base = mmap(NULL, end, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fixups == NULL || table == NULL || base == MAP_FAILED) {
        fputs("not such a library\n", stderr);
        exit(2);
    }
    for (one = 0; one < count; one++) {
        memcpy(base + segments[one]->address, file + segments[one]->offset, segments[one]->size);
    }
    rebase(file + fixups->rebase, file + fixups->rebase + fixups->rebase_size);
    bind_all(file + fixups->bind, file + fixups->bind + fixups->bind_size);
    bind_all(file + fixups->lazy, file + fixups->lazy + fixups->lazy_size);
    for (one = 0; one < count; one++) {
        start_thread_locals(segments[one]);
    }
}

static void *exported(const char *name)
{
    const struct symbol *symbols = (const void *)(file + table->table);
    uint32_t at;
    for (at = 0; at < table->count; at++) {
        if (strcmp((char *)file + table->names + symbols[at].name + 1, name) == 0) {
            return base + symbols[at].value;
        }
    }
    fprintf(stderr, "the library has no %s\n", name);
    exit(2);
}
#define CALL(name) ((__typeof__(&name))exported(#name))

static char *got(const char *json, const char *pointer)
{
    char *value = NULL;
    if (CALL(payorder_json_get)(json, pointer, &value) != PAYORDER_OK) {
        fprintf(stderr, "%s is not in %s\n", pointer, json);
        exit(1);
    }
    return value;
}

int main(int count, char **arguments)
{
    char order[600], command[300];
    payorder_client *client = NULL;
    char *json = NULL, *url;
    if (count != 4) {
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    load(arguments[1]);
    snprintf(order, sizeof order,
             "{\"amount\":\"100.00\",\"merchantTxnId\":\"%s\",\"orderId\":\"%s\",\"payMode\":\"all\","
             "\"merchantId\":\"M-1\",\"productInfo\":\"Two coffees\",\"customerName\":\"Asha Rao\","
             "\"customerMobile\":\"9000000000\",\"customerEmail\":\"asha@example.com\","
             "\"redirectionURL\":\"https://shop.example/return\",\"currencyCode\":\"INR\"}",
             arguments[3], arguments[3]);
    if (CALL(payorder_client_new)(arguments[2], &client, &json) != PAYORDER_OK ||
        CALL(payorder_create_order)(client, order, NULL, &json) != PAYORDER_OK) {
        fprintf(stderr, "no order was made: %s\n", json);
        return 1;
    }
    url = got(json, "/data/url");
    snprintf(command, sizeof command, "curl -sS -o /dev/null -X POST '%s/pay'", url);
    if (system(command) != 0) {
        return 1;
    }
    snprintf(order, sizeof order, "{\"orderId\":\"%s\"}", arguments[3]);
    if (CALL(payorder_get_status)(client, order, NULL, &json) != PAYORDER_OK) {
        fprintf(stderr, "no status: %s\n", json);
        return 1;
    }
    puts(got(json, "/data/transactionStatus"));
    CALL(payorder_client_free)(client);
    return 0;
}
