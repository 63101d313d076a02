#include <payorder.h>
#include <stdio.h>
#include <string.h>

void example(void)
{
    printf("payorder %s\n", payorder_version());
    if (strcmp(payorder_version(), PAYORDER_HEADER_VERSION) != 0)
        printf("compiled for %s\n", PAYORDER_HEADER_VERSION);
}

/* Prints:
 * payorder 0.1.0
 */
