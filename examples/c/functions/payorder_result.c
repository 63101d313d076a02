#include <payorder.h>
#include <stdio.h>

static const char *advice(payorder_result result)
{
    switch (payorder_result_outcome(result)) {
    case PAYORDER_OUTCOME_DONE:
        return "done";
    case PAYORDER_OUTCOME_NOT_SENT:
        return "not sent: fix the problem and call again";
    case PAYORDER_OUTCOME_REJECTED:
        return "refused: show the reason";
    default:
        return "the order may exist: ask for its status";
    }
}

void example(void)
{
    printf("%s\n", advice(PAYORDER_CONNECT_FAILED));
    printf("%s\n", payorder_result_name(PAYORDER_TIMEOUT));
}

/* Prints:
 * not sent: fix the problem and call again
 * PAYORDER_TIMEOUT
 */
