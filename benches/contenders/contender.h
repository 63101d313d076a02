/*
 * A contender in C: a program with some kinds of work, and a worker with everything that one thread
 * needs for them.
 *
 *     CONTENDER url=http://127.0.0.1:8000 [ca=FILE] [threads=8] [connections=fresh]
 *               [clients=100] [fields=100] [timeout=30000] [concurrency=8]
 *
 * It writes {"ready":1}. For each line "WORK CALLS WARM" on its input, each thread does the work
 * WARM times without measuring and CALLS times with measuring. Then the contender writes
 * {"ns":...,"cpu":...,"heap":...,"resident":...,"grown":...}: the time from the start of the first
 * thread to the end of the last one, the processor time, the memory of the process, and by how much
 * its resident memory exceeded at its highest what it had before the measuring began.
 */
#ifndef CONTENDER_H
#define CONTENDER_H

struct target {
    const char *url;
    const char *ca;   /* NULL if the URL is http */
    const char *host; /* of the URL, without the port */
    int port;
    int threads;
    int fresh;   /* a new connection for every call */
    int clients; /* how many clients take turns */
    int fields;  /* further fields of an order */
    int timeout; /* milliseconds */
    int concurrency; /* how many queries of many run at the same time */
};

/* Either `call`, or `prepare` and `all`, which does the work `calls` times with a single call. */
struct work {
    const char *name;
    void (*call)(void *worker);
    void (*prepare)(void *worker, long calls); /* not measured */
    void (*all)(void *worker);
};

/* Defined by each contender: its kinds of work, ended by a NULL name, and a worker for a thread. */
extern const struct work works[];
void *open_worker(const struct target *target);

/* Prints a message and ends the process. */
void fail(const char *what, const char *detail);

#endif
