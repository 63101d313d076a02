#include <payorder.h>
#include <stdio.h>

void example(void)
{
    char *token = NULL;

    if (payorder_cancellation_new(&token) != PAYORDER_OK)
        return;
    /* ... calls that have the token ... */
    payorder_cancellation_free(token); /* first the token */
    payorder_string_free(token);       /* then its text */
    printf("%u strings\n", (unsigned)payorder_live_strings());
}

/* Prints:
 * 0 strings
 */
