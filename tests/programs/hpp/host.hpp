// Shared by all programs here. A program gets the configuration of a client of the sandbox as its
// first argument. It prints nothing and exits with 0 if the promise was kept.
#ifndef HOST_HPP
#define HOST_HPP

#include <payorder.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            std::_Exit(1); \
        } \
    } while (false)

// Compares a result with the expected one, and prints the JSON if they differ.
#define CHECK_RESULT(expected, given) \
    do { \
        const payorder::answer &host_answer = (given); \
        if (host_answer.result() != (expected)) { \
            std::fprintf(stderr, "%s:%d: %s, not %s: %s\n", __FILE__, __LINE__, \
                         host_answer.name(), payorder::result_name(expected), \
                         host_answer.c_str()); \
            std::_Exit(1); \
        } \
    } while (false)

// A valid order. A marker in `sold` tells the sandbox what to do.
inline std::string order_of(std::string_view order_id, std::string_view sold = "Two coffees",
                            std::string_view amount = "100.10") {
    const payorder::answer made =
        payorder::try_json_object({{"amount", amount},
                                   {"merchantTxnId", order_id},
                                   {"orderId", order_id},
                                   {"payMode", "all"},
                                   {"merchantId", "M-7"},
                                   {"productInfo", sold},
                                   {"customerName", "Asha Verma"},
                                   {"customerMobile", "9876543210"},
                                   {"customerEmail", "asha@example.com"},
                                   {"redirectionURL", "https://shop.example.com/done"},
                                   {"currencyCode", "INR"}});
    CHECK_RESULT(PAYORDER_OK, made);
    return made.json();
}

// The last check of a program: the library has no object left.
inline int nothing_is_live() {
    CHECK(payorder::live_clients() == 0);
    CHECK(payorder::live_strings() == 0);
    return 0;
}

// What the program does.
void run(const std::string &config);

int main(int argc, char **argv) {
    CHECK(argc == 2);
    run(argv[1]);
    return nothing_is_live();
}

#endif
