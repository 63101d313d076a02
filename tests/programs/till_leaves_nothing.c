/* Runs the till of examples/c and checks that it frees everything. */
#define OWN_MAIN
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
