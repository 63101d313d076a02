#include <payorder.h>
#include <stdio.h>

void example(void)
{
    const char *token = NULL;

    if (payorder_cancellation_new(&token) != PAYORDER_OK)
        return;
    /* ... calls that have the token ... */
    payorder_cancellation_free(token); /* and its text */
    printf("%u strings\n", (unsigned)payorder_live_strings());
}

/* Prints:
 * 0 strings
 */
