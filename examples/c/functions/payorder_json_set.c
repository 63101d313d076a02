#include <payorder.h>
#include <stdio.h>

void example(void)
{
    char *config = NULL, *more = NULL;

    payorder_json_set(NULL, "/tls/roots", "\"system\"", &config);
    payorder_json_set(config, "/timeoutMs", "5000", &more);
    printf("%s\n", more);
    payorder_string_free(config);
    payorder_string_free(more);
}

/* Prints:
 * {"tls":{"roots":"system"},"timeoutMs":5000}
 */
