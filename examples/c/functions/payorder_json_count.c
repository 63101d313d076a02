#include <payorder.h>
#include <stdio.h>

void example(void)
{
    size_t count = 0;

    if (payorder_json_count("{\"entries\":[1,2,3]}", "/entries", &count)
        == PAYORDER_OK)
        printf("%u entries\n", (unsigned)count);
}

/* Prints:
 * 3 entries
 */
