/*
 * payorder.hpp: libpayorder for C++17 and later. Header only; wraps payorder.h, in the same order.
 *
 * IN SHORT
 *
 *     payorder::client client(config_json);
 *     try {
 *         const payorder::answer made = client.create_order(order_json);
 *         std::cout << "send the customer to " << made.value("/data/url") << '\n';
 *     } catch (const payorder::not_sent &error) {        // this call sent nothing: see error.what()
 *     } catch (const payorder::rejected &error) {        // the service created no order
 *     } catch (const payorder::unknown_outcome &error) { // the order may exist: see error.action()
 *         const payorder::answer status = client.try_get_status(error.value("/error/statusQuery"));
 *     }
 *
 * TWO FORMS
 *     Most functions that can fail have two forms. try_create_order returns an answer, whatever the
 *     result; create_order returns the same, and throws unless the result is PAYORDER_OK. Each
 *     function is described with its try_ form. If memory runs out, std::bad_alloc is thrown, but
 *     never once anything was sent. A try_ form throws nothing else. With -fno-exceptions there are
 *     only the try_ forms, and a program that runs out of memory ends. Compile all files of a
 *     program the same way: with exceptions, or without. The linker refuses a program in which a
 *     function takes or returns an object of payorder across such files. It does not notice an
 *     object inside a type of your own.
 *
 * SHARED OBJECTS
 *     A program and its shared objects catch each other's exceptions by class and share the list of
 *     `idle` functions, also with -fvisibility=hidden. With a plug-in that dlopen loads, link the
 *     program with -rdynamic. Each DLL of Windows has its own list: create `idle` objects in one.
 *
 * TEXTS
 *     Arguments are views that need not end with NUL. The text is copied, passed to the library,
 *     and wiped. A text with a NUL inside is refused with PAYORDER_INVALID_ARGUMENT. An empty
 *     options_json means no options. payorder.h documents the JSON keys, the options, and the
 *     results of each function.
 *
 * THREADS
 *     Every function may be called from any thread, also on the same client at the same time. As
 *     with any C++ object, do not close, assign, move or destroy a client while another thread
 *     starts to use it. A call that is already running finishes on its own.
 */

#ifndef PAYORDER_HPP
#define PAYORDER_HPP

#if !(__cplusplus >= 201703L || (defined(_MSVC_LANG) && _MSVC_LANG >= 201703L))
#error "payorder.hpp is C++17: compile with -std=c++17 or later, or use payorder.h"
#endif

#include "payorder.h"

#include <algorithm>
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
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS) || defined(_CPPUNWIND)
#define PAYORDER_HPP_THROWS 1
#define PAYORDER_HPP_FORM with_exceptions
#else
#define PAYORDER_HPP_THROWS 0
#define PAYORDER_HPP_FORM without_exceptions
#endif

#if defined(__GNUC__)
// Also a part of the names of functions that only return an object, as with other compilers.
#define PAYORDER_HPP_TAG __attribute__((abi_tag))
// Visible with -fvisibility=hidden: catch clauses compare the addresses of classes, and `idle` has one
// list of functions for a thread. All else may come from another version in another shared object.
#define PAYORDER_HPP_SHARED __attribute__((visibility("default")))
#else
#define PAYORDER_HPP_TAG
#define PAYORDER_HPP_SHARED
#endif

namespace payorder {
// A part of every name, for the linker.
inline namespace PAYORDER_HPP_FORM PAYORDER_HPP_TAG {

/* ---- About the library ------------------------------------------------------------- */

/// What happened to the request. It is the range of the result's number.
enum class outcome : std::int32_t {
    done = PAYORDER_OUTCOME_DONE,         ///< the service did what was asked
    not_sent = PAYORDER_OUTCOME_NOT_SENT, ///< the request was not sent
    rejected = PAYORDER_OUTCOME_REJECTED, ///< the service refused the request
    unknown = PAYORDER_OUTCOME_UNKNOWN,   ///< the service may have acted
};

/// The library's version, such as "0.1.0". Static.
inline const char *version() noexcept { return payorder_version(); }

/// The version of the C interface. A program must not continue if it is not 1.
inline std::uint32_t abi_version() noexcept { return payorder_abi_version(); }

/// The name of a result, such as "PAYORDER_TIMEOUT"; "PAYORDER_UNRECOGNISED" for an unknown number.
/// Static.
inline const char *result_name(payorder_result result) noexcept {
    return payorder_result_name(result);
}

/// The outcome of a result; unknown for a number outside every range.
inline outcome result_outcome(payorder_result result) noexcept {
    return static_cast<outcome>(payorder_result_outcome(result));
}

/// How many clients are live in this process, to find leaks.
inline std::size_t live_clients() noexcept { return payorder_live_clients(); }

/// How many strings of the library are live in this process: those that `answer` objects own.
inline std::size_t live_strings() noexcept { return payorder_live_strings(); }

/// How many calls are running in this process.
inline std::size_t live_calls() noexcept { return payorder_live_calls(); }

namespace detail {

void take_done(std::int32_t result, const char *json, void *user_data) noexcept;

struct free_string {
    void operator()(char *string) const noexcept { payorder_string_free(string); }
};
using owned_string = std::unique_ptr<char, free_string>;

/// A text for a C function: a copy that ends with NUL. It is wiped, since a configuration contains
/// credentials, and an order a customer's data.
class argument {
public:
    argument(std::string name, std::string_view text, bool none = false)
        : name_(std::move(name)), size_(text.size()), nul_(text.find('\0')), none_(none),
          text_(new char[size_ + 1]) {
        text.copy(text_.get(), size_);
        text_[size_] = '\0';
    }

    static argument options(std::string_view options_json) {
        return argument("options_json", options_json, options_json.empty());
    }

    argument(argument &&) noexcept = default;
    argument(const argument &) = delete;
    argument &operator=(const argument &) = delete;
    argument &operator=(argument &&) = delete;

    ~argument() {
        // Volatile: otherwise the compiler may remove the writes, since nothing reads them.
        volatile char *const text = text_.get();
        for (std::size_t i = 0; text != nullptr && i < size_; ++i) {
            text[i] = '\0';
        }
    }

    const char *c_str() const noexcept { return none_ ? nullptr : text_.get(); }

    /// The same, or NULL, which the library refuses, if it contains a NUL.
    const char *or_null() const noexcept {
        return nul_ == std::string_view::npos ? c_str() : nullptr;
    }

    /// An error if the text contains a NUL; otherwise empty.
    std::string problem() const {
        if (nul_ == std::string_view::npos) {
            return {};
        }
        return name_ + " has a NUL byte at position " + std::to_string(nul_) +
               ", where C would cut it off: remove it and call again";
    }

private:
    std::string name_;
    std::size_t size_;
    std::size_t nul_;
    bool none_;
    std::unique_ptr<char[]> text_;
};

/// The value at a JSON pointer in a text that ends with NUL; empty if there is nothing.
inline std::string value_at(const char *json, std::string_view pointer) {
    char *found = nullptr;
    const payorder_result result =
        payorder_json_get(json, argument("pointer", pointer).or_null(), &found);
    const owned_string owner(found);
    return result == PAYORDER_OK ? std::string(found) : std::string();
}

} // namespace detail

/// The result of a call, with its JSON text.
///
/// It owns the library's text, so that a result is never lost because memory ran out. Movable, not
/// copyable; after a move it keeps its result and has no text. Like a std::string, several threads
/// may read it at the same time, or one may change it.
class [[nodiscard]] answer {
public:
    /// Takes ownership of what a function of payorder.h returned: its result, and the text that
    /// would be freed with payorder_string_free, or NULL.
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

    /// The function's text on PAYORDER_OK, otherwise the error object. Throws only std::bad_alloc,
    /// and then the answer is unchanged.
    std::string json() const { return c_str(); }

    /// The same text without a copy, ending with NUL. Valid while the answer lives and is not
    /// moved.
    const char *c_str() const noexcept { return text_ ? text_.get() : refusal_.c_str(); }

    /// The value at a JSON pointer, such as "/data/url" or "/error/message": a string's text, or
    /// the JSON text of any other value. Empty if there is nothing; try_json_get distinguishes that
    /// from an empty string. Throws only std::bad_alloc, and then the answer is unchanged.
    std::string value(std::string_view pointer) const {
        return detail::value_at(c_str(), pointer);
    }

    /// The answer for a text that cannot be given to C.
    static answer refused(const std::string &problem) {
        answer refused(PAYORDER_INVALID_ARGUMENT, nullptr);
        refused.refusal_ = R"({"error":{"result":1,"name":"PAYORDER_INVALID_ARGUMENT",)"
                           R"("outcome":"not_sent","cause":"invalid_value",)"
                           R"("action":"fix_request","message":")" +
                           problem + "\"}}";
        return refused;
    }

private:
    friend void detail::take_done(std::int32_t, const char *, void *) noexcept;

    payorder_result result_;
    detail::owned_string text_;
    std::string refusal_{};
};

#if PAYORDER_HPP_THROWS

/// A result that is not PAYORDER_OK. Its class says what happened to the request; what() is the
/// message for people.
///
/// Copies share one text, and never throw. If there is no memory for the text, the class, result
/// and name are still correct.
class PAYORDER_HPP_SHARED error : public std::exception {
public:
    /// Takes ownership of an answer that is not PAYORDER_OK.
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

    /// The message: what happened, to which field or host, and what to do. The result's name if
    /// there is no message.
    const char *what() const noexcept override {
        return failure_ && !failure_->message.empty() ? failure_->message.c_str() : name();
    }

    /// The number, such as PAYORDER_TIMEOUT.
    payorder_result result() const noexcept { return result_; }

    /// The number's name. Static.
    const char *name() const noexcept { return result_name(result_); }

    /// What happened to the request.
    payorder::outcome outcome() const noexcept { return result_outcome(result_); }

    /// What exactly happened, such as "connection_refused". Valid while the error or a copy of it
    /// lives; empty if memory ran out.
    std::string_view cause() const noexcept {
        return failure_ ? std::string_view(failure_->cause) : std::string_view();
    }

    /// What to do next, such as "ask_status". Valid while the error or a copy of it lives; empty if
    /// memory ran out.
    std::string_view action() const noexcept {
        return failure_ ? std::string_view(failure_->action) : std::string_view();
    }

    /// The error object. Throws only std::bad_alloc.
    std::string json() const { return failure_ ? failure_->failed.json() : std::string(); }

    /// The value at a JSON pointer in it, such as "/error/statusQuery"; empty if there is nothing.
    /// Throws only std::bad_alloc.
    std::string value(std::string_view pointer) const {
        return failure_ ? failure_->failed.value(pointer) : std::string();
    }

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

/// Results 1 to 99 of creating a client and of its calls: the request was not sent. Fix the problem
/// named in the message and call again, unless you cancelled the call: see value("/error/action").
class PAYORDER_HPP_SHARED not_sent : public error {
    using error::error;
};

/// Results 100 to 199: the service refused the request.
class PAYORDER_HPP_SHARED rejected : public error {
    using error::error;
};

/// Results 200 to 299: the service may have acted. After create_order, do what action() says; the
/// query for "ask_status" is value("/error/statusQuery").
class PAYORDER_HPP_SHARED unknown_outcome : public error {
    using error::error;
};

/// PAYORDER_DUPLICATE: the journal has this order already, so this call sent nothing.
/// If value("/error/previous/url") is not empty, the customer pays there. Otherwise do what
/// action() says.
class PAYORDER_HPP_SHARED duplicate : public unknown_outcome {
    using unknown_outcome::unknown_outcome;
};

/// Thrown by the functions without the network. A separate class, because it says nothing about an
/// order: an unreadable text must not look like an order that was not sent.
class PAYORDER_HPP_SHARED unusable_text : public error {
    using error::error;
};

#endif

/// Receives the result of one query of client::try_get_statuses: the query's index in the array,
/// and the result and text that try_get_status would have returned. The text ends with NUL and is
/// valid during the callback. Returns whether to continue. It runs in the thread that called
/// try_get_statuses, and may call every function.
using status_function =
    std::function<bool(std::size_t index, payorder_result result, std::string_view json)>;

/// Gives the next query of try_stream_statuses as JSON; nullopt if there are no more. It may call
/// every function.
using query_function = std::function<std::optional<std::string>()>;

/// Receives one element of an array or one member of an object from json_each: its index, from 0;
/// the member's key, or nullopt in an array; and the value as json_get returns it, or nullopt for
/// null. The texts end with NUL and are valid during the callback. Returns whether to continue. It
/// may call every function.
using item_function = std::function<bool(std::size_t index, std::optional<std::string_view> key,
                                         std::optional<std::string_view> value)>;

/// Receives the answer that the blocking function would have given, when a call that try_start
/// began has ended. It is valid during the callback: keep its json().
using done_function = std::function<void(const answer &ended)>;

/// What client::take gives.
struct taken {
    /// Whether it has taken an answer. Otherwise `ended` says why it could not, or is PAYORDER_OK
    /// without a text: there was none in that time.
    explicit operator bool() const noexcept { return is_taken; }

    bool is_taken;
    /// What the blocking function would have given.
    answer ended;
    /// What try_start_to_take was given.
    void *user_data;
};

namespace detail {

/// Calls a C++ function from a C callback. Stores its first exception, which must not reach C. It
/// has a copy of the function: a callback may replace the variable that it was passed in.
template <typename Function> struct taker {
    Function each;
#if PAYORDER_HPP_THROWS
    std::exception_ptr thrown{};
#endif

    /// Runs code of the program, unless some has thrown already.
    template <typename Code> void guard(const Code &code) noexcept {
#if PAYORDER_HPP_THROWS
        try {
            if (!thrown) {
                code();
            }
        } catch (...) {
            thrown = std::current_exception();
        }
#else
        code();
#endif
    }

    template <typename... Arguments> std::int32_t take(const Arguments &...arguments) noexcept {
        bool goes_on = false;
        guard([&] { goes_on = each(arguments...); });
        return goes_on ? 1 : 0;
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

/// The functions of a stream, and the text that C borrows.
struct stream_taker {
    status_taker results;
    query_function next;
    std::string lent{};
};

inline const char *next_query(void *user_data) noexcept {
    auto &stream = *static_cast<stream_taker *>(user_data);
    const char *lent = nullptr;
    stream.results.guard([&] {
        if (std::optional<std::string> query = stream.next()) {
            stream.lent.swap(*query);
            // C would cut it at a NUL. Another character that JSON refuses gives the query's error.
            std::replace(stream.lent.begin(), stream.lent.end(), '\0', '\1');
            lent = stream.lent.c_str();
        }
    });
    return lent;
}

inline std::int32_t take_of_stream(std::size_t index, std::int32_t result, const char *json,
                                   void *user_data) noexcept {
    return static_cast<stream_taker *>(user_data)->results.take(index, result, json);
}

inline std::int32_t take_item(std::size_t index, const char *key, const char *value,
                              void *user_data) noexcept {
    const auto text = [](const char *given) {
        return given != nullptr ? std::optional<std::string_view>(given) : std::nullopt;
    };
    return static_cast<item_taker *>(user_data)->take(index, text(key), text(value));
}

inline const char *passed(const argument &text) noexcept { return text.c_str(); }
template <typename Other> Other passed(const Other &other) noexcept { return other; }

inline std::string problem(const argument &text) { return text.problem(); }
template <typename Other> std::string problem(const Other &) { return std::string(); }

/// Calls a function of the program whose exceptions are ignored: there is nobody to throw them to.
template <typename Function> void ignoring_exceptions(const Function &function) noexcept {
#if PAYORDER_HPP_THROWS
    try {
        function();
    } catch (...) {
    }
#else
    function();
#endif
}

/// Calls a function whose last parameter is out_json. Nothing here throws after the function was
/// called.
template <typename Function, typename... Arguments>
answer call(Function *function, const Arguments &...arguments) {
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

/// The answer of a successful call; otherwise throws the class of its outcome.
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

/// The same for functions without the network.
inline answer usable(answer &&ended) {
    if (!ended.ok()) {
        throw unusable_text(std::move(ended));
    }
    return std::move(ended);
}

#endif

} // namespace detail

/* ---- Cancelling single calls ------------------------------------------------------- */

/// A cancellation token: cancels the calls that have it, and no others on the same client. Use
/// one client per process, and one token for each sale that a person can stop.
///
/// Movable, not copyable. Destroying it cancels nothing: calls that have it continue, and can no
/// longer be cancelled with it.
class cancellation {
public:
    /// Creates a token. If that fails, the token is empty: a call with it ends with
    /// PAYORDER_INVALID_HANDLE and sends nothing.
    cancellation() noexcept {
        static_cast<void>(payorder_cancellation_new(&text_));
    }

    cancellation(cancellation &&other) noexcept : text_(std::exchange(other.text_, nullptr)) {}
    cancellation &operator=(cancellation &&other) noexcept {
        cancellation taken(std::move(other));
        std::swap(text_, taken.text_);
        return *this;
    }
    cancellation(const cancellation &) = delete;
    cancellation &operator=(const cancellation &) = delete;

    ~cancellation() { static_cast<void>(payorder_cancellation_free(text_)); }

    /// Cancels the calls that have this token: those in flight end within 100 ms, later ones at
    /// once. From any thread, also from a log function. PAYORDER_INVALID_HANDLE: it was moved from.
    payorder_result cancel() const noexcept { return payorder_cancellation_cancel(text_); }

    /// The text for a call's option "cancellation". This object owns it; empty after a move.
    const char *token() const noexcept { return text_ != nullptr ? text_ : ""; }

    /// Options for a call with only this token. Throws only std::bad_alloc.
    std::string options() const { return std::string(R"({"cancellation":")") + token() + "\"}"; }

private:
    const char *text_ = nullptr;
};

/* ---- While a call waits ------------------------------------------------------------ */

/// Whether the call goes on. The numbers are those of C, where 0 goes on.
enum class idle_result : std::int32_t { go_on = 0, cancel = 1 };

using idle_function = std::function<idle_result()>;

/// While it lives, a function that runs on this thread while calls of this thread wait: 50 ms after
/// the start of a call, and then about every 50 ms. If it returns idle_result::cancel or throws,
/// the call is cancelled as by its token; the exception is ignored. Calls that it makes itself run
/// none. Create it and destroy it on the same thread, outside a call. Of several, the one that was
/// created last runs.
class PAYORDER_HPP_SHARED idle {
public:
    explicit idle(idle_function function) : function_(std::move(function)), earlier_(latest_) {
        set(this);
    }
    idle(const idle &) = delete;
    idle &operator=(const idle &) = delete;
    ~idle() {
        idle **link = &latest_;
        while (*link != nullptr && *link != this) {
            link = &(*link)->earlier_;
        }
        *link = earlier_;
        set(latest_);
    }

private:
    static void set(idle *one) noexcept {
        latest_ = one;
        const bool runs = one != nullptr && one->function_;
        static_cast<void>(payorder_set_idle(runs ? run : nullptr, runs ? &one->function_ : nullptr));
    }

    static std::int32_t run(void *user_data) noexcept {
        auto result = idle_result::cancel;
        detail::ignoring_exceptions(
            [&] { result = (*static_cast<const idle_function *>(user_data))(); });
        return static_cast<std::int32_t>(result);
    }

    static inline thread_local idle *latest_ = nullptr;
    idle_function function_;
    idle *earlier_;
};

/* ---- A client ---------------------------------------------------------------------- */

/// Receives log events. Each is one JSON object that ends with NUL and is valid during the
/// callback. The function runs in the thread that is inside a call of the client; if several
/// threads make calls, it may run in several threads at the same time. It may call every function.
/// Its exceptions are ignored, because they would replace the outcome of an order. A log function
/// that owns its client is never freed.
using log_function = std::function<void(std::string_view event_json)>;

namespace detail {

/// All log functions of one client. A call keeps the function that it started with, so none is
/// destroyed before the client and its calls are gone. There is no lock, since a process may fork
/// while another thread holds one.
class log_book {
public:
    log_book() noexcept = default;
    log_book(const log_book &) = delete;
    log_book &operator=(const log_book &) = delete;

    ~log_book() {
        // Started calls whose answers were not taken may still log. They end unseen.
        if (untaken != 0 && payorder_live_calls() != 0) {
            return;
        }
        for (const page *last = last_.load(); last != nullptr;) {
            delete std::exchange(last, last->before);
        }
    }

    /// The user_data for payorder_client_set_log, together with write().
    void *add(log_function log) {
        page *const added = new page{std::move(log), last_.load()};
        while (!last_.compare_exchange_weak(added->before, added)) {
        }
        return added;
    }

    static void write(const char *event_json, void *user_data) noexcept {
        ignoring_exceptions([&] { static_cast<const page *>(user_data)->log(event_json); });
    }

    /// How many calls were started whose answers were not taken.
    mutable std::atomic<std::ptrdiff_t> untaken{0};

private:
    struct page {
        log_function log;
        const page *before;
    };

    std::atomic<const page *> last_{nullptr};
};

/// What a call on a thread of its own needs until it has ended.
struct started {
    done_function done;
    /// The functions that the call may log to.
    std::shared_ptr<const log_book> logs;
};

inline void take_done(std::int32_t result, const char *json, void *user_data) noexcept {
    const std::unique_ptr<started> call(static_cast<started *>(user_data));
    // The text stays the library's: without a copy, it cannot be lost because memory ran out.
    answer ended(result, const_cast<char *>(json));
    call->done(ended); // noexcept: an exception here would lose what happened to the order
    static_cast<void>(ended.text_.release());
}

} // namespace detail

/// A client of one payment service. It keeps connections, so create one and keep it. Movable, not
/// copyable.
///
/// A client that was created without a configuration, closed or moved from is empty: every call
/// returns PAYORDER_INVALID_HANDLE.
class client {
public:
    /// An empty client, for try_open. Never fails.
    client() noexcept = default;

#if PAYORDER_HPP_THROWS
    /// Creates a client from its configuration. No connection is made; files that the configuration
    /// names are read now.
    ///
    /// Throws not_sent (PAYORDER_INVALID_ARGUMENT, PAYORDER_INVALID_CONFIG), which names every key
    /// that is unknown, invalid or out of range.
    explicit client(std::string_view config_json) {
        static_cast<void>(detail::done(try_open(config_json)));
    }

    /// The same with the settings of the environment, as try_open_from_env reads them.
    static client from_env(std::string_view config_json = {}) {
        client opened;
        static_cast<void>(detail::done(opened.try_open_from_env(config_json)));
        return opened;
    }
#endif

    /// Opens this client with a configuration, and closes what it was before. If the answer is not
    /// PAYORDER_OK, the client is unchanged.
    answer try_open(std::string_view config_json) {
        return open_with(payorder_client_new, detail::argument("config_json", config_json));
    }

    /// The same with the settings of the environment and of the file that PAYORDER_CONFIG names, as
    /// payorder_client_from_env reads them. The keys of config_json win.
    answer try_open_from_env(std::string_view config_json = {}) {
        return open_with(payorder_client_from_env,
                         detail::argument("config_json", config_json, config_json.empty()));
    }

private:
    template <typename Function>
    answer open_with(Function *open, const detail::argument &config) {
        client opened;
        opened.logs_ = std::make_shared<detail::log_book>();
        if (std::string problem = config.problem(); !problem.empty()) {
            return answer::refused(problem);
        }
        char *text = nullptr;
        const payorder_result result = open(config.c_str(), &opened.handle_, &text);
        answer made(result, text);
        if (made) {
            swap(opened);
        }
        return made;
    }

public:
    client(client &&other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)), logs_(std::move(other.logs_)) {}

    client &operator=(client &&other) noexcept {
        client taken(std::move(other));
        taken.swap(*this);
        return *this;
    }

    client(const client &) = delete;
    client &operator=(const client &) = delete;

    /// Frees the client. Calls in flight on it finish on their own. If there are none, its
    /// connections and its journal are closed afterwards.
    ~client() {
        // A call that has ended logs no more, so its log function can be destroyed.
        while (logs_ && logs_->untaken != 0 && take()) {
        }
        payorder_client_free(handle_);
    }

    /// The same now; afterwards the client is empty. From any thread, also from a log function.
    void close() noexcept {
        client none;
        none.swap(*this);
    }

    /// Exchanges two clients and their log functions.
    void swap(client &other) noexcept {
        std::swap(handle_, other.handle_);
        logs_.swap(other.logs_);
    }

    /// Whether this is not an empty client.
    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /// The client's key for the functions of payorder.h, or NULL. This client owns it: do not free
    /// it. If the client has a log function, keep the client until a call with the key has ended.
    payorder_client *handle() const noexcept { return handle_; }

    /// Ends the calls in flight within 100 ms. The client stays usable. From any thread, also from
    /// a log function. PAYORDER_INVALID_HANDLE: the client is empty.
    payorder_result cancel() const noexcept { return payorder_client_cancel(handle_); }

    /// The same, and refuses later calls with PAYORDER_CANCELLED.
    payorder_result stop() const noexcept { return payorder_client_stop(handle_); }

    /// Replaces credentials: accessToken, clientKey, clientId, secretKey. Attempts that begin later
    /// use them. PAYORDER_INVALID_CONFIG: nothing was changed.
    answer try_set_credentials(std::string_view credentials_json) const {
        return during(payorder_client_set_credentials,
            detail::argument("credentials_json", credentials_json));
    }

    /// Sends log events to `log` from the next call on; an empty function stops that. Every
    /// function that was set lives as long as the client and its calls in flight, also if the
    /// client is moved, but not as long as calls with handle(). None is ever destroyed if the client
    /// is destroyed while a call of try_start_to_take runs. PAYORDER_INVALID_HANDLE: the client is
    /// empty.
    ///
    /// Throws only std::bad_alloc, and then nothing has changed.
    payorder_result set_log(log_function log) {
        if (!log || !logs_) {
            return payorder_client_set_log(handle_, nullptr, nullptr);
        }
        return payorder_client_set_log(handle_, detail::log_book::write,
            logs_->add(std::move(log)));
    }

    /* ---- The two calls ------------------------------------------------------------- */

    /// Creates an order: the fields in order_json, the return URL as "redirectionURL". The
    /// answer's value("/data/url") is where the customer pays. If the outcome is unknown, the order
    /// may exist: do what value("/error/action") says before anything else.
    answer try_create_order(std::string_view order_json, std::string_view options_json = {}) const {
        return during(payorder_create_order, detail::argument("order_json", order_json),
            detail::argument::options(options_json));
    }

    /// Asks for a status: {"orderId":...} or {"transactionId":...}. PAYORDER_OK means that there is
    /// a status, with the 15 fields under "/data" and "/derived", not that it is "Completed". It is
    /// always safe to ask again.
    answer try_get_status(std::string_view query_json, std::string_view options_json = {}) const {
        return during(payorder_get_status, detail::argument("query_json", query_json),
            detail::argument::options(options_json));
    }

    /* ---- Calls that do not block ----------------------------------------------------- */

    /// Begins the operation that payorder_start names, such as "create_order". If this returns
    /// PAYORDER_OK, `done` gets the result, exactly once, on a thread of the library; otherwise
    /// never. An exception that leaves it ends the program, as in a std::thread: the result of an
    /// order would be lost. An empty request_json stands for none.
    answer try_start(std::string_view operation, std::string_view request_json,
                     done_function done, std::string_view options_json = {}) const {
        if (!done) {
            return answer::refused("done is empty: give a function, or use try_start_to_take");
        }
        std::unique_ptr<detail::started> kept(new detail::started{std::move(done), logs_});
        answer begun = during(payorder_start, detail::argument("operation", operation),
            detail::argument("request_json", request_json, request_json.empty()),
            detail::argument::options(options_json), &detail::take_done, kept.get());
        if (begun) {
            static_cast<void>(kept.release());
        }
        return begun;
    }

    /// Begins an operation whose answer take() takes, with this user_data. If the client is destroyed
    /// before, queued calls end, and those that run finish unseen: see set_log.
    answer try_start_to_take(std::string_view operation, std::string_view request_json,
                             void *user_data, std::string_view options_json = {}) const {
        answer begun = during(payorder_start, detail::argument("operation", operation),
            detail::argument("request_json", request_json, request_json.empty()),
            detail::argument::options(options_json), nullptr, user_data);
        if (begun && logs_) {
            ++logs_->untaken;
        }
        return begun;
    }

    /// Takes the answer of the call that ended first. Waits for it for at most wait_ms, and not once
    /// the client was stopped and no answer can come any more. From any thread.
    taken take(std::uint32_t wait_ms = 0) const {
        const std::shared_ptr<const detail::log_book> kept = logs_;
        std::int32_t is_taken = 0, ended = 0;
        char *text = nullptr;
        void *user_data = nullptr;
        const payorder_result result =
            payorder_take_done(handle_, wait_ms, &is_taken, &ended, &text, &user_data);
        if (is_taken != 0 && kept) {
            --kept->untaken;
        }
        return {is_taken != 0, answer(is_taken != 0 ? ended : result, text), user_data};
    }

    /// The descriptor or event HANDLE that is ready while take() has an answer, for event loops; -1 if
    /// there is none. It is the client's.
    std::intptr_t done_handle() const noexcept { return payorder_done_handle(handle_); }

    /* ---- A payment's life ---------------------------------------------------- */

    /// Asks for a status until the payment is final, the time runs out, or the call is cancelled.
    /// On PAYORDER_OK, value("/final") and value("/timedOut") say how it ended. "/status" is the
    /// last status seen; if none was ever seen, "/error" is the last query's error.
    answer try_wait_for_payment(std::string_view query_json,
                                std::string_view options_json = {}) const {
        return during(payorder_wait_for_payment, detail::argument("query_json", query_json),
            detail::argument::options(options_json));
    }

    /// Asks for many statuses, several at the same time, and gives each result to `each` as it
    /// arrives. queries_json is an array of status queries; for an invalid query, the result is an
    /// error. The answer has the counts. An exception of `each` stops the queries and is thrown
    /// again after they have ended. Otherwise this form throws only std::bad_alloc.
    answer try_get_statuses(std::string_view queries_json, const status_function &each,
                            std::string_view options_json = {}) const {
        const detail::argument queries("queries_json", queries_json);
        const detail::argument options = detail::argument::options(options_json);
        detail::status_taker taker{each};
        answer ended = during(payorder_get_statuses, queries, options,
                              each ? detail::take_status : nullptr, &taker);
        taker.throw_on();
        return ended;
    }

    /// The same with queries from `next`, which returns the next query or nullopt. It runs on this
    /// thread, only as queries are needed. An exception of it ends the queries as one of `each`.
    answer try_stream_statuses(const query_function &next, const status_function &each,
                               std::string_view options_json = {}) const {
        const detail::argument options = detail::argument::options(options_json);
        detail::stream_taker taker{{each}, next};
        answer ended = during(payorder_stream_statuses, next ? detail::next_query : nullptr,
                              each ? detail::take_of_stream : nullptr, &taker, options);
        taker.results.throw_on();
        return ended;
    }

    /* ---- The journal --------------------------------------------------------------- */

    /// The journal's entries, oldest first, under "/entries".
    answer try_journal_list(std::string_view options_json = {}) const {
        return during(payorder_journal_list, detail::argument::options(options_json));
    }

    /// Asks for the status of every order that is unresolved, or created and not "Completed", and
    /// records the statuses. "/entries" has those that are still unresolved.
    answer try_journal_resolve(std::string_view options_json = {}) const {
        return during(payorder_journal_resolve, detail::argument::options(options_json));
    }

    /// Closes an entry because a person decided so; the answer is the entry. The option entry is
    /// required.
    answer try_journal_settle(std::string_view options_json) const {
        return during(payorder_journal_settle, detail::argument::options(options_json));
    }

    /// Removes closed entries; "/removed" says how many.
    answer try_journal_prune(std::string_view options_json = {}) const {
        return during(payorder_journal_prune, detail::argument::options(options_json));
    }

    /* ---- After a start ------------------------------------------------------------- */

    /// Says for each sale that may be open what is known about it: the program's own, as an array
    /// of {"orderId","amount"}, and every open entry of the journal. "/sales" has a "verdict" for
    /// each. An empty text stands for no sales.
    answer try_recover(std::string_view sales_json = {}, std::string_view options_json = {}) const {
        return during(payorder_recover,
                      detail::argument("sales_json", sales_json, sales_json.empty()),
                      detail::argument::options(options_json));
    }

    /* ---- Does everything work? ----------------------------------------------------- */

    /// Looks at one thing after the other, and creates nothing. "/ok" says whether all work; "/steps"
    /// has each.
    answer try_check(std::string_view options_json = {}) const {
        return during(payorder_check, detail::argument::options(options_json));
    }

#if PAYORDER_HPP_THROWS
    // The forms that throw not_sent, rejected or unknown_outcome.

    answer create_order(std::string_view order_json, std::string_view options_json = {}) const {
        return detail::done(try_create_order(order_json, options_json));
    }
    answer get_status(std::string_view query_json, std::string_view options_json = {}) const {
        return detail::done(try_get_status(query_json, options_json));
    }
    answer wait_for_payment(std::string_view query_json, std::string_view options_json = {}) const {
        return detail::done(try_wait_for_payment(query_json, options_json));
    }
    answer get_statuses(std::string_view queries_json, const status_function &each,
                        std::string_view options_json = {}) const {
        return detail::done(try_get_statuses(queries_json, each, options_json));
    }
    answer journal_list(std::string_view options_json = {}) const {
        return detail::done(try_journal_list(options_json));
    }
    answer journal_resolve(std::string_view options_json = {}) const {
        return detail::done(try_journal_resolve(options_json));
    }
    answer journal_settle(std::string_view options_json) const {
        return detail::done(try_journal_settle(options_json));
    }
    answer journal_prune(std::string_view options_json = {}) const {
        return detail::done(try_journal_prune(options_json));
    }
    answer recover(std::string_view sales_json = {}, std::string_view options_json = {}) const {
        return detail::done(try_recover(sales_json, options_json));
    }
    answer check(std::string_view options_json = {}) const {
        return detail::done(try_check(options_json));
    }
#endif

private:
    /// Makes a call, and keeps the log functions alive even if the client is destroyed before it
    /// ends.
    template <typename Function, typename... Arguments>
    answer during(Function *function, const Arguments &...arguments) const {
        const std::shared_ptr<const detail::log_book> kept = logs_;
        return detail::call(function, handle_, arguments...);
    }

    payorder_client *handle_ = nullptr;
    std::shared_ptr<detail::log_book> logs_{};
};

/// Exchanges two clients.
inline void swap(client &one, client &other) noexcept { one.swap(other); }

/* ---- The same work without the network --------------------------------------------- */

/// Checks an order and returns the body that create_order would send.
inline answer try_build_create_order(std::string_view order_json,
                                     std::string_view options_json = {}) {
    return detail::call(payorder_build_create_order, detail::argument("order_json", order_json),
        detail::argument::options(options_json));
}

/// Checks a status query and returns the body that get_status would send.
inline answer try_build_get_status(std::string_view query_json) {
    return detail::call(payorder_build_get_status, detail::argument("query_json", query_json));
}

/// Reads the transaction from the URL to which the customer returned: absolute, /path?query, or
/// ?query. The URL does not prove a payment. Pass value("/statusQuery") to get_status.
inline answer try_parse_return_url(std::string_view url) {
    return detail::call(payorder_parse_return_url, detail::argument("url", url));
}

/// Compares a status, from get_status or the service's own response, with what was expected:
/// {"orderId","amount"}, optionally "transactionId" and "notBefore".
///
/// PAYORDER_OK means that they were compared. value("/paid") is the result, "true" or "false", and
/// "/reasons" says why.
inline answer try_verify_payment(std::string_view expected_json, std::string_view status_json) {
    return detail::call(payorder_verify_payment, detail::argument("expected_json", expected_json),
        detail::argument("status_json", status_json));
}

/* ---- For callers without a JSON library -------------------------------------------- */

/// Writes a JSON object of strings from pairs: {{"orderId", id}, {"searchType", "1"}}, or a
/// container of pairs such as a map of strings. Texts are escaped as JSON requires.
template <typename Pairs = std::initializer_list<std::pair<std::string_view, std::string_view>>>
answer try_json_object(const Pairs &pairs) {
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
    return detail::call(payorder_json_object, ended.data());
}

/// A copy of a JSON text with a value, any JSON, at a JSON pointer such as "/tls/roots" or
/// "/checkoutHosts/-". Missing parts of the pointer are created; everything else stays as it is
/// written. An empty json stands for {}.
inline answer try_json_set(std::string_view json, std::string_view pointer,
                           std::string_view value_json) {
    return detail::call(payorder_json_set, detail::argument("json", json, json.empty()),
                        detail::argument("pointer", pointer),
                        detail::argument("value_json", value_json));
}

/// A text as a JSON string, in quotes and escaped, for try_json_set.
inline answer try_json_quote(std::string_view text) {
    return detail::call(payorder_json_quote, detail::argument("text", text));
}

/// The value at a JSON pointer (RFC 6901) such as "/data/url", in the answer's json(): a string's
/// text without quotes, or the JSON text of any other value.
inline answer try_json_get(std::string_view json, std::string_view pointer) {
    return detail::call(payorder_json_get, detail::argument("json", json),
        detail::argument("pointer", pointer));
}

/// The same value as text. Empty if there is nothing, or if the JSON cannot be read: it is never an
/// error object. Throws only std::bad_alloc.
inline std::string value(std::string_view json, std::string_view pointer) {
    return detail::value_at(detail::argument("json", json).or_null(), pointer);
}

/// Copies the value at a JSON pointer, and a NUL, into `buffer` of `size` bytes. `length` is the
/// length of the complete value without the NUL; to learn it, `buffer` may be NULL and `size` 0.
inline payorder_result json_copy(std::string_view json, std::string_view pointer, char *buffer,
                                 std::size_t size, std::size_t &length) {
    return payorder_json_copy(detail::argument("json", json).or_null(),
        detail::argument("pointer", pointer).or_null(), buffer, size, &length);
}

/// Counts the elements of an array or the members of an object; 0 on failure.
inline payorder_result json_count(std::string_view json, std::string_view pointer,
                                  std::size_t &count) {
    return payorder_json_count(detail::argument("json", json).or_null(),
        detail::argument("pointer", pointer).or_null(), &count);
}

/// Calls `each` for each element of an array or each member of an object, in order, until it
/// returns false. The time grows linearly with the text. An exception of `each` ends it and is
/// thrown again.
///
/// If the result is not PAYORDER_OK, `each` was not called.
inline payorder_result json_each(std::string_view json, std::string_view pointer,
                                 const item_function &each) {
    const detail::argument text("json", json), at("pointer", pointer);
    detail::item_taker taker{each};
    const payorder_result result = payorder_json_each(
        text.or_null(), at.or_null(), each ? detail::take_item : nullptr, &taker);
    taker.throw_on();
    return result;
}

#if PAYORDER_HPP_THROWS
// The forms that throw unusable_text. Those for JSON return the text itself.

inline answer build_create_order(std::string_view order_json, std::string_view options_json = {}) {
    return detail::usable(try_build_create_order(order_json, options_json));
}
inline answer build_get_status(std::string_view query_json) {
    return detail::usable(try_build_get_status(query_json));
}
inline answer parse_return_url(std::string_view url) {
    return detail::usable(try_parse_return_url(url));
}
inline answer verify_payment(std::string_view expected_json, std::string_view status_json) {
    return detail::usable(try_verify_payment(expected_json, status_json));
}
template <typename Pairs = std::initializer_list<std::pair<std::string_view, std::string_view>>>
std::string json_object(const Pairs &pairs) {
    return detail::usable(try_json_object(pairs)).json();
}
inline std::string json_set(std::string_view json, std::string_view pointer,
                            std::string_view value_json) {
    return detail::usable(try_json_set(json, pointer, value_json)).json();
}
inline std::string json_quote(std::string_view text) {
    return detail::usable(try_json_quote(text)).json();
}
inline std::string json_get(std::string_view json, std::string_view pointer) {
    return detail::usable(try_json_get(json, pointer)).json();
}
#endif

/// The text of a field. It takes no number: std::string would take one as a character.
struct field : std::string {
    field() = default;
    field(const char *text) : std::string(text) {}
    field(std::string text) : std::string(std::move(text)) {}
    field(std::string_view text) : std::string(text) {}
    field(std::initializer_list<char>) = delete;
    template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
    field(Number) = delete;
};

/// An order, field by field. All are required; try_create_order checks them. They are not wiped.
struct order {
    // <order> bindings/generate writes it.
    /// Decimal text, at least 1: "100" or "100.00", not "1e2", "+100", "100.", ".5", "0100" or
    /// "100.005".
    field amount{};
    /// Your unique identifier of the transaction. It, orderId and merchantId have no white space
    /// at their ends and no control character.
    field merchant_txn_id{};
    /// Your unique identifier of the order, by which get_status finds it.
    field order_id{};
    /// One of all, cc, dc, upi, nb.
    field pay_mode{};
    /// Your identifier at the service.
    field merchant_id{};
    /// What is paid for.
    field product_info{};
    /// The customer's full name.
    field customer_name{};
    /// The customer's mobile number.
    field customer_mobile{};
    /// The customer's e-mail address.
    field customer_email{};
    /// The return URL: where the customer goes after the payment; an absolute URL without a
    /// parameter txn. The key here is always redirectionURL, also if `returnUrlField` is set.
    field redirection_url{};
    /// Such as INR.
    field currency_code{};

    /// The order_json.
    answer try_json() const {
        return try_json_object({
            {"amount", amount},
            {"merchantTxnId", merchant_txn_id},
            {"orderId", order_id},
            {"payMode", pay_mode},
            {"merchantId", merchant_id},
            {"productInfo", product_info},
            {"customerName", customer_name},
            {"customerMobile", customer_mobile},
            {"customerEmail", customer_email},
            {"redirectionURL", redirection_url},
            {"currencyCode", currency_code},
        });
    }
    // </order>

    /// The query_json for its status.
    answer try_query() const {
        return try_json_object({{"searchType", "1"}, {"orderId", order_id}});
    }

    /// The expected_json for try_verify_payment. not_before is when the sale began, such as
    /// "2026-11-21T14:05:06Z": an older payment is another sale's. One that is "" is not left out,
    /// and try_verify_payment refuses it.
    answer try_expected(std::optional<std::string_view> not_before = {}) const {
        std::vector<std::pair<std::string_view, std::string_view>> pairs{{"orderId", order_id},
                                                                         {"amount", amount}};
        if (not_before) {
            pairs.emplace_back("notBefore", *not_before);
        }
        return try_json_object(pairs);
    }

#if PAYORDER_HPP_THROWS
    std::string json() const { return detail::usable(try_json()).json(); }
    std::string query() const { return detail::usable(try_query()).json(); }
    std::string expected(std::optional<std::string_view> not_before = {}) const {
        return detail::usable(try_expected(not_before)).json();
    }
#endif
};

/// Options of a call: options().timeout_ms(5000).cancelled_by(token).json(). The call checks which
/// options it has. They are not wiped.
class options {
public:
    // <options> bindings/generate writes it.
    options &access_token(std::string_view value) { return text("/accessToken", value); }
    options &client_key(std::string_view value) { return text("/clientKey", value); }
    options &client_id(std::string_view value) { return text("/clientId", value); }
    options &secret_key(std::string_view value) { return text("/secretKey", value); }
    options &timeout_ms(std::int64_t n) { return set("/timeoutMs", std::to_string(n)); }
    options &tag(std::string_view value) { return text("/tag", value); }
    options &resend() { return set("/resend", "true"); }
    options &wait_ms(std::int64_t n) { return set("/waitMs", std::to_string(n)); }
    options &interval_ms(std::int64_t n) { return set("/intervalMs", std::to_string(n)); }
    options &max_interval_ms(std::int64_t n) { return set("/maxIntervalMs", std::to_string(n)); }
    options &concurrency(std::int64_t n) { return set("/concurrency", std::to_string(n)); }
    options &state(std::string_view value) { return text("/state", value); }
    options &order_id(std::string_view value) { return text("/orderId", value); }
    options &events() { return set("/events", "true"); }
    options &limit(std::int64_t n) { return set("/limit", std::to_string(n)); }
    options &after(std::int64_t n) { return set("/after", std::to_string(n)); }
    options &entry(std::int64_t n) { return set("/entry", std::to_string(n)); }
    options &note(std::string_view value) { return text("/note", value); }
    options &older_than_days(std::int64_t n) { return set("/olderThanDays", std::to_string(n)); }
    options &return_url_field(std::string_view value) { return text("/returnUrlField", value); }
    // </options>
    options &cancelled_by(const cancellation &by) { return text("/cancellation", by.token()); }
    /// One more transactionStatus that ends a wait.
    options &final_status(std::string_view status) { return text("/final/-", status); }

    /// Any option as JSON, at its JSON pointer: set("/ratePerSecond", "2.5").
    options &set(std::string_view pointer, std::string_view value_json) {
        if (answer changed = try_json_set(json_, pointer, value_json); changed) {
            json_ = changed.json();
        } else {
            failed_ = true;
        }
        return *this;
    }

    /// Any option that is a string: text("/extraFields/till", "7").
    options &text(std::string_view pointer, std::string_view value) {
        // A value that cannot be quoted becomes "", which is not JSON.
        const answer quoted = try_json_quote(value);
        return set(pointer, quoted ? std::string_view(quoted.c_str()) : std::string_view());
    }

    /// The options_json. PAYORDER_INVALID_ARGUMENT: one of them could not be written.
    answer try_json() const {
        if (failed_) {
            return answer::refused("an option is not UTF-8 or not JSON, or its pointer leads "
                                   "nowhere: correct it and call again");
        }
        return try_json_set({}, {}, json_);
    }

#if PAYORDER_HPP_THROWS
    std::string json() const { return detail::usable(try_json()).json(); }
#endif

private:
    std::string json_{"{}"};
    bool failed_ = false;
};

/// A status as values: the service's own texts, "" where it sent none.
struct status {
    // <status> bindings/generate writes it.
    std::string merchant_ref_id{};
    std::string order_id{};
    std::string transaction_id{};
    std::string amount{};
    std::string customer_name{};
    std::string customer_mobile{};
    std::string customer_email{};
    std::string transaction_status{};
    std::string transaction_date{};
    std::string refund_status{};
    std::string refund_type{};
    std::string merchant_name{};
    std::string settlement_status{};
    std::string settlement_date{};
    std::string pay_mode{};
    // </status>
    /// Whether transaction_status is "Completed". Only a verdict says whether the order is paid.
    bool completed = false;

    /// Whether money moved, or may have: transaction_status has the letters of "Completed", in any
    /// case, or there is a refund or a settlement.
    bool money_moved() const noexcept {
        std::string_view rest = "completed";
        bool matches = true;
        for (const char c : transaction_status) {
            const char letter = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            if (letter >= 'a' && letter <= 'z') {
                matches = matches && !rest.empty() && rest.front() == letter;
                rest.remove_prefix(matches ? 1 : 0);
            }
        }
        return completed || (matches && rest.empty()) || !refund_status.empty() ||
               !refund_type.empty() || !settlement_status.empty() || !settlement_date.empty();
    }

    /// Reads what get_status returned, or value("/status") of a wait. nullopt for any other text,
    /// such as an error object: then nothing is known about the payment. A field that decides
    /// nothing is "" if it has U+0000, which C cannot pass on.
    static std::optional<status> read(std::string_view json) {
        const struct {
            std::string_view pointer;
            std::string status::*field;
            bool decides;
        } fields[] = {
            // <fields-of-a-status> bindings/generate writes it.
            {"/data/merchantRefId", &status::merchant_ref_id, false},
            {"/data/orderId", &status::order_id, true},
            {"/data/transactionId", &status::transaction_id, true},
            {"/data/amount", &status::amount, true},
            {"/data/customerName", &status::customer_name, false},
            {"/data/customerMobile", &status::customer_mobile, false},
            {"/data/customerEmail", &status::customer_email, false},
            {"/data/transactionStatus", &status::transaction_status, true},
            {"/data/transactionDate", &status::transaction_date, false},
            {"/data/refundStatus", &status::refund_status, true},
            {"/data/refundType", &status::refund_type, true},
            {"/data/merchantName", &status::merchant_name, false},
            {"/data/settlementStatus", &status::settlement_status, true},
            {"/data/settlementDate", &status::settlement_date, true},
            {"/data/payMode", &status::pay_mode, false},
            // </fields-of-a-status>
        };
        status found;
        for (const auto &[pointer, field, decides] : fields) {
            const answer text = try_json_get(json, pointer);
            if (!text && decides) {
                return std::nullopt;
            }
            found.*field = text ? text.json() : std::string();
        }
        const std::string completed = value(json, "/derived/completed");
        if (completed != "true" && completed != "false") {
            return std::nullopt;
        }
        found.completed = completed == "true";
        return found;
    }
};

/// A check that failed.
struct reason {
    std::string check{};
    std::string expected{};
    std::string actual{};

    /// Reads the "/reasons" of a verdict or a sale; nullopt for any other text.
    static std::optional<std::vector<reason>> read(std::string_view json) {
        std::vector<reason> found;
        const auto take = [&](std::size_t, auto, std::optional<std::string_view> one) {
            const std::string_view text = one.value_or(std::string_view());
            found.push_back(
                {value(text, "/check"), value(text, "/expected"), value(text, "/actual")});
            return true;
        };
        return json_each(json, "/reasons", take) == PAYORDER_OK ? std::optional(std::move(found))
                                                                : std::nullopt;
    }
};

/// What verify_payment found.
struct verdict {
    bool paid = false; ///< true only if every check passed
    std::vector<reason> reasons{};

    /// Reads what verify_payment returned. nullopt for any other text, such as an error object.
    static std::optional<verdict> read(std::string_view json) {
        const std::string paid = value(json, "/paid");
        auto found = reason::read(json);
        if (!found || (paid != "true" && paid != "false")) {
            return std::nullopt;
        }
        return verdict{paid == "true", std::move(*found)};
    }
};

/// A sale of recover, with what is known about it: "" where there is nothing.
struct sale {
    std::string order_id{};
    std::string verdict{}; ///< such as "paid", "check" or "payable"
    std::string amount{};
    std::string url{};          ///< with "payable": where the customer pays
    std::string status_query{}; ///< JSON for get_status, to ask again
    std::string transaction_status{};
    std::vector<reason> reasons{}; ///< with "check": what is not as expected
    std::string entry{};           ///< the number of its entry in the journal

    /// Reads what recover returned. nullopt for any other text, such as an error object.
    static std::optional<std::vector<sale>> read(std::string_view json) {
        std::vector<sale> found;
        bool complete = true;
        const auto take = [&](std::size_t, auto, std::optional<std::string_view> one) {
            const std::string_view text = one.value_or(std::string_view());
            auto checks = reason::read(text);
            found.push_back({value(text, "/orderId"), value(text, "/verdict"),
                             value(text, "/amount"), value(text, "/url"),
                             value(text, "/statusQuery"), value(text, "/transactionStatus"),
                             checks.value_or(std::vector<reason>()), value(text, "/entry")});
            complete = checks && !found.back().order_id.empty() && !found.back().verdict.empty();
            return complete;
        };
        if (json_each(json, "/sales", take) != PAYORDER_OK || !complete) {
            return std::nullopt;
        }
        return found;
    }
};

} // namespace PAYORDER_HPP_FORM
} // namespace payorder

#endif
