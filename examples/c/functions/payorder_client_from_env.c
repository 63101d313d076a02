#include <payorder.h>
#include <stdio.h>

/* PAYORDER_BASE_URL and the credentials are in the environment, or in
 * the file that PAYORDER_CONFIG names. */
void example(void)
{
    /* Keys of the program, which win. */
    const char *config = "{\"baseUrl\":\"https://pay.example.com\"}";
    payorder_client *client = NULL;
    char *json = NULL;

    if (payorder_client_from_env(config, &client, &json) == PAYORDER_OK)
        printf("the settings are complete\n");
    else
        printf("%s\n", json); /* it names the variable or the key */

    payorder_string_free(json);
    payorder_client_free(client);
}

/* Prints:
 * the settings are complete
 */
