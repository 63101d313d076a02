/*
 * payorder.hpp: libpayorder for C++17 and later, over payorder.h, in whose order it stands. Header only.
 *
 * IN SHORT
 *
 *     payorder::client client(config_json);
 *     try {
 *         const payorder::answer made = client.create_order(order_json);
 *         std::cout << "send the customer to " << made.value("/data/url") << '\n';
 *     } catch (const payorder::not_sent &error) {        // fix what error.what() names and call again
 *     } catch (const payorder::rejected &error) {        // no order was made
 *     } catch (const payorder::unknown_outcome &error) { // the order may exist: ask before anything else
 *         const payorder::answer status = client.try_get_status(error.value("/error/statusQuery"));
 *     }
 *
 * TWO FORMS
 *     What can fail and has more to say than a number comes in two forms: create_order throws unless the result is PAYORDER_OK;
 *     try_create_order gives an answer, whatever the result. Memory that runs out is std::bad_alloc, which no function throws once
 *     anything was sent; a try_ form throws nothing else. Under -fno-exceptions there are the try_ forms only, and memory that runs
 *     out ends the program. All files of a program are compiled the one way or the other.
 *
 * TEXTS
 *     Views come in and need not end in NUL; what they show is copied, handed to the library, and wiped. A NUL within is refused with
 *     PAYORDER_INVALID_ARGUMENT, not cut off. An empty options_json is none.
 *     JSON keys, sizes, results and what each function promises are those of payorder.h.
 *
 * THREADS
 *     Every function may be called from any thread, on the same client too. As with any object of C++, a client must not be closed,
 *     assigned, moved from or destroyed in the moment in which another thread begins to use it; a call that is already under way
 *     finishes on its own.
 */

#ifndef PAYORDER_HPP
#define PAYORDER_HPP

#if !(__cplusplus >= 201703L || (defined(_MSVC_LANG) && _MSVC_LANG >= 201703L))
#error "payorder.hpp is C++17: compile with -std=c++17 or later, or use payorder.h"
#endif

#include "payorder.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS) || defined(_CPPUNWIND)
#define PAYORDER_HPP_THROWS 1
#else
#define PAYORDER_HPP_THROWS 0
#endif

namespace payorder {

/* ---- About the library ------------------------------------------------------------- */

/// What happened to the request. It is the range of the result's number.
enum class outcome : std::int32_t {
    done = PAYORDER_OUTCOME_DONE,         ///< the service did what was asked
    not_sent = PAYORDER_OUTCOME_NOT_SENT, ///< nothing of the request left this machine
    rejected = PAYORDER_OUTCOME_REJECTED, ///< the service answered, and refused
    unknown = PAYORDER_OUTCOME_UNKNOWN,   ///< the service may have acted
};

/// The library's version, such as "0.1.0". Static. From any thread.
inline const char *version() noexcept { return payorder_version(); }

/// The version of the C interface. A program that finds another one than 1 must not go on. From any thread.
inline std::uint32_t abi_version() noexcept { return payorder_abi_version(); }

/// The name of a result, such as "PAYORDER_TIMEOUT"; "PAYORDER_UNRECOGNISED" for an unknown number. Static. From any thread.
inline const char *result_name(payorder_result result) noexcept { return payorder_result_name(result); }

/// The outcome of a result; unknown for a number in no range. From any thread.
inline outcome result_outcome(payorder_result result) noexcept { return static_cast<outcome>(payorder_result_outcome(result)); }

/// How many clients are live in this process, to find leaks by. From any thread.
inline std::size_t live_clients() noexcept { return payorder_live_clients(); }

/// How many of the library's strings are live in this process, those that answers hold. From any thread.
inline std::size_t live_strings() noexcept { return payorder_live_strings(); }

/// How many calls are running in this process. From any thread.
inline std::size_t live_calls() noexcept { return payorder_live_calls(); }

namespace detail {

struct free_string {
    void operator()(char *string) const noexcept { payorder_string_free(string); }
};
using owned_string = std::unique_ptr<char, free_string>;

/// A text on its way to C: a copy with a NUL behind it. Wiped, since a configuration holds credentials and an order a customer's data.
class argument {
public:
    argument(std::string name, std::string_view text, bool none = false)
        : name_(std::move(name)), size_(text.size()), nul_(text.find('\0')), none_(none), text_(new char[size_ + 1]) {
        text.copy(text_.get(), size_);
        text_[size_] = '\0';
    }

    static argument options(std::string_view options_json) { return argument("options_json", options_json, options_json.empty()); }

    argument(argument &&) noexcept = default;
    argument(const argument &) = delete;
    argument &operator=(const argument &) = delete;
    argument &operator=(argument &&) = delete;

    ~argument() {
        // Volatile, or a compiler may see that nobody reads what is written here, and leave it out.
        volatile char *const text = text_.get();
        for (std::size_t i = 0; text != nullptr && i < size_; ++i) {
            text[i] = '\0';
        }
    }

    const char *c_str() const noexcept { return none_ ? nullptr : text_.get(); }

    /// Why C would not see the whole text, or empty where it does.
    std::string problem() const {
        if (nul_ == std::string_view::npos) {
            return {};
        }
        return name_ + " has a NUL byte at position " + std::to_string(nul_) + ", where C would cut it off: take it out and call again";
    }

private:
    std::string name_;
    std::size_t size_;
    std::size_t nul_;
    bool none_;
    std::unique_ptr<char[]> text_;
};

} // namespace detail

/// How a call ended, and all that there is to say about it: what a try_ form gives, and what the other form gives on PAYORDER_OK.
///
/// It owns the library's own text, so that nothing that is known about money can be lost for want of memory. Movable, not copyable; one
/// that was moved from keeps its result and has no text. Like a std::string it may be read by several threads at once, and changed by
/// one.
class [[nodiscard]] answer {
public:
    /// Takes over what a function of payorder.h gave: its result, and the text that would be freed by payorder_string_free, or NULL.
    answer(payorder_result result, char *text) noexcept : result_(result), text_(text) {}

    /// The number, such as PAYORDER_TIMEOUT.
    payorder_result result() const noexcept { return result_; }

    /// The number's name, such as "PAYORDER_TIMEOUT". Static.
    const char *name() const noexcept { return result_name(result_); }

    /// What happened to the request.
    payorder::outcome outcome() const noexcept { return result_outcome(result_); }

    /// Whether the result is PAYORDER_OK.
    bool ok() const noexcept { return result_ == PAYORDER_OK; }
    explicit operator bool() const noexcept { return ok(); }

    /// The function's own text on PAYORDER_OK, otherwise the error object. Throws nothing but std::bad_alloc, and the answer stays.
    std::string json() const { return c_str(); }

    /// The same text where it lies, ending in NUL: as long as the answer lives and is not moved from.
    const char *c_str() const noexcept { return text_ ? text_.get() : refusal_.c_str(); }

    /// The value at a JSON pointer, such as "/data/url" or "/error/message": a string's own text, any other value as it stands; empty
    /// where nothing is there, which try_json_get tells from an empty string. Throws nothing but std::bad_alloc, and the answer stays.
    std::string value(std::string_view pointer) const {
        const detail::argument at("pointer", pointer);
        char *found = nullptr;
        const payorder_result result = at.problem().empty() ? payorder_json_get(c_str(), at.c_str(), &found) : PAYORDER_INVALID_ARGUMENT;
        const detail::owned_string owner(found);
        return result == PAYORDER_OK ? std::string(found) : std::string();
    }

    /// The answer to a text that cannot be handed to C.
    static answer refused(const std::string &problem) {
        answer refused(PAYORDER_INVALID_ARGUMENT, nullptr);
        refused.refusal_ = R"({"error":{"result":1,"name":"PAYORDER_INVALID_ARGUMENT","outcome":"not_sent","message":")" + problem + "\"}}";
        return refused;
    }

private:
    payorder_result result_;
    detail::owned_string text_;
    std::string refusal_{};
};

#if PAYORDER_HPP_THROWS

/// A result that is not PAYORDER_OK. Its class says what happened to the request; what() is the message for a person.
///
/// Copies share one text, and never throw. Where there is no memory for the text, class, result and name are exact all the same.
class error : public std::exception {
public:
    /// Takes over an answer that is not PAYORDER_OK.
    explicit error(answer &&failed) noexcept : result_(failed.result()) {
        try {
            const auto kept = std::make_shared<failure>(std::move(failed));
            failure_ = kept;
            kept->message = kept->failed.value("/error/message");
            kept->cause = kept->failed.value("/error/cause");
            kept->action = kept->failed.value("/error/action");
        } catch (const std::bad_alloc &) {
            // The class and the result, which say what happened to the order, need no memory.
        }
    }

    /// The message: what happened, to which field or host, what to do now; the result's name where there is none.
    const char *what() const noexcept override { return failure_ && !failure_->message.empty() ? failure_->message.c_str() : name(); }

    /// The number, such as PAYORDER_TIMEOUT.
    payorder_result result() const noexcept { return result_; }

    /// The number's name. Static.
    const char *name() const noexcept { return result_name(result_); }

    /// What happened to the request.
    payorder::outcome outcome() const noexcept { return result_outcome(result_); }

    /// What exactly happened, such as "connection_refused". Lives as long as the error or a copy of it; empty without memory.
    std::string_view cause() const noexcept { return failure_ ? std::string_view(failure_->cause) : std::string_view(); }

    /// What to do next, such as "ask_status". Lives as long as the error or a copy of it; empty without memory.
    std::string_view action() const noexcept { return failure_ ? std::string_view(failure_->action) : std::string_view(); }

    /// The error object. Throws nothing but std::bad_alloc.
    std::string json() const { return failure_ ? failure_->failed.json() : std::string(); }

    /// The value at a JSON pointer in it, such as "/error/statusQuery"; empty where nothing is there. Throws nothing but std::bad_alloc.
    std::string value(std::string_view pointer) const { return failure_ ? failure_->failed.value(pointer) : std::string(); }

private:
    struct failure {
        explicit failure(answer &&given) noexcept : failed(std::move(given)) {}
        answer failed;
        std::string message{};
        std::string cause{};
        std::string action{};
    };

    payorder_result result_;
    std::shared_ptr<const failure> failure_{};
};

/// Results 1 to 99 of a client's making and of its two calls: nothing of the request left this machine. Fix the problem named in
/// the message and call again.
class not_sent : public error {
    using error::error;
};

/// Results 100 to 199: the service answered, and refused.
class rejected : public error {
    using error::error;
};

/// Results 200 to 299: the service may have acted. Where an order was to be made, ask client::get_status with
/// value("/error/statusQuery").
class unknown_outcome : public error {
    using error::error;
};

/// PAYORDER_DUPLICATE: the journal has this order already, so this call sent nothing. value("/error/previous/state") says what is known
/// of it; "created" is an order to go on with.
class duplicate : public unknown_outcome {
    using unknown_outcome::unknown_outcome;
};

/// What the functions without the network throw. A class of its own, since it says nothing of any request: a text that cannot be read
/// after an order was made must not be taken for an order that was not sent.
class unusable_text : public error {
    using error::error;
};

#endif

/// Takes the result of one query of client::try_get_statuses: the query's place in the array from 0, and what try_get_status would have
/// told, the text ending in NUL and living for the call. Whether to go on asking. It runs on the thread that asked; every function may be
/// called from it.
using status_function = std::function<bool(std::size_t index, payorder_result result, std::string_view json)>;

/// Takes one element of an array or one member of an object from json_each: its place from 0; the
/// member's key, none in an array; and the value as json_get gives it, none for null. The texts live
/// for the call and end in NUL. Whether to go on. Every function may be called from it.
using item_function = std::function<bool(std::size_t index, std::optional<std::string_view> key,
                                         std::optional<std::string_view> value)>;

namespace detail {

/// Calls a function for C, up to its first exception, which is kept from crossing C.
template <typename Function> struct taker {
    const Function &each;
#if PAYORDER_HPP_THROWS
    std::exception_ptr thrown{};
#endif

    template <typename... Arguments> std::int32_t take(const Arguments &...arguments) noexcept {
#if PAYORDER_HPP_THROWS
        if (thrown) {
            return 0;
        }
        try {
            return each(arguments...) ? 1 : 0;
        } catch (...) {
            thrown = std::current_exception();
            return 0;
        }
#else
        return each(arguments...) ? 1 : 0;
#endif
    }

    void throw_on() const {
#if PAYORDER_HPP_THROWS
        if (thrown) {
            std::rethrow_exception(thrown);
        }
#endif
    }
};

using status_taker = taker<status_function>;
using item_taker = taker<item_function>;

inline std::int32_t take_status(std::size_t index, std::int32_t result, const char *json,
                                void *user_data) noexcept {
    return static_cast<status_taker *>(user_data)->take(index, result, json);
}

inline std::int32_t take_item(std::size_t index, const char *key, const char *value,
                              void *user_data) noexcept {
    const auto text = [](const char *given) {
        return given != nullptr ? std::optional<std::string_view>(given) : std::nullopt;
    };
    return static_cast<item_taker *>(user_data)->take(index, text(key), text(value));
}

inline const char *passed(const argument &text) noexcept { return text.c_str(); }
inline payorder_client *passed(payorder_client *handle) noexcept { return handle; }
inline const char *const *passed(const std::vector<const char *> &texts) noexcept { return texts.data(); }
inline payorder_status_fn passed(payorder_status_fn each) noexcept { return each; }
inline void *passed(status_taker *taker) noexcept { return taker; }

inline std::string problem(const argument &text) { return text.problem(); }
template <typename Other> std::string problem(const Other &) { return std::string(); }

/// Calls a function whose last parameter is out_json. Nothing here can throw once the function was called.
template <typename Function, typename... Arguments> answer call(Function *function, const Arguments &...arguments) {
    std::string found;
    static_cast<void>(((found = problem(arguments)).empty() && ...));
    if (!found.empty()) {
        return answer::refused(found);
    }
    char *text = nullptr;
    const payorder_result result = function(passed(arguments)..., &text);
    return answer(result, text);
}

#if PAYORDER_HPP_THROWS

/// The answer of a call that went well; otherwise throws by its outcome.
inline answer done(answer &&ended) {
    switch (ended.outcome()) {
    case outcome::done: return std::move(ended);
    case outcome::not_sent: throw not_sent(std::move(ended));
    case outcome::rejected: throw rejected(std::move(ended));
    case outcome::unknown: break;
    }
    if (ended.result() == PAYORDER_DUPLICATE) {
        throw duplicate(std::move(ended));
    }
    throw unknown_outcome(std::move(ended));
}

/// The same for what does not go to the network.
inline answer usable(answer &&ended) {
    if (!ended.ok()) {
        throw unusable_text(std::move(ended));
    }
    return std::move(ended);
}

#endif

} // namespace detail

/* ---- Cancelling single calls ------------------------------------------------------- */

/// A cancellation token: cancels the calls that have it and no others on the same client. One client per process, one token per cashier.
///
/// Movable, not copyable. Destroying it does not cancel: calls that have it go on, and nothing can cancel them by it any more.
class cancellation {
public:
    /// Creates a token. If the library cannot, the token is empty: a call with it ends with PAYORDER_INVALID_HANDLE and sends nothing.
    cancellation() noexcept {
        char *text = nullptr;
        static_cast<void>(payorder_cancellation_new(&text));
        text_.reset(text);
    }

    cancellation(cancellation &&) noexcept = default;
    cancellation &operator=(cancellation &&other) noexcept {
        cancellation taken(std::move(other));
        text_.swap(taken.text_);
        return *this;
    }
    cancellation(const cancellation &) = delete;
    cancellation &operator=(const cancellation &) = delete;

    ~cancellation() { static_cast<void>(payorder_cancellation_free(text_.get())); }

    /// Cancels the calls that have this token: those in flight end within 100 ms, later ones at once. From any thread, from a log function
    /// too. PAYORDER_INVALID_HANDLE: it was moved from.
    payorder_result cancel() const noexcept { return payorder_cancellation_cancel(text_.get()); }

    /// The text to be given to a call as the option "cancellation". It is this object's; empty where it was moved from.
    const char *token() const noexcept { return text_ ? text_.get() : ""; }

    /// Options with this token alone, for a call. Throws nothing but std::bad_alloc.
    std::string options() const { return std::string(R"({"cancellation":")") + token() + "\"}"; }

private:
    detail::owned_string text_{};
};

/* ---- A client ---------------------------------------------------------------------- */

/// Takes log events, each one JSON object that lives for the call and ends in NUL. It runs on the thread that is inside a call of the
/// client, on several at once where several are; every function may be called from it. An exception that leaves it is dropped: a log must
/// not cost the caller the outcome of an order. One that owns its client keeps it for ever.
using log_function = std::function<void(std::string_view event_json)>;

namespace detail {

/// The functions that one client has logged to. A call keeps the function that it began with, so none is let go before the client and its
/// calls are over. Without a lock, since a process may fork while another thread holds one.
class log_book {
public:
    log_book() noexcept = default;
    log_book(const log_book &) = delete;
    log_book &operator=(const log_book &) = delete;

    ~log_book() {
        for (const page *last = last_.load(); last != nullptr;) {
            delete std::exchange(last, last->before);
        }
    }

    /// What to give to payorder_client_set_log beside write().
    void *add(log_function log) {
        page *const added = new page{std::move(log), last_.load()};
        while (!last_.compare_exchange_weak(added->before, added)) {
        }
        return added;
    }

    static void write(const char *event_json, void *user_data) noexcept {
#if PAYORDER_HPP_THROWS
        try {
            static_cast<const page *>(user_data)->log(event_json);
        } catch (...) {
        }
#else
        static_cast<const page *>(user_data)->log(event_json);
#endif
    }

private:
    struct page {
        log_function log;
        const page *before;
    };

    std::atomic<const page *> last_{nullptr};
};

} // namespace detail

/// A client of one payment service; it keeps connections, so a program makes one and keeps it. Movable, not copyable.
///
/// One that was made without a configuration, closed or moved from is none: whatever it is asked is PAYORDER_INVALID_HANDLE.
class client {
public:
    /// None yet; for try_open. Never fails.
    client() noexcept = default;

#if PAYORDER_HPP_THROWS
    /// Makes a client from its configuration. No connection is made; files that the configuration names are read now. From any thread.
    ///
    /// Throws not_sent (PAYORDER_INVALID_ARGUMENT, PAYORDER_INVALID_CONFIG), which names every key that is unknown, broken or out of
    /// range.
    explicit client(std::string_view config_json) { static_cast<void>(detail::done(try_open(config_json))); }
#endif

    /// Makes this a client of that configuration; what it was before is closed. Where the answer is not PAYORDER_OK it stays what it was.
    answer try_open(std::string_view config_json) {
        client opened;
        opened.logs_ = std::make_shared<detail::log_book>();
        const detail::argument config("config_json", config_json);
        if (std::string problem = config.problem(); !problem.empty()) {
            return answer::refused(problem);
        }
        char *text = nullptr;
        const payorder_result result = payorder_client_new(config.c_str(), &opened.handle_, &text);
        answer made(result, text);
        if (made) {
            swap(opened);
        }
        return made;
    }

    client(client &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)), logs_(std::move(other.logs_)) {}

    client &operator=(client &&other) noexcept {
        client taken(std::move(other));
        taken.swap(*this);
        return *this;
    }

    client(const client &) = delete;
    client &operator=(const client &) = delete;

    /// Frees the client. Calls in flight on it finish on their own.
    ~client() { payorder_client_free(handle_); }

    /// The same now; afterwards this is none. From any thread, from a log function too.
    void close() noexcept {
        client none;
        none.swap(*this);
    }

    /// Exchanges two clients, with what they log to.
    void swap(client &other) noexcept {
        std::swap(handle_, other.handle_);
        logs_.swap(other.logs_);
    }

    /// Whether this is a client, and not none.
    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /// The key that payorder.h knows the client by, or NULL. It stays this client's: not to be freed.
    payorder_client *handle() const noexcept { return handle_; }

    /// Ends the calls in flight: each ends soon, with PAYORDER_CANCELLED or PAYORDER_CANCELLED_IN_FLIGHT. The client lives on. From any
    /// thread, from a log function too. PAYORDER_INVALID_HANDLE: this is none.
    payorder_result cancel() const noexcept { return payorder_client_cancel(handle_); }

    /// Sends log events to `log` from the next call on; an empty function ends that. Each function that was ever given lives as long as
    /// the client and the calls in flight on it, wherever the client is moved. From any thread. PAYORDER_INVALID_HANDLE: this is none.
    ///
    /// Throws nothing but std::bad_alloc, and then nothing has changed.
    payorder_result set_log(log_function log) {
        if (!log || !logs_) {
            return payorder_client_set_log(handle_, nullptr, nullptr);
        }
        return payorder_client_set_log(handle_, detail::log_book::write, logs_->add(std::move(log)));
    }

    /* ---- The two calls ------------------------------------------------------------- */

    /// Makes an order: the eleven fields in order_json, the return URL as "redirectionURL". Options: accessToken, timeoutMs, extraFields.
    /// From any thread.
    ///
    /// The answer's value("/data/url") is where the customer pays. Its outcome, where it is not done: not_sent, fix the problem named
    /// in the message and call again; rejected, no order was made; unknown, the order may exist: ask try_get_status with
    /// value("/error/statusQuery") before anything else.
    answer try_create_order(std::string_view order_json, std::string_view options_json = {}) const {
        return during(payorder_create_order, detail::argument("order_json", order_json), detail::argument::options(options_json));
    }

    /// Asks for a status: {"searchType":"1","orderId":...} or {"searchType":"2","transactionId":...}; searchType may be left out where
    /// one identifier is given. Options: clientKey, clientId, secretKey, timeoutMs. From any thread.
    ///
    /// PAYORDER_OK says that there is an answer, with the 15 fields under "/data" and "/derived", not that it is "Completed". Where the
    /// outcome is unknown, asking again does no harm.
    answer try_get_status(std::string_view query_json, std::string_view options_json = {}) const {
        return during(payorder_get_status, detail::argument("query_json", query_json), detail::argument::options(options_json));
    }

#if PAYORDER_HPP_THROWS
    /// try_create_order that throws not_sent, rejected or unknown_outcome.
    answer create_order(std::string_view order_json, std::string_view options_json = {}) const {
        return detail::done(try_create_order(order_json, options_json));
    }

    /// try_get_status that throws not_sent, rejected or unknown_outcome.
    answer get_status(std::string_view query_json, std::string_view options_json = {}) const {
        return detail::done(try_get_status(query_json, options_json));
    }
#endif

    /* ---- A payment's life ---------------------------------------------------- */

    /// Asks try_get_status about one query again and again until the payment is final, the time is over, or cancel ends it at once.
    /// Options: those of try_get_status, timeoutMs being that of one question; waitMs, intervalMs, maxIntervalMs, final. From any thread.
    ///
    /// On PAYORDER_OK value("/final") and value("/timedOut") say how it ended, and "/status" is the last one seen; where none ever was,
    /// there is the last question's "/error" instead. PAYORDER_UNAUTHORIZED ends the wait, no other failure of a question does.
    answer try_wait_for_payment(std::string_view query_json, std::string_view options_json = {}) const {
        return during(payorder_wait_for_payment, detail::argument("query_json", query_json), detail::argument::options(options_json));
    }

    /// Asks for many statuses, some at a time, and hands each result to `each` as it comes. queries_json is an array of status queries; a
    /// broken one is that query's own result. Options: those of try_get_status, concurrency, ratePerSecond. From any thread.
    ///
    /// The answer counts what came of it. What `each` throws ends the asking, and is thrown on once that is over: the one thing beside
    /// std::bad_alloc that this form throws.
    answer try_get_statuses(std::string_view queries_json, const status_function &each, std::string_view options_json = {}) const {
        const detail::argument queries("queries_json", queries_json);
        const detail::argument options = detail::argument::options(options_json);
        detail::status_taker taker{each};
        answer ended = during(payorder_get_statuses, queries, options, each ? detail::take_status : nullptr, &taker);
        taker.throw_on();
        return ended;
    }

#if PAYORDER_HPP_THROWS
    /// try_wait_for_payment that throws not_sent, rejected or unknown_outcome.
    answer wait_for_payment(std::string_view query_json, std::string_view options_json = {}) const {
        return detail::done(try_wait_for_payment(query_json, options_json));
    }

    /// try_get_statuses that throws not_sent or unknown_outcome; a query's own failure is for `each`.
    answer get_statuses(std::string_view queries_json, const status_function &each, std::string_view options_json = {}) const {
        return detail::done(try_get_statuses(queries_json, each, options_json));
    }
#endif

    /* ---- The journal --------------------------------------------------------------- */

    /// The journal's entries, oldest first, under "/entries". Options: state, limit, after. From any thread.
    ///
    /// PAYORDER_INVALID_ARGUMENT: the client, or this build of the library, has no journal, or an option is broken.
    /// PAYORDER_JOURNAL_FAILED: the journal cannot be read.
    answer try_journal_list(std::string_view options_json = {}) const {
        return during(payorder_journal_list, detail::argument::options(options_json));
    }

    /// Asks for the status of every order whose outcome the journal does not know, and records what it learns. "/entries" are those that
    /// stay open. Options: those of try_get_statuses. From any thread. Results as for try_journal_list.
    answer try_journal_resolve(std::string_view options_json = {}) const {
        return during(payorder_journal_resolve, detail::argument::options(options_json));
    }

    /// Closes an entry by a person's decision; the answer is the entry. Options: entry (required), note (at most 200 characters, no personal
    /// data), cancellation. From any thread. PAYORDER_INVALID_ARGUMENT also if there is no such entry, or it is closed already.
    answer try_journal_settle(std::string_view options_json) const {
        return during(payorder_journal_settle, detail::argument::options(options_json));
    }

    /// Removes closed entries; "/removed" says how many. Options: olderThanDays. From any thread. Results as for try_journal_list.
    answer try_journal_prune(std::string_view options_json = {}) const {
        return during(payorder_journal_prune, detail::argument::options(options_json));
    }

#if PAYORDER_HPP_THROWS
    /// try_journal_list that throws not_sent.
    answer journal_list(std::string_view options_json = {}) const { return detail::done(try_journal_list(options_json)); }

    /// try_journal_resolve that throws not_sent.
    answer journal_resolve(std::string_view options_json = {}) const { return detail::done(try_journal_resolve(options_json)); }

    /// try_journal_settle that throws not_sent.
    answer journal_settle(std::string_view options_json) const { return detail::done(try_journal_settle(options_json)); }

    /// try_journal_prune that throws not_sent.
    answer journal_prune(std::string_view options_json = {}) const { return detail::done(try_journal_prune(options_json)); }
#endif

private:
    /// A call, which keeps what it logs to even where the client is gone before it ends.
    template <typename Function, typename... Arguments> answer during(Function *function, const Arguments &...arguments) const {
        const std::shared_ptr<const detail::log_book> kept = logs_;
        return detail::call(function, handle_, arguments...);
    }

    payorder_client *handle_ = nullptr;
    std::shared_ptr<detail::log_book> logs_{};
};

/// Exchanges two clients.
inline void swap(client &one, client &other) noexcept { one.swap(other); }

/* ---- The same work without the network --------------------------------------------- */

/// Checks an order and gives the body that create_order would send. Options: returnUrlField, extraFields. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: a text is not a JSON object, or has a key twice, or an option is unknown or invalid. PAYORDER_INVALID_REQUEST:
/// the order breaks rules of the interface; "/error/violations" lists every one.
inline answer try_build_create_order(std::string_view order_json, std::string_view options_json = {}) {
    return detail::call(payorder_build_create_order, detail::argument("order_json", order_json), detail::argument::options(options_json));
}

/// Checks a status query and gives the body that get_status would send. From any thread. Results as for try_build_create_order.
inline answer try_build_get_status(std::string_view query_json) {
    return detail::call(payorder_build_get_status, detail::argument("query_json", query_json));
}

/// Reads the transaction from the URL that the customer came back on: absolute, or /path?query, or ?query. The URL proves nothing; it
/// only names what to ask: value("/statusQuery") is ready for get_status. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: not UTF-8, or too long. PAYORDER_INVALID_REQUEST: there is not exactly one txn on it that is not empty, or
/// it is no clean text.
inline answer try_parse_return_url(std::string_view url) { return detail::call(payorder_parse_return_url, detail::argument("url", url)); }

/// Holds a status, an answer of get_status or the service's own, against what was expected: {"orderId","amount"}, optionally
/// "transactionId". From any thread.
///
/// PAYORDER_OK says that the check was made; value("/paid") is what it found, "true" or "false", "/reasons" why. Other results as for
/// try_build_create_order.
inline answer try_verify_payment(std::string_view expected_json, std::string_view status_json) {
    return detail::call(payorder_verify_payment, detail::argument("expected_json", expected_json), detail::argument("status_json", status_json));
}

#if PAYORDER_HPP_THROWS
/// try_build_create_order that throws unusable_text.
inline answer build_create_order(std::string_view order_json, std::string_view options_json = {}) {
    return detail::usable(try_build_create_order(order_json, options_json));
}

/// try_build_get_status that throws unusable_text.
inline answer build_get_status(std::string_view query_json) { return detail::usable(try_build_get_status(query_json)); }

/// try_parse_return_url that throws unusable_text.
inline answer parse_return_url(std::string_view url) { return detail::usable(try_parse_return_url(url)); }

/// try_verify_payment that throws unusable_text.
inline answer verify_payment(std::string_view expected_json, std::string_view status_json) {
    return detail::usable(try_verify_payment(expected_json, status_json));
}
#endif

/* ---- For callers without a JSON library -------------------------------------------- */

/// Writes a JSON object of strings from pairs: {{"orderId", id}, {"searchType", "1"}}, or a container of them such as a map of strings.
/// What JSON demands is escaped. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: a text is not UTF-8, or a key stands there twice.
template <typename Pairs = std::initializer_list<std::pair<std::string_view, std::string_view>>> answer try_json_object(const Pairs &pairs) {
    std::vector<detail::argument> texts;
    for (const auto &[key, value] : pairs) {
        const std::string place = "pair " + std::to_string(texts.size() / 2 + 1);
        texts.emplace_back("the key of " + place, key);
        texts.emplace_back("the value of " + place, value);
    }
    std::vector<const char *> ended;
    ended.reserve(texts.size() + 1);
    for (const detail::argument &text : texts) {
        if (std::string problem = text.problem(); !problem.empty()) {
            return answer::refused(problem);
        }
        ended.push_back(text.c_str());
    }
    ended.push_back(nullptr);
    return detail::call(payorder_json_object, ended);
}

/// A copy of a JSON text with a value, any JSON, at a JSON pointer such as "/tls/roots" or
/// "/checkoutHosts/-". What is missing on the way is created; everything else stays as it is written.
/// An empty json stands for {}. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: a text is not JSON, pointer is not a JSON pointer, or the result would
/// have a key twice, be nested more than 127 deep, or be over 16 MiB. PAYORDER_INVALID_REQUEST: the
/// pointer leads through a string, a number or a boolean, or to an element that is not there.
inline answer try_json_set(std::string_view json, std::string_view pointer,
                           std::string_view value_json) {
    return detail::call(payorder_json_set, detail::argument("json", json, json.empty()),
                        detail::argument("pointer", pointer),
                        detail::argument("value_json", value_json));
}

/// A text as a JSON string, in quotes and escaped, for try_json_set. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: not UTF-8, or over 16 MiB.
inline answer try_json_quote(std::string_view text) {
    return detail::call(payorder_json_quote, detail::argument("text", text));
}

/// The value that a JSON pointer (RFC 6901), such as "/data/url", names: a string's own text without quotes, any other value as it
/// stands, in the answer's json(). From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: a text is not UTF-8, json is not JSON or over 16 MiB, or pointer is not a JSON pointer.
/// PAYORDER_INVALID_REQUEST: nothing or null is there, or a string with U+0000 in it.
inline answer try_json_get(std::string_view json, std::string_view pointer) {
    return detail::call(payorder_json_get, detail::argument("json", json), detail::argument("pointer", pointer));
}

/// Copies the value at a JSON pointer, with a NUL, into `size` bytes of the caller's. `length` is that
/// of the whole value without the NUL; `buffer` may be NULL to learn it. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: the buffer is too small and has nothing but a NUL; or as for
/// try_json_get, and `length` is 0. PAYORDER_INVALID_REQUEST: as for try_json_get.
inline payorder_result json_copy(std::string_view json, std::string_view pointer, char *buffer,
                                 std::size_t size, std::size_t &length) {
    const detail::argument text("json", json), at("pointer", pointer);
    if (!text.problem().empty() || !at.problem().empty()) {
        // As the library says it of any other text that it cannot take.
        return payorder_json_copy(nullptr, nullptr, buffer, size, &length);
    }
    return payorder_json_copy(text.c_str(), at.c_str(), buffer, size, &length);
}

/// Counts the elements of an array or the members of an object; 0 on failure. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: as for try_json_get, or the object has a key twice.
/// PAYORDER_INVALID_REQUEST: neither an array nor an object is there.
inline payorder_result json_count(std::string_view json, std::string_view pointer,
                                  std::size_t &count) {
    const detail::argument text("json", json), at("pointer", pointer);
    if (!text.problem().empty() || !at.problem().empty()) {
        return payorder_json_count(nullptr, nullptr, &count);
    }
    return payorder_json_count(text.c_str(), at.c_str(), &count);
}

/// Calls `each` for each element of an array or each member of an object, in order, until it returns
/// false. The time grows linearly with the text. What `each` throws ends it, and is thrown on. From
/// any thread.
///
/// After any other result than PAYORDER_OK `each` was not called. PAYORDER_INVALID_ARGUMENT: as for
/// json_count, or `each` is empty. PAYORDER_INVALID_REQUEST: neither an array nor an object is there,
/// or an item has U+0000 in its key or its string.
inline payorder_result json_each(std::string_view json, std::string_view pointer,
                                 const item_function &each) {
    const detail::argument text("json", json), at("pointer", pointer);
    if (!text.problem().empty() || !at.problem().empty()) {
        return PAYORDER_INVALID_ARGUMENT;
    }
    detail::item_taker taker{each};
    const payorder_result result = payorder_json_each(
        text.c_str(), at.c_str(), each ? detail::take_item : nullptr, &taker);
    taker.throw_on();
    return result;
}

#if PAYORDER_HPP_THROWS
/// try_json_object that gives the object itself, and throws unusable_text.
template <typename Pairs = std::initializer_list<std::pair<std::string_view, std::string_view>>> std::string json_object(const Pairs &pairs) {
    return detail::usable(try_json_object(pairs)).json();
}

/// try_json_set that gives the copy itself, and throws unusable_text.
inline std::string json_set(std::string_view json, std::string_view pointer,
                            std::string_view value_json) {
    return detail::usable(try_json_set(json, pointer, value_json)).json();
}

/// try_json_quote that gives the string itself, and throws unusable_text.
inline std::string json_quote(std::string_view text) {
    return detail::usable(try_json_quote(text)).json();
}

/// try_json_get that gives the value itself, and throws unusable_text.
inline std::string json_get(std::string_view json, std::string_view pointer) { return detail::usable(try_json_get(json, pointer)).json(); }
#endif

} // namespace payorder

#endif
