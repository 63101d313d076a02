// Two files of a program include the header. They link, and objects and exceptions can be passed
// between them.
#include "../host.hpp"

#include "sale.hpp"

void run(const std::string &config) {
    payorder::client client = opened(config);
    CHECK(sold(client, order_of("TWO-FILES")).ok());
    try {
        static_cast<void>(sold(client, order_of("TWO-FILES-REFUSED", "sandbox:reject")));
        CHECK(false && "it is refused");
    } catch (const payorder::rejected &error) {
        CHECK(error.result() == PAYORDER_REJECTED);
    }
}
