#include <payorder.h>
#include <stdio.h>

void example(void)
{
    const char *json = "{\"error\":{\"cause\":\"connection_refused\"}}";
    char cause[64];

    if (payorder_json_copy(json, "/error/cause",
                           cause, sizeof cause, NULL) == PAYORDER_OK)
        printf("%s\n", cause);
}

/* Prints:
 * connection_refused
 */
