#include <payorder.h>
#include <stdio.h>

/* The token of Create Order changes at noon. */
void example(payorder_client *client)
{
    const char *pairs[] = {"accessToken", "the-new-token", NULL};
    char *credentials = NULL, *json = NULL;

    payorder_json_object(pairs, &credentials);
    payorder_result result =
        payorder_client_set_credentials(client, credentials, &json);
    printf("%s\n", result == PAYORDER_OK ? "changed" : json);

    payorder_string_free(json);
    payorder_string_free(credentials);
}

/* Prints:
 * changed
 */
