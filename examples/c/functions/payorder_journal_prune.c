#include <payorder.h>
#include <stdio.h>

/* Once a day. */
void example(payorder_client *client)
{
    char *json = NULL;
    char removed[24] = "";

    if (payorder_journal_prune(client, "{\"olderThanDays\":400}", &json)
        == PAYORDER_OK) {
        payorder_json_copy(json, "/removed",
                           removed, sizeof removed, NULL);
        printf("%s entries removed\n", removed);
    } else {
        fprintf(stderr, "%s\n", json);
    }
    payorder_string_free(json);
}

/* Prints:
 * 0 entries removed
 */
