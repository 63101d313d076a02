// The till of till.c in C++11, smaller: std::unique_ptr frees what the library hands out, whichever way a function is left.
//
//     till AMOUNT ORDER_ID [WHAT_IS_SOLD]
//
// It takes the same settings from the environment, and ends with the same numbers.
#include <payorder.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct FreeText {
    void operator()(char *text) const { payorder_string_free(text); }
};
struct FreeClient {
    void operator()(payorder_client *client) const { payorder_client_free(client); }
};
using Text = std::unique_ptr<char, FreeText>;
using Client = std::unique_ptr<payorder_client, FreeClient>;

// A setting or an argument that cannot be used, found before anything was asked of the service.
struct Unusable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum Ending { PAID = 0, NOT_SENT = 1, REJECTED = 2, OPEN = 3, NOT_PAID = 4 };

// What a call gave back: its number, and its JSON.
struct Answer {
    payorder_result result;
    Text json;

    // The value at a JSON pointer; empty where nothing is there.
    std::string at(const std::string &pointer) const {
        char *value = nullptr;
        const payorder_result found = payorder_json_get(json.get(), pointer.c_str(), &value);
        const Text owner(value);
        return found == PAYORDER_OK ? std::string(value) : std::string();
    }
};

// Calls a function whose last parameter is out_json.
template <typename Function, typename... Arguments>
Answer call(Function *function, Arguments... arguments) {
    char *json = nullptr;
    const payorder_result result = function(arguments..., &json);
    return Answer{result, Text(json)};
}

std::string object(const std::vector<const char *> &pairs) {
    std::vector<const char *> ended = pairs;
    ended.push_back(nullptr);
    const Answer made = call(payorder_json_object, ended.data());
    if (made.result != PAYORDER_OK) {
        throw Unusable(made.at("/error/message"));
    }
    return made.json.get();
}

const char *setting(const char *name) {
    const char *value = std::getenv(name);
    if (value == nullptr) {
        throw Unusable(std::string(name) + " is not set");
    }
    return value;
}

Client open_client() {
    const std::string config = object({"baseUrl", setting("PAYORDER_BASE_URL"), "accessToken", setting("PAYORDER_ACCESS_TOKEN"),
                                       "clientKey", setting("PAYORDER_CLIENT_KEY"), "clientId", setting("PAYORDER_CLIENT_ID"),
                                       "secretKey", setting("PAYORDER_SECRET_KEY")});
    payorder_client *client = nullptr;
    const Answer made = call(payorder_client_new, config.c_str(), &client);
    if (made.result != PAYORDER_OK) {
        throw Unusable(made.at("/error/message"));
    }
    return Client(client);
}

struct Sale {
    const char *amount;
    const char *order_id;
    const char *sold;
};

Ending settle(payorder_client *client, const Sale &sale, const std::string &query) {
    const Answer status = call(payorder_get_status, client, query.c_str(), nullptr);
    if (status.result != PAYORDER_OK) {
        std::cout << "no status: " << status.at("/error/message") << "\nOPEN: keep order " << sale.order_id << ", and ask for it again\n";
        return OPEN;
    }
    const std::string expected = object({"orderId", sale.order_id, "amount", sale.amount});
    const Answer verdict = call(payorder_verify_payment, expected.c_str(), status.json.get());
    if (verdict.result != PAYORDER_OK) {
        std::cout << "OPEN, the status cannot be checked: " << verdict.at("/error/message") << '\n';
        return OPEN;
    }
    if (verdict.at("/paid") == "true") {
        std::cout << "PAID: " << sale.amount << " for order " << sale.order_id << '\n';
        return PAID;
    }
    std::cout << "NOT PAID: order " << sale.order_id << ' ' << verdict.at("/reasons") << '\n';
    return NOT_PAID;
}

Ending sell(payorder_client *client, const Sale &sale) {
    const std::string order = object({"amount", sale.amount, "merchantTxnId", sale.order_id, "orderId", sale.order_id, "payMode", "all",
                                      "merchantId", "M-1", "productInfo", sale.sold, "customerName", "Asha Rao", "customerMobile",
                                      "9000000000", "customerEmail", "asha@example.com", "redirectionURL",
                                      "https://shop.example/return", "currencyCode", "INR"});
    const std::string query = object({"searchType", "1", "orderId", sale.order_id});
    const Answer made = call(payorder_create_order, client, order.c_str(), nullptr);

    std::string enter;
    switch (payorder_result_outcome(made.result)) {
    case PAYORDER_OUTCOME_DONE:
        std::cout << "send the customer to " << made.at("/data/url") << "\npress Enter when the customer is back" << std::endl;
        std::getline(std::cin, enter);
        return settle(client, sale, query);
    case PAYORDER_OUTCOME_NOT_SENT:
        std::cout << "NOT SENT: " << made.at("/error/message") << '\n';
        return NOT_SENT;
    case PAYORDER_OUTCOME_REJECTED:
        std::cout << "REJECTED: " << made.at("/error/message") << "\n  the service says: " << made.at("/error/responseMessage") << '\n';
        return REJECTED;
    default: // unknown: the order may exist, and ordering again could charge twice
        std::cout << "UNKNOWN: " << made.at("/error/message") << '\n';
        return settle(client, sale, made.at("/error/statusQuery"));
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 3 || argc > 4) {
        std::cerr << "usage: till AMOUNT ORDER_ID [WHAT_IS_SOLD]\n";
        return NOT_SENT;
    }
    try {
        const Client client = open_client();
        return sell(client.get(), Sale{argv[1], argv[2], argc > 3 ? argv[3] : "Two coffees"});
    } catch (const Unusable &problem) {
        // Nothing else is caught: a till that breaks off later must not end as if nothing had been sent.
        std::cerr << "till: " << problem.what() << '\n';
        return NOT_SENT;
    }
}
