// If C++ runs out of memory in a call, the outcome of the order is still reported and nothing
// leaks.
#include "host.hpp"

#include <cstddef>
#include <new>

namespace {

// How many allocations still succeed; below zero, all do.
int left = -1;

void *memory(std::size_t size) {
    if (left == 0) {
        throw std::bad_alloc();
    }
    if (left > 0) {
        --left;
    }
    void *const given = std::malloc(size == 0 ? 1 : size);
    if (given == nullptr) {
        throw std::bad_alloc();
    }
    return given;
}

// While it lives, only this many allocations succeed.
struct Scarce {
    explicit Scarce(int requests) {
        left = requests;
    }
    ~Scarce() {
        left = -1;
    }
    Scarce(const Scarce &) = delete;
    Scarce &operator=(const Scarce &) = delete;
};

} // namespace

void *operator new(std::size_t size) {
    return memory(size);
}
void *operator new[](std::size_t size) {
    return memory(size);
}
void operator delete(void *given) noexcept {
    std::free(given);
}
void operator delete[](void *given) noexcept {
    std::free(given);
}
void operator delete(void *given, std::size_t) noexcept {
    std::free(given);
}
void operator delete[](void *given, std::size_t) noexcept {
    std::free(given);
}

namespace {

enum class Told { nothing, done, not_sent, rejected, unknown };

template <typename Call> Told told_by(const Call &call) {
    try {
        return call().ok() ? Told::done : Told::nothing;
    } catch (const payorder::not_sent &error) {
        return error.outcome() == payorder::outcome::not_sent && *error.what() != '\0'
                   ? Told::not_sent
                   : Told::nothing;
    } catch (const payorder::rejected &error) {
        return error.outcome() == payorder::outcome::rejected && *error.what() != '\0'
                   ? Told::rejected
                   : Told::nothing;
    } catch (const payorder::unknown_outcome &error) {
        return error.outcome() == payorder::outcome::unknown && *error.what() != '\0'
                   ? Told::unknown
                   : Told::nothing;
    } catch (const std::bad_alloc &) {
        return Told::nothing;
    }
}

bool is_known(const payorder::client &client, const std::string &order_id) {
    return client.try_get_status(payorder::json_object({{"orderId", order_id}})).ok();
}

// Fails the first allocation, then the second, and so on, until a call gets all its memory.
void fail_each(const payorder::client &client, const std::string &sold, Told expected) {
    int could_not_begin = 0;
    for (int requests = 0; requests < 40; ++requests) {
        const std::string order_id = sold + '-' + std::to_string(requests),
                          order = order_of(order_id, sold);
        const Told told = told_by([&] {
            const Scarce scarce(requests);
            return client.create_order(order);
        });
        // A call with little memory reports the same outcome. A call that could not start has sent
        // nothing.
        CHECK(told == expected || told == Told::nothing);
        CHECK(told != Told::nothing || !is_known(client, order_id));
        CHECK(payorder::live_strings() == 0);
        could_not_begin += told == Told::nothing;
    }
    CHECK(could_not_begin > 0 && could_not_begin < 20);
}

void a_reader_that_fails_leaves_the_answer_whole(const payorder::client &client) {
    const payorder::answer made = client.create_order(order_of("READ"));
    const std::string whole = made.json(),
                      pointer = "/a/pointer/that/is/too/long/for/a/short/string";
    int failed = 0;
    for (int requests = 0; requests < 4; ++requests) {
        try {
            const Scarce scarce(requests);
            CHECK(made.json() == whole && made.value("/data/url").size() > 20 &&
                  made.value(pointer).empty());
        } catch (const std::bad_alloc &) {
            ++failed;
        }
        CHECK(made.ok() && made.c_str() == whole && payorder::live_strings() == 1);
    }
    CHECK(failed > 1);
}

void making_a_client_leaks_none(const std::string &config) {
    int failed = 0;
    for (int requests = 0; requests < 10; ++requests) {
        try {
            const Scarce scarce(requests);
            payorder::client client(config);
            CHECK(client.set_log([](std::string_view) {}) == PAYORDER_OK);
        } catch (const std::bad_alloc &) {
            ++failed;
        }
        CHECK(nothing_is_live() == 0);
    }
    CHECK(failed > 2 && failed < 10);
}

} // namespace

void run(const std::string &config) {
    making_a_client_leaks_none(config);
    {
        const payorder::client client(config);
        fail_each(client, "Two coffees", Told::done);
        fail_each(client, "sandbox:reject", Told::rejected);
        fail_each(client, "sandbox:drop-after-commit", Told::unknown);
        a_reader_that_fails_leaves_the_answer_whole(client);
    }
}
