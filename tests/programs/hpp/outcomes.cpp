// Both forms of both calls report every outcome: one by the class of its exception, the other by
// its return value.
#include "host.hpp"

#include <cstring>
#include <optional>
#include <type_traits>

namespace {

using payorder::outcome;

// An error while reading a text after the order was created must not be caught as "not sent".
static_assert(!std::is_base_of_v<payorder::not_sent, payorder::unusable_text>,
              "offline failures are a class of their own");
static_assert(std::is_base_of_v<std::exception, payorder::error>,
              "a host that knows only std::exception catches it");
static_assert(std::is_nothrow_copy_constructible_v<payorder::unknown_outcome>,
              "an exception's copy must not throw");

struct Ended {
    outcome by_class;
    std::optional<payorder::error> error;
};

template <typename Call> Ended thrown_by(const Call &call) {
    try {
        const payorder::answer made = call();
        CHECK(made.ok());
        return {outcome::done, std::nullopt};
    } catch (const payorder::not_sent &error) {
        return {outcome::not_sent, error};
    } catch (const payorder::rejected &error) {
        return {outcome::rejected, error};
    } catch (const payorder::unknown_outcome &error) {
        return {outcome::unknown, error};
    }
}

void agree(const Ended &thrown, const payorder::answer &tried, outcome expected,
           payorder_result result) {
    CHECK_RESULT(result, tried);
    CHECK(tried.outcome() == expected && thrown.by_class == expected);
    CHECK(tried.ok() == (expected == outcome::done) && static_cast<bool>(tried) == tried.ok());
    CHECK(payorder::result_outcome(result) == expected);
    CHECK(thrown.error.has_value() == (expected != outcome::done));
    if (!thrown.error) {
        return;
    }
    // A copy of the exception is complete, although the original is gone.
    CHECK(thrown.error->result() == result && thrown.error->outcome() == expected);
    CHECK(std::strcmp(thrown.error->name(), tried.name()) == 0);
    CHECK(thrown.error->value("/error/result") == std::to_string(result));
    CHECK(!thrown.error->value("/error/message").empty() &&
          thrown.error->what() == thrown.error->value("/error/message"));
    CHECK(thrown.error->json().find(tried.name()) != std::string::npos);
    CHECK(!thrown.error->cause().empty() && thrown.error->cause() == tried.value("/error/cause"));
    CHECK(!thrown.error->action().empty() &&
          thrown.error->action() == tried.value("/error/action"));
}

struct Case {
    const char *sold;
    const char *amount;
    payorder_result result;
    outcome expected;
};

const Case CASES[] = {
    {"Two coffees", "100.10", PAYORDER_OK, outcome::done},
    {"Two coffees", "0.10", PAYORDER_INVALID_REQUEST, outcome::not_sent},
    {"sandbox:reject", "100.10", PAYORDER_REJECTED, outcome::rejected},
    {"sandbox:rate-limit", "100.10", PAYORDER_RATE_LIMITED, outcome::rejected},
    {"sandbox:drop-after-commit", "100.10", PAYORDER_CONNECTION_LOST, outcome::unknown},
    {"sandbox:service-error", "100.10", PAYORDER_SERVICE_FAILED, outcome::unknown},
};

void create(const payorder::client &client) {
    for (const Case &each : CASES) {
        const std::string name = std::string(each.sold) + ' ' + each.amount;
        const std::string tried = order_of(name + " tried", each.sold, each.amount),
                          thrown = order_of(name + " thrown", each.sold, each.amount);
        const payorder::answer answer = client.try_create_order(tried);
        agree(thrown_by([&] { return client.create_order(thrown); }), answer, each.expected,
              each.result);
        CHECK(answer.value("/data/url").empty() == (each.expected != outcome::done));
    }
}

void ask(const payorder::client &client) {
    const std::string_view unknown_order = R"({"orderId":"NEVER-MADE"})",
                           no_query = R"({"orderId":""})";
    const auto thrown = [&client](std::string_view query) {
        return thrown_by([&] { return client.get_status(query); });
    };
    agree(thrown(unknown_order), client.try_get_status(unknown_order), outcome::rejected,
          PAYORDER_REJECTED);
    agree(thrown(no_query), client.try_get_status(no_query), outcome::not_sent,
          PAYORDER_INVALID_REQUEST);
    static_cast<void>(client.create_order(order_of("CUT", "sandbox:status-drop")));
    const std::string_view cut = R"({"orderId":"CUT"})";
    agree(thrown(cut), client.try_get_status(cut), outcome::unknown, PAYORDER_CONNECTION_LOST);
}

void open(const std::string &config) {
    payorder::client client;
    const std::string_view broken = R"({"baseUrl":"ftp://127.0.0.1"})";
    const auto opened = [&] {
        const payorder::client never(broken);
        return payorder::answer(PAYORDER_OK, nullptr);
    };
    agree(thrown_by(opened), client.try_open(broken), outcome::not_sent, PAYORDER_INVALID_CONFIG);
    CHECK(!client && client.handle() == nullptr);
    CHECK_RESULT(PAYORDER_OK, client.try_open(config));
    CHECK(client && client.handle() != nullptr);
}

} // namespace

int main(int argc, char **argv) {
    const std::string config = config_of(argc, argv);
    {
        const payorder::client client(config);
        create(client);
        ask(client);
    }
    open(config);
    return nothing_is_live();
}
