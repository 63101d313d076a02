#include <payorder.h>
#include <stdio.h>

/* At the end of the day, when the status was asked for once more and
 * the order is not paid. A person chose the entry from the list of
 * payorder_journal_list. */
void example(payorder_client *client)
{
    const char *options =
        "{\"entry\":1,\"note\":\"asked again: not paid\"}";
    char *json = NULL, order[64] = "";

    if (payorder_journal_settle(client, options, &json) == PAYORDER_OK) {
        payorder_json_copy(json, "/orderId", order, sizeof order, NULL);
        printf("%s is closed\n", order);
    } else {
        fprintf(stderr, "%s\n", json);
    }
    payorder_string_free(json);
}

/* Prints:
 * O-1002 is closed
 */
