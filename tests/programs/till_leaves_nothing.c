/* The till of examples/c, with a look at what it leaves behind. */
#include "host.h"

#define main till
#include "../../examples/c/till.c"
#undef main

int main(int argc, char **argv)
{
    int ends_with = till(argc, argv);
    nothing_is_live();
    return ends_with;
}
