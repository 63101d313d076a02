#include <payorder.h>
#include <stdio.h>

/* At the end of a program or of a test. */
void example(void)
{
    if (payorder_live_clients() != 0)
        fprintf(stderr, "%u clients were not freed\n",
                (unsigned)payorder_live_clients());
}
