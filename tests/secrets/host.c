/*
 * A host that keeps no secret: it reads a text from a file, passes it to the library, wipes it,
 * frees the result, and reports how the call ended.
 *
 * It reads one command per line from stdin and prints one line with the result. A text is given as
 * the name of its file, so that no copy of it passes through stdio. The calls run on a thread of
 * their own, whose stack stays between them.
 */
#include <payorder.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static payorder_client *client;

struct text {
    char *bytes;
    size_t length;
};

/* NULL stands for no file and no text. */
static struct text read_text(const char *path)
{
    struct text text = {NULL, 0};
    struct stat status;
    int file;
    if (path == NULL) {
        return text;
    }
    file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0 ||
        (text.bytes = calloc(1, (size_t)status.st_size + 1)) == NULL ||
        read(file, text.bytes, (size_t)status.st_size) != status.st_size) {
        perror(path);
        exit(2);
    }
    close(file);
    text.length = (size_t)status.st_size;
    return text;
}

static void wipe(struct text text)
{
    if (text.bytes != NULL) {
        memset(text.bytes, 0, text.length);
        /* Keeps the memset. glibc 2.17, for which this is built too, has no explicit_bzero. */
        __asm__ volatile("" : : "r"(text.bytes) : "memory");
        free(text.bytes);
    }
}

static void *cancel_soon(void *unused)
{
    struct timespec pause = {0, 300 * 1000 * 1000};
    nanosleep(&pause, NULL);
    payorder_client_cancel(client);
    return unused;
}

static payorder_result create_and_cancel(const char *order, char **out)
{
    pthread_t thread;
    payorder_result result;
    pthread_create(&thread, NULL, cancel_soon, NULL);
    result = payorder_create_order(client, order, NULL, out);
    pthread_join(thread, NULL);
    return result;
}

/* What the search must find: a copy that is kept, and one that is freed without being wiped. */
static payorder_result leave_a_copy(const char *text, int keep)
{
    static char *kept;
    char *copy = strdup(text);
    if (keep) {
        kept = copy;
    } else {
        free(copy);
    }
    return kept == copy ? 0 : 1;
}

static int32_t go_on(size_t index, const char *key, const char *value, void *user_data)
{
    (void)index, (void)key, (void)value, (void)user_data;
    return 1;
}

static payorder_result call(const char *command, const char *first, const char *second)
{
    struct text text = read_text(first), other = read_text(second);
    char *out = NULL;
    payorder_result result = -1;
    if (strcmp(command, "new") == 0) {
        result = payorder_client_new(text.bytes, &client, &out);
    } else if (strcmp(command, "create") == 0) {
        result = payorder_create_order(client, text.bytes, other.bytes, &out);
    } else if (strcmp(command, "status") == 0) {
        result = payorder_get_status(client, text.bytes, other.bytes, &out);
    } else if (strcmp(command, "create-and-cancel") == 0) {
        result = create_and_cancel(text.bytes, &out);
    } else if (strcmp(command, "build") == 0) {
        result = payorder_build_create_order(text.bytes, NULL, &out);
    } else if (strcmp(command, "verify") == 0) {
        result = payorder_verify_payment(text.bytes, other.bytes, &out);
    } else if (strcmp(command, "get") == 0) {
        result = payorder_json_get(text.bytes, "/data/customerName", &out);
    } else if (strcmp(command, "object") == 0) {
        const char *pairs[] = {"secret", text.bytes, NULL};
        result = payorder_json_object(pairs, &out);
    } else if (strcmp(command, "quote") == 0) {
        result = payorder_json_quote(text.bytes, &out);
    } else if (strcmp(command, "set") == 0) {
        result = payorder_json_set(text.bytes, "/data/new/-", "1", &out);
    } else if (strcmp(command, "each") == 0) {
        result = payorder_json_each(text.bytes, "/data", go_on, NULL);
    } else if (strcmp(command, "free") == 0) {
        result = payorder_client_free(client);
    } else if (strcmp(command, "keep-a-copy") == 0) {
        result = leave_a_copy(text.bytes, 1);
    } else if (strcmp(command, "free-a-copy") == 0) {
        result = leave_a_copy(text.bytes, 0);
    }
    payorder_string_free(out);
    wipe(text);
    wipe(other);
    return result;
}

/* Returns false at the end of stdin. */
static int read_line(char *line, size_t size)
{
    size_t length = 0;
    while (length + 1 < size && read(STDIN_FILENO, line + length, 1) == 1) {
        if (line[length] == '\n') {
            line[length] = '\0';
            return 1;
        }
        length++;
    }
    return 0;
}

static void *serve(void *unused)
{
    char line[4096];
    while (read_line(line, sizeof line)) {
        char *command = strtok(line, " "), *first = strtok(NULL, " "), *second = strtok(NULL, " ");
        dprintf(STDOUT_FILENO, "%d\n", (int)call(command, first, second));
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, NULL) != 0) {
        return 2;
    }
    pthread_join(thread, NULL);
    return 0;
}
