//! The table of states: what happens to an order whose entry is in each of them.

use super::till::{Till, WAYS, status};
use super::{DUPLICATE, INVALID_ARGUMENT, INVALID_REQUEST};
use serde_json::{Value, json};
use support::abi::{self, Client};
use support::orders::{config, with};
use support::responses::{created, http};
use support::rows::Rows;
use support::service::{close, respond, stall};
use support::shop::{listed, order, sql, states};
use support::table;
use support::unreachable::refusing_url;

struct State {
    /// How [`Till::with`] names it.
    given: &'static str,
    /// The state that the journal reports.
    shown: &'static str,
    /// The groups that list it.
    groups: &'static [&'static str],
    /// The cause, the action and the words of the error if the order is sent again. Otherwise it may
    /// be.
    refused: Option<(&'static str, &'static str, &'static [&'static str])>,
    /// With `resend` it is sent again.
    resent: bool,
    /// The result and words of settling it.
    settled: (i32, &'static str),
    /// It is pruned when it is old.
    pruned: bool,
}

const OPEN: &[&str] = &["unresolved", "open"];
const UNKNOWN: (&str, &str, &[&str]) = (
    "order_may_exist",
    "ask_status",
    &["entry 1, unknown", "resolve the journal", "resend"],
);
const CREATED: (&str, &str, &[&str]) = (
    "order_already_sent",
    "use_previous",
    &["entry 1, created", "the service has it"],
);
const ELSEWHERE: &str = "order_of_another_service";

const STATES: [State; 10] = [
    State {
        given: "sending",
        shown: "sending",
        groups: OPEN,
        refused: Some((
            "order_being_sent",
            "ask_status",
            &[
                "entry 1, sending",
                "may run until 20",
                "its process is gone",
            ],
        )),
        resent: false,
        settled: (0, ""),
        pruned: false,
    },
    State {
        given: "overdue",
        shown: "unknown",
        groups: OPEN,
        refused: Some(UNKNOWN),
        resent: true,
        settled: (0, ""),
        pruned: false,
    },
    State {
        given: "unknown",
        shown: "unknown",
        groups: OPEN,
        refused: Some(UNKNOWN),
        resent: true,
        settled: (0, ""),
        pruned: false,
    },
    State {
        given: "created",
        shown: "created",
        groups: &["open"],
        refused: Some(CREATED),
        resent: false,
        settled: (0, ""),
        pruned: false,
    },
    State {
        given: "paid",
        shown: "created",
        groups: &[],
        refused: Some(CREATED),
        resent: false,
        settled: (INVALID_REQUEST, "paid"),
        pruned: true,
    },
    State {
        given: "rejected",
        shown: "rejected",
        groups: &[],
        refused: None,
        resent: true,
        settled: (INVALID_ARGUMENT, "rejected"),
        pruned: true,
    },
    State {
        given: "not_sent",
        shown: "not_sent",
        groups: &[],
        refused: None,
        resent: true,
        settled: (INVALID_ARGUMENT, "not_sent"),
        pruned: true,
    },
    State {
        given: "settled",
        shown: "settled",
        groups: &[],
        refused: Some((
            "order_settled",
            "ask_status",
            &["entry 1, settled", "a person closed it"],
        )),
        resent: false,
        settled: (INVALID_ARGUMENT, "settled"),
        pruned: true,
    },
    State {
        given: "elsewhere",
        shown: "unknown",
        groups: OPEN,
        refused: Some((ELSEWHERE, "ask_status", &["https://other.example.com"])),
        resent: false,
        settled: (INVALID_ARGUMENT, "another service"),
        pruned: false,
    },
    State {
        given: "nowhere",
        shown: "unknown",
        groups: OPEN,
        refused: Some((ELSEWHERE, "ask_status", &[])),
        resent: false,
        settled: (0, ""),
        pruned: false,
    },
];

#[test]
fn an_order_that_may_exist_is_not_sent_again() {
    let mut rows = Rows::new();
    for state in &STATES {
        let till = Till::with(state.given);
        let mut previous = till.entries()[0].clone();
        rows.same(state.given, &previous["state"], &json!(state.shown));
        if previous["service"] != till.service.url() {
            previous["url"] = Value::Null;
        }
        let sent = till.service.request_count();
        till.service.set_script([respond(created())]);
        let orders = table! {
            "both identifiers", order("A"), "orderId";
            "the orderId", with(&order("A"), "merchantTxnId", "ANOTHER"), "orderId";
            "the merchantTxnId", with(&order("B"), "merchantTxnId", "TXN-A"), "merchantTxnId";
        };
        for (what, order, key) in orders {
            let row = format!("{}, {what}", state.given);
            let Some((cause, action, words)) = state.refused else {
                let till = Till::with(state.given);
                till.service.set_script([respond(created())]);
                rows.code(&row, &till.client.create(&order), 0);
                rows.same(&row, &till.entries()[1]["state"], &json!("created"));
                continue;
            };
            // Any client refuses it, not only the one that sent it.
            let reply = till.shop.client(&till.service).create(&order);
            rows.code(&row, &reply, DUPLICATE);
            let error = reply.error();
            let found = ["cause", "action", "outcome"].map(|key| &error[key]);
            rows.same(&row, &json!(found), &json!([cause, action, "unknown"]));
            rows.same(&row, &error["previous"], &previous);
            rows.same(&row, &error["statusQuery"]["orderId"], &json!("A"));
            for said in words.iter().chain([&key]) {
                rows.says(&row, &reply, said);
            }
            let deadline = previous["deadline"].as_str().expect("a time");
            let is_named = reply.message().contains(deadline);
            rows.same(&row, is_named, state.given == "sending");
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
    for state in STATES.iter().filter(|state| state.refused.is_some()) {
        let till = Till::with(state.given);
        till.service.set_script([respond(created())]);
        let sent = till.service.request_count();
        for (field, value) in [
            ("amount", "9999.00"),
            ("amount", "100.1"),
            ("customerName", "Another"),
            ("merchantTxnId", "TXN-OTHER"),
            ("orderId", "OTHER"),
        ] {
            let row = format!("{}, another {field}", state.given);
            let changed = with(&order("A"), field, value);
            let plain = till.client.create(&changed);
            rows.code(&row, &plain, DUPLICATE);
            rows.holds(&row, !plain.message().contains("changed"), plain.message());
            let reply = till.client.create_with(&changed, &again);
            rows.code(&row, &reply, DUPLICATE);
            rows.same(&row, &reply.error()["previous"]["entry"], &json!(1));
            if state.resent {
                rows.says(&row, &reply, "changed");
            }
        }
        let extra = json!({"resend": true, "extraFields": {"note": "new"}});
        let reply = till.client.create_with(&order("A"), &extra);
        rows.code(state.given, &reply, DUPLICATE);
        rows.same(state.given, till.service.request_count(), sent);
        let reply = till.client.create_with(&order("A"), &again);
        rows.code(
            state.given,
            &reply,
            if state.resent { 0 } else { DUPLICATE },
        );
        let sent = till.service.request_count() - sent;
        rows.same(state.given, sent, usize::from(state.resent));
    }
    rows.end();
    let without = Client::new(&config(&refusing_url()));
    let reply = without.create_with(&order("A"), &again);
    reply.is(INVALID_ARGUMENT);
}

#[test]
fn any_entry_of_an_order_prevents_sending() {
    let till = Till::with("unknown");
    let again = json!({"resend": true});
    till.client.create_with(&order("A"), &again).is(201);
    // The call that wrote the first entry took longer than its deadline, and succeeded.
    till.change("state = 'created' WHERE entry = 1");
    let reply = till.client.create_with(&order("A"), &again);
    reply.is(DUPLICATE);
    assert_eq!(reply.error()["previous"]["entry"], 1);
    till.change("state = 'unknown'");
    till.change("state = 'created' WHERE entry = 2");
    let reply = till.client.create_with(&order("A"), &again);
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
        let reply = till
            .client
            .create_with(&order("A"), &json!({"resend": true}));
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
    let reply = till
        .client
        .create_with(&order("A"), &json!({"resend": true}));
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
    reply.is(202);
    assert_eq!(reply.error()["checkoutUrl"], url);
    let entry = &till.entries()[0];
    assert_eq!([&entry["state"], &entry["url"]], ["unknown", url]);
    let again = till.client.create(&order("A"));
    assert_eq!(again.error()["previous"]["url"], url);
    // Also if the order was sent again without an answer: the last entry has no URL.
    let resend = till
        .client
        .create_with(&order("A"), &json!({"resend": true}));
    resend.is(201);
    let again = till.client.create(&order("A"));
    assert_eq!(again.error()["previous"]["entry"], 2);
    assert_eq!(again.error()["previous"]["url"], url);
}

#[test]
fn identifiers_are_compared_byte_for_byte() {
    let till = Till::new();
    let long = "x".repeat(100_000);
    let identifiers = [
        "A",
        "a",
        "A ",
        "A\u{0}B",
        "A\u{0}C",
        "A%",
        "A_",
        "A'; DROP TABLE orders; --",
        "\u{e9}",
        "e\u{301}",
        "7",
        "7.0",
        "07",
        &long,
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
    let at = |url: &str| Client::new(&with(&till.shop.config(url), "timeoutMs", 500));
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
    at("http://localhost:80/pay/").create(&order("B"));
    assert_eq!(till.entries()[1]["service"], "http://localhost/pay");
}

/// What a status says of the order A, and the entry's transaction and status afterwards; `None` if
/// it teaches nothing.
type Learned = Option<[&'static str; 2]>;

#[test]
fn a_status_is_recorded_for_the_order_that_it_names() {
    let said = |id: &str, status: &str| json!({"transactionId": id, "transactionStatus": status});
    let refunded =
        |id: &str, status: &str, refund: &str| with(&said(id, status), "refundStatus", refund);
    let no_data = |nothing: Value| {
        let fields = ["transactionId", "transactionStatus", "amount"];
        fields
            .iter()
            .map(|field| ((*field).to_owned(), nothing.clone()))
            .collect::<Value>()
    };
    let paid = Some(["T-900", "Completed"]);
    let pending = Some(["T-900", "Pending"]);
    let mut rows = Rows::new();
    let table: [(&str, Value, Learned); 24] = table! {
        "unknown", said("T-900", "Pending"), pending;
        "unknown", json!({}), paid;
        "overdue", said("T-900", "Pending"), pending;
        "sending", said("T-900", "Pending"), pending;
        "created", said("T-900", "Pending"), pending;
        "created", said("", "Failed"), Some(["", "Failed"]);
        "settled", said("T-900", "Pending"), pending;
        "rejected", said("T-900", "Pending"), pending;
        "not_sent", json!({}), paid;
        // What is paid stays paid.
        "paid", said("T-900", "Failed"), paid;
        "paid", said("T-2", "Failed"), paid;
        "paid", said("T-2", "Completed"), paid;
        "paid", said("", "Failed"), paid;
        "paid", refunded("T-2", "Refunded", "Success"), paid;
        "paid", refunded("T-900", "Completed", "Partial"), paid;
        "paid", refunded("T-900", "Refunded", "Success"), Some(["T-900", "Refunded"]);
        "paid", with(&said("T-900", "Refunded"), "refundType", "Full"), Some(["T-900", "Refunded"]);
        // Of another service, without an order, and an echo of the question.
        "elsewhere", json!({}), None;
        "nowhere", json!({}), None;
        "unknown", json!({"orderId": ""}), None;
        "unknown", json!({"orderId": null}), None;
        "unknown", no_data(Value::Null), None;
        "unknown", no_data(json!(" ")), None;
        "unknown", no_data(json!("")), None;
    };
    for (before, fields, learned) in table {
        let state = STATES.iter().find(|state| state.given == before);
        let state = state.expect("a state");
        let is_asked =
            state.groups.contains(&"open") && state.refused.is_some_and(|r| r.0 != ELSEWHERE);
        for (way, ask) in WAYS {
            let transaction = fields["transactionId"].as_str().unwrap_or_default();
            if way.ends_with("by transaction") && !["", "T-900"].contains(&transaction) {
                // An answer about another transaction is refused.
                continue;
            }
            let row = format!("{before}, {fields}, {way}");
            let till = Till::with(before);
            till.add("OTHER", "created");
            let told = || listed(&till.client.journal_list(&json!({"events": true})));
            let old = told();
            till.says("A", fields.clone());
            for _ in 0..2 {
                rows.code(&row, &ask(&till.client), 0);
            }
            let new = told();
            rows.same(&row, &new[1], &old[1]);
            let learned = learned.filter(|_| is_asked || way != "journal_resolve");
            let Some([transaction, status]) = learned else {
                rows.same(&row, &new[0], &old[0]);
                continue;
            };
            let keeps = before == "settled";
            let found = ["state", "transactionId", "transactionStatus"].map(|key| &new[0][key]);
            let state = if keeps { "settled" } else { "created" };
            rows.same(&row, &json!(found), &json!([state, transaction, status]));
            rows.same(&row, &new[0]["url"], &old[0]["url"]);
            let events = [&old, &new].map(|told| told[0]["events"].as_array().unwrap().len());
            rows.same(&row, events[1] - events[0], 1);
            let last = new[0]["events"].as_array().unwrap().last().unwrap();
            let text = fields.get("transactionStatus").cloned();
            let text = text.unwrap_or(json!("Completed"));
            rows.same(&row, &last["transactionStatus"], &text);
            if way != WAYS[0].0 {
                continue;
            }
            till.service.set_script([respond(created())]);
            rows.code(&row, &till.client.create(&order("A")), DUPLICATE);
            if before != "settled" {
                let summary = till.client.journal_resolve(&json!({})).done()["summary"].clone();
                let left = usize::from(status != "Completed") + 1;
                rows.same(&row, &summary["asked"], &json!(left));
            }
        }
    }
    rows.end();
}

#[test]
fn a_failed_query_teaches_nothing() {
    let till = Till::with("unknown");
    let before = till.entries();
    till.service.set_script([
        respond(http(404, "{}")),
        respond(http(500, "")),
        respond(http(200, "{\"responseCode\":\"200\",\"data\":null}")),
        respond(http(200, "{\"responseCode\":\"200\"}")),
    ]);
    for _ in 0..4 {
        let resolved = till.client.journal_resolve(&json!({})).done();
        assert_eq!(resolved["summary"]["asked"], 1);
        assert_eq!(resolved["entries"], json!(before));
    }
    assert_eq!(till.entries(), before);
}

#[test]
fn a_recorded_status_closes_and_reopens_no_other_entry() {
    let till = Till::with("rejected");
    till.service.set_script([close()]);
    till.client.create(&order("A")).is(201);
    let again = json!({"resend": true});
    till.client.create_with(&order("A"), &again).is(201);
    till.change("state = 'settled' WHERE entry = 2");
    let rejected = till.entries()[0].clone();
    till.says("A", json!({"transactionStatus": "Pending"}));
    till.client.status(&json!({"orderId": "A"})).done();
    assert_eq!(
        till.states(),
        ["A: rejected", "A: settled", "A: created"],
        "every attempt that may have created the order"
    );
    assert_eq!(till.entries()[0], rejected, "that attempt created no order");
    assert_eq!(till.entries()[1]["transactionStatus"], "Pending");
}

#[test]
fn all_of_many_entries_are_listed_resolved_and_recorded() {
    let till = Till::with("unknown");
    let more = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2499)
        INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code, body_sha256, state,
            begun_ms, deadline_ms, updated_ms, service)
        SELECT 'O-' || i, 'T-' || i, '1.00', 'INR', x'00', 'unknown', 1, 1, 1, service
        FROM n, orders";
    sql(&till.shop.path, &[more]);
    assert_eq!(till.entries().len(), 1000, "a page");
    let (mut after, mut seen) = (json!(0), 0);
    loop {
        let page = till
            .client
            .journal_list(&json!({"limit": 700, "after": after}));
        let page = listed(&page);
        let Some(last) = page.last() else { break };
        after = last["entry"].clone();
        seen += page.len();
    }
    assert_eq!(seen, 2500);
    let before = till.service.request_count();
    till.service.set_script([respond(http(404, "{}"))]);
    let reply = till.client.journal_resolve(&json!({})).done();
    assert_eq!(reply["summary"]["asked"], 2500);
    assert_eq!(till.service.request_count() - before, 2500);
    let numbers: Vec<_> = reply["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["entry"].as_u64())
        .collect();
    assert_eq!(numbers, (1..=2500).map(Some).collect::<Vec<_>>());

    let ids: Vec<String> = (1..=500).map(|i| format!("O-{i}")).collect();
    till.service.set_script(
        ids.iter()
            .map(|id| status(id, json!({})))
            .collect::<Vec<_>>(),
    );
    let queries: Value = ids.iter().map(|id| json!({"orderId": id})).collect();
    let one = json!({"concurrency": 1});
    till.client.statuses(&queries, &one, |_, _| true).done();
    let paid = "SELECT count(*) FROM orders WHERE transaction_status = 'Completed'";
    assert_eq!(sql(&till.shop.path, &[paid]), json!([[500]]));
}

#[test]
fn entries_are_listed_oldest_first_by_state_and_group() {
    let till = Till::new();
    for state in &STATES {
        till.add(state.given, state.given);
    }
    let mut rows = Rows::new();
    for filter in [
        "sending",
        "created",
        "rejected",
        "not_sent",
        "unknown",
        "settled",
        "unresolved",
        "open",
    ] {
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
fn resolve_asks_about_open_entries_of_this_service_in_their_order() {
    let till = Till::new();
    for state in &STATES {
        till.add(state.given, state.given);
    }
    let before = till.service.request_count();
    till.service.set_script([
        respond(http(404, "{}")),
        status("overdue", json!({"transactionStatus": "Pending"})),
        respond(http(500, "")),
        status("created", json!({})),
    ]);
    let reply = till
        .client
        .journal_resolve(&json!({"concurrency": 1}))
        .done();
    let summary = &reply["summary"];
    let counts = ["asked", "ok", "rejected", "unknown"].map(|key| summary[key].as_u64());
    assert_eq!(counts, [Some(4), Some(2), Some(1), Some(1)], "{summary}");
    assert_eq!(
        summary["transactionStatus"],
        json!({"Completed": 1, "Pending": 1})
    );
    assert_eq!(reply["otherServices"], 2);
    let asked = till.service.requests().split_off(before);
    let asked: Vec<Value> = asked
        .iter()
        .map(|request| serde_json::from_str(&request.body).unwrap())
        .collect();
    let query = |id: &str| json!({"searchType": "1", "orderId": id});
    assert_eq!(
        asked,
        ["sending", "overdue", "unknown", "created"].map(query)
    );
    assert_eq!(
        states(reply["entries"].as_array().unwrap()),
        ["sending: sending", "unknown: unknown"]
    );
    till.client
        .create(&order("overdue"))
        .says("its checkout URL is lost: ask Get Status");

    let poor = support::orders::without(&till.shop.config(&till.service.url()), "secretKey");
    let reply = Client::new(&poor).journal_resolve(&json!({})).done();
    assert_eq!(reply["summary"]["notSent"], 3, "{}", reply.text());
    let before = till.service.request_count();
    till.service.set_script([stall()]);
    let one = json!({"concurrency": 1});
    let reply = std::thread::scope(|scope| {
        let resolving = scope.spawn(|| till.client.journal_resolve(&one));
        till.service.wait_for_requests(before + 1);
        till.client.cancel();
        resolving.join().unwrap().done()
    });
    let summary = &reply["summary"];
    assert_eq!(
        [&summary["stopped"], &summary["asked"]],
        [&json!(true), &json!(1)]
    );
}

#[test]
fn resolve_asks_only_about_entries_that_existed_at_its_start() {
    let till = Till::with("unknown");
    till.add("B", "unknown");
    let path = till.shop.path.clone();
    till.service.set_script([respond(http(404, "{}"))]);
    let _log = support::log::Log::reacting(&till.client, move |event| {
        if event["event"] == "attempt_started" && event["orderId"] == "A" {
            sql(
                &path,
                &[
                    "INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code,
                    body_sha256, state, begun_ms, deadline_ms, updated_ms, service)
                SELECT 'LATE', 'T', amount, currency_code, body_sha256, state, begun_ms,
                    deadline_ms, updated_ms, service FROM orders WHERE order_id = 'A'",
                ],
            );
        }
    });
    let reply = till
        .client
        .journal_resolve(&json!({"concurrency": 1}))
        .done();
    assert_eq!(reply["summary"]["asked"], 2, "{}", reply.text());
    assert_eq!(
        states(reply["entries"].as_array().unwrap()),
        ["A: unknown", "B: unknown", "LATE: unknown"],
        "it is counted as still unresolved"
    );
}

#[test]
fn a_status_found_or_a_person_during_a_call_is_kept() {
    let mut rows = Rows::new();
    for (state, status) in [("created", json!("Pending")), ("settled", Value::Null)] {
        let till = Till::new();
        till.service.set_script([stall()]);
        std::thread::scope(|scope| {
            let sending = scope.spawn(|| till.client.create(&order("A")).code);
            till.service.wait_for_requests(1);
            let other = till.shop.client(&till.service);
            if state == "settled" {
                other.journal_settle(&json!({"entry": 1})).done();
            } else {
                till.says("A", json!({"transactionStatus": "Pending"}));
                let resolved = other.journal_resolve(&json!({})).done();
                rows.same(state, &resolved["entries"], &json!([]));
            }
            till.client.cancel();
            rows.same(state, sending.join().unwrap(), 204);
        });
        let entry = &till.entries()[0];
        let found = ["state", "transactionStatus", "result"].map(|key| &entry[key]);
        rows.same(state, &json!(found), &json!([state, status, 204]));
    }
    rows.end();
}

#[test]
fn only_an_open_entry_can_be_settled() {
    let mut rows = Rows::new();
    // The limit of a note counts characters, not bytes.
    let note = "\u{e9}".repeat(200);
    for state in &STATES {
        let till = Till::with(state.given);
        let told = || listed(&till.client.journal_list(&json!({"events": true})));
        let before = till.entries();
        let all = told();
        let reply = till
            .client
            .journal_settle(&json!({"entry": 1, "note": note}));
        let (code, words) = state.settled;
        rows.code(state.given, &reply, code);
        if code != 0 {
            let operation = &reply.error()["operation"];
            rows.same(state.given, operation, &json!("journal_settle"));
            rows.says(state.given, &reply, words);
            rows.same(state.given, told(), all);
            continue;
        }
        let mut expected = before[0].clone();
        expected["state"] = "settled".into();
        expected["note"] = note.as_str().into();
        expected["updatedAt"] = reply["updatedAt"].clone();
        rows.same(state.given, &reply.json, &expected);
        rows.same(state.given, till.entries(), vec![expected]);
        let last = told()[0]["events"].as_array().unwrap().last().cloned();
        let last = last.unwrap_or_default();
        let found = json!([last["event"], last["note"]]);
        rows.same(state.given, &found, &json!(["settled", note]));
        let summary = till.client.journal_resolve(&json!({})).done();
        rows.same(state.given, &summary["summary"]["asked"], &json!(0));
        till.client
            .create_with(&order("A"), &json!({"resend": true}))
            .is(DUPLICATE);
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
        for (days, removed) in [(None, false), (Some(11), false), (Some(10), state.pruned)] {
            let options = days.map_or(json!({}), |days| json!({"olderThanDays": days}));
            let row = format!("{}, {options}", state.given);
            let reply = till.client.journal_prune(&options);
            rows.same(&row, &reply["removed"], &json!(u8::from(removed)));
        }
        rows.same(state.given, till.entries().is_empty(), state.pruned);
        if state.pruned {
            till.service.set_script([respond(created())]);
            rows.code(state.given, &till.client.create(&order("A")), 0);
            // A number is never used twice.
            rows.same(state.given, &till.entries()[0]["entry"], &json!(2));
        }
    }
    rows.end();
    let till = Till::with("rejected");
    till.change("service = NULL, updated_ms = 1");
    assert_eq!(till.client.journal_prune(&json!({}))["removed"], 1);
}
