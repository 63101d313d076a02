#include <payorder.h>
#include <stdio.h>

/* Runs about every 50 ms while a call of this thread waits. */
static int32_t idle(void *user_data)
{
    const int *cancel_pressed = (const int *)user_data;
    /* Read the keys and set the lights here. */
    return *cancel_pressed; /* 0: go on waiting */
}

void example(payorder_client *client)
{
    char *json = NULL;
    int cancel_pressed = 0;

    payorder_set_idle(idle, &cancel_pressed);
    payorder_result result = payorder_wait_for_payment(
        client, "{\"orderId\":\"O-1001\"}", NULL, &json);
    payorder_set_idle(NULL, NULL);

    printf("%s\n", payorder_result_name(result));
    payorder_string_free(json);
}

/* Prints:
 * PAYORDER_OK
 */
