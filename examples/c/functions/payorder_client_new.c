#include <payorder.h>
#include <stdio.h>
#include <stdlib.h>

void example(void)
{
    const char *access_token = getenv("SHOP_ACCESS_TOKEN");
    const char *pairs[] = {
        "baseUrl", "https://pay.example.com",
        "accessToken", access_token != NULL ? access_token : "token",
        NULL
    };
    payorder_client *client = NULL;
    char *config = NULL, *error = NULL;

    payorder_json_object(pairs, &config);
    if (payorder_client_new(config, &client, &error) == PAYORDER_OK)
        printf("ready\n");
    else
        fprintf(stderr, "%s\n", error);

    payorder_client_free(client);
    payorder_string_free(config);
    payorder_string_free(error);
}

/* Prints:
 * ready
 */
