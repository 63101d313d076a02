// What the driver of the conformance suite does not use: idle functions, calls that do not block,
// streams, the environment's settings, and tokens that are moved.
#include "host.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

const char *const query = R"({"orderId":"CANCELLED-1"})";

void the_idle_function_ends_a_wait(const payorder::client &client) {
    int runs = 0;
    const auto wait = [&client] { return client.try_wait_for_payment(query); };
    {
        auto earlier = std::make_unique<payorder::idle>(nullptr);
        const payorder::idle three_times([&runs] {
            return ++runs < 3 ? payorder::idle_result::go_on : payorder::idle_result::cancel;
        });
        earlier.reset();
        { const payorder::idle later([] { return payorder::idle_result::cancel; }); }
        const payorder_result ended = wait().result();
        CHECK(ended == PAYORDER_CANCELLED || ended == PAYORDER_CANCELLED_IN_FLIGHT);
        CHECK(runs == 3);
    }
    const payorder::idle throwing([]() -> payorder::idle_result { throw 7; });
    const payorder_result ended = wait().result();
    CHECK(ended == PAYORDER_CANCELLED || ended == PAYORDER_CANCELLED_IN_FLIGHT);
}

void a_started_call_gives_its_result_once(const payorder::client &client) {
    std::atomic<int> ended{0};
    CHECK(client.try_start("get_status", query, [&](const payorder::answer &got) {
        CHECK_RESULT(PAYORDER_OK, got);
        CHECK(got.value("/data/orderId") == "CANCELLED-1");
        ++ended;
    }).ok());
    while (payorder::live_calls() != 0) {
        std::this_thread::yield();
    }
    CHECK(ended == 1);
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, client.try_start("pay", query, [](const auto &) {}));
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, client.try_start("get_status", query, nullptr));
    int number = 0;
    CHECK(!client.take());
    CHECK(client.done_handle() != -1);
    CHECK(client.try_start_to_take("get_status", query, &number).ok());
    const payorder::taken taken = client.take(60000);
    CHECK(taken && taken.user_data == &number);
    CHECK(taken.ended.value("/data/orderId") == "CANCELLED-1");
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, client.try_start_to_take("pay", query, nullptr));
    const payorder::taken none = payorder::client().take();
    CHECK(!none);
    CHECK_RESULT(PAYORDER_INVALID_HANDLE, none.ended);
}

void a_stream_asks_until_there_are_no_more(const payorder::client &client) {
    int left = 3, results = 0;
    const auto next = [&left]() -> std::optional<std::string> {
        return left-- > 0 ? std::optional<std::string>(query) : std::nullopt;
    };
    const auto each = [&results](std::size_t, payorder_result result, std::string_view) {
        results += result == PAYORDER_OK ? 1 : 0;
        return true;
    };
    CHECK(client.try_stream_statuses(next, each).value("/asked") == "3");
    CHECK(results == 3);
    // A query is not cut at a NUL. Its error says where it is, and the others are asked.
    std::vector<std::string> queries{query, query + std::string(1, '\0') + "}", query};
    const auto last = [&queries]() -> std::optional<std::string> {
        if (queries.empty()) {
            return std::nullopt;
        }
        const std::string given = queries.back();
        queries.pop_back();
        return given;
    };
    const auto see = [&results](std::size_t index, payorder_result result, std::string_view json) {
        ++results;
        CHECK(result == (index == 1 ? PAYORDER_INVALID_ARGUMENT : PAYORDER_OK));
        CHECK(index != 1 || payorder::value(json, "/error/message").find("column 26)") !=
                                std::string::npos);
        return true;
    };
    CHECK(client.try_stream_statuses(last, see).value("/notSent") == "1");
    CHECK(results == 6);
    const auto throwing = []() -> std::optional<std::string> { throw 7; };
    try {
        static_cast<void>(client.try_stream_statuses(throwing, each));
        CHECK(false);
    } catch (int thrown) {
        CHECK(thrown == 7);
    }
}

void an_exception_of_done_ends_the_program(const std::string &config) {
    const pid_t child = fork();
    if (child == 0) {
        // At once, so that a checker of memory does not count what the process still has.
        std::set_terminate([] { static_cast<void>(kill(getpid(), SIGKILL)); });
        const payorder::client own(config);
        const auto throwing = [](const payorder::answer &) { throw 7; };
        CHECK(own.try_start("get_status", query, throwing).ok());
        while (payorder::live_calls() != 0) {
            std::this_thread::yield();
        }
        _exit(0);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

void a_client_of_the_environment_is_stopped(const std::string &config) {
    payorder::client client;
    CHECK(client.try_open_from_env(config).ok());
    CHECK(client.try_set_credentials(R"({"clientId":"another"})").ok());
    CHECK(client.stop() == PAYORDER_OK);
    CHECK_RESULT(PAYORDER_CANCELLED, client.try_get_status(query));
}

void a_token_is_freed_once_wherever_it_is_moved(const payorder::client &client) {
    payorder::cancellation first;
    const std::string options = first.options();
    payorder::cancellation second(std::move(first));
    CHECK(first.cancel() == PAYORDER_INVALID_HANDLE && *first.token() == '\0');
    CHECK_RESULT(PAYORDER_INVALID_HANDLE, client.try_get_status(query, first.options()));
    CHECK_RESULT(PAYORDER_OK, client.try_get_status(query, options));
    second = payorder::cancellation();
    CHECK_RESULT(PAYORDER_INVALID_HANDLE, client.try_get_status(query, options));
    CHECK(second.cancel() == PAYORDER_OK);
}

} // namespace

void run(const std::string &config) {
    const payorder::client client(config);
    CHECK(client.create_order(order_of("CANCELLED-1")).ok());
    a_started_call_gives_its_result_once(client);
    an_exception_of_done_ends_the_program(config);
    a_client_of_the_environment_is_stopped(config);
    a_stream_asks_until_there_are_no_more(client);
    the_idle_function_ends_a_wait(client);
    a_token_is_freed_once_wherever_it_is_moved(client);
}
