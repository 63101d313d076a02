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
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

enum Ending { PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3 };

std::string setting(const char *name) {
    const char *value = std::getenv(name);
    if (value == nullptr) {
        throw std::runtime_error(std::string(name) + " is not set");
    }
    return value;
}

// A till creates one client when it starts and keeps it, because the client keeps its connections.
payorder::client open_client() {
    std::map<std::string, std::string> config{{"baseUrl", setting("PAYORDER_BASE_URL")},
                                              {"accessToken", setting("PAYORDER_ACCESS_TOKEN")},
                                              {"clientKey", setting("PAYORDER_CLIENT_KEY")},
                                              {"clientId", setting("PAYORDER_CLIENT_ID")},
                                              {"secretKey", setting("PAYORDER_SECRET_KEY")}};
    if (const char *journal = std::getenv("PAYORDER_JOURNAL")) {
        config.emplace("journal", journal);
    }
    return payorder::client(payorder::json_object(config));
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
    return Sale{amount, order_id,
                payorder::json_object({{"amount", amount},
                                       {"merchantTxnId", order_id},
                                       {"orderId", order_id},
                                       {"payMode", "all"},
                                       {"merchantId", "M-1"},
                                       {"productInfo", sold},
                                       {"customerName", "Asha Rao"},
                                       {"customerMobile", "9000000000"},
                                       {"customerEmail", "asha@example.com"},
                                       {"redirectionURL", "https://shop.example/return"},
                                       {"currencyCode", "INR"}}),
                payorder::json_object({{"searchType", "1"}, {"orderId", order_id}}),
                payorder::json_object({{"orderId", order_id}, {"amount", amount}})};
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
    const payorder::answer verdict = payorder::try_verify_payment(sale.expected, status.json());
    if (!verdict) {
        std::cout << "OPEN, the status cannot be checked: " << verdict.value("/error/message")
                  << '\n';
        return OPEN;
    }
    if (verdict.value("/paid") == "true") {
        std::cout << "PAID: " << sale.amount << " for order " << sale.order_id << '\n';
        return PAID;
    }
    if (status.value("/derived/completed") == "true"
        || !status.value("/data/refundStatus").empty()) {
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
    const auto print_reason = [](std::size_t, auto, std::optional<std::string_view> reason) {
        std::cout << "  - " << payorder::json_get(*reason, "/check") << ": expected \""
                  << payorder::json_get(*reason, "/expected") << "\", but the service says \""
                  << payorder::json_get(*reason, "/actual") << "\"\n";
        return true; // continue
    };
    static_cast<void>(payorder::json_each(verdict.json(), "/reasons", print_reason));
    return OPEN;
}

Ending sell(const payorder::client &client, const Sale &sale) {
    // Only this call is in the try block, so an exception is about this order and nothing else.
    try {
        const payorder::answer made = client.create_order(sale.order);
        std::cout << "send the customer to " << made.value("/data/url")
                  << "\npress Enter when the customer is back" << std::endl;
    } catch (const payorder::not_sent &error) {
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
