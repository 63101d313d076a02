// Calls as awaitables of asio, in C++20:
//
//     c++ -std=c++20 asio.cpp $(pkg-config --cflags --libs payorder) -lpthread -o till
//     ./till AMOUNT ORDER_ID
#include "sample.hpp"

#include <asio.hpp>

#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>

// A call continues on the loop's thread, and never inside a callback of the library: a program that
// goes on there, and frees what the library still uses, ends.
class awaitable_calls {
public:
    awaitable_calls(asio::io_context &loop, payorder::client client)
        : client_(std::move(client)), ready_(loop, static_cast<int>(client_.done_handle())) {}
    ~awaitable_calls() { static_cast<void>(ready_.release()); } // the descriptor is the client's

    const payorder::client &client() const { return client_; }

    // Cancelling it, as a time limit does, cancels the call. It still ends with the call's answer.
    asio::awaitable<payorder::answer> call(std::string operation, std::string request) {
        const payorder::cancellation token;
        // Kept here until its answer is taken, also if the coroutine goes earlier.
        const auto one = std::make_shared<waiting>(ready_.get_executor());
        const std::uintptr_t number = ++last_;
        payorder::answer begun = client_.try_start_to_take(
            operation, request, reinterpret_cast<void *>(number), token.options());
        if (!begun) {
            co_return begun;
        }
        waiting_.emplace(number, one);
        watch();
        asio::error_code ignored;
        co_await one->ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        if (!one->answer) {
            token.cancel();
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            co_await one->ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        co_return std::move(*one->answer);
    }

private:
    struct waiting {
        explicit waiting(const asio::any_io_executor &executor)
            : ended(executor, asio::steady_timer::time_point::max()) {}
        asio::steady_timer ended; // its end is the answer
        std::optional<payorder::answer> answer;
    };

    // The loop ends by itself while no call is out.
    void watch() {
        if (watches_ || waiting_.empty()) {
            return;
        }
        watches_ = true;
        ready_.async_wait(ready_.wait_read, [this](asio::error_code failed) {
            if (failed) {
                return;
            }
            watches_ = false;
            while (payorder::taken taken = client_.take()) {
                const auto found = waiting_.find(reinterpret_cast<std::uintptr_t>(taken.user_data));
                found->second->answer = std::move(taken.ended);
                found->second->ended.cancel();
                waiting_.erase(found);
            }
            watch();
        });
    }

    payorder::client client_;
    asio::posix::stream_descriptor ready_;
    std::map<std::uintptr_t, std::shared_ptr<waiting>> waiting_;
    std::uintptr_t last_ = 0;
    bool watches_ = false;
};

asio::awaitable<void> sell(awaitable_calls &calls, std::string amount, std::string order_id) {
    const payorder::order order = sample_order(amount, order_id);
    const std::string expected = expected_now(order);
    const payorder::answer made = co_await calls.call("create_order", order.json());
    std::printf("%s %s\n", made.name(), made.c_str());
    std::fflush(stdout); // the customer waits for it
    if (!may_exist(calls.client(), order_id, made)) {
        co_return; // not sent, or refused
    }
    const std::string action = made.value("/error/action");
    bool paid = false;
    if (made || action == "ask_status" || action == "use_previous") {
        const payorder::answer waited = co_await calls.call("wait_for_payment", order.query());
        const std::string status = waited.value("/status");
        paid = payorder::try_verify_payment(expected, status).value("/paid") == "true";
    }
    std::puts(paid ? "PAID" : "OPEN: hand nothing over");
}

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fputs("usage: till AMOUNT ORDER_ID\n", stderr);
        return 2;
    }
    try {
        asio::io_context loop;
        awaitable_calls calls(loop, open_client());
        asio::co_spawn(loop, sell(calls, argv[1], argv[2]), [](std::exception_ptr thrown) {
            if (thrown) {
                std::rethrow_exception(thrown);
            }
        });
        loop.run();
        return 0;
    } catch (const payorder::error &error) {
        std::fprintf(stderr, "till: %s\n", error.what());
        return 1;
    }
}
