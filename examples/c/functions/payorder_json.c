#include <payorder.h>
#include <stdio.h>

static int32_t print_item(size_t index, const char *key,
                          const char *value, void *user_data)
{
    (void)index, (void)user_data;
    printf("%s: %s\n", key, value);
    return 1; /* continue */
}

void example(void)
{
    const char *pairs[] = {"orderId", "O-1", "amount", "100.00", NULL};
    const char *found = "{\"status\":{\"Completed\":7,\"Pending\":2}}";
    char *order = NULL, *text = NULL, *more = NULL, *amount = NULL;
    char completed[8];
    size_t count = 0;

    /* An object whose values are strings, and any value in it. */
    payorder_json_object(pairs, &order);
    payorder_json_quote("Two \"small\" teas", &text);
    payorder_json_set(order, "/productInfo", text, &more);
    printf("%s\n", more);

    /* One value: as a string to free, or in a buffer of yours. */
    if (payorder_json_get(more, "/amount", &amount) == PAYORDER_OK)
        printf("%s\n", amount);
    else
        fprintf(stderr, "%s\n", amount); /* the error object */
    if (payorder_json_copy(found, "/status/Completed",
                           completed, sizeof completed, NULL)
        == PAYORDER_OK)
        printf("%s\n", completed);

    /* All values. */
    payorder_json_count(found, "/status", &count);
    printf("%u of them\n", (unsigned)count);
    payorder_json_each(found, "/status", print_item, NULL);

    payorder_string_free(order);
    payorder_string_free(text);
    payorder_string_free(more);
    payorder_string_free(amount);
}

/* Prints:
 * {"orderId":"O-1","amount":"100.00","productInfo":"Two \"small\" teas"}
 * 100.00
 * 7
 * 2 of them
 * Completed: 7
 * Pending: 2
 */
