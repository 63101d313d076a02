#include <payorder.h>
#include <stdio.h>

static int32_t print_count(size_t index, const char *key,
                           const char *value, void *user_data)
{
    (void)index, (void)user_data;
    printf("%s: %s\n", key, value);
    return 1; /* continue */
}

void example(void)
{
    const char *summary =
        "{\"transactionStatus\":{\"Completed\":7,\"Pending\":2}}";

    payorder_json_each(summary, "/transactionStatus", print_count, NULL);
}

/* Prints:
 * Completed: 7
 * Pending: 2
 */
