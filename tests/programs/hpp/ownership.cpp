// A client has one owner, even when moved, and is freed once. A moved-from client reports an error.
#include "host.hpp"

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

template <typename Owner>
constexpr bool moves_and_never_throws =
    std::is_nothrow_move_constructible_v<Owner> && std::is_nothrow_move_assignable_v<Owner> &&
    std::is_nothrow_swappable_v<Owner> && std::is_nothrow_destructible_v<Owner> &&
    !std::is_copy_constructible_v<Owner> && !std::is_copy_assignable_v<Owner>;
static_assert(moves_and_never_throws<payorder::client>);
static_assert(moves_and_never_throws<payorder::answer>);
static_assert(std::is_nothrow_default_constructible_v<payorder::client>);
static_assert(!std::is_convertible_v<std::string, payorder::client>,
              "no text becomes a client unasked");

// An error while reading a text after the order was created must not be caught as "not sent".
static_assert(!std::is_base_of_v<payorder::not_sent, payorder::unusable_text>,
              "offline failures are a class of their own");
static_assert(std::is_base_of_v<std::exception, payorder::error>,
              "a host that knows only std::exception catches it");
static_assert(std::is_nothrow_copy_constructible_v<payorder::unknown_outcome>,
              "an exception's copy must not throw");
static_assert(!std::is_copy_constructible_v<payorder::cancellation> &&
              std::is_nothrow_move_constructible_v<payorder::cancellation>);

void is_none(payorder::client &client) {
    CHECK(!client && client.handle() == nullptr);
    CHECK_RESULT(PAYORDER_INVALID_HANDLE, client.try_create_order(order_of("NONE")));
    CHECK_RESULT(PAYORDER_INVALID_HANDLE, client.try_get_status(R"({"orderId":"NONE"})"));
    CHECK(client.cancel() == PAYORDER_INVALID_HANDLE);
    CHECK(client.set_log([](std::string_view) {}) == PAYORDER_INVALID_HANDLE);
    CHECK(client.set_log(nullptr) == PAYORDER_INVALID_HANDLE);
    client.close();
    try {
        static_cast<void>(client.create_order(order_of("NONE")));
        CHECK(false && "none makes no order");
    } catch (const payorder::not_sent &error) {
        CHECK(error.result() == PAYORDER_INVALID_HANDLE);
    }
}

void one_owner(const std::string &config) {
    payorder::client first(config);
    payorder_client *const handle = first.handle();
    CHECK(payorder::live_clients() == 1);

    payorder::client second(std::move(first));
    CHECK(second.handle() == handle && payorder::live_clients() == 1);
    is_none(first); // NOLINT: use after move on purpose

    payorder::client third(config);
    CHECK(payorder::live_clients() == 2);
    third = std::move(second);
    CHECK(third.handle() == handle && payorder::live_clients() == 1);
    is_none(second); // NOLINT

    payorder::client &itself = third;
    third = std::move(itself);
    CHECK(third.handle() == handle && payorder::live_clients() == 1);

    swap(third, first);
    CHECK(first.handle() == handle && !third);
    CHECK(first.cancel() == PAYORDER_OK && first.set_log(nullptr) == PAYORDER_OK);
    CHECK_RESULT(PAYORDER_OK, first.try_create_order(order_of("MOVED")));

    first.close();
    CHECK(payorder::live_clients() == 0 && payorder_client_free(handle) == PAYORDER_INVALID_HANDLE);
    is_none(first);
}

void a_copy_of_an_exception_is_complete(const std::string &config) {
    std::optional<payorder::error> kept;
    try {
        const payorder::client client(config);
        static_cast<void>(client.create_order(order_of("KEPT", "sandbox:reject")));
    } catch (const payorder::rejected &error) {
        kept = error;
    }
    CHECK(kept && kept->result() == PAYORDER_REJECTED);
    CHECK(kept->value("/error/name") == kept->name() && !kept->cause().empty());
    CHECK(kept->outcome() == payorder::outcome::rejected && !kept->action().empty());
    CHECK(kept->what() == kept->value("/error/message"));
}

void in_a_container(const std::string &config) {
    std::vector<payorder::client> clients;
    for (int i = 0; i < 20; ++i) {
        clients.emplace_back(config);
    }
    clients.erase(clients.begin() + 3, clients.begin() + 8);
    CHECK(payorder::live_clients() == 15);
}

void opened_again(const std::string &config) {
    payorder::client client;
    is_none(client);
    CHECK_RESULT(PAYORDER_OK, client.try_open(config));
    payorder_client *const handle = client.handle();
    CHECK_RESULT(PAYORDER_INVALID_CONFIG, client.try_open("{}"));
    CHECK(client.handle() == handle && client.cancel() == PAYORDER_OK);
    CHECK_RESULT(PAYORDER_OK, client.try_open(config));
    CHECK(client.handle() != handle && payorder::live_clients() == 1);
}

void an_answer_has_one_owner_too() {
    payorder::answer first = payorder::build_get_status(R"({"orderId":"O-1"})");
    const std::string text = first.json();
    payorder::answer second(std::move(first));
    CHECK(second.json() == text && payorder::live_strings() == 1);
    CHECK(first.json().empty() && first.value("/orderId").empty()); // NOLINT
    second = payorder::try_build_get_status("{}");
    CHECK(!second.ok() && payorder::live_strings() == 1);
    const payorder::answer taken(PAYORDER_OK, nullptr);
    CHECK(taken.json().empty() && taken.value("").empty());
}

} // namespace

void run(const std::string &config) {
    one_owner(config);
    a_copy_of_an_exception_is_complete(config);
    in_a_container(config);
    opened_again(config);
    an_answer_has_one_owner_too();
}
