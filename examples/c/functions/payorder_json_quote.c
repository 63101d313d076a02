#include <payorder.h>
#include <stdio.h>

void example(void)
{
    char *text = NULL, *order = NULL;

    payorder_json_quote("Two \"small\" coffees", &text);
    payorder_json_set(NULL, "/productInfo", text, &order);
    printf("%s\n", order);
    payorder_string_free(text);
    payorder_string_free(order);
}

/* Prints:
 * {"productInfo":"Two \"small\" coffees"}
 */
