#include <payorder.h>
#include <stdio.h>

static void print_event(const char *event, void *user_data)
{
    char name[32];

    payorder_json_copy(event, "/event", name, sizeof name, NULL);
    fprintf((FILE *)user_data, "%s\n", name);
}

void example(payorder_client *client)
{
    char *json = NULL;

    payorder_client_set_log(client, print_event, stdout);
    payorder_get_status(client, "{\"orderId\":\"O-1001\"}", NULL, &json);
    payorder_client_set_log(client, NULL, NULL);
    payorder_string_free(json);
}

/* Prints:
 * attempt_started
 * attempt_finished
 * call_finished
 */
