#include <payorder.h>
#include <stdio.h>

static void write_event(const char *event, void *user_data)
{
    fprintf((FILE *)user_data, "%s\n", event);
}

void example(payorder_client *client)
{
    FILE *file = tmpfile();

    if (file == NULL)
        return;
    payorder_client_set_log(client, write_event, file);
    /* ... calls, in several threads ... */
    payorder_client_set_log(client, NULL, NULL);
    while (payorder_live_calls() != 0) {
        /* Sleep for a moment: calls in other threads still use it. */
    }
    fclose(file);

    /* At the end of a test: only this client lives. */
    printf("%u client, %u strings\n", (unsigned)payorder_live_clients(),
           (unsigned)payorder_live_strings());
}

/* Prints:
 * 1 client, 0 strings
 */
