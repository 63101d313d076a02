// consumer VERSION CONFIG ORDER_ID: like consumer.c, with payorder.hpp.
#include <payorder.hpp>

#include <iostream>
#include <string>

int main(int count, char **arguments) {
    if (count != 4) {
        return 2;
    }
    if (payorder::version() != std::string(arguments[1]) || payorder::abi_version() != 1) {
        std::cerr << "this is payorder " << payorder::version() << ", ABI "
                  << payorder::abi_version() << '\n';
        return 1;
    }
    const std::string order_id = arguments[3];
    const std::string order =
        payorder::json_object({{"amount", "100.00"},
                               {"merchantTxnId", order_id},
                               {"orderId", order_id},
                               {"payMode", "all"},
                               {"merchantId", "M-1"},
                               {"productInfo", "Two coffees"},
                               {"customerName", "Asha Rao"},
                               {"customerMobile", "9000000000"},
                               {"customerEmail", "asha@example.com"},
                               {"redirectionURL", "https://shop.example/return"},
                               {"currencyCode", "INR"}});
    try {
        const payorder::client client(arguments[2]);
        std::cout << client.create_order(order).value("/data/url") << '\n';
    } catch (const payorder::error &error) {
        std::cerr << "no order was made: " << error.what() << '\n';
        return 1;
    }
    // A failure of the library is a C++ exception, and unwinds only C++ frames.
    bool caught = false;
    try {
        payorder::client made_of_nothing("{}");
    } catch (const payorder::not_sent &) {
        caught = true;
    }
    return !caught || payorder::live_clients() != 0 || payorder::live_strings() != 0;
}
