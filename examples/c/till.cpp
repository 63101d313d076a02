// The till of till.c in C++17, with payorder.hpp: everything frees itself, and the outcome of a
// failed order is the class of the exception.
//
//     till AMOUNT ORDER_ID [WHAT_IS_SOLD]     sells
//     till                                    sells what the variables SALE_... say
//
// It takes the same variables from the environment, and has the same exit statuses.
#include <payorder.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

enum Verdict { PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3 };

std::string variable(const char *name, const char *otherwise) {
    const char *value = std::getenv(name);
    return value != nullptr ? value : otherwise;
}

// The library reads a variable that is empty as one that is not set.
bool is_set(const char *name) { return !variable(name, "").empty(); }

// Prints the sentence for the error's action from a file, which you can translate.
void say_to_cashier(const payorder::error &error) {
    std::ifstream file(variable("TILL_SAY", "say.json"));
    const std::string words((std::istreambuf_iterator<char>(file)), {});
    const std::string sentence = payorder::value(words, "/" + std::string(error.action()));
    if (!sentence.empty()) {
        std::cout << "CASHIER: " << sentence << '\n';
    }
}

// A till that cannot ask for a status must not sell, so it needs the credentials of both calls: in
// variables, or in the file that PAYORDER_CONFIG names. It creates one client when it starts and
// keeps it, because the client keeps its connections.
payorder::client open_client() {
    for (const char *name : {"PAYORDER_ACCESS_TOKEN", "PAYORDER_CLIENT_KEY", "PAYORDER_CLIENT_ID",
                             "PAYORDER_SECRET_KEY"}) {
        if (!is_set(name) && !is_set("PAYORDER_CONFIG")) {
            throw std::runtime_error(std::string(name) + " is not set");
        }
    }
    return payorder::client::from_env();
}

// A sale with its JSON texts, which are made before anything is sent.
struct Sale {
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    double seconds = std::stod(variable("SALE_SECONDS", "300"));
    std::string amount; // always decimal text: a double could lose paise
    std::string order_id;
    std::string order;
    std::string query;
    std::string expected;

    Sale(const std::string &given_amount, const std::string &given_id, const std::string &sold)
        : amount(given_amount), order_id(given_id) {
        payorder::order made;
        made.amount = amount;
        made.merchant_txn_id = made.order_id = order_id;
        made.pay_mode = "all";
        made.product_info = sold;
        made.merchant_id = variable("SALE_MERCHANT_ID", "M-1");
        made.customer_name = variable("SALE_CUSTOMER_NAME", "Asha Rao");
        made.customer_mobile = variable("SALE_CUSTOMER_MOBILE", "9000000000");
        made.customer_email = variable("SALE_CUSTOMER_EMAIL", "asha@example.com");
        made.redirection_url = variable("SALE_RETURN_URL", "https://shop.example/return");
        made.currency_code = variable("SALE_CURRENCY", "INR");
        order = made.json();
        query = made.query();
        // A counter that began again at 1 meets old orders.
        char now[24] = "";
        const std::time_t time = std::time(nullptr);
        std::strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
        expected = made.expected(now);
    }

    // The time that is left. The verdict must be there before SALE_SECONDS are over, and a fifth of
    // them is kept for the program's end and for a busy machine.
    long long left_ms() const {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started;
        const double left = std::max(seconds * 0.8 - passed.count(), 0.1);
        return static_cast<long long>(std::min(left, 86400.0) * 1000); // as much as waitMs may be
    }

    // The limit of one call, which may take this part of that time.
    long long limit_ms(int part) const {
        return std::min(left_ms() / part, 600'000LL); // as much as timeoutMs may be
    }
};

// A status alone does not prove a payment: the right order must be completed, with the right
// amount, not refunded, and not long before this sale. For a till that starts again a day after the
// payment, a person decides.
Verdict verify(const Sale &sale, const std::string &status) {
    const payorder::answer compared = payorder::try_verify_payment(sale.expected, status);
    const std::optional<payorder::verdict> verdict = payorder::verdict::read(compared.json());
    const std::optional<payorder::status> payment = payorder::status::read(status);
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
    }
    for (const payorder::reason &reason : verdict->reasons) {
        std::cout << "  - " << reason.check << ": expected \"" << reason.expected
                  << "\", but the service says \"" << reason.actual << "\"\n";
    }
    return OPEN;
}

// What comes after Create Order. If the customer can pay, it asks until the order is paid; the
// return URL is not needed, because it proves nothing. Without a checkout URL nobody can pay now, so
// one answer is enough. The functions that begin with try_ return a failure instead of throwing it:
// here a failure only means that the order stays open.
Verdict go_on(const payorder::client &client, const Sale &sale, const std::string &url) {
    payorder::options options;
    if (!url.empty()) {
        std::cout << "send the customer to " << url << std::endl; // flushed: the customer waits
        options.wait_ms(sale.left_ms()).interval_ms(500).max_interval_ms(1000);
        options.timeout_ms(5000);
    } else {
        options.timeout_ms(sale.limit_ms(1));
    }
    const payorder::answer answer = url.empty()
                                        ? client.try_get_status(sale.query, options.json())
                                        : client.try_wait_for_payment(sale.query, options.json());
    const std::string status = answer ? answer.value(url.empty() ? "" : "/status") : "";
    if (status.empty()) {
        // Also "no such order" proves nothing: the service may not know it yet.
        std::cout << "no status: " << answer.value("/error/message") << "\nOPEN: keep order "
                  << sale.order_id << ", and ask for it again\n";
        return OPEN;
    }
    return verify(sale, status);
}

// Whether an earlier run may have sent the order: only the journal can tell. If it cannot be read,
// prints why; it may have an entry then.
bool may_have_been_sent(const payorder::client &client, const Sale &sale) {
    const payorder::answer listed =
        client.try_journal_list(payorder::options().order_id(sale.order_id).json());
    bool may_exist = false;
    const auto read = [&](std::size_t, auto, std::optional<std::string_view> entry) {
        const std::string state = payorder::value(*entry, "/state");
        may_exist = may_exist || (state != "not_sent" && state != "rejected");
        return true; // continue
    };
    if (!listed || payorder::json_each(listed.json(), "/entries", read) != PAYORDER_OK) {
        may_exist = listed.value("/error/cause") != "no_journal";
        if (may_exist) {
            std::cout << "till: " << listed.value("/error/message") << '\n';
        }
    }
    return may_exist;
}

Verdict sell(const payorder::client &client, const Sale &sale) {
    const auto part = [&sale](int of_time) {
        return payorder::options().timeout_ms(sale.limit_ms(of_time)).json();
    };
    std::string url;
    // An exception of this block is about this order and nothing else.
    try {
        // The file of PAYORDER_CONFIG may lack what a query needs, which then throws.
        if (is_set("PAYORDER_CONFIG")
            && client.try_get_status(sale.query, part(4)).result() == PAYORDER_MISSING_CREDENTIALS) {
            static_cast<void>(client.get_status(sale.query, part(4)));
        }
        // Half of the time is kept for asking what happened.
        url = client.create_order(sale.order, part(2)).value("/data/url");
    } catch (const payorder::not_sent &error) {
        say_to_cashier(error);
        const bool is_open =
            error.result() == PAYORDER_JOURNAL_FAILED || may_have_been_sent(client, sale);
        std::cout << (is_open ? "OPEN: an earlier run may have sent the order; this one has not: "
                              : "NOT SENT: ")
                  << error.what() << '\n';
        const auto print = [](std::size_t, auto, std::optional<std::string_view> one) {
            std::cout << "  - " << payorder::json_get(*one, "/message") << '\n';
            return true; // continue
        };
        static_cast<void>(payorder::json_each(error.value("/error/violations"), "", print));
        return is_open ? OPEN : NOT_SENT;
    } catch (const payorder::rejected &error) {
        std::cout << "REJECTED: " << error.what()
                  << "\n  the service says: " << error.value("/error/responseMessage") << '\n';
        say_to_cashier(error);
        return REJECTED;
    } catch (const payorder::unknown_outcome &error) {
        // The order may exist, and a second order could charge the customer twice.
        std::cout << "UNKNOWN: " << error.what() << '\n';
        say_to_cashier(error);
        if (error.action() == "use_previous") {
            // After a restart: the customer may pay the order of the run before.
            url = error.value("/error/previous/url");
        } else if (error.action() == "ask_status") {
            url = error.value("/error/checkoutUrl");
        } else {
            // It may be another sale's order, and then a payment is for other goods.
            std::cout << "OPEN: show order " << sale.order_id
                      << " to a person, and hand nothing over\n";
            return OPEN;
        }
    }
    return go_on(client, sale, url);
}

} // namespace

int main(int argc, char **argv) {
    const std::string amount = argc > 1 ? argv[1] : variable("SALE_AMOUNT", "");
    const std::string order_id = argc > 2 ? argv[2] : variable("SALE_ORDER_ID", "");
    if (argc == 2 || argc > 4 || (argc == 1 && order_id.empty())) {
        std::cerr << "usage: till AMOUNT ORDER_ID [WHAT_IS_SOLD]\n";
        return NOT_SENT;
    }
    try {
        const std::string sold = argc > 3 ? argv[3] : variable("SALE_PRODUCT", "Two coffees");
        const Sale sale(amount, order_id, sold);
        return sell(open_client(), sale);
    } catch (const std::exception &problem) {
        // This run may have sent the order, or an earlier one: only the journal could tell.
        std::cout << "till: " << problem.what() << "\nOPEN: keep order " << order_id
                  << ", and ask for it again\n";
        return OPEN;
    }
}
