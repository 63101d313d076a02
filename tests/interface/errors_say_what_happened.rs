//! Every failure is one object that says what happened, in which call, and what to do next.

use serde_json::json;
use support::abi::{self, Client, Reply, build_get_status};
use support::orders::{config, order, order_named, query, with};
use support::responses::{completed, created, http};
use support::rows::Rows;
use support::service::{Service, Step, close, reset, respond, respond_then_close, stall};
use support::table;
use support::unreachable::refusing_url;

fn outcome(code: i32) -> &'static str {
    match code {
        1..=99 => "not_sent",
        100..=199 => "rejected",
        _ => "unknown",
    }
}

#[test]
fn every_unknown_outcome_of_create_order_says_what_to_ask() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let odd = "O \"é\"\\\u{1} 客";
    let asks = json!({"searchType": "1", "orderId": odd});
    // `wire_faults` checks this for each fault of a connection.
    let reactions = [
        ("closed", close()),
        ("500", respond(http(500, ""))),
        ("no url", respond(http(200, "{\"responseCode\":\"200\"}"))),
    ];
    let mut rows = Rows::new();
    for (row, reaction) in reactions {
        service.set_script([reaction]);
        let reply = client.create_with(&order_named(odd), &json!({"timeoutMs": 400}));
        rows.same(row, outcome(reply.code), "unknown");
        rows.same(row, &reply.error()["action"], &json!("ask_status"));
        rows.same(row, &reply.error()["statusQuery"], &asks);
    }
    rows.end();
    assert_eq!(build_get_status(&asks.to_string()).code, 0);
    service.set_script([respond(completed(""))]);
    client.status(&asks).done();
}

/// The system's own words are in its user's language, and end in a full stop or a number.
#[test]
fn a_message_describes_an_error_of_the_system_in_its_own_words() {
    let client = Client::new(&config(&refusing_url()));
    let reply = client.create(&order());
    let words = ": connection refused; nothing was sent";
    assert!(reply.message().ends_with(words), "{}", reply.message());
}

#[test]
fn the_end_of_a_message_says_whether_the_order_may_exist() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let secure = Client::new(&config(&service.url().replace("http://", "https://")));
    let refused = Client::new(&config(&refusing_url()));
    const NOT_SENT: &str = "; nothing was sent";
    const ASK_FIRST: &str = "; the order may exist: ask Get Status by order id before trying again";
    const ASK_AGAIN: &str = "; it is safe to ask for the status again";
    let quick = json!({"timeoutMs": 400});
    let half = created()[..40].to_vec();
    let reactions = table! {
        "no listener", None, NOT_SENT, NOT_SENT;
        "closed", Some(close()), ASK_FIRST, ASK_AGAIN;
        "reset", Some(reset()), ASK_FIRST, ASK_AGAIN;
        "silence", Some(stall()), ASK_FIRST, ASK_AGAIN;
        "half a response", Some(respond_then_close(half)), ASK_FIRST, ASK_AGAIN;
        "not HTTP", Some(respond_then_close(b"what?\r\n\r\n".to_vec())), ASK_FIRST, ASK_AGAIN;
        "503", Some(respond(http(503, ""))), ASK_FIRST, ASK_AGAIN;
        "no checkout URL, and another order's status",
            Some(respond(http(200, "{\"responseCode\":\"200\",\"data\":{\"orderId\":\"OTHER\"}}"))),
            ASK_FIRST, ASK_AGAIN;
    };
    let mut rows = Rows::new();
    let mut ends = |row: &str, reply: Reply, end: &str| {
        rows.holds(row, reply.message().ends_with(end), reply.message());
        let says_so = reply.message().contains("nothing was sent");
        let not_sent = outcome(reply.code) == "not_sent";
        rows.holds(row, says_so == not_sent, reply.text());
    };
    for (row, reaction, create, status) in reactions {
        let client = match reaction {
            Some(reaction) => {
                service.set_script([reaction]);
                &client
            }
            None => &refused,
        };
        ends(row, client.create_with(&order(), &quick), create);
        ends(row, client.status_with(&query(), &quick), status);
    }
    service.set_script([vec![Step::Close]]);
    ends(
        "a handshake that fails",
        secure.create_with(&order(), &quick),
        NOT_SENT,
    );
    rows.end();
}

#[test]
fn no_error_repeats_the_customers_data() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let personal = ["Asha", "Verma", "9876543210", "asha@example.com"];
    let mut replies = Vec::new();
    for reaction in [close(), respond(http(500, "")), respond(http(400, "{}"))] {
        service.set_script([reaction]);
        replies.push(client.create(&order()));
    }
    let broken = with(&order(), "customerMobile", json!(["9876543210"]));
    replies.push(client.create(&broken));
    let duplicate = order()
        .to_string()
        .replacen('{', "{\"customerName\":\"Asha\",", 1);
    replies.push(abi::create_order(client.key(), &duplicate, None));
    let mut rows = Rows::new();
    for reply in replies {
        for text in personal {
            rows.holds(text, !reply.text().contains(text), reply.text());
        }
    }
    rows.end();
}
