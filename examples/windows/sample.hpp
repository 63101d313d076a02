// The order that the samples sell.
#pragma once

#include <payorder.hpp>

#include <ctime>
#include <string>

inline payorder::order sample_order(const std::string &amount, const std::string &order_id) {
    payorder::order order;
    order.amount = amount;
    order.order_id = order.merchant_txn_id = order_id;
    order.pay_mode = "all";
    order.merchant_id = "M-1";
    order.product_info = "Two coffees";
    order.customer_name = "Asha Rao";
    order.customer_mobile = "9000000000";
    order.customer_email = "asha@example.com";
    order.redirection_url = "https://shop.example/return";
    order.currency_code = "INR";
    return order;
}

// What proves that it was paid now: a counter that began again at 1 meets old orders.
inline std::string expected_now(const payorder::order &order) {
    char now[24] = "";
    const std::time_t time = std::time(nullptr);
    std::strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
    return order.expected(now);
}
