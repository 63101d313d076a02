#include <payorder.h>
#include <stdio.h>

void example(void)
{
    printf("%s\n", payorder_result_name(PAYORDER_TIMEOUT));
    printf("%s\n", payorder_result_name(9999));
}

/* Prints:
 * PAYORDER_TIMEOUT
 * PAYORDER_UNRECOGNISED
 */
