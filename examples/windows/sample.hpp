// What the samples share: the client, the order that they sell, and whether it may exist.
#pragma once

#include <payorder.hpp>

#include <ctime>
#include <optional>
#include <string>
#include <string_view>

// A till that cannot ask for a status must not sell. Without its credentials this query fails before
// anything is sent, and no other answer matters.
inline payorder::client open_client() {
    payorder::client client = payorder::client::from_env();
    const std::string query = R"({"orderId":"-"})", options = R"({"timeoutMs":1})";
    if (client.try_get_status(query, options).result() == PAYORDER_MISSING_CREDENTIALS) {
        static_cast<void>(client.get_status(query, options)); // throws
    }
    return client;
}

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

// Whether the order may exist after this answer to Create Order. If this call has not sent it, an
// earlier run may have: only the journal can tell.
inline bool may_exist(const payorder::client &client, const std::string &order_id,
                      const payorder::answer &made) {
    if (made.outcome() != payorder::outcome::not_sent) {
        return made.outcome() != payorder::outcome::rejected;
    }
    const payorder::answer listed =
        client.try_journal_list(payorder::options().order_id(order_id).json());
    bool was_sent = false;
    const auto read = [&](std::size_t, auto, std::optional<std::string_view> entry) {
        const std::string state = payorder::value(*entry, "/state");
        was_sent = was_sent || (state != "not_sent" && state != "rejected");
        return true; // continue
    };
    if (!listed || payorder::json_each(listed.json(), "/entries", read) != PAYORDER_OK) {
        return made.result() == PAYORDER_JOURNAL_FAILED
               || listed.value("/error/cause") != "no_journal";
    }
    return was_sent;
}
