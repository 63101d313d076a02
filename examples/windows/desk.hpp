// The sales of a program whose window never waits: each is a chain of started calls, and the window's
// loop calls take_answers() when handle() is ready. Everything runs on the thread of the window.
#pragma once

#include "sample.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

class desk {
public:
    // Shows a text about the order. It may start another sale.
    using show_function = std::function<void(const std::string &order_id, const std::string &text)>;

    desk(payorder::client client, show_function show)
        : client_(std::move(client)), show_(std::move(show)) {}

    // A descriptor on Unix, an event HANDLE on Windows.
    std::intptr_t handle() const { return client_.done_handle(); }

    // Whether no sale is open here, so that the program can end.
    bool is_idle() const { return sales_.empty(); }

    void sell(const std::string &amount, const std::string &order_id) {
        if (stops_ || sales_.count(order_id) != 0) {
            return; // the window closes, or a second click
        }
        const payorder::order order = sample_order(amount, order_id);
        const payorder::answer text = order.try_json();
        if (!text) { // such as a name that is not UTF-8
            return show_(order_id, "NOT SENT: " + text.value("/error/message"));
        }
        auto made = std::make_unique<sale>();
        made->order_id = order_id;
        made->query = order.query();
        made->expected = expected_now(order);
        sale &kept = *(sales_[order_id] = std::move(made));
        const payorder::answer begun = client_.try_start_to_take("create_order", text.json(), &kept,
                                                                 kept.token.options());
        if (!begun) {
            end_unsent(kept, begun);
        }
    }

    // Ends what the library does for this sale, within 100 ms. The customer may still pay.
    void cancel(const std::string &order_id) {
        const auto found = sales_.find(order_id);
        if (found != sales_.end()) {
            static_cast<void>(found->second->token.cancel());
        }
    }

    // When the window closes. An order that is being sent gets its time, because a cancel would lose
    // its checkout URL; a wait for a payment ends within 100 ms. Then wait until is_idle().
    void stop() {
        stops_ = true;
        for (const auto &one : sales_) {
            if (one.second->waits) {
                static_cast<void>(one.second->token.cancel());
            }
        }
    }

    void take_answers() {
        while (const payorder::taken taken = client_.take()) {
            sale &one = *static_cast<sale *>(taken.user_data);
            if (one.waits) {
                verify(one, taken.ended);
            } else {
                go_on(one, taken.ended);
            }
        }
    }

private:
    struct sale {
        std::string order_id, query, expected;
        payorder::cancellation token;
        bool waits = false; // for the payment, after the order
    };

    // After Create Order: only the outcome decides.
    void go_on(sale &one, const payorder::answer &made) {
        const std::string message = made.value("/error/message"), action = made.value("/error/action");
        switch (made.outcome()) {
        case payorder::outcome::done:
            return wait(one, "send the customer to " + made.value("/data/url"));
        case payorder::outcome::not_sent:
            return end_unsent(one, made);
        case payorder::outcome::rejected:
            return end(one, "REJECTED: " + message);
        default:
            if (action == "use_previous" || action == "ask_status") {
                const std::string url = made.value(
                    action == "ask_status" ? "/error/checkoutUrl" : "/error/previous/url");
                return wait(one, url.empty() ? "UNKNOWN: " + message : "send the customer to " + url);
            }
            return end(one, "OPEN: " + message + "; hand nothing over");
        }
    }

    void wait(sale &one, const std::string &text) {
        if (stops_) {
            return end(one, "OPEN: " + text);
        }
        one.waits = true;
        show_(one.order_id, text);
        const payorder::answer begun = client_.try_start_to_take("wait_for_payment", one.query, &one,
                                                                 one.token.options());
        if (!begun) {
            end(one, "OPEN: ask for the order later; hand nothing over");
        }
    }

    // A status alone does not prove a payment.
    void verify(sale &one, const payorder::answer &waited) {
        const std::string status = waited ? waited.value("/status") : "";
        if (status.empty()) {
            return end(one, "OPEN: " + waited.value("/error/message") + "; hand nothing over");
        }
        const payorder::answer compared = payorder::try_verify_payment(one.expected, status);
        const bool paid = compared && compared.value("/paid") == "true";
        end(one, paid ? "PAID" : "OPEN: not paid as expected; hand nothing over");
    }

    void end_unsent(const sale &one, const payorder::answer &made) {
        end(one, (may_exist(client_, one.order_id, made)
                      ? "OPEN: an earlier run may have sent the order; this one has not: "
                      : "NOT SENT: ") +
                     made.value("/error/message"));
    }

    void end(const sale &one, const std::string &text) {
        const std::string order_id = one.order_id;
        sales_.erase(order_id);
        show_(order_id, text);
    }

    payorder::client client_;
    show_function show_;
    std::map<std::string, std::unique_ptr<sale>> sales_;
    bool stops_ = false;
};
