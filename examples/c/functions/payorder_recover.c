#include <payorder.h>
#include <stdio.h>

static int32_t print_sale(size_t index, const char *key,
                          const char *sale, void *user_data)
{
    char order_id[80] = "", verdict[20] = "";
    (void)index, (void)key, (void)user_data;

    payorder_json_copy(sale, "/orderId", order_id, sizeof order_id, NULL);
    payorder_json_copy(sale, "/verdict", verdict, sizeof verdict, NULL);
    printf("%s: %s\n", order_id, verdict);
    return 1; /* continue */
}

/* When the till starts: its own records call O-1001 open. */
void example(payorder_client *client)
{
    const char *sales =
        "[{\"orderId\":\"O-1001\",\"amount\":\"100.00\"}]";
    const char *options = "{\"waitMs\":30000}";
    char *json = NULL;

    if (payorder_recover(client, sales, options, &json) == PAYORDER_OK)
        payorder_json_each(json, "/sales", print_sale, NULL);
    else
        fprintf(stderr, "%s\n", json);
    payorder_string_free(json);
}

/* Prints:
 * O-1001: paid
 * O-1002: unknown
 */
