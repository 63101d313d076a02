/*
 * The lower limit: a socket that sends prepared bytes and reads only the length of the response.
 * Over TLS it uses OpenSSL.
 */
#include "contender.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

enum { MOST_BYTES = 16384 };

struct exchange {
    char request[2048];
    size_t request_length;
    size_t response_length; /* 0 before the first response */
};

static struct exchange create_exchange, status_exchange;
static char response[MOST_BYTES];
static int connected;
static SSL *tls;

static void fail_tls(const char *what)
{
    fail(what, ERR_error_string(ERR_get_error(), NULL));
}

static void prepare(struct exchange *exchange, const char *path, const char *credentials,
                    const char *body)
{
    exchange->request_length = (size_t)snprintf(
        exchange->request, sizeof exchange->request,
        "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: raw/1\r\nAccept: application/json\r\n"
        "Content-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n%s",
        path, strstr(url, "://") + 3, credentials, strlen(body), body);
}

static void begin_tls(void)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_read_ahead(context, 1); /* one recv for a record, not two */
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    if (SSL_CTX_load_verify_locations(context, ca, NULL) != 1) {
        fail_tls(ca);
    }
    tls = SSL_new(context);
    SSL_set1_host(tls, "localhost");
    SSL_set_fd(tls, connected);
    if (SSL_connect(tls) != 1) {
        fail_tls("handshake");
    }
}

static void begin(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int on = 1;

    address.sin_port = htons((unsigned short)atoi(strrchr(url, ':') + 1));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connected, (struct sockaddr *)&address, sizeof address) != 0) {
        fail("connect", url);
    }
    setsockopt(connected, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (ca != NULL) {
        begin_tls();
    }
    prepare(&create_exchange, CREATE_PATH, "ACCESS-TOKEN: " ACCESS_TOKEN "\r\n", ORDER);
    prepare(&status_exchange, STATUS_PATH,
            "X-CLIENT-KEY: " CLIENT_KEY "\r\nX-CLIENT-ID: " CLIENT_ID
            "\r\nX-SECRET-KEY: " SECRET_KEY "\r\n",
            QUERY);
}

static size_t receive(size_t filled)
{
    char *free = response + filled;
    size_t room = sizeof response - 1 - filled;
    long got = tls != NULL ? SSL_read(tls, free, (int)room) : recv(connected, free, room, 0);
    if (got <= 0) {
        fail("no response", url);
    }
    return filled + (size_t)got;
}

static void run(struct exchange *exchange)
{
    size_t filled = 0;
    long sent = tls != NULL
                    ? SSL_write(tls, exchange->request, (int)exchange->request_length)
                    : send(connected, exchange->request, exchange->request_length, MSG_NOSIGNAL);
    if (sent != (long)exchange->request_length) {
        fail("not sent", url);
    }
    while (exchange->response_length == 0 || filled < exchange->response_length) {
        char *end, *length;
        filled = receive(filled);
        response[filled] = '\0';
        if (exchange->response_length == 0 && (end = strstr(response, "\r\n\r\n")) != NULL) {
            length = strcasestr(response, "content-length:");
            if (length == NULL || strncmp(response, "HTTP/1.1 200", 12) != 0) {
                fail("an unexpected response", response);
            }
            exchange->response_length =
                (size_t)(end + 4 - response) + strtoul(length + 15, NULL, 10);
        }
    }
}

static void create(void)
{
    run(&create_exchange);
}

static void status(void)
{
    run(&status_exchange);
}

static void both(void)
{
    create();
    status();
}

int main(int count, char **arguments)
{
    static const struct work works[] = {{"create", create}, {"both", both}, {NULL, NULL}};
    return contend(count, arguments, begin, works);
}
