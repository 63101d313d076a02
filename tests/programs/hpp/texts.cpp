// Texts are passed as views, completely or not at all, and returned as strings. The offline
// functions work as in C.
#include "host.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using namespace std::string_view_literals;

// No number becomes one character of a field.
using field = decltype(payorder::order::order_id) &;
static_assert(!std::is_assignable_v<field, int> && !std::is_assignable_v<field, double>);
struct price {
    operator double() const { return 50.0; }
};
enum coins { fifty = 50 };
static_assert(!std::is_assignable_v<field, price> && !std::is_assignable_v<field, coins>);
template <typename Field, typename = void> constexpr bool takes_braces = false;
template <typename Field>
constexpr bool takes_braces<Field, std::void_t<decltype(std::declval<Field>() = {50})>> = true;
static_assert(takes_braces<std::string &> && !takes_braces<field>);
static_assert(std::is_assignable_v<field, const char *> &&
              std::is_assignable_v<field, std::string> &&
              std::is_assignable_v<field, std::string_view>);

// Checks that a text with a NUL is refused, with its name in the message, and not cut.
void refused(const payorder::answer &answer, const std::string &named) {
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, answer);
    CHECK(answer.value("/error/message").rfind(named + " has a NUL byte at position ", 0) == 0);
    CHECK(answer.value("/error/result") == "1" && answer.value("/error/name") == answer.name() &&
          answer.value("/error/outcome") == "not_sent");
    CHECK(answer.value("/error/cause") == "invalid_value");
    CHECK(answer.value("/error/action") == "fix_request");
    CHECK(payorder_json_get(answer.c_str(), "", nullptr) == PAYORDER_OK);
}

void no_text_is_cut(const std::string &config, payorder::client &client) {
    // Each of these is a valid text up to its NUL, which C would accept.
    const std::string nul(1, '\0');
    const std::string order = order_of("CUT-OFF") + nul + "}",
                      query = R"({"orderId":"CUT-OFF"})" + nul;
    refused(payorder::client().try_open(config + nul), "config_json");
    refused(client.try_create_order(order), "order_json");
    refused(client.try_create_order(order_of("CUT-OFF"), "{}" + nul), "options_json");
    refused(client.try_get_status(query), "query_json");
    refused(client.try_get_status("{}", nul), "options_json");
    refused(payorder::client().try_open_from_env(config + nul), "config_json");
    refused(client.try_start("get_status", query, [](const auto &) {}), "request_json");
    refused(client.try_start_to_take("get_status", query, nullptr), "request_json");
    refused(payorder::try_json_object({{"a", "b"}, {"orderId\0s"sv, "O-1"}}), "the key of pair 2");
    refused(payorder::try_json_object({{"orderId", "O-1\0"sv}}), "the value of pair 1");
    refused(payorder::try_json_get("{}", "/\0"sv), "pointer");
    CHECK(payorder::try_json_get("{}", "/a\0"sv).value("/error/message").find("position 2,") !=
          std::string::npos);
    CHECK(payorder::try_json_get(R"({"":1})", "/").value("/\0"sv).empty());
    try {
        const payorder::client never(config + nul);
        CHECK(false && "a configuration with a NUL makes no client");
    } catch (const payorder::not_sent &error) {
        CHECK(error.result() == PAYORDER_INVALID_ARGUMENT &&
              error.what() == error.value("/error/message"));
    }
}

// A view into a longer text.
std::string_view midst(std::string &around, std::string_view text) {
    around = "<<<" + std::string(text) + ">>>";
    return std::string_view(around).substr(3, text.size());
}

void views_end_where_they_end(const std::string &config) {
    std::string a, b;
    payorder::client client(midst(a, config));
    CHECK_RESULT(PAYORDER_OK, client.try_create_order(midst(a, order_of("MIDST")),
                                                      midst(b, R"({"timeoutMs":60000})")));
    CHECK_RESULT(PAYORDER_OK,
                 client.try_get_status(midst(a, R"({"orderId":"MIDST"})"), midst(b, "{}")));
    CHECK(payorder::json_get(midst(a, R"({"a":"b"})"), midst(b, "/a")) == "b");
    CHECK(payorder::json_object({{midst(a, "key"), midst(b, "value")}}) == R"({"key":"value"})");
    // An empty view is an empty text, and empty options are no options.
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, client.try_create_order(std::string_view()));
    CHECK_RESULT(PAYORDER_OK,
                 payorder::try_build_create_order(order_of("MIDST"), std::string_view()));
}

void an_object_is_made_of_any_range_of_pairs() {
    const std::map<std::string, std::string> map = {{"amount", "1"}, {"name", "\xf0\x9f\x92\xb0"}};
    const std::vector<std::pair<std::string, std::string_view>> list(map.begin(), map.end());
    CHECK(payorder::json_object(map) == payorder::json_object(list));
    CHECK(payorder::json_object({}) == "{}" && payorder::try_json_object({}).ok());
}

void a_value_is_never_an_error_object() {
    const std::string error = payorder::try_json_get("{}", "/refundStatus").json();
    CHECK(!error.empty() && payorder::value("{}", "/refundStatus").empty());
    CHECK(payorder::value(error, "/data/refundStatus").empty());
    CHECK(payorder::value("broken", "/a").empty() && payorder::value("{}\0"sv, "").empty());
    CHECK(payorder::value("{}", "/a\0"sv).empty() && payorder::value("{}", "a").empty());
    std::string around;
    CHECK(payorder::value(midst(around, R"({"a":"b"})"), "/a") == "b");
}

void an_order_and_options_are_written_as_json() {
    payorder::order order;
    order.amount = "100.10";
    order.merchant_txn_id = order.order_id = "BUILT";
    order.pay_mode = "all";
    order.merchant_id = "M-7";
    order.product_info = "Two coffees";
    order.customer_name = "Asha Verma";
    order.customer_mobile = "9876543210";
    order.customer_email = "asha@example.com";
    order.redirection_url = "https://shop.example.com/done";
    order.currency_code = "INR";
    CHECK(order.json() == order_of("BUILT"));
    CHECK(order.query() == R"({"searchType":"1","orderId":"BUILT"})");
    CHECK(order.expected() == R"({"orderId":"BUILT","amount":"100.10"})");
    CHECK(order.expected("2026-11-21T14:05:06Z") ==
          R"({"orderId":"BUILT","amount":"100.10","notBefore":"2026-11-21T14:05:06Z"})");
    // A column that was never filled in. Without it, an old payment would be this sale's.
    const std::string never;
    CHECK_RESULT(PAYORDER_INVALID_REQUEST, payorder::try_verify_payment(order.expected(never), "{}"));
    order.amount += '\0';
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, order.try_json());

    const payorder::cancellation token;
    payorder::options options;
    CHECK(options.json() == "{}");
    options.timeout_ms(5).wait_ms(6).interval_ms(7).max_interval_ms(8).concurrency(9).resend();
    options.access_token("\"").final_status("Failed").final_status("Pending");
    options.cancelled_by(token).text("/extraFields/till", "7").set("/ratePerSecond", "2.5");
    CHECK(options.json() ==
          R"({"timeoutMs":5,"waitMs":6,"intervalMs":7,"maxIntervalMs":8,"concurrency":9,)"
          R"("resend":true,"accessToken":"\"","final":["Failed","Pending"],"cancellation":")" +
              std::string(token.token()) +
              R"(","extraFields":{"till":"7"},"ratePerSecond":2.5})");
    for (const std::string_view wrong : {"\xff"sv, "\0"sv}) {
        payorder::options broken;
        broken.access_token(wrong).timeout_ms(1);
        CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, broken.try_json());
        CHECK(broken.try_json().value("/error/cause") == "invalid_value");
    }
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT,
                 payorder::options().set("/timeoutMs", "five").try_json());
}

// `client` has the order of MIDST, which nobody has paid.
void a_status_and_a_verdict_are_values(const payorder::client &client) {
    const std::string query = R"({"orderId":"MIDST"})";
    const payorder::answer asked = client.try_get_status(query);
    const std::optional<payorder::status> open = payorder::status::read(asked.c_str());
    CHECK(open && open->order_id == "MIDST" && open->amount == "100.10" && !open->completed);
    CHECK(open->transaction_status == "Pending" && !open->money_moved());
    // Long enough for one query on a busy machine.
    const payorder::answer waited = client.try_wait_for_payment(
        query, payorder::options().wait_ms(3000).interval_ms(3000).json());
    const std::optional<payorder::status> last = payorder::status::read(waited.value("/status"));
    CHECK(last && last->order_id == "MIDST");

    const auto with = [&](std::string_view pointer, std::string_view value_json) {
        return payorder::status::read(payorder::json_set(asked.c_str(), pointer, value_json));
    };
    CHECK(with("/data/refundStatus", R"("Done")")->money_moved());
    CHECK(with("/data/refundType", R"("Full")")->money_moved());
    CHECK(with("/derived/completed", "true")->money_moved());
    for (const std::string_view text : {R"("COMPLETED")", R"("\u00a0Com pleted.")"}) {
        CHECK(with("/data/transactionStatus", text)->money_moved());
    }
    for (const std::string_view text : {R"("Incompleted")", R"("Complete")", R"("Completed2d")"}) {
        CHECK(!with("/data/transactionStatus", text)->money_moved());
    }
    CHECK(with("/data/settlementStatus", R"("Settled")")->money_moved());
    CHECK(with("/data/settlementDate", R"("11/21/2026")")->money_moved());
    CHECK(!with("/data/settlementDate", R"("\u0000")"));
    // What decides nothing hides no payment, as in C: U+0000, and an unknown field twice.
    CHECK(with("/data/note", R"("\u0000")")->order_id == "MIDST");
    CHECK(with("/data/customerName", R"("\u0000")")->customer_name.empty());
    std::string twice = asked.json();
    twice.replace(twice.find(R"("data":{)"), 8, R"("data":{"note":1,"note":2,)");
    CHECK(payorder::status::read(twice)->order_id == "MIDST");
    // Nothing is known from what is not a status.
    CHECK(!with("/data/refundStatus", "null") && !with("/derived", "{}"));
    CHECK(!with("/data/refundType", R"("\u0000")"));
    const payorder::answer failed = client.try_get_status("{}");
    CHECK(!failed && !payorder::status::read(failed.c_str()) && !payorder::status::read(""));

    const payorder::answer compared =
        payorder::try_verify_payment(R"({"orderId":"MIDST","amount":"100.1"})", asked.c_str());
    const std::optional<payorder::verdict> verdict = payorder::verdict::read(compared.c_str());
    CHECK(verdict && !verdict->paid && verdict->reasons.size() == 1);
    CHECK(verdict->reasons[0].check == "transactionStatus" &&
          verdict->reasons[0].expected == "Completed" && verdict->reasons[0].actual == "Pending");
    CHECK(payorder::verdict::read(R"({"paid":true,"reasons":[]})")->paid);
    CHECK(!payorder::verdict::read(payorder::try_verify_payment("{}", "{}").c_str()));
}

void nested_json_is_built_and_read() {
    std::string config = payorder::json_set({}, "/tls/roots", payorder::json_quote("system"));
    for (const char *host : {"a.example", "b\".example"}) {
        config = payorder::json_set(config, "/checkoutHosts/-", payorder::json_quote(host));
    }
    CHECK(config == R"({"tls":{"roots":"system"},"checkoutHosts":["a.example","b\".example"]})");
    std::size_t count = 7;
    CHECK(payorder::json_count(config, "/checkoutHosts", count) == PAYORDER_OK && count == 2);
    CHECK(payorder::json_count(config, "/tls/roots", count) == PAYORDER_INVALID_REQUEST);
    CHECK(count == 0);
    CHECK(payorder::json_count("[]\0"sv, "", count) == PAYORDER_INVALID_ARGUMENT);

    char buffer[8] = "wild";
    std::size_t length = 0;
    CHECK(payorder::json_copy(config, "/tls/roots", buffer, sizeof buffer, length) == PAYORDER_OK);
    CHECK(length == 6 && buffer == "system"sv);
    CHECK(payorder::json_copy(config, "/tls/roots", buffer, 6, length) ==
          PAYORDER_INVALID_ARGUMENT);
    CHECK(length == 6 && buffer[0] == '\0');
    buffer[0] = 'w';
    CHECK(payorder::json_copy(config, "/\0"sv, buffer, 8, length) == PAYORDER_INVALID_ARGUMENT);
    CHECK(length == 0 && buffer[0] == '\0');
}

void items_are_handed_over() {
    const std::string_view json = R"({"a":1,"b":null,"c":["x",null]})";
    std::string seen;
    const auto see = [&seen](std::size_t index, std::optional<std::string_view> key,
                             std::optional<std::string_view> value) {
        seen += std::to_string(index) + std::string(key.value_or("-"));
        seen += "=" + std::string(value.value_or("none")) + " ";
        return seen.size() < 20;
    };
    CHECK(payorder::json_each(json, "", see) == PAYORDER_OK);
    CHECK(seen == R"(0a=1 1b=none 2c=["x",null] )");
    seen.clear();
    CHECK(payorder::json_each(json, "/c", see) == PAYORDER_OK && seen == "0-=x 1-=none ");
    seen = "twenty characters are there";
    CHECK(payorder::json_each(json, "", see) == PAYORDER_OK && seen.substr(27) == "0a=1 ");
    CHECK(payorder::json_each(json, "/a", see) == PAYORDER_INVALID_REQUEST);
    CHECK(payorder::json_each("[]\0"sv, "", see) == PAYORDER_INVALID_ARGUMENT);
    int replaced = 0;
    payorder::item_function each = [&](auto...) { return each = nullptr, ++replaced > 0; };
    CHECK(payorder::json_each("[1,2]", "", each) == PAYORDER_OK && replaced == 2);
    CHECK(payorder::json_each(json, "", {}) == PAYORDER_INVALID_ARGUMENT);
    int calls = 0;
    try {
        static_cast<void>(payorder::json_each("[1,2]", "", [&calls](auto...) -> bool {
            ++calls;
            throw std::runtime_error("not again");
        }));
        CHECK(false && "it is thrown on");
    } catch (const std::runtime_error &error) {
        CHECK(calls == 1 && error.what() == "not again"sv);
    }
}

} // namespace

void run(const std::string &config) {
    {
        payorder::client client(config);
        no_text_is_cut(config, client);
    }
    views_end_where_they_end(config);
    an_object_is_made_of_any_range_of_pairs();
    a_value_is_never_an_error_object();
    an_order_and_options_are_written_as_json();
    a_status_and_a_verdict_are_values(payorder::client(config));
    nested_json_is_built_and_read();
    items_are_handed_over();
}
