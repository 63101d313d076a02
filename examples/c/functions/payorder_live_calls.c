#include <payorder.h>
#include <stdio.h>
#include <stdlib.h>

static void write_event(const char *event, void *user_data)
{
    fprintf((FILE *)user_data, "%s\n", event);
}

/* Ends logging and frees what the callback used. */
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
}
