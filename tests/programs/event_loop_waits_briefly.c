/* examples/c/event_loop.c, which waits half a second for a payment and not five minutes. */
#include <payorder.h>
#include <string.h>

static payorder_result start_briefly(payorder_client *client, const char *operation,
                                     const char *request, const char *options,
                                     payorder_done_fn done, void *user_data, char **out_json)
{
    if (strcmp(operation, "wait_for_payment") == 0) {
        options = "{\"waitMs\":500}";
    }
    return payorder_start(client, operation, request, options, done, user_data, out_json);
}

#define payorder_start start_briefly
#undef _POSIX_C_SOURCE /* the till defines it */
#include "../../examples/c/event_loop.c"
