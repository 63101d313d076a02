//! The events of an entry: when the order was sent, to whom, what came back, what was learned
//! later.

use crate::python_digest;
use serde_json::{Value, json};
use support::abi::Client;
use support::log::Log;
use support::orders::with;
use support::responses::{completed_body, created, http};
use support::rows::Rows;
use support::service::{Script, Service, close, respond, stall};
use support::shop::{Shop, entries, listed, order, sql, states};
use support::table;
use support::unreachable::refusing_url;

/// The entries of an order, with their events.
fn with_events(client: &Client, order_id: &str) -> Vec<Value> {
    listed(&client.journal_list(&json!({"orderId": order_id, "events": true})))
}

/// The events of an order's only entry.
#[track_caller]
fn events(client: &Client, order_id: &str) -> Vec<Value> {
    let entries = with_events(client, order_id);
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries[0]["events"].as_array().expect("events").clone()
}

/// The value of a key in each event that has it.
fn values(events: &[Value], key: &str) -> Vec<Value> {
    events
        .iter()
        .filter_map(|event| event.get(key).cloned())
        .collect()
}

fn status(order_id: &str, changes: &[(&str, &str)]) -> Script {
    let mut body = completed_body(order_id);
    for (field, text) in changes {
        body["data"][field] = (*text).into();
    }
    respond(http(200, &body.to_string()))
}

fn by_order(order_id: &str) -> Value {
    json!({"orderId": order_id})
}

#[test]
fn an_entry_says_how_its_order_was_sent_and_what_came_of_it() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    service.set_script([status("A", &[])]);
    client.status(&by_order("A")).done();
    let entry = with_events(&client, "A").remove(0);
    let told = entry["events"].as_array().expect("events");
    let body = &service.requests()[0].body;
    let host = format!("127.0.0.1:{}", service.port());
    let (took, sent) = (&told[1]["durationMs"], &told[1]["bytesSent"]);
    assert_eq!(
        *told,
        [
            json!({
                "number": 1, "at": entry["startedAt"], "event": "sending",
                "bodySha256": python_digest(body), "bodyBytes": body.len(),
            }),
            json!({
                "number": 2, "at": told[1]["at"], "event": "attempt",
                "attempt": 1, "durationMs": took, "bytesSent": sent,
                "httpStatus": 200, "responseCode": "200", "result": 0,
                "host": host, "proxy": false, "tls": false,
            }),
            json!({
                "number": 3, "at": entry["updatedAt"], "event": "status",
                "transactionId": "T-900", "transactionStatus": "Completed", "amount": "100.10",
                "host": host, "proxy": false, "tls": false,
            }),
        ]
    );
    assert!(took.as_u64() < Some(10_000), "{took}");
    assert!(sent.as_u64() > Some(body.len() as u64), "head and body");
    let times = values(told, "at");
    assert!(times.is_sorted_by_key(|time| time.as_str()), "{times:?}");
    assert!(entries(&client)[0].get("events").is_none(), "only if asked");
}

#[test]
fn every_attempt_says_how_it_ended() {
    let refused = json!({"responseCode": "422", "responseMessage": "no"}).to_string();
    let fates = table! {
        respond(http(400, &refused)), json!([100, "service_refused", 400, "422"]);
        respond(http(503, "")), json!([203, "service_error", 503, null]);
        respond(http(200, "x")), json!([202, "response_not_json", 200, null]);
        close(), json!([201, "connection_closed", null, null]);
        stall(), json!([200, "response_timed_out", null, null]);
    };
    let shop = Shop::new();
    let mut rows = Rows::new();
    for (reaction, expected) in fates {
        let name = expected.to_string();
        let service = Service::start([reaction]);
        // Long enough for a slow machine, except where the test waits for its end.
        let time = if name.starts_with("[200,") {
            5000
        } else {
            60_000
        };
        let client = Client::new(&with(&shop.config(&service.url()), "timeoutMs", time));
        client.create(&order(&name));
        let end = events(&client, &name)[1].clone();
        let found = ["result", "cause", "httpStatus", "responseCode"].map(|key| &end[key]);
        rows.same(&name, &json!(found), &expected);
        rows.that(&name, end["bytesSent"].as_u64() > Some(0), || {
            end.to_string()
        });
    }
    rows.end();
    let nobody = Client::new(&with(&shop.config(&refusing_url()), "createRetries", 2));
    nobody.create(&order("UNREACHED")).is(6);
    let told = events(&nobody, "UNREACHED");
    assert_eq!(values(&told, "number"), [1, 2, 3, 4]);
    assert_eq!(values(&told, "attempt"), [1, 2, 3]);
    assert_eq!(values(&told, "bytesSent"), [0, 0, 0]);
    assert_eq!(values(&told, "cause"), ["connection_refused"; 3]);
}

#[test]
fn a_status_is_an_event_only_if_it_says_something_new() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let pending = ("transactionStatus", "Pending");
    for changes in [
        &[pending][..],
        &[pending],
        &[],
        &[],
        &[("refundStatus", "Refunded")],
        &[("refundStatus", "Refunded")],
        &[("amount", "100.09"), ("refundStatus", "Refunded")],
    ] {
        service.set_script([status("A", changes)]);
        client.status(&by_order("A")).done();
    }
    let told: Vec<Value> = events(&client, "A").split_off(2);
    let found: Vec<Value> = told
        .iter()
        .map(|event| {
            json!([
                event["number"],
                event["transactionStatus"],
                event["amount"],
                event["refundStatus"]
            ])
        })
        .collect();
    assert_eq!(
        found,
        [
            json!([3, "Pending", "100.10", null]),
            json!([4, "Completed", "100.10", null]),
            json!([5, "Completed", "100.10", "Refunded"]),
            json!([6, "Completed", "100.09", "Refunded"]),
        ]
    );
}

#[test]
fn settling_is_an_event_and_a_later_status_too() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    client.create(&order("A")).is(201);
    let settling = json!({"entry": 1, "note": "paid in cash"});
    client.journal_settle(&settling).done();
    service.set_script([status("A", &[])]);
    client.status(&by_order("A")).done();
    let told = events(&client, "A");
    let kinds = ["sending", "attempt", "settled", "status"];
    assert_eq!(values(&told, "event"), kinds);
    assert_eq!(values(&told, "note"), ["paid in cash"]);
}

#[test]
fn all_entries_of_one_order_are_listed_and_no_others() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    client.create(&order("A")).is(201);
    client.create(&order("B")).is(201);
    service.set_script([respond(created())]);
    let again = json!({"resend": true});
    client.create_with(&order("A"), &again).done();
    let found = with_events(&client, "A");
    assert_eq!(states(&found), ["A: unknown", "A: created"]);
    assert_eq!(
        found
            .iter()
            .map(|entry| entry["events"].as_array().map_or(0, Vec::len))
            .collect::<Vec<_>>(),
        [2, 2]
    );
    assert_eq!(with_events(&client, "C"), Vec::<Value>::new());
    let none = json!({"orderId": "A", "state": "unknown"});
    assert_eq!(listed(&client.journal_list(&none)).len(), 1);
    for wrong in [
        json!({"orderId": 1}),
        json!({"events": 1}),
        json!({"event": true}),
    ] {
        assert_eq!(client.journal_list(&wrong).code, 1, "{wrong}");
    }
}

#[test]
fn events_go_with_their_entry() {
    let (shop, service) = (Shop::new(), Service::start([respond(http(400, "{}"))]));
    let client = shop.client(&service);
    client.create(&order("OLD")).is(100);
    client.create(&order("OLDER")).is(100);
    client.create(&order("NEW")).is(100);
    // A library without events removes only the entry.
    sql(
        &shop.path,
        &[
            "UPDATE orders SET begun_ms = 1, updated_ms = 1 WHERE order_id = 'OLD'",
            "DELETE FROM orders WHERE order_id = 'OLDER'",
        ],
    );
    let pruned = client.journal_prune(&json!({})).done();
    assert_eq!(pruned["removed"], 1);
    let left = sql(
        &shop.path,
        &["SELECT entry, count(*) FROM events GROUP BY entry"],
    );
    assert_eq!(left, json!([[3, 2]]));
}

#[test]
fn an_entry_has_at_most_a_thousand_events() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let many = "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO events (entry, number, at_ms, event, details)
        SELECT 1, i, 1, 'status', '{\"amount\":\"' || i || '\"}' FROM n";
    sql(&shop.path, &[many]);
    for amount in ["7.00", "8.00"] {
        service.set_script([status("A", &[("amount", amount)])]);
        client.status(&by_order("A")).done();
    }
    let told = events(&client, "A");
    assert_eq!(told.len(), 1000);
    let numbers = values(&told, "number");
    assert_eq!(numbers[..3], [1, 2, 5], "the oldest statuses are gone");
    assert_eq!(numbers[999], 1002);
    assert_eq!(told[999]["amount"], "8.00");
}

/// A journal as version 0.1 of its schema was before there were events.
const WITHOUT_EVENTS: &str = "
CREATE TABLE orders (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id TEXT NOT NULL,
    merchant_txn_id TEXT NOT NULL,
    amount TEXT NOT NULL,
    currency_code TEXT NOT NULL,
    body_sha256 BLOB NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('sending', 'created', 'rejected', 'not_sent', 'unknown', 'settled')),
    begun_ms INTEGER NOT NULL,
    deadline_ms INTEGER NOT NULL,
    url TEXT,
    result INTEGER,
    transaction_id TEXT,
    transaction_status TEXT,
    note TEXT,
    updated_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_by_order_id ON orders (order_id);
CREATE INDEX orders_by_merchant_txn_id ON orders (merchant_txn_id);
CREATE INDEX orders_by_state ON orders (state, entry);
PRAGMA application_id = 1885436271;
PRAGMA user_version = 1;
INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code, body_sha256, state, begun_ms,
    deadline_ms, transaction_id, transaction_status, updated_ms)
VALUES ('OLD', 'TXN-OLD', '1.00', 'INR', x'00', 'created', 1, 2, 'T-900', 'Completed', 3)";

#[test]
fn a_journal_of_an_earlier_version_gets_events_and_services() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let statements: Vec<&str> = WITHOUT_EVENTS.split(';').collect();
    sql(&shop.path, &statements);
    let client = shop.client(&service);
    assert_eq!(events(&client, "OLD"), Vec::<Value>::new());
    client.create(&order("NEW")).done();
    assert_eq!(events(&client, "NEW").len(), 2);
    let listed = entries(&client);
    assert_eq!(listed[0]["service"], Value::Null, "it is not known");
    assert_eq!(listed[1]["service"], service.url());
    client.create(&order("OLD")).is(super::DUPLICATE);
}

#[test]
fn a_credential_in_a_response_code_is_not_in_an_event() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    let secret = "secret-key-1";
    let echo = json!({"responseCode": secret, "responseMessage": secret}).to_string();
    service.set_script([respond(http(400, &echo))]);
    client.create(&order("A"));
    let told = json!(events(&client, "A")).to_string();
    assert_eq!(told.matches("[redacted]").count(), 1, "{told}");
    assert!(!told.contains(secret), "{told}");
}

/// The texts of a service are cut, so that it cannot fill the journal.
#[test]
fn long_texts_of_the_service_are_cut() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let long = "é".repeat(5000);
    service.set_script([status("A", &[("transactionStatus", &long)])]);
    client.status(&by_order("A")).done();
    let text = events(&client, "A")[2]["transactionStatus"].clone();
    assert_eq!(text, "é".repeat(200));
}

#[test]
fn an_attempt_that_is_still_running_has_no_event_yet() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let (client, other) = (shop.client(&service), shop.client(&service));
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| client.create(&order("A")).code);
        service.wait_for_requests(1);
        assert_eq!(values(&events(&other, "A"), "event"), ["sending"]);
        client.cancel();
        assert_eq!(sending.join().unwrap(), 204);
    });
    let told = events(&other, "A");
    assert_eq!(values(&told, "event"), ["sending", "attempt"]);
    assert_eq!(told[1]["cause"], "cancelled");
}

#[test]
fn an_event_that_is_damaged_is_an_error_and_not_left_out() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    sql(
        &shop.path,
        &["UPDATE events SET details = 'x' WHERE number = 2"],
    );
    let log = Log::of(&client);
    let reply = client.journal_list(&json!({"events": true}));
    reply.is(super::JOURNAL_FAILED);
    assert_eq!(log.names(), ["call_finished"]);
    assert_eq!(entries(&client).len(), 1, "the entries can still be read");
}
