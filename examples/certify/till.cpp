// A till that passes `payorder certify`: one sale, one verdict, and the truth after a crash.
//
//     payorder certify -- ./till
//
// The sale and the settings come from the environment, and the exit status is the verdict; see
// docs/certify.md. The journal knows each order before it is sent, so a restart is the same call.
#include <payorder.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

enum Verdict { PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3 };

std::string setting(const char *name) {
    const char *value = std::getenv(name);
    if (value == nullptr) {
        throw std::runtime_error(std::string(name) + " is not set");
    }
    return value;
}

// The time that is left. The verdict must be there before SALE_SECONDS are over, and a fifth of
// them is kept for the program's end and for a busy machine.
class Clock {
public:
    explicit Clock(double seconds)
        : end_(std::chrono::steady_clock::now() +
               std::chrono::milliseconds(static_cast<long long>(seconds * 800))) {}

    long long left_ms() const {
        const auto left = end_ - std::chrono::steady_clock::now();
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
        return std::max<long long>(ms, 100);
    }

private:
    std::chrono::steady_clock::time_point end_;
};

payorder::order order_of(const std::string &order_id, const std::string &amount) {
    payorder::order order;
    order.amount = amount;
    order.merchant_txn_id = order.order_id = order_id;
    order.pay_mode = "all";
    order.merchant_id = setting("SALE_MERCHANT_ID");
    order.product_info = setting("SALE_PRODUCT");
    order.customer_name = setting("SALE_CUSTOMER_NAME");
    order.customer_mobile = setting("SALE_CUSTOMER_MOBILE");
    order.customer_email = setting("SALE_CUSTOMER_EMAIL");
    order.return_url = setting("SALE_RETURN_URL");
    order.currency_code = setting("SALE_CURRENCY");
    return order;
}

// Everything that is made before the order is sent. A failure here means: not sent.
struct Sale {
    Clock clock{std::stod(setting("SALE_SECONDS"))};
    std::string order_id = setting("SALE_ORDER_ID");
    std::string amount = setting("SALE_AMOUNT"); // always text: a double could lose paise
    payorder::order made = order_of(order_id, amount);
    std::string order = made.json();
    std::string query = made.query();
    std::string expected = made.expected();
};

// Compares the service's words with this till's own order id and amount.
Verdict judge(const Sale &sale, const std::string &status) {
    const payorder::answer verdict = payorder::verify_payment(sale.expected, status);
    if (verdict.value("/paid") == "true") {
        return PAID;
    }
    std::cout << "reasons: " << verdict.value("/reasons") << '\n';
    // It can still be paid, also after "Failed", or money moved in another way: a person must look
    // at it.
    return OPEN;
}

// Without a checkout URL nobody can pay now, so one answer is enough. Also "no such order" proves
// nothing: the service may not know it yet.
Verdict ask(const payorder::client &client, const Sale &sale) {
    const std::string options = payorder::options().timeout_ms(sale.clock.left_ms()).json();
    const payorder::answer status = client.try_get_status(sale.query, options);
    if (!status) {
        std::cout << "no status: " << status.value("/error/message") << '\n';
        return OPEN;
    }
    return judge(sale, status.json());
}

// Asks until the order is paid. The return URL is not needed: it proves nothing.
Verdict wait_for_payment(const payorder::client &client, const Sale &sale) {
    payorder::options options;
    options.wait_ms(sale.clock.left_ms()).interval_ms(500).max_interval_ms(1000).timeout_ms(5000);
    const payorder::answer waited = client.try_wait_for_payment(sale.query, options.json());
    const std::string status = waited ? waited.value("/status") : std::string();
    if (status.empty()) {
        std::cout << "no status: " << waited.value("/error/message") << '\n';
        return OPEN;
    }
    return judge(sale, status);
}

Verdict sell(const payorder::client &client, const Sale &sale) {
    // Half of the time is kept for asking what happened.
    const std::string options = payorder::options().timeout_ms(sale.clock.left_ms() / 2).json();
    std::string url;
    try {
        url = client.create_order(sale.order, options).value("/data/url");
    } catch (const payorder::not_sent &error) {
        std::cout << error.what() << '\n';
        // An earlier run may have sent the order: only the journal could tell.
        return error.result() == PAYORDER_JOURNAL_FAILED ? ask(client, sale) : NOT_SENT;
    } catch (const payorder::rejected &error) {
        std::cout << error.what() << '\n';
        return REJECTED;
    } catch (const payorder::unknown_outcome &error) {
        // The order may exist, and a second one could charge the customer twice. After a restart it
        // is a duplicate, and the journal may have its checkout URL.
        std::cout << error.what() << '\n';
        if (error.value("/error/httpStatus") == "409") {
            // The service has an order with this id, and this till's journal does not know it: it
            // is another till's, which hands over the goods.
            return OPEN;
        }
        // Another sale, one that is paid, or one that a person closed has no page for this customer.
        if (error.value("/error/previous/orderId") == sale.order_id
            && error.value("/error/previous/amount") == sale.amount
            && error.value("/error/previous/state") == "created"
            && error.value("/error/previous/transactionStatus") != "Completed") {
            url = error.value("/error/previous/url");
        }
    }
    if (url.empty()) {
        return ask(client, sale);
    }
    std::cout << "send the customer to " << url << std::endl; // flushed: the customer waits for it
    return wait_for_payment(client, sale);
}

} // namespace

int main() {
    try {
        const Sale sale;
        const payorder::client client = payorder::client::from_env();
        try {
            return sell(client, sale);
        } catch (const std::exception &problem) {
            // The order may have been sent, so the till must not end with NOT_SENT.
            std::cerr << "till: " << problem.what() << '\n';
            return OPEN;
        }
    } catch (const std::exception &problem) {
        std::cerr << "till: " << problem.what() << '\n';
        return NOT_SENT;
    }
}
