/* Shared by all contenders in C: the target, the rounds, the clock. */
#define _GNU_SOURCE
#include "contender.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

struct round {
    const struct work *work;
    long calls;
    long warm;
    pthread_barrier_t start;
    uint64_t cpu; /* the processor time when the measuring begins */
};

struct thread {
    pthread_t id;
    struct round *round;
    void *worker;
    int is_first;
    uint64_t began, ended;
};

void fail(const char *what, const char *detail)
{
    fprintf(stderr, "contender: %s: %s\n", what, detail);
    exit(1);
}

static uint64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static const char *value_of(const char *name, int count, char **arguments, const char *otherwise)
{
    size_t length = strlen(name);
    for (int index = 1; index < count; index++) {
        if (strncmp(arguments[index], name, length) == 0 && arguments[index][length] == '=') {
            return arguments[index] + length + 1;
        }
    }
    return otherwise;
}

static struct target read_target(int count, char **arguments)
{
    static char host[256];
    struct target target = {
        .url = value_of("url", count, arguments, "http://127.0.0.1:1"),
        .ca = value_of("ca", count, arguments, NULL),
        .host = host,
        .threads = atoi(value_of("threads", count, arguments, "1")),
        .clients = atoi(value_of("clients", count, arguments, "1")),
        .timeout = atoi(value_of("timeout", count, arguments, "30000")),
    };
    if (sscanf(target.url, "%*[^:]://%255[^:]:%d", host, &target.port) != 2) {
        fail("no host and port in the URL", target.url);
    }
    if (target.threads < 1 || target.threads > MOST_THREADS || target.clients < 1) {
        fail("out of range", "threads or clients");
    }
    return target;
}

static void *run(void *argument)
{
    struct thread *thread = argument;
    struct round *round = thread->round;
    for (long done = 0; done < round->warm; done++) {
        round->work->call(thread->worker);
    }
    pthread_barrier_wait(&round->start);
    if (thread->is_first) {
        /* Here, so that the start of the threads is not a part of the calls. */
        round->cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    }
    thread->began = now(CLOCK_MONOTONIC);
    for (long done = 0; done < round->calls; done++) {
        round->work->call(thread->worker);
    }
    thread->ended = now(CLOCK_MONOTONIC);
    return NULL;
}

static size_t resident_memory(void)
{
    size_t pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm == NULL || fscanf(statm, "%*u %zu", &pages) != 1) {
        fail("cannot read", "/proc/self/statm");
    }
    fclose(statm);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A thread's worker keeps its connection between rounds. The first thread is this one. */
static void run_round(struct round *round, struct thread *threads, int count)
{
    uint64_t began = UINT64_MAX, ended = 0, cpu;
    struct mallinfo2 heap;

    pthread_barrier_init(&round->start, NULL, (unsigned)count);
    threads[0].is_first = 1;
    for (int index = 0; index < count; index++) {
        threads[index].round = round;
        if (index > 0 && pthread_create(&threads[index].id, NULL, run, &threads[index]) != 0) {
            fail("no thread", "pthread_create");
        }
    }
    run(&threads[0]);
    for (int index = 0; index < count; index++) {
        if (index > 0) {
            pthread_join(threads[index].id, NULL);
        }
        began = threads[index].began < began ? threads[index].began : began;
        ended = threads[index].ended > ended ? threads[index].ended : ended;
    }
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - round->cpu;
    pthread_barrier_destroy(&round->start);

    heap = mallinfo2();
    printf("{\"ns\":%llu,\"cpu\":%llu,\"heap\":%zu,\"resident\":%zu}\n",
           (unsigned long long)(ended - began), (unsigned long long)cpu,
           heap.uordblks + heap.hblkhd, resident_memory());
    fflush(stdout);
}

int main(int count, char **arguments)
{
    static struct thread threads[MOST_THREADS];
    struct target target = read_target(count, arguments);
    struct round round;
    char name[32];

    for (int index = 0; index < target.threads; index++) {
        threads[index].worker = open_worker(&target);
    }
    printf("{\"ready\":1}\n");
    fflush(stdout);
    while (scanf("%31s %ld %ld", name, &round.calls, &round.warm) == 3) {
        for (round.work = works; round.work->name != NULL && strcmp(round.work->name, name) != 0;
             round.work++) {
        }
        if (round.work->name == NULL) {
            fail("no such work", name);
        }
        run_round(&round, threads, target.threads);
    }
    return 0;
}
