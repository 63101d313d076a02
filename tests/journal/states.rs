//! The table of states: what happens to an order whose entry is in each of them.

use super::till::Till;
use serde_json::{Value, json};
use support::abi::{self, Client};
use support::orders::with;
use support::responses::{created, created_body, http};
use support::result::{BAD_RESPONSE, CONNECTION_LOST};
use support::result::{DUPLICATE, INVALID_ARGUMENT, INVALID_REQUEST};
use support::rows::Rows;
use support::service::{close, respond, respond_then_close};
use support::shop::{listed, order};
use support::table;

pub struct State {
    /// How [`Till::with`] names it.
    pub given: &'static str,
    /// The state that the journal reports.
    shown: &'static str,
    /// The groups that list it. What none lists is pruned when it is old.
    pub groups: &'static [&'static str],
    /// The cause if the order is sent again. If it is empty, it may be.
    pub refused: &'static str,
    /// What settling it says. If it is empty, it is settled.
    unsettled: &'static str,
}

const fn state(
    given: &'static str,
    shown: &'static str,
    groups: &'static [&'static str],
    refused: &'static str,
    unsettled: &'static str,
) -> State {
    State {
        given,
        shown,
        groups,
        refused,
        unsettled,
    }
}

const OPEN: &[&str] = &["unresolved", "open"];
/// The only cause with which `resend` sends the order again.
const MAY_EXIST: &str = "order_may_exist";
const SENT: &str = "order_already_sent";
const COMPLETED: &str = "order_completed";
const USED: &str = "identifier_used";
pub const ELSEWHERE: &str = "order_of_another_service";

pub const STATES: [State; 9] = [
    state("sending", "sending", OPEN, "order_being_sent", ""),
    state("overdue", "unknown", OPEN, MAY_EXIST, ""),
    state("unknown", "unknown", OPEN, MAY_EXIST, ""),
    state("created", "created", &["open"], SENT, ""),
    state("paid", "created", &[], COMPLETED, "paid"),
    state("rejected", "rejected", &[], "", "rejected"),
    state("not_sent", "not_sent", &[], "", "not_sent"),
    state("settled", "settled", &[], "order_settled", "settled"),
    state("elsewhere", "unknown", OPEN, ELSEWHERE, "another service"),
];

/// What the error says if the order is sent again.
fn words(state: &State) -> &[&str] {
    match state.given {
        "sending" => &[
            "entry 1, sending",
            "may run until 20",
            "its process is gone",
        ],
        "overdue" | "unknown" => &["entry 1, unknown", "resolve the journal", "resend"],
        "created" => &["entry 1, created", "the service has it"],
        "paid" => &["entry 1, created", "it may be paid"],
        "settled" => &["entry 1, settled", "a person closed it"],
        "elsewhere" => &["https://other.example.com"],
        _ => &[],
    }
}

fn action(cause: &str) -> &str {
    match cause {
        SENT => "use_previous",
        USED => "fix_request",
        "order_settled" | ELSEWHERE => "ask_person",
        _ => "ask_status",
    }
}

#[test]
fn an_order_that_may_exist_is_not_sent_again() {
    let mut rows = Rows::new();
    for state in &STATES {
        let till = Till::with(state.given);
        let previous = till.entries()[0].clone();
        rows.same(state.given, &previous["state"], &json!(state.shown));
        let sent = till.service.request_count();
        till.service.set_script([respond(created())]);
        let orders = table! {
            "both identifiers", order("A"), "orderId";
            "the orderId", with(&order("A"), "merchantTxnId", "ANOTHER"), "orderId";
            "the merchantTxnId", with(&order("B"), "merchantTxnId", "TXN-A"), "merchantTxnId";
        };
        for (what, order, key) in orders {
            let row = format!("{}, {what}", state.given);
            if state.refused.is_empty() {
                let till = Till::with(state.given);
                till.service.set_script([respond(created())]);
                rows.code(&row, &till.client.create(&order), 0);
                rows.same(&row, &till.entries()[1]["state"], &json!("created"));
                continue;
            }
            // Any client refuses it, not only the one that sent it.
            let reply = till.shop.client(&till.service).create(&order);
            rows.code(&row, &reply, DUPLICATE);
            let error = reply.error();
            let is_other = what != "both identifiers" && state.refused != ELSEWHERE;
            let cause = if is_other { USED } else { state.refused };
            rows.same(&row, &error["cause"], &json!(cause));
            rows.same(&row, &error["action"], &json!(action(cause)));
            rows.same(&row, &error["outcome"], &json!("unknown"));
            let shown = match cause {
                SENT => previous.clone(),
                _ => with(&previous, "url", Value::Null),
            };
            rows.same(&row, &error["previous"], &shown);
            rows.same(&row, &error["statusQuery"]["orderId"], &json!("A"));
            rows.says(&row, &reply, key);
            for said in words(state).iter().filter(|_| !is_other) {
                rows.says(&row, &reply, said);
            }
            let deadline = previous["deadline"].as_str().expect("a time");
            let is_named = reply.message().contains(deadline);
            rows.same(&row, is_named, cause == "order_being_sent");
            rows.same(&row, till.service.request_count(), sent);
            rows.same(&row, till.entries().len(), 1);
        }
    }
    rows.end();
}

#[test]
fn resend_sends_only_the_same_order_and_only_if_its_outcome_is_unknown() {
    let again = json!({"resend": true});
    let mut rows = Rows::new();
    for state in STATES.iter().filter(|state| !state.refused.is_empty()) {
        let is_resent = state.refused == MAY_EXIST;
        let till = Till::with(state.given);
        till.service.set_script([respond(created())]);
        let sent = till.service.request_count();
        for (field, value) in [("amount", "100.1"), ("customerName", "Another")] {
            let row = format!("{}, another {field}", state.given);
            let changed = with(&order("A"), field, value);
            let plain = till.client.create(&changed);
            rows.code(&row, &plain, DUPLICATE);
            rows.holds(&row, !plain.message().contains("changed"), plain.message());
            let reply = till.client.create_with(&changed, &again);
            rows.code(&row, &reply, DUPLICATE);
            rows.same(&row, &reply.error()["previous"]["entry"], &json!(1));
            if is_resent {
                rows.says(&row, &reply, "changed");
            }
        }
        let extra = json!({"resend": true, "extraFields": {"note": "new"}});
        let reply = till.client.create_with(&order("A"), &extra);
        rows.code(state.given, &reply, DUPLICATE);
        rows.same(state.given, till.service.request_count(), sent);
        let reply = till.resend();
        rows.code(state.given, &reply, if is_resent { 0 } else { DUPLICATE });
        let sent = till.service.request_count() - sent;
        rows.same(state.given, sent, usize::from(is_resent));
    }
    rows.end();
}

#[test]
fn any_entry_of_an_order_prevents_sending() {
    let till = Till::with("unknown");
    till.resend().is(CONNECTION_LOST);
    // The call that wrote the first entry took longer than its deadline, and succeeded.
    till.change("state = 'created' WHERE entry = 1");
    let reply = till.resend();
    reply.is(DUPLICATE);
    assert_eq!(reply.error()["previous"]["entry"], 1);
    till.change("state = 'unknown'");
    till.change("state = 'created' WHERE entry = 2");
    let reply = till.resend();
    assert_eq!(reply.error()["previous"]["entry"], 2, "{}", reply.text());
    assert_eq!(till.service.request_count(), 2);
}

#[test]
fn a_refused_resend_stays_unknown() {
    let body = json!({"responseCode": "400", "responseMessage": "It exists"}).to_string();
    let mut rows = Rows::new();
    for (row, refusal) in table! {
        "400", http(400, &body);
        "400 in the body", http(200, &body);
        "401", http(401, "");
        "429", http(429, "");
        "404", http(404, "");
    } {
        let till = Till::with("unknown");
        till.service.set_script([respond(refusal)]);
        let reply = till.resend();
        rows.code(row, &reply, 203);
        let query = json!({"searchType": "1", "orderId": "A"});
        let found = ["cause", "action", "statusQuery"].map(|key| &reply.error()[key]);
        rows.same(
            row,
            &json!(found),
            &json!(["resend_refused", "ask_status", query]),
        );
        if row.starts_with("400") {
            let said = &reply.error()["responseMessage"];
            rows.same(row, said, &json!("It exists"));
        }
        rows.same(row, till.states(), vec!["A: unknown".to_owned(); 2]);
        rows.code(row, &till.client.create(&order("A")), DUPLICATE);
    }
    rows.end();
}

#[test]
fn a_resend_that_was_not_sent_says_that_the_order_may_exist() {
    let till = Till::with("unknown");
    till.service.stop_listening();
    let reply = till.resend();
    let query = json!({"searchType": "1", "orderId": "A"});
    let found = ["outcome", "action", "statusQuery"].map(|key| &reply.error()[key]);
    assert_eq!(json!(found), json!(["not_sent", "ask_status", query]));
    reply.says("it may exist all the same");
    assert_eq!(till.states(), ["A: unknown", "A: not_sent"]);
    till.client.create(&order("A")).is(DUPLICATE);
    let first = till.client.create(&order("B"));
    assert_eq!(first.error()["statusQuery"], Value::Null);
}

#[test]
fn the_checkout_url_of_an_unclear_refusal_is_kept() {
    let till = Till::new();
    let url = "https://pay.example.com/A";
    let body = json!({"responseCode": "400", "data": {"url": url}}).to_string();
    till.service
        .set_script([respond(http(400, &body)), close()]);
    let reply = till.client.create(&order("A"));
    reply.is(BAD_RESPONSE);
    assert_eq!(reply.error()["checkoutUrl"], url);
    let entry = &till.entries()[0];
    assert_eq!([&entry["state"], &entry["url"]], ["unknown", url]);
    // It is shown once the order is known to exist. Also if the order was sent again without an
    // answer, so that the last entry has no URL.
    till.resend().is(CONNECTION_LOST);
    let again = till.client.create(&order("A"));
    assert_eq!(again.error()["previous"]["url"], Value::Null);
    till.says("A", json!({"transactionStatus": "Pending"}));
    till.client.status(&json!({"orderId": "A"})).done();
    let again = till.client.create(&order("A"));
    assert_eq!(again.error()["cause"], SENT);
    assert_eq!(again.error()["previous"]["entry"], 2);
    assert_eq!(again.error()["previous"]["url"], url);
}

#[test]
fn a_page_is_shown_only_of_the_same_sale_that_nobody_paid() {
    let mut rows = Rows::new();
    for (field, value, cause) in table! {
        "amount", "100.1", SENT;
        "amount", "100.100", SENT;
        "customerName", "Another", SENT;
        "amount", "100.11", USED;
        "currencyCode", "USD", USED;
        "merchantTxnId", "TXN-OTHER", USED;
    } {
        let till = Till::with("created");
        let reply = till.client.create(&with(&order("A"), field, value));
        let row = format!("{field} {value}");
        rows.same(&row, &reply.error()["cause"], &json!(cause));
        let has_page = reply.error()["previous"]["url"].is_string();
        rows.same(&row, has_page, cause == SENT);
    }
    for (fields, cause, found) in table! {
        json!({"transactionStatus": "Failed"}), SENT, "use_previous";
        json!({"transactionStatus": "COMPLETED "}), COMPLETED, "ask_status";
        json!({"transactionStatus": "Com pleted"}), COMPLETED, "ask_status";
        json!({"transactionStatus": "Pending", "refundStatus": "Done"}), COMPLETED, "ask_status";
        json!({"transactionStatus": "Pending", "refundType": "Full"}), COMPLETED, "ask_status";
        json!({"transactionStatus": "Pending", "settlementStatus": "x"}), COMPLETED, "ask_status";
        json!({"transactionStatus": "Pending", "settlementDate": "x"}), COMPLETED, "ask_status";
    } {
        let till = Till::with("created");
        till.says("A", fields.clone());
        till.client.status(&json!({"orderId": "A"})).done();
        let reply = till.client.create(&order("A"));
        let row = fields.to_string();
        rows.same(&row, &reply.error()["cause"], &json!(cause));
        rows.same(&row, &reply.error()["action"], &json!(found));
    }
    // The order exists, and its page was lost.
    let till = Till::with("unknown");
    till.says("A", json!({"transactionStatus": "Pending"}));
    till.client.status(&json!({"orderId": "A"})).done();
    let reply = till.client.create(&order("A"));
    let found = ["cause", "action"].map(|key| reply.error()[key].clone());
    rows.same("lost", &json!(found), &json!([SENT, "ask_status"]));
    rows.end();
}

#[test]
fn an_order_that_existed_already_is_a_persons_case_whatever_its_status_is() {
    let mut rows = Rows::new();
    for status in ["", "Pending", "Completed"] {
        let till = Till::with("exists");
        if !status.is_empty() {
            till.says("A", json!({"transactionStatus": status}));
            till.client.status(&json!({"orderId": "A"})).done();
        }
        let reply = till.client.create(&order("A"));
        let found = ["cause", "action"].map(|key| reply.error()[key].clone());
        rows.same(
            status,
            &json!(found),
            &json!(["order_exists", "ask_person"]),
        );
        rows.same(status, &reply.error()["previous"]["url"], &Value::Null);
    }
    // Also if it is sent again, and if the response was cut behind its status.
    let till = Till::with("exists");
    till.service.set_script([respond(http(400, "{}")), close()]);
    for (result, cause) in [(203, "resend_refused"), (201, "connection_closed")] {
        let reply = till.resend();
        let found = ["result", "cause", "action"].map(|key| reply.error()[key].clone());
        let expected = json!([result, cause, "ask_person"]);
        rows.same(cause, &json!(found), &expected);
        let message = reply.error()["message"].as_str().unwrap_or_default();
        let says_it = message.contains("let a person decide");
        rows.that(cause, says_it, || message.to_owned());
    }
    let long = "200 OK\r\nContent-Length: 999";
    for (head, body) in [
        ("409 Conflict\r\nContent-Length: 9", "1"),
        ("409 Conflict\r\nTransfer-Encoding: chunked", "1"),
        ("409 Conflict\r\nTransfer-Encoding: gzip", "1"),
        (
            long,
            r#"{"responseCode":"409","responseMessage":"There","data":{}}"#,
        ),
        (long, r#"{"responseCode":"409","respo"#),
        (
            "200 OK",
            r#"{"responseCode":"409","responseMessage":"1","responseMessage":"2"}"#,
        ),
        (
            "200 OK",
            r#"{"responseCode":"409","responseMessage":"There"} <!-- page -->"#,
        ),
    ] {
        let till = Till::new();
        let answer = format!("HTTP/1.1 {head}\r\n\r\n{body}");
        let script = respond_then_close(answer.clone().into_bytes());
        till.service.set_script([script]);
        let reply = till.client.create(&order("A"));
        rows.same(&answer, &reply.error()["outcome"], &json!("unknown"));
        rows.same(&answer, &reply.error()["action"], &json!("ask_person"));
        let message = reply.error()["message"].as_str().unwrap_or_default();
        let says_it = message.matches("let a person decide").count() == 1;
        rows.that(&answer, says_it, || message.to_owned());
        let again = till.client.create(&order("A"));
        rows.same(&answer, &again.error()["cause"], &json!("order_exists"));
    }
    let till = Till::new();
    let long = "x".repeat(2000);
    let body = json!({"responseCode": "409", "responseMessage": "There", "data": {"url": long}});
    till.service
        .set_script([respond(http(200, body.to_string()))]);
    let client = Client::new(&with(
        &till.shop.config(&till.service.url()),
        "maxResponseBytes",
        1024,
    ));
    let reply = client.create(&order("A"));
    let found = ["cause", "action"].map(|key| reply.error()[key].clone());
    rows.same(
        "long",
        &json!(found),
        &json!(["response_too_large", "ask_person"]),
    );
    let again = till.client.create(&order("A"));
    rows.same("long", &again.error()["cause"], &json!("order_exists"));
    let mut body = created_body();
    body["more"] = json!(long);
    till.service
        .set_script([respond(http(200, body.to_string()))]);
    let reply = client.create(&order("B"));
    rows.same("URL", &reply.error()["checkoutUrl"], &body["data"]["url"]);
    rows.end();
}

#[test]
fn identifiers_are_compared_byte_for_byte() {
    let till = Till::new();
    let long = "x".repeat(100_000);
    // Nothing makes it shorter.
    let random: String = (0..500)
        .map(|number| format!("{:016x}", support::random::random(1, number)))
        .collect();
    let identifiers = [
        "A",
        "a",
        "A B",
        "A  B",
        "A%",
        "A_",
        "A'; DROP TABLE payorder_orders; --",
        "\u{e9}",
        "e\u{301}",
        "7",
        "7.0",
        "07",
        &long,
        &random,
    ];
    for identifier in identifiers {
        till.client.create(&order(identifier)).done();
        till.client.create(&order(identifier)).is(DUPLICATE);
    }
    for (entry, identifier) in till.entries().iter().zip(identifiers) {
        assert_eq!(entry["orderId"], identifier);
    }
    // The same text as the other identifier does not match.
    let crossed = with(&order("TXN-A"), "merchantTxnId", "A");
    till.client.create(&crossed).done();
}

#[test]
fn the_same_service_may_be_written_in_several_ways() {
    let till = Till::new();
    let port = till.service.port();
    let at = |url: &str| Client::new(&till.shop.config(url));
    let normal = format!("http://localhost:{port}");
    at(&normal).create(&order("A")).done();
    let mut rows = Rows::new();
    for (url, cause) in table! {
        format!("http://localhost:{port}/"), "order_already_sent";
        format!("HTTP://LocalHost:{port}//"), "order_already_sent";
        format!("http://127.0.0.1:{port}"), ELSEWHERE;
        format!("http://localhost:{port}/test"), ELSEWHERE;
        format!("http://localhost:{port}/Test"), ELSEWHERE;
    } {
        let reply = at(&url).create(&order("A"));
        rows.same(&url, &reply.error()["cause"], &json!(cause));
        rows.same(&url, &reply.error()["previous"]["service"], &json!(normal));
    }
    rows.end();
    let options = json!({"timeoutMs": 5000});
    at("http://localhost:80/pay/").create_with(&order("B"), &options);
    assert_eq!(till.entries()[1]["service"], "http://localhost/pay");
}

#[test]
fn entries_are_listed_oldest_first_by_state_and_group() {
    let till = Till::new();
    for state in &STATES {
        till.add(state.given, state.given);
    }
    let mut rows = Rows::new();
    let filters = "sending created rejected not_sent unknown settled unresolved open";
    for filter in filters.split(' ') {
        let is_in = |state: &&State| state.shown == filter || state.groups.contains(&filter);
        let expected: Vec<&str> = STATES
            .iter()
            .filter(is_in)
            .map(|state| state.given)
            .collect();
        for (limit, after) in [(1000, 0), (2, 0), (1, 4)] {
            let options = json!({"state": filter, "limit": limit, "after": after});
            let found = listed(&till.client.journal_list(&options));
            let found: Vec<_> = found.iter().map(|entry| entry["orderId"].clone()).collect();
            let number = |given: &str| STATES.iter().position(|s| s.given == given).unwrap() + 1;
            let expected: Vec<_> = expected
                .iter()
                .filter(|given| number(given) > after)
                .take(limit)
                .map(|given| json!(given))
                .collect();
            rows.same(&options.to_string(), found, expected);
        }
    }
    rows.end();
    let all = abi::journal_call(abi::payorder_journal_list, till.client.key(), None);
    assert_eq!(listed(&all).len(), STATES.len());
    let beyond = json!({"after": i64::MAX});
    assert!(listed(&till.client.journal_list(&beyond)).is_empty());
}

#[test]
fn only_an_open_entry_can_be_settled() {
    let mut rows = Rows::new();
    // The limit of a note counts characters, not bytes.
    let note = "\u{e9}".repeat(200);
    for state in &STATES {
        let till = Till::with(state.given);
        let before = till.entries();
        let all = till.told();
        let reply = till
            .client
            .journal_settle(&json!({"entry": 1, "note": note}));
        let code = match state.unsettled {
            "" => 0,
            "paid" => INVALID_REQUEST,
            _ => INVALID_ARGUMENT,
        };
        rows.code(state.given, &reply, code);
        if code != 0 {
            let operation = &reply.error()["operation"];
            rows.same(state.given, operation, &json!("journal_settle"));
            rows.says(state.given, &reply, state.unsettled);
            rows.same(state.given, till.told(), all);
            continue;
        }
        let mut expected = before[0].clone();
        expected["state"] = "settled".into();
        expected["note"] = note.as_str().into();
        expected["updatedAt"] = reply["updatedAt"].clone();
        rows.same(state.given, &reply.json, &expected);
        rows.same(state.given, till.entries(), vec![expected]);
        let last = till.told()[0]["events"].as_array().unwrap().last().cloned();
        let last = last.unwrap_or_default();
        let found = json!([last["event"], last["note"]]);
        rows.same(state.given, &found, &json!(["settled", note]));
        let summary = till.client.journal_resolve(&json!({})).done();
        rows.same(state.given, &summary["summary"]["asked"], &json!(0));
        till.resend().is(DUPLICATE);
    }
    rows.end();
    let till = Till::with("unknown");
    for (entry, said) in [(2, "no entry 2"), (0, "no entry 0")] {
        let reply = till.client.journal_settle(&json!({"entry": entry}));
        reply.is(INVALID_ARGUMENT).says(said);
    }
    let none = abi::journal_call(abi::payorder_journal_settle, till.client.key(), None);
    none.is(INVALID_ARGUMENT);
    let reply = till.client.journal_settle(&json!({"entry": 1})).done();
    assert_eq!(reply.json.get("note"), None);
}

#[test]
fn only_an_old_closed_entry_is_pruned() {
    let mut rows = Rows::new();
    for state in &STATES {
        let till = Till::with(state.given);
        till.change("updated_ms = updated_ms - 10 * 86400000 - 1000");
        let is_pruned = state.groups.is_empty();
        for (days, removed) in [(None, false), (Some(11), false), (Some(10), is_pruned)] {
            let options = days.map_or(json!({}), |days| json!({"olderThanDays": days}));
            let row = format!("{}, {options}", state.given);
            let reply = till.client.journal_prune(&options);
            rows.same(&row, &reply["removed"], &json!(u8::from(removed)));
        }
        rows.same(state.given, till.entries().is_empty(), is_pruned);
        if is_pruned {
            till.service.set_script([respond(created())]);
            rows.code(state.given, &till.client.create(&order("A")), 0);
            // A number is never used twice.
            rows.same(state.given, &till.entries()[0]["entry"], &json!(2));
        }
    }
    rows.end();
    let till = Till::with("rejected");
    till.change("service = 'https://other.example.com', updated_ms = 1");
    assert_eq!(till.client.journal_prune(&json!({}))["removed"], 0);
}
