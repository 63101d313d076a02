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

/* At the end of the day. When a program starts, payorder_recover does
 * more: this verifies no payment. */
void example(payorder_client *client)
{
    const char *options =
        "{\"entry\":1,\"note\":\"asked again: not paid\"}";
    char *listed = NULL, *asked = NULL, *settled = NULL, *pruned = NULL;
    size_t open = 0;

    /* The orders that may exist. */
    if (payorder_journal_list(client, "{\"state\":\"unresolved\"}",
                              &listed) == PAYORDER_OK)
        payorder_json_each(listed, "/entries", print_entry, NULL);
    else
        fprintf(stderr, "%s\n", listed);

    /* Asks for the status of each open order, and records it. */
    if (payorder_journal_resolve(client, NULL, &asked) == PAYORDER_OK)
        payorder_json_count(asked, "/entries", &open);
    printf("%u orders may still exist\n", (unsigned)open);

    /* A person decides about an order that is still not paid. */
    if (payorder_journal_settle(client, options, &settled) == PAYORDER_OK)
        print_entry(0, NULL, settled, NULL);

    /* Removes old entries. */
    if (payorder_journal_prune(client, "{\"olderThanDays\":400}", &pruned)
        == PAYORDER_OK)
        printf("%s\n", pruned);

    payorder_string_free(listed);
    payorder_string_free(asked);
    payorder_string_free(settled);
    payorder_string_free(pruned);
}

/* Prints:
 * O-1002: unknown
 * 1 orders may still exist
 * O-1002: settled
 * {"removed":0}
 */
