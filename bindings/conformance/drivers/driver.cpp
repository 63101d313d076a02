/*
 * The C++ driver of the conformance suite: see ../README.md.
 *
 * It is C++17, uses payorder.hpp as a program does, and reads and writes JSON with it. Calls in the
 * background are in threads of its own, or with --started in the library's queue.
 */
#include <payorder.hpp>

#include <cstdlib>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace {

/* ---- JSON ---------------------------------------------------------------------------------- */

std::optional<std::string> get(const std::string &json, const std::string &pointer) {
    const payorder::answer found = payorder::try_json_get(json, pointer);
    return found ? std::optional(found.json()) : std::nullopt;
}

std::string text(const std::string &json, const std::string &pointer) {
    return get(json, pointer).value_or("");
}

/// A JSON text that is built value by value.
class builder {
public:
    explicit builder(std::string json = "{}") : json_(std::move(json)) {}

    builder &json(const std::string &pointer, const std::string &value) {
        json_ = payorder::json_set(json_, pointer, value);
        return *this;
    }

    builder &text(const std::string &pointer, const std::optional<std::string> &value) {
        return json(pointer, value ? payorder::json_quote(*value) : "null");
    }

    builder &number(const std::string &pointer, std::size_t value) {
        return json(pointer, std::to_string(value));
    }

    const std::string &str() const { return json_; }

private:
    std::string json_;
};

/* ---- Reports ------------------------------------------------------------------------------- */

std::string checkout_value(const std::string &json) {
    builder value;
    value.text("/url", get(json, "/data/url"));
    value.text("/responseCode", get(json, "/responseCode"));
    return value.text("/responseMessage", get(json, "/responseMessage")).str();
}

/// A status: the data, with the texts around it.
std::string status_value(const std::string &json) {
    builder value(text(json, "/data"));
    value.text("/responseCode", get(json, "/responseCode"));
    value.text("/responseMessage", get(json, "/responseMessage"));
    value.text("/date", get(json, "/derived/transactionDate")).text("/raw", json);
    return value.json("/completed", text(json, "/derived/completed")).str();
}

std::string with_status(const std::string &json) {
    const auto status = get(json, "/status");
    return status ? payorder::json_set(json, "/status", status_value(*status)) : json;
}

/// A failure that was delivered and not thrown: a result and its JSON text, as in C.
std::string delivered_error(payorder_result result, const std::string &json) {
    static const char *const outcomes[] = {"done", "not_sent", "rejected", "unknown"};
    const char *outcome = outcomes[static_cast<std::size_t>(payorder::result_outcome(result))];
    builder value(with_status(get(json, "/error").value_or("{}")));
    value.json("/result", std::to_string(result)).text("/name", payorder::result_name(result));
    return value.text("/outcome", outcome).text("/caught", outcome).str();
}

std::string wait_value(const std::string &json) {
    builder value(with_status(json));
    if (const auto result = get(json, "/error/result"); result) {
        value.json("/error", delivered_error(std::atoi(result->c_str()), json));
    }
    return value.str();
}

std::string done(const std::string &value = "null") {
    return builder().json("/ok", "true").json("/value", value).str();
}

/// The report of an error that was thrown. `caught` is the outcome whose clause caught it.
std::string thrown(const payorder::error &error, const char *caught, const char *name) {
    builder value(with_status(error.value("/error")));
    value.json("/result", std::to_string(error.result())).text("/name", error.name());
    value.text("/cause", std::string(error.cause())).text("/action", std::string(error.action()));
    value.text("/caught", caught).text("/class", name);
    return builder().json("/ok", "false").json("/error", value.str()).str();
}

/// The report of a function that returns a result and nothing else.
std::string returned(payorder_result result) {
    if (result == PAYORDER_OK) {
        return done();
    }
    return builder().json("/ok", "false").json("/error", delivered_error(result, "{}")).str();
}

/* ---- State --------------------------------------------------------------------------------- */

struct planted : std::runtime_error {
    planted() : std::runtime_error("planted") {}
};

std::map<std::string, payorder::client> clients;
std::map<std::string, payorder::cancellation> cancellations;
std::map<std::string, std::function<std::string()>> running; // what waits for a step's report
std::mutex lock; // of the maps and the events
builder events("[]");
bool starts = false; // --started
thread_local int steps_here = 0; // how many steps this thread is in

const char *this_thread() { return steps_here > 0 ? "caller" : "other"; }

template <typename Map> auto &named(Map &map, const std::string &step, const char *pointer) {
    const std::lock_guard<std::mutex> held(lock);
    return map[text(step, pointer)];
}

payorder::client &client_of(const std::string &step) { return named(clients, step, "/client"); }

/// The options of a step, with its cancellation.
std::string options_of(const std::string &step) {
    builder options(get(step, "/options").value_or("{}"));
    if (get(step, "/cancellation")) {
        const auto &cancellation = named(cancellations, step, "/cancellation");
        options.text("/cancellation", cancellation.token());
    }
    return options.str();
}

/* ---- Steps --------------------------------------------------------------------------------- */

std::string run(const std::string &step);

/// Performs the step of a callback. Returns false if it is `stop`.
bool perform(const std::optional<std::string> &then) {
    if (!then || text(*then, "/op") == "stop") {
        return !then;
    }
    if (text(*then, "/op") == "throw") {
        throw planted();
    }
    run(*then);
    return true;
}

std::string statuses(const std::string &step) {
    const std::optional<std::string> then = get(step, "/then");
    const std::size_t at = std::strtoul(text(step, "/at").c_str(), nullptr, 10);
    std::size_t count = 0;
    builder items("[]");
    const auto take = [&](std::size_t index, payorder_result result, std::string_view given) {
        const std::string json(given);
        builder item;
        item.number("/index", index).json("/ok", result == PAYORDER_OK ? "true" : "false");
        item.text("/thread", this_thread());
        if (result == PAYORDER_OK) {
            item.json("/value", status_value(json));
        } else {
            item.json("/error", delivered_error(result, json));
        }
        items.json("/-", item.str());
        return count++ == at ? perform(then) : true;
    };
    std::string report;
    try {
        const payorder::client &client = client_of(step);
        report = done(client.get_statuses(text(step, "/queries"), take, options_of(step)).json());
    } catch (const planted &error) {
        report = builder().json("/ok", "false").text("/thrown", error.what()).str();
    } catch (const payorder::not_sent &error) {
        report = thrown(error, "not_sent", "not_sent");
    }
    return payorder::json_set(report, "/items", items.str());
}

std::string verify(const std::string &step) {
    const std::string expected = text(step, "/expected");
    return done(payorder::verify_payment(expected, text(step, "/status")).json());
}

std::string journal(const std::string &step) {
    const payorder::client &client = client_of(step);
    const std::string what = text(step, "/do"), options = options_of(step);
    if (what == "list") {
        return done(client.journal_list(options).value("/entries"));
    }
    if (what == "prune") {
        return done(client.journal_prune(options).value("/removed"));
    }
    return done((what == "settle" ? client.journal_settle(options)
                                  : client.journal_resolve(options)).json());
}

std::string build(const std::string &step) {
    const auto query = get(step, "/query");
    const payorder::answer body =
        query ? payorder::build_get_status(*query)
              : payorder::build_create_order(text(step, "/order"), options_of(step));
    return done(payorder::json_quote(body.json()));
}

std::string set_log(const std::string &step) {
    if (text(step, "/on") == "false") {
        return returned(client_of(step).set_log(nullptr));
    }
    const auto log = [at = text(step, "/at"), then = get(step, "/then")](std::string_view given) {
        const std::string event(given);
        {
            const std::lock_guard<std::mutex> held(lock);
            events.json("/-", builder(event).text("/thread", this_thread()).str());
        }
        if (text(event, "/event") == at) {
            perform(then);
        }
    };
    return returned(client_of(step).set_log(log));
}

std::string take_events() {
    const std::lock_guard<std::mutex> held(lock);
    return done(std::exchange(events, builder("[]")).str());
}

std::string counters() {
    // Before the report itself needs strings.
    const std::size_t strings = payorder::live_strings();
    builder value;
    value.number("/clients", payorder::live_clients()).number("/strings", strings);
    return done(value.number("/calls", payorder::live_calls()).str());
}

std::string start_thread(const std::string &step) {
    const auto report = std::make_shared<std::future<std::string>>(
        std::async(std::launch::async, run, step));
    named(running, step, "/thread") = [report] { return report->get(); };
    return done();
}

/// An operation that can be started, and the value of its answer.
struct startable {
    const char *operation;
    std::string (*value)(const std::string &json);
};

const std::map<std::string, startable> startables{{"create", {"create_order", checkout_value}},
                                                  {"status", {"get_status", status_value}},
                                                  {"wait", {"wait_for_payment", wait_value}}};

std::string start_call(const std::string &step, const startable &call) {
    const auto ended = std::make_shared<std::promise<payorder::answer>>();
    const auto take = [ended](const payorder::answer &given) {
        char *copy = nullptr; // the text itself stays the library's
        payorder_json_get(given.c_str(), "", &copy);
        ended->set_value(payorder::answer(given.result(), copy));
    };
    const std::string request = text(step, get(step, "/order") ? "/order" : "/query");
    payorder::answer begun =
        client_of(step).try_start(call.operation, request, take, options_of(step));
    if (!begun) {
        ended->set_value(std::move(begun));
    }
    named(running, step, "/thread") = [ended, value = call.value] {
        // It throws as a call that blocks does.
        return done(value(payorder::detail::done(ended->get_future().get()).json()));
    };
    return done();
}

std::string start(const std::string &step) {
    const auto found = startables.find(text(step, "/op"));
    return starts && found != startables.end() ? start_call(step, found->second)
                                               : start_thread(step);
}

/// A closed cancellation is one that was moved from.
std::string close(const std::string &step) {
    if (get(step, "/cancellation")) {
        payorder::cancellation closed(std::move(named(cancellations, step, "/cancellation")));
    } else {
        client_of(step).close();
    }
    return done();
}

std::string perform_step(const std::string &step) {
    const std::string op = text(step, "/op");
    if (op == "open") {
        client_of(step) = payorder::client(text(step, "/config"));
        return done();
    }
    if (op == "create") {
        const std::string order = text(step, "/order");
        return done(checkout_value(
            client_of(step).create_order(order, options_of(step)).json()));
    }
    if (op == "status") {
        const std::string query = text(step, "/query");
        return done(status_value(client_of(step).get_status(query, options_of(step)).json()));
    }
    if (op == "wait") {
        const std::string query = text(step, "/query");
        return done(wait_value(
            client_of(step).wait_for_payment(query, options_of(step)).json()));
    }
    if (op == "parse") {
        return done(payorder::parse_return_url(text(step, "/url")).json());
    }
    if (op == "cancellation") {
        named(cancellations, step, "/cancellation") = payorder::cancellation();
        return done();
    }
    if (op == "cancel") {
        return returned(get(step, "/cancellation")
                            ? named(cancellations, step, "/cancellation").cancel()
                            : client_of(step).cancel());
    }
    if (op == "shutdown") return returned(client_of(step).stop());
    if (op == "credentials") {
        const std::string given = text(step, "/credentials");
        return returned(client_of(step).try_set_credentials(given).result());
    }
    if (op == "check") return done(client_of(step).check(options_of(step)).json());
    if (op == "recover") {
        const std::string sales = get(step, "/sales").value_or("");
        return done(client_of(step).recover(sales, options_of(step)).json());
    }
    if (op == "statuses") return statuses(step);
    if (op == "verify") return verify(step);
    if (op == "journal") return journal(step);
    if (op == "build") return build(step);
    if (op == "log") return set_log(step);
    if (op == "close") return close(step);
    if (op == "events") return take_events();
    if (op == "counters") return counters();
    if (op == "join") return named(running, step, "/thread")();
    throw std::runtime_error("unknown operation: " + op);
}

/// Runs a step, and catches errors by class, as a program does.
std::string run(const std::string &step) {
    struct depth {
        depth() { ++steps_here; }
        ~depth() { --steps_here; }
    } const inside;
    try {
        return perform_step(step);
    } catch (const payorder::not_sent &error) {
        return thrown(error, "not_sent", "not_sent");
    } catch (const payorder::rejected &error) {
        return thrown(error, "rejected", "rejected");
    } catch (const payorder::duplicate &error) {
        return thrown(error, "unknown", "duplicate");
    } catch (const payorder::unknown_outcome &error) {
        return thrown(error, "unknown", "unknown_outcome");
    } catch (const payorder::unusable_text &error) {
        return thrown(error, "unusable", "unusable_text");
    }
}

/// Writes a report on one line. A line break can only be between JSON's tokens.
void write_line(std::string json) {
    for (char &one : json) {
        one = one == '\n' || one == '\r' ? ' ' : one;
    }
    std::cout << json << std::endl;
}

} // namespace

int main(int count, char **arguments) {
    if (payorder::abi_version() != PAYORDER_HEADER_ABI_VERSION) {
        const char *path = std::getenv("PAYORDER_LIBRARY"); // the judge also has it loaded
        std::cout << R"({"refused":")" << (path ? path : "the library") << " has version " << payorder::abi_version()
                  << " of the ABI, and this program needs version " << PAYORDER_HEADER_ABI_VERSION
                  << "\"}" << std::endl;
        return 1;
    }
    builder hello(R"({"driver":"c++","features":["exceptions","threads","log-in-call","load",
        "untyped","closing","check"],"classes":{"not_sent":"not_sent","rejected":"rejected",
        "unknown":"unknown_outcome","unusable":"unusable_text",
        "PAYORDER_DUPLICATE":"duplicate"}})");
    starts = count > 1 && arguments[1] == std::string("--started");
    if (starts) {
        hello.text("/features/-", "started");
    }
    hello.text("/language", "C++ " + std::to_string(__cplusplus / 100 % 100));
    hello.text("/library", payorder::version()).number("/abi", payorder::abi_version());
    write_line(hello.str());

    for (std::string step; std::getline(std::cin, step);) {
        const bool is_started = get(step, "/thread") && text(step, "/op") != "join";
        write_line(is_started ? start(step) : run(step));
    }
    return 0;
}
