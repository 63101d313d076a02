// The loop of examples/windows/asio.cpp; with a third argument, a time limit cancels an order that the
// service does not answer.
#define main sample_main
#include "../../../examples/windows/asio.cpp"
#undef main

#include <asio/experimental/awaitable_operators.hpp>

asio::awaitable<void> create(awaitable_calls &calls, std::string order) {
    const payorder::answer made = co_await calls.call("create_order", order);
    std::puts(made.name());
}

asio::awaitable<void> create_in_time(awaitable_calls &calls, std::string order) {
    using namespace asio::experimental::awaitable_operators;
    asio::steady_timer limit(co_await asio::this_coro::executor, std::chrono::seconds(2));
    co_await (create(calls, order) || limit.async_wait(asio::use_awaitable));
}

int main(int argc, char **argv) {
    if (argc != 4) {
        return sample_main(argc, argv);
    }
    asio::io_context loop;
    awaitable_calls calls(loop, payorder::client::from_env());
    const std::string order = sample_order(argv[1], argv[2]).json();
    asio::co_spawn(loop, create_in_time(calls, order), asio::detached);
    loop.run();
    return 0;
}
