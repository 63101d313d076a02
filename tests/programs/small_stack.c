/* A thread with a stack of 128 KiB, as on small machines, creates a client and makes both calls. */
#include "host.h"

static void *use(void *config)
{
    char *json = NULL;
    payorder_client *client = client_of(config);
    for (int i = 0; i < 3; i++) {
        must_create(client, "O-%d", i);
    }
    CHECK_RESULT(PAYORDER_OK, payorder_get_status(client, "{\"orderId\":\"PAID\"}", NULL, &json),
                 json);
    payorder_string_free(json);
    free_client(client);
    return NULL;
}

static void run(char **arguments)
{
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, 128 * 1024) == 0);
    CHECK(pthread_create(&thread, &attributes, use, arguments[0]) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}
