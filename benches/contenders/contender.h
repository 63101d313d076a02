/*
 * A contender in C: a program with some kinds of work, and a worker with everything that one thread
 * needs for them.
 *
 *     CONTENDER url=http://127.0.0.1:8000 [ca=FILE] [threads=8] [clients=100]
 *               [timeout=30000]
 *
 * It writes {"ready":1}. For each line "WORK CALLS WARM" on its input, each thread does the work
 * WARM times without measuring and CALLS times with measuring. Then the contender writes
 * {"ns":...,"cpu":...,"heap":...,"resident":...}: the time from the start of the first thread to the
 * end of the last one, the processor time, and the memory of the process.
 */
#ifndef CONTENDER_H
#define CONTENDER_H

struct target {
    const char *url;
    const char *ca;   /* NULL if the URL is http */
    const char *host; /* of the URL, without the port */
    int port;
    int threads;
    int clients; /* how many clients take turns */
    int timeout; /* milliseconds */
};

struct work {
    const char *name;
    void (*call)(void *worker);
};

/* Defined by each contender: its kinds of work, ended by a NULL name, and a worker for a thread. */
extern const struct work works[];
void *open_worker(const struct target *target);

/* Prints a message and ends the process. */
void fail(const char *what, const char *detail);

#endif
