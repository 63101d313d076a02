// Waiting, many statuses and the journal: the same results as in C, and exceptions from callbacks
// are rethrown.
#include "host.hpp"

#include <cstdio>
#include <set>
#include <stdexcept>
#include <unistd.h>

namespace {

// Orders LIFE-0 to LIFE-7, and one that does not exist.
const int orders = 8;

std::string queries() {
    std::string array = "[";
    for (int i = 0; i < orders; ++i) {
        array += R"({"orderId":"LIFE-)" + std::to_string(i) + R"("},)";
    }
    return array + R"({"orderId":"NOBODYS"}])";
}

void a_wait_says_how_it_ended(const payorder::client &client) {
    const std::string short_wait = R"({"waitMs":60,"intervalMs":20})";
    const payorder::answer open = client.wait_for_payment(R"({"orderId":"LIFE-0"})", short_wait);
    CHECK(open.value("/timedOut") == "true" && open.value("/final") == "false");
    CHECK(open.value("/status/data/transactionStatus") == "Pending");
    const payorder::answer final =
        client.wait_for_payment(R"({"orderId":"LIFE-0"})", R"({"final":["Pending"]})");
    CHECK(final.value("/final") == "true" && final.value("/polls") == "1");
    CHECK(client.wait_for_payment(R"({"orderId":"NOBODYS"})", short_wait).value("/error/name") ==
          "PAYORDER_REJECTED");
    try {
        static_cast<void>(client.wait_for_payment(R"({"orderId":"LIFE-0"})", R"({"waitMs":0})"));
        CHECK(false);
    } catch (const payorder::not_sent &error) {
        CHECK(error.result() == PAYORDER_INVALID_ARGUMENT);
    }
}

void every_query_has_its_result(const payorder::client &client) {
    std::set<std::size_t> seen;
    const payorder::answer ended = client.get_statuses(
        queries(),
        [&](std::size_t index, payorder_result result, std::string_view json) {
            CHECK(seen.insert(index).second);
            if (index < orders) {
                CHECK(result == PAYORDER_OK);
                CHECK(payorder::json_get(json, "/data/orderId") == "LIFE-" + std::to_string(index));
            } else {
                CHECK(result == PAYORDER_REJECTED);
            }
            return true;
        },
        R"({"concurrency":3})");
    CHECK(seen.size() == orders + 1);
    CHECK(ended.value("/asked") == "9" && ended.value("/ok") == "8" &&
          ended.value("/stopped") == "false");
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, client.try_get_statuses("[]", nullptr));
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT,
                 client.try_get_statuses("[", [](auto...) { return true; }));
}

void a_function_stops_it_by_its_word_or_by_throwing(const payorder::client &client) {
    int taken = 0;
    const payorder::answer stopped = client.try_get_statuses(
        queries(), [&](auto...) { return ++taken < 2; }, R"({"concurrency":1})");
    CHECK_RESULT(PAYORDER_OK, stopped);
    CHECK(stopped.value("/stopped") == "true" && taken < orders);
    taken = 0;
    try {
        static_cast<void>(client.try_get_statuses(queries(), [&](auto...) -> bool {
            ++taken;
            throw std::runtime_error("the report cannot be written");
        }));
        CHECK(false);
    } catch (const std::runtime_error &error) {
        CHECK(std::string(error.what()) == "the report cannot be written" && taken == 1);
    }
}

void the_journal_is_kept(const std::string &config) {
    const std::string file = "/tmp/payorder-hpp-" + std::to_string(::getpid()) + ".db";
    const payorder::client client(config.substr(0, config.size() - 1) + R"(,"journal":")" + file +
                                  "\"}");
    CHECK(client.create_order(order_of("LIFE-JOURNAL")).ok());
    try {
        static_cast<void>(client.create_order(order_of("LIFE-JOURNAL")));
        CHECK(false);
    } catch (const payorder::duplicate &error) {
        CHECK(error.result() == PAYORDER_DUPLICATE &&
              error.value("/error/previous/state") == "created");
    }
    CHECK(client.journal_list().value("/entries/0/orderId") == "LIFE-JOURNAL");
    CHECK(client.journal_resolve().value("/summary/ok") == "1");
    CHECK(client.journal_list(R"({"state":"created"})").value("/entries/0/transactionStatus") ==
          "Pending");
    CHECK(client.journal_settle(R"({"entry":1,"note":"paid in cash"})").value("/state") ==
          "settled");
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, client.try_journal_settle(R"({"entry":1})"));
    CHECK(client.journal_list(R"({"state":"settled"})").value("/entries/0/note") == "paid in cash");
    CHECK(client.journal_prune(R"({"olderThanDays":1})").value("/removed") == "0");
    for (const char *end : {"", "-wal", "-shm"}) {
        std::remove((file + end).c_str());
    }
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, payorder::client(config).try_journal_list());
}

} // namespace

int main(int argc, char **argv) {
    const std::string config = config_of(argc, argv);
    {
        const payorder::client client(config);
        for (int i = 0; i < orders; ++i) {
            CHECK(client.create_order(order_of("LIFE-" + std::to_string(i))).ok());
        }
        a_wait_says_how_it_ended(client);
        every_query_has_its_result(client);
        a_function_stops_it_by_its_word_or_by_throwing(client);
    }
    the_journal_is_kept(config);
    return nothing_is_live();
}
