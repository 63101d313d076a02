#include <payorder.h>
#include <stdio.h>

/* Where the queries come from: a file or a database, row by row. */
struct orders {
    const char *const *next;
    unsigned completed;
};

static const char *next(void *user_data)
{
    struct orders *orders = (struct orders *)user_data;
    return *orders->next != NULL ? *orders->next++ : NULL;
}

static int32_t each(size_t index, int32_t result, const char *json,
                    void *user_data)
{
    struct orders *orders = (struct orders *)user_data;
    char completed[8];
    (void)index;
    if (result == PAYORDER_OK
        && payorder_json_copy(json, "/derived/completed", completed,
                              sizeof completed, NULL) == PAYORDER_OK
        && completed[0] == 't')
        orders->completed++;
    return 1; /* go on */
}

void example(payorder_client *client)
{
    const char *const queries[] = {"{\"orderId\":\"O-1001\"}", NULL};
    struct orders orders = {queries, 0};
    char *json = NULL;

    payorder_result result = payorder_stream_statuses(
        client, next, each, &orders, NULL, &json);
    printf("%s, %u completed\n", payorder_result_name(result),
           orders.completed);
    payorder_string_free(json);
}

/* Prints:
 * PAYORDER_OK, 1 completed
 */
