// A log function lives as long as the client and its calls, even if the client is moved, and
// whatever the function does.
#include "host.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace {

// Waits for an event.
template <typename Condition> void wait_for(const Condition &condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
        CHECK(std::chrono::steady_clock::now() < until);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

void a_function_lives_as_long_as_its_client(const std::string &config) {
    auto count = std::make_shared<std::atomic<int>>(0);
    const std::weak_ptr<std::atomic<int>> watched = count;
    payorder::client client(config);
    CHECK(client.set_log([count = std::move(count)](std::string_view) { ++*count; }) ==
          PAYORDER_OK);

    payorder::client moved(std::move(client));
    CHECK_RESULT(PAYORDER_OK, moved.try_create_order(order_of("LOG-MOVED")));
    CHECK(!watched.expired() && *watched.lock() == 3);
    payorder::client assigned(config);
    assigned = std::move(moved);
    CHECK_RESULT(PAYORDER_OK, assigned.try_get_status(R"({"orderId":"LOG-MOVED"})"));
    CHECK(*watched.lock() == 6);

    // After it is replaced, it may still run in a call on another thread.
    CHECK(assigned.set_log([](std::string_view) {}) == PAYORDER_OK && !watched.expired());
    assigned.close();
    CHECK(watched.expired());
}

void a_function_may_replace_itself(const std::string &config) {
    payorder::client client(config);
    int first = 0, second = 0;
    std::string kept = "still here after it was replaced, and too long for a short string";
    CHECK(client.set_log([&client, &first, &second, kept](std::string_view) {
        CHECK(client.set_log([&second](std::string_view) { ++second; }) == PAYORDER_OK);
        CHECK(kept.size() > 40);
        ++first;
    }) == PAYORDER_OK);
    CHECK_RESULT(PAYORDER_OK, client.try_create_order(order_of("REPLACED")));
    CHECK_RESULT(PAYORDER_OK, client.try_get_status(R"({"orderId":"REPLACED"})"));
    CHECK(first == 3 && second == 3);
}

void a_call_logs_on_after_its_client_is_gone(const std::string &config) {
    const auto finished = std::make_shared<std::atomic<bool>>(false);
    const auto started = std::make_shared<std::atomic<bool>>(false);
    auto client = std::make_unique<payorder::client>(config);
    CHECK(
        client->set_log([finished, started, kept = std::string(100, 'x')](std::string_view event) {
            CHECK(kept.size() == 100);
            (payorder::json_get(event, "/event") == "call_finished" ? *finished : *started) = true;
        }) == PAYORDER_OK);
    std::thread caller([&client] {
        const payorder::answer answer = client->try_create_order(
            order_of("OUTLIVES", "sandbox:stall"), R"({"timeoutMs":1500})");
        CHECK_RESULT(PAYORDER_TIMEOUT, answer);
    });
    wait_for([&] { return started->load(); });
    client.reset();
    CHECK(!finished->load());
    caller.join();
    CHECK(finished->load() && finished.use_count() == 1);
}

void a_function_goes_with_its_client_although_an_answer_was_not_taken(const std::string &config) {
    const payorder::client other(config);
    CHECK(other.create_order(order_of("LOG-OTHER")).ok());
    const char *const query = R"({"orderId":"LOG-OTHER"})";
    CHECK(other.try_start_to_take("wait_for_payment", query, nullptr).ok());
    auto kept = std::make_shared<int>(0);
    const std::weak_ptr<int> watched = kept;
    {
        payorder::client client(config);
        CHECK(client.set_log([kept = std::move(kept)](std::string_view) {}) == PAYORDER_OK);
        CHECK(client.try_start_to_take("get_status", query, nullptr).ok());
        wait_for([] { return payorder::live_calls() == 1; });
    }
    CHECK(watched.expired());
    CHECK(other.cancel() == PAYORDER_OK && other.take(60000));
}

void threads_call_while_others_change_the_log(const std::string &config) {
    enum { THREADS = 4, TURNS = 25 };
    payorder::client client(config);
    std::atomic<int> events{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < THREADS; ++i) {
        threads.emplace_back([&client, i] {
            for (int turn = 0; turn < TURNS; ++turn) {
                CHECK_RESULT(PAYORDER_OK,
                             client.try_create_order(order_of("SHARED-" + std::to_string(i) + '-' +
                                                              std::to_string(turn))));
            }
        });
        threads.emplace_back([&client, &events] {
            for (int turn = 0; turn < TURNS; ++turn) {
                CHECK(client.set_log([&events, kept = std::string(100, 'x')](std::string_view) {
                    CHECK(kept.size() == 100);
                    ++events;
                }) == PAYORDER_OK);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    CHECK(events > 0);
}

} // namespace

void run(const std::string &config) {
    a_function_lives_as_long_as_its_client(config);
    a_function_may_replace_itself(config);
    a_call_logs_on_after_its_client_is_gone(config);
    a_function_goes_with_its_client_although_an_answer_was_not_taken(config);
    threads_call_while_others_change_the_log(config);
}
