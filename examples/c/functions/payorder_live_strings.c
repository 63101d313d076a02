#include <payorder.h>
#include <stdio.h>

void example(void)
{
    char *text = NULL;

    payorder_json_quote("two \"small\" coffees", &text);
    printf("%u string\n", (unsigned)payorder_live_strings());
    payorder_string_free(text);
    printf("%u strings\n", (unsigned)payorder_live_strings());
}

/* Prints:
 * 1 string
 * 0 strings
 */
