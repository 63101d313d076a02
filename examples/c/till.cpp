// The till of till.c in C++17, with payorder.hpp: everything frees itself, and the outcome of a
// failed order is the class of the exception.
//
//     till AMOUNT ORDER_ID [WHAT_IS_SOLD]
//
// It takes the same settings from the environment and has the same exit statuses.
#include <payorder.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

enum Ending { PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3 };

// A till that cannot ask for a status must not sell, so it needs the credentials of both calls. It
// creates one client when it starts and keeps it, because the client keeps its connections.
payorder::client open_client() {
    for (const char *name : {"PAYORDER_ACCESS_TOKEN", "PAYORDER_CLIENT_KEY", "PAYORDER_CLIENT_ID",
                             "PAYORDER_SECRET_KEY"}) {
        if (std::getenv(name) == nullptr) {
            throw std::runtime_error(std::string(name) + " is not set");
        }
    }
    return payorder::client::from_env();
}

// A sale with its JSON texts, which are made before anything is sent.
struct Sale {
    std::string amount; // always decimal text: a double could lose paise
    std::string order_id;
    std::string order;
    std::string query;
    std::string expected;
};

Sale prepare(const std::string &amount, const std::string &order_id, const std::string &sold) {
    payorder::order order;
    order.amount = amount;
    order.merchant_txn_id = order.order_id = order_id;
    order.pay_mode = "all";
    order.merchant_id = "M-1";
    order.product_info = sold;
    order.customer_name = "Asha Rao";
    order.customer_mobile = "9000000000";
    order.customer_email = "asha@example.com";
    order.return_url = "https://shop.example/return";
    order.currency_code = "INR";
    return Sale{amount, order_id, order.json(), order.query(), order.expected()};
}

// Prints where the customer can pay for an order that is not paid yet, if its error says so: the
// response or the journal may have the URL. A person may have closed the journal's entry.
void print_checkout_url(const Sale &sale, const payorder::error &error) {
    std::string url = error.value("/error/checkoutUrl");
    if (error.value("/error/previous/orderId") == sale.order_id
        && error.value("/error/previous/amount") == sale.amount
        && error.value("/error/previous/state") == "created"
        && error.value("/error/previous/transactionStatus") != "Completed") {
        url = error.value("/error/previous/url");
    }
    if (!url.empty()) {
        std::cout << "the customer can pay at " << url << '\n';
    }
}

// Asks for the status of an order. `error` is that of Create Order, or null. The functions that
// begin with try_ return a failure instead of throwing it: here a failure only means that the order
// stays open.
Ending ask(const payorder::client &client, const Sale &sale, const std::string &query,
           const payorder::error *error) {
    const payorder::answer status = client.try_get_status(query);
    if (!status) {
        std::cout << "no status: " << status.value("/error/message") << "\nOPEN: keep order "
                  << sale.order_id << ", and ask for it again\n";
        return OPEN;
    }
    const payorder::answer compared = payorder::try_verify_payment(sale.expected, status.json());
    const std::optional<payorder::verdict> verdict = payorder::verdict::read(compared.json());
    const std::optional<payorder::status> payment = payorder::status::read(status.json());
    if (!verdict || !payment) {
        std::cout << "OPEN, the status cannot be checked: " << compared.value("/error/message")
                  << '\n';
        return OPEN;
    }
    if (verdict->paid) {
        std::cout << "PAID: " << sale.amount << " for order " << sale.order_id << '\n';
        return PAID;
    }
    if (payment->money_moved()) {
        std::cout << "CHECK: money moved, not as expected: show order " << sale.order_id
                  << " to a person\n";
    } else {
        // Also after "Failed": the customer can try again on the same page. Do not sell the same
        // goods again with another order: the customer could pay both.
        std::cout << "OPEN: order " << sale.order_id
                  << " is not paid yet and can still be paid; hand nothing over\n";
        if (error != nullptr) {
            print_checkout_url(sale, *error);
        }
    }
    for (const payorder::verdict::reason &reason : verdict->reasons) {
        std::cout << "  - " << reason.check << ": expected \"" << reason.expected
                  << "\", but the service says \"" << reason.actual << "\"\n";
    }
    return OPEN;
}

Ending sell(const payorder::client &client, const Sale &sale) {
    // Only this call is in the try block, so an exception is about this order and nothing else.
    try {
        const payorder::answer made = client.create_order(sale.order);
        std::cout << "send the customer to " << made.value("/data/url")
                  << "\npress Enter when the customer is back" << std::endl;
    } catch (const payorder::not_sent &error) {
        if (error.result() == PAYORDER_JOURNAL_FAILED) {
            // An earlier run may have sent the order: only the journal could tell.
            std::cout << "UNKNOWN: " << error.what() << '\n';
            return ask(client, sale, sale.query, &error);
        }
        std::cout << "NOT SENT: " << error.what() << '\n';
        const auto print_violation = [](std::size_t, auto, std::optional<std::string_view> one) {
            std::cout << "  - " << payorder::json_get(*one, "/message") << '\n';
            return true; // continue
        };
        static_cast<void>(
            payorder::json_each(error.value("/error/violations"), "", print_violation));
        return NOT_SENT;
    } catch (const payorder::rejected &error) {
        std::cout << "REJECTED: " << error.what()
                  << "\n  the service says: " << error.value("/error/responseMessage") << '\n';
        return REJECTED;
    } catch (const payorder::unknown_outcome &error) {
        // The order may exist, and a second order could charge the customer twice. The error has
        // the query for its status.
        std::cout << "UNKNOWN: " << error.what() << '\n';
        return ask(client, sale, error.value("/error/statusQuery"), &error);
    }
    std::string enter;
    std::getline(std::cin, enter);
    return ask(client, sale, sale.query, nullptr);
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 3 || argc > 4) {
        std::cerr << "usage: till AMOUNT ORDER_ID [WHAT_IS_SOLD]\n";
        return NOT_SENT;
    }
    try {
        const Sale sale = prepare(argv[1], argv[2], argc > 3 ? argv[3] : "Two coffees");
        const payorder::client client = open_client();
        try {
            return sell(client, sale);
        } catch (const std::exception &problem) {
            // The order may have been sent, so the till must not end with NOT_SENT.
            std::cerr << "till: " << problem.what() << "\nOPEN: keep order " << sale.order_id
                      << ", and ask for it again\n";
            return OPEN;
        }
    } catch (const std::exception &problem) {
        std::cerr << "till: " << problem.what() << '\n';
        return NOT_SENT;
    }
}
