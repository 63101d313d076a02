#include <payorder.h>
#include <stdio.h>

void example(void)
{
    const char *pairs[] = {"orderId", "O-1", "amount", "100.00", NULL};
    char *json = NULL;

    if (payorder_json_object(pairs, &json) == PAYORDER_OK)
        printf("%s\n", json);
    payorder_string_free(json);
}

/* Prints:
 * {"orderId":"O-1","amount":"100.00"}
 */
