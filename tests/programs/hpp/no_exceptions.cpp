// A program compiled without exceptions and RTTI can do everything with the try_ functions.
#include "host.hpp"

#if PAYORDER_HPP_THROWS
#error "compile this with -fno-exceptions"
#endif

void run(const std::string &config) {
    payorder::client client;
    CHECK_RESULT(PAYORDER_INVALID_HANDLE, client.try_create_order(order_of("NONE")));
    CHECK_RESULT(PAYORDER_INVALID_CONFIG, client.try_open("{}"));
    CHECK_RESULT(PAYORDER_OK, client.try_open(config));

    int events = 0;
    CHECK(client.set_log([&events](std::string_view) { ++events; }) == PAYORDER_OK);
    const payorder::answer made = client.try_create_order(order_of("QUIET"));
    CHECK_RESULT(PAYORDER_OK, made);
    CHECK(!made.value("/data/url").empty() && events == 3);
    // Calling an empty function would end the program.
    CHECK(client.set_log(payorder::log_function()) == PAYORDER_OK);
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT, client.try_get_statuses("[]", nullptr));

    const payorder::answer lost =
        client.try_create_order(order_of("QUIETLY-LOST", "sandbox:drop-after-commit"));
    CHECK(lost.outcome() == payorder::outcome::unknown);
    const payorder::answer status = client.try_get_status(lost.value("/error/statusQuery"));
    CHECK_RESULT(PAYORDER_OK, status);

    const std::string open = R"([{"orderId":"QUIETLY-LOST","amount":"100.11"}])";
    const auto sales = payorder::sale::read(client.try_recover(open).json());
    CHECK(sales && sales->size() == 1 && sales->front().order_id == "QUIETLY-LOST");
    CHECK(sales->front().verdict == "check" && sales->front().reasons.front().check == "amount");
    CHECK(!payorder::sale::read(lost.json()) && !payorder::sale::read(status.json()));

    const payorder::answer verdict = payorder::try_verify_payment(
        R"({"orderId":"QUIETLY-LOST","amount":"100.10"})", status.json());
    CHECK_RESULT(PAYORDER_OK, verdict);
    CHECK(verdict.value("/paid") == "false" &&
          payorder::try_json_get(verdict.json(), "/reasons/0/check").json() ==
              "transactionStatus");

    int reasons = 0;
    const auto count = [&reasons](auto...) { return ++reasons > 0; };
    CHECK(payorder::json_each(verdict.json(), "/reasons", count) == PAYORDER_OK && reasons > 0);
    CHECK(payorder::try_json_set({}, "/a/b", "1").json() == R"({"a":{"b":1}})");

    CHECK_RESULT(PAYORDER_OK, payorder::try_build_create_order(order_of("QUIET")));
    CHECK_RESULT(PAYORDER_OK, payorder::try_build_get_status(lost.value("/error/statusQuery")));
    CHECK(payorder::try_parse_return_url("?txn=T-1").value("/transactionId") == "T-1");
    CHECK_RESULT(PAYORDER_INVALID_ARGUMENT,
                 payorder::try_parse_return_url(std::string_view("?txn=T-1\0", 9)));

    payorder::client moved(std::move(client));
    CHECK(moved.cancel() == PAYORDER_OK);
    moved.close();
}
