#include <payorder.h>
#include <stdio.h>

/* For a program that loads the library itself, such as a plug-in. */
void example(void)
{
    if (payorder_abi_version() != PAYORDER_HEADER_ABI_VERSION) {
        fprintf(stderr, "the library has another interface\n");
        return;
    }
    printf("interface version %u\n", (unsigned)payorder_abi_version());
}

/* Prints:
 * interface version 1
 */
