//! Every failure is one object that says what happened, in which call, and what to do next. The
//! test of causes checks each cause with its result, outcome and action.

use serde_json::json;
use support::abi::{self, Client, Reply};
use support::orders::{config, order, query, with};
use support::responses::{created, http};
use support::rows::Rows;
use support::service::{Service, Step, close, respond, respond_then_close, stall};
use support::table;
use support::unreachable::refusing_url;

#[test]
fn the_end_of_a_message_says_whether_the_order_may_exist() {
    const ASK_FIRST: &str = "; the order may exist: ask Get Status by order id before trying again";
    const ASK_AGAIN: &str = "; it is safe to ask for the status again";
    let quick = json!({"timeoutMs": 400});
    let mut rows = Rows::new();
    let mut ends = |row: &str, reply: Reply, end: &str| {
        rows.holds(row, reply.message().ends_with(end), reply.message());
        let says_so = reply.message().contains("nothing was sent");
        rows.same(row, says_so, (1..=99).contains(&reply.code));
    };
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let another = r#"{"responseCode":"200","data":{"orderId":"OTHER"}}"#;
    for (row, reaction) in table! {
        "closed", close();
        "silence", stall();
        "half a response", respond_then_close(created()[..40].to_vec());
        "not HTTP", respond_then_close(b"what?\r\n\r\n".to_vec());
        "503", respond(http(503, ""));
        "no checkout URL, and another order's status", respond(http(200, another));
    } {
        service.set_script([reaction]);
        ends(row, client.create_with(&order(), &quick), ASK_FIRST);
        ends(row, client.status_with(&query(), &quick), ASK_AGAIN);
    }
    // The system's own words are in its user's language, and end in a full stop or a number.
    let refused = Client::new(&config(&refusing_url())).create(&order());
    ends("refused", refused, ": connection refused; nothing was sent");
    service.set_script([vec![Step::Close]]);
    let secure = Client::new(&config(&service.url().replace("http://", "https://")));
    ends(
        "a handshake that fails",
        secure.create(&order()),
        "; nothing was sent",
    );
    rows.end();
}

#[test]
fn the_services_words_are_one_line_without_control_characters() {
    let said =
        json!({"responseCode": "400", "responseMessage": "\u{1b}[2J No\r\n\t\u{7}funds \u{0} "});
    let service = Service::start([respond(http(400, said.to_string()))]);
    let reply = Client::new(&config(&service.url())).create(&order());
    let words = reply.message().split("the service says: ").nth(1);
    assert_eq!(words, Some("[2J No funds"));
    // Programs get them as they are.
    assert_eq!(reply.error()["responseMessage"], said["responseMessage"]);
}

/// Line and column count from the start of the text that the caller gave, from 1, in bytes.
#[test]
fn a_text_that_is_not_json_is_refused_with_the_position() {
    let mut rows = Rows::new();
    for (text, position) in table! {
        r#"{"orderId":"O-1",}"#, "line 1 column 18";
        r#"{"orderId":"P\udcff"}"#, "line 1 column 19";
        "{\"a\":1,\n \"orderId\":\"P\\udcff\"}", "line 2 column 19";
        "{\"a\":\n{\"b\\ud800\":1}}", "line 2 column 10";
        r#"{"orderId":"O-1""#, "line 1 column 16";
    } {
        let reply = abi::build_get_status(text);
        let end = format!("(at {position})");
        rows.holds(text, reply.message().contains(&end), reply.message());
    }
    rows.end();
}

#[test]
fn no_error_repeats_the_customers_data() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let mut replies = Vec::new();
    for reaction in [close(), respond(http(500, "")), respond(http(400, "{}"))] {
        service.set_script([reaction]);
        replies.push(client.create(&order()));
    }
    replies.push(client.create(&with(&order(), "customerMobile", json!(["9876543210"]))));
    let twice = order()
        .to_string()
        .replacen('{', "{\"customerName\":\"Asha\",", 1);
    replies.push(abi::create_order(client.key(), &twice, None));
    for reply in replies {
        for text in ["Asha", "Verma", "9876543210", "asha@example.com"] {
            assert!(!reply.text().contains(text), "{}", reply.text());
        }
    }
}
