#include <payorder.h>
#include <stdio.h>

/* Closes the oldest open entry, after a person decided so. */
void example(payorder_client *client)
{
    char *list = NULL, *options = NULL, *json = NULL;
    char entry[24] = "";

    payorder_journal_list(client, "{\"state\":\"unresolved\"}", &list);
    if (payorder_json_copy(list, "/entries/0/entry",
                           entry, sizeof entry, NULL) == PAYORDER_OK) {
        payorder_json_set("{\"note\":\"the customer paid in cash\"}",
                          "/entry", entry, &options);
        if (payorder_journal_settle(client, options, &json)
            == PAYORDER_OK)
            printf("entry %s is closed\n", entry);
        else
            fprintf(stderr, "%s\n", json);
    }
    payorder_string_free(list);
    payorder_string_free(options);
    payorder_string_free(json);
}

/* Prints:
 * entry 1 is closed
 */
