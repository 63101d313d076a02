#include <payorder.h>
#include <stdio.h>

void example(void)
{
    const char *json = "{\"data\":{\"url\":\"https://pay.example/1\"}}";
    char *url = NULL;

    if (payorder_json_get(json, "/data/url", &url) == PAYORDER_OK)
        printf("%s\n", url);
    else
        fprintf(stderr, "%s\n", url); /* the error object */
    payorder_string_free(url);
}

/* Prints:
 * https://pay.example/1
 */
