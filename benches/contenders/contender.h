/*
 * What a contender in C is: some kinds of work on a worker, which is whatever one thread needs for them.
 *
 *     CONTENDER url=http://127.0.0.1:8000 [ca=FILE] [threads=8] [connections=fresh] [clients=100] [fields=100] [timeout=30000]
 *
 * It says {"ready":1} and then, for each line "WORK CALLS WARM" on its input, lets each thread do the work WARM times untimed and CALLS times
 * timed, and says {"ns":...,"cpu":...,"heap":...,"resident":...}: the time from the first thread's start to the last one's end, the processor's
 * time in it, and the memory that the process then has.
 */
#ifndef CONTENDER_H
#define CONTENDER_H

struct target {
    const char *url;
    const char *ca;   /* NULL where the URL is plain */
    const char *host; /* of the URL, without the port */
    int port;
    int threads;
    int fresh;   /* a connection of its own for every call */
    int clients; /* over how many clients the calls go in turn */
    int fields;  /* further fields of an order */
    int timeout; /* milliseconds */
};

struct work {
    const char *name;
    void (*call)(void *worker);
};

/* Made by the contender: its kinds of work, ended by a NULL name, and a worker for each thread. */
extern const struct work works[];
void *open_worker(const struct target *target);

/* Ends the process: a contender that fails has no figure. */
void fail(const char *what, const char *detail);

#endif
