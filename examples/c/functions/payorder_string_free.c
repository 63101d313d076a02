#include <payorder.h>
#include <stdio.h>

void example(void)
{
    char *text = NULL;

    payorder_json_quote("coffee", &text);
    printf("%s\n", text);
    payorder_string_free(text);
    payorder_string_free(NULL); /* is allowed */
}

/* Prints:
 * "coffee"
 */
