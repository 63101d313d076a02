#include <payorder.h>
#include <stdio.h>

static int32_t print_status(size_t index, int32_t result,
                            const char *json, void *user_data)
{
    char status[64] = "";
    (void)user_data;

    payorder_json_copy(json, "/data/transactionStatus",
                       status, sizeof status, NULL);
    printf("%u: %s %s\n", (unsigned)index,
           payorder_result_name(result), status);
    return 1; /* continue */
}

void example(payorder_client *client)
{
    const char *queries =
        "[{\"orderId\":\"O-1001\"},{\"orderId\":\"O-unknown\"}]";
    const char *options = "{\"concurrency\":1,\"ratePerSecond\":20}";
    char *summary = NULL;

    if (payorder_get_statuses(client, queries, options, print_status,
                              NULL, &summary) != PAYORDER_OK)
        fprintf(stderr, "%s\n", summary);
    payorder_string_free(summary);
}

/* Prints:
 * 0: PAYORDER_OK Completed
 * 1: PAYORDER_REJECTED
 */
