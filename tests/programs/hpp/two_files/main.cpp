// Two files of a program include the header. They link, and objects and exceptions can be passed
// between them.
#include "../host.hpp"

#include "sale.hpp"

int main(int argc, char **argv) {
    const std::string config = config_of(argc, argv);
    {
        payorder::client client = opened(config);
        CHECK(sold(client, order_of("TWO-FILES")).ok());
        try {
            static_cast<void>(sold(client, order_of("TWO-FILES-REFUSED", "sandbox:reject")));
            CHECK(false && "it is refused");
        } catch (const payorder::rejected &error) {
            CHECK(error.result() == PAYORDER_REJECTED);
        }
    }
    return nothing_is_live();
}
