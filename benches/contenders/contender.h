/*
 * What the contenders share: the order that they create, and the program
 *
 *     CONTENDER URL CA WORK CALLS [TIMEOUT]
 *
 * It does the work 20 times and then CALLS times, and prints how many nanoseconds each of these
 * took. CA is "" if the URL is http, and TIMEOUT is in milliseconds.
 */
#ifndef CONTENDER_H
#define CONTENDER_H

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ORDER_ID "O-20261121-000001"

#define ORDER_OF(TXN_ID, ORDER_ID) \
    "{\"amount\":\"1499.00\",\"merchantTxnId\":\"" TXN_ID "\"," \
    "\"orderId\":\"" ORDER_ID "\",\"payMode\":\"upi\",\"merchantId\":\"M-1001\"," \
    "\"productInfo\":\"Two tickets, row 7\",\"customerName\":\"Asha Rao\"," \
    "\"customerMobile\":\"9000000000\",\"customerEmail\":\"asha@example.com\"," \
    "\"redirectionURL\":\"https://shop.example.com/return\",\"currencyCode\":\"INR\"}"

#define ORDER ORDER_OF("T-20261121-000001", ORDER_ID)
/* For snprintf: twice the process and a number. */
#define NEW_ORDER ORDER_OF("T-%d-%ld", "O-%d-%ld")

#define QUERY "{\"searchType\":\"1\",\"orderId\":\"" ORDER_ID "\"}"

#define CREATE_PATH "/api/v1/Gateway/CreateOrder"
#define STATUS_PATH "/api/v1/Gateway/GetStatus"

#define ACCESS_TOKEN "bench-access-token-0123456789abcdef"
#define CLIENT_KEY "bench-client-key"
#define CLIENT_ID "bench-client-id"
#define SECRET_KEY "bench-secret-key-0123456789abcdef"

enum { WARM = 20 };

static const char *url, *ca; /* ca is NULL if the URL is http */
static long timeout_ms = 30000;

struct work {
    const char *name;
    void (*call)(void);
};

/* Prints a message and ends the process. */
static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "contender: %s: %s\n", what, detail);
    exit(1);
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* `works` ends with a NULL name. */
static int contend(int count, char **arguments, void (*begin)(void), const struct work *works)
{
    long long began;
    long calls;

    if (count < 5) {
        fail("usage", "CONTENDER URL CA WORK CALLS [TIMEOUT]");
    }
    url = arguments[1];
    ca = arguments[2][0] != '\0' ? arguments[2] : NULL;
    calls = atol(arguments[4]);
    if (count > 5) {
        timeout_ms = atol(arguments[5]);
    }
    while (works->name != NULL && strcmp(works->name, arguments[3]) != 0) {
        works++;
    }
    if (works->name == NULL) {
        fail("no such work", arguments[3]);
    }
    begin();
    for (int done = 0; done < WARM; done++) {
        works->call();
    }
    began = now();
    for (long done = 0; done < calls; done++) {
        works->call();
    }
    printf("%lld\n", (now() - began) / calls);
    return 0;
}

#endif
