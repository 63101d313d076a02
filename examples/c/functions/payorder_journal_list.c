#include <payorder.h>
#include <stdio.h>

static int32_t print_entry(size_t index, const char *key,
                           const char *entry, void *user_data)
{
    char order[64] = "", state[16] = "";
    (void)index, (void)key, (void)user_data;

    payorder_json_copy(entry, "/orderId", order, sizeof order, NULL);
    payorder_json_copy(entry, "/state", state, sizeof state, NULL);
    printf("%s: %s\n", order, state);
    return 1; /* continue */
}

/* The orders that may exist. A till that starts also lists those with
 * {"state":"created"}, and verifies the sales that are not finished in
 * its own records. */
void example(payorder_client *client)
{
    char *json = NULL;

    if (payorder_journal_list(client, "{\"state\":\"unresolved\"}", &json)
        == PAYORDER_OK)
        payorder_json_each(json, "/entries", print_entry, NULL);
    else
        fprintf(stderr, "%s\n", json);
    payorder_string_free(json);
}

/* Prints:
 * O-1002: unknown
 */
