#include <payorder.h>
#include <stdio.h>

void example(void)
{
    char *body = NULL;

    if (payorder_build_get_status("{\"transactionId\":\"X-7\"}", &body)
        == PAYORDER_OK)
        printf("%s\n", body);
    payorder_string_free(body);
}

/* Prints:
 * {"searchType":"2","orderId":"","transactionId":"X-7"}
 */
