#include <payorder.h>
#include <stdio.h>

/* When the program ends, while other threads wait for payments. */
void example(payorder_client *client)
{
    payorder_client_cancel(client);
    while (payorder_live_calls() != 0) {
        /* Sleep for a moment: each call ends within 100 ms. */
    }
    printf("no call is running\n");
}

/* Prints:
 * no call is running
 */
