#include <payorder.h>
#include <stdio.h>
#include <string.h>

void example(void)
{
    printf("payorder %s\n", payorder_version());
    if (strcmp(payorder_version(), PAYORDER_VERSION) != 0)
        printf("this program was compiled for %s\n", PAYORDER_VERSION);
}

/* Prints:
 * payorder 0.1.0
 */
