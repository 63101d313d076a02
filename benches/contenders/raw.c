/*
 * The lower limit: a socket that sends prepared bytes and reads only the length of the response.
 * Over TLS it uses OpenSSL.
 */
#define _GNU_SOURCE
#include "contender.h"
#include "work.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_BYTES = 16384 };

struct exchange {
    char request[2048];
    size_t request_length;
    size_t response_length; /* 0 before the first response */
};

struct worker {
    const struct target *target;
    struct sockaddr_in address;
    int socket;
    SSL_CTX *tls;
    SSL *connection;
    struct exchange create, status;
    char response[MOST_BYTES];
};

static void fail_tls(const char *what)
{
    fail(what, ERR_error_string(ERR_get_error(), NULL));
}

static void prepare(struct exchange *exchange, const struct target *target, const char *path,
                    const char *credentials, const char *body)
{
    exchange->request_length = (size_t)snprintf(
        exchange->request, sizeof exchange->request,
        "POST %s HTTP/1.1\r\nHost: %s:%d\r\nUser-Agent: raw/1\r\nAccept: application/json\r\n"
        "Content-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n%s",
        path, target->host, target->port, credentials, strlen(body), body);
}

static void dial(struct worker *worker)
{
    int on = 1;
    worker->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(worker->socket, (struct sockaddr *)&worker->address, sizeof worker->address) != 0) {
        fail("connect", worker->target->url);
    }
    setsockopt(worker->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (worker->tls == NULL) {
        return;
    }
    worker->connection = SSL_new(worker->tls);
    SSL_set1_host(worker->connection, worker->target->host);
    SSL_set_fd(worker->connection, worker->socket);
    if (SSL_connect(worker->connection) != 1) {
        fail_tls("handshake");
    }
}

static size_t receive(struct worker *worker, size_t filled)
{
    char *free = worker->response + filled;
    size_t room = sizeof worker->response - 1 - filled;
    long got = worker->connection != NULL ? SSL_read(worker->connection, free, (int)room)
                                          : recv(worker->socket, free, room, 0);
    if (got <= 0) {
        fail("no response", worker->target->url);
    }
    return filled + (size_t)got;
}

static void exchange(struct worker *worker, struct exchange *exchange)
{
    size_t filled = 0;
    long sent;

    sent = worker->connection != NULL
               ? SSL_write(worker->connection, exchange->request, (int)exchange->request_length)
               : send(worker->socket, exchange->request, exchange->request_length, MSG_NOSIGNAL);
    if (sent != (long)exchange->request_length) {
        fail("not sent", worker->target->url);
    }
    while (exchange->response_length == 0 || filled < exchange->response_length) {
        char *end, *length;
        filled = receive(worker, filled);
        worker->response[filled] = '\0';
        if (exchange->response_length == 0 &&
            (end = strstr(worker->response, "\r\n\r\n")) != NULL) {
            length = strcasestr(worker->response, "content-length:");
            if (length == NULL || strncmp(worker->response, "HTTP/1.1 200", 12) != 0) {
                fail("an unexpected response", worker->response);
            }
            exchange->response_length =
                (size_t)(end + 4 - worker->response) + strtoul(length + 15, NULL, 10);
        }
    }
}

void *open_worker(const struct target *target)
{
    struct worker *worker = calloc(1, sizeof *worker);
    worker->target = target;
    worker->address.sin_family = AF_INET;
    worker->address.sin_port = htons((unsigned short)target->port);
    inet_pton(AF_INET, strcmp(target->host, "localhost") == 0 ? "127.0.0.1" : target->host,
              &worker->address.sin_addr);
    prepare(&worker->create, target, CREATE_PATH, "ACCESS-TOKEN: " ACCESS_TOKEN "\r\n", ORDER);
    prepare(&worker->status, target, STATUS_PATH,
            "X-CLIENT-KEY: " CLIENT_KEY "\r\nX-CLIENT-ID: " CLIENT_ID
            "\r\nX-SECRET-KEY: " SECRET_KEY "\r\n",
            QUERY);
    if (target->ca != NULL) {
        worker->tls = SSL_CTX_new(TLS_client_method());
        SSL_CTX_set_read_ahead(worker->tls, 1); /* one recv for a record, not two */
        SSL_CTX_set_verify(worker->tls, SSL_VERIFY_PEER, NULL);
        if (SSL_CTX_load_verify_locations(worker->tls, target->ca, NULL) != 1) {
            fail_tls(target->ca);
        }
    }
    dial(worker);
    return worker;
}

static void create(void *argument)
{
    struct worker *worker = argument;
    exchange(worker, &worker->create);
}

static void status(void *argument)
{
    struct worker *worker = argument;
    exchange(worker, &worker->status);
}

static void both(void *argument)
{
    create(argument);
    status(argument);
}

const struct work works[] = {
    {.name = "create", .call = create},
    {.name = "status", .call = status},
    {.name = "both", .call = both},
    {.name = NULL},
};
