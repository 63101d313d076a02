#include <payorder.h>
#include <stdio.h>

/* Before the day's takings are counted. This verifies no payment: a
 * till also compares the journal with its own records. */
void example(payorder_client *client)
{
    char *json = NULL;
    size_t open = 0;

    if (payorder_journal_resolve(client, NULL, &json) == PAYORDER_OK) {
        payorder_json_count(json, "/entries", &open);
        printf("%u orders may still exist\n", (unsigned)open);
    } else {
        fprintf(stderr, "%s\n", json);
    }
    payorder_string_free(json);
}

/* Prints:
 * 1 orders may still exist
 */
