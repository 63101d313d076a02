// Two files of a program include the header, or a program and a shared object. They link, and
// objects, exceptions and idle functions work between them.
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
    // By its address, libc++ knows a class again that it catches.
    CHECK(type_of_not_sent() == &typeid(payorder::not_sent));

    const payorder::idle cancels([] { return payorder::idle_result::cancel; });
    with_idle_function([] {});
    const payorder::answer ended =
        client.try_wait_for_payment(R"({"orderId":"TWO-FILES"})", R"({"waitMs":5000})");
    CHECK(ended.result() == PAYORDER_CANCELLED || ended.result() == PAYORDER_CANCELLED_IN_FLIGHT);
}
