#include <payorder.h>
#include <stdio.h>

static int32_t print_step(size_t index, const char *key,
                          const char *step, void *user_data)
{
    char name[20] = "", ok[8] = "";
    (void)index, (void)key, (void)user_data;

    payorder_json_copy(step, "/step", name, sizeof name, NULL);
    payorder_json_copy(step, "/ok", ok, sizeof ok, NULL);
    printf("%s: %s\n", name, ok);
    return 1; /* continue */
}

/* On a new machine, and when support asks what works. */
void example(payorder_client *client)
{
    char *json = NULL;

    if (payorder_check(client, NULL, &json) == PAYORDER_OK)
        payorder_json_each(json, "/steps", print_step, NULL);
    else
        fprintf(stderr, "%s\n", json);
    payorder_string_free(json);
}

/* Prints:
 * name: true
 * connect: true
 * clock: true
 * service: true
 * credentials: true
 * journal: true
 */
