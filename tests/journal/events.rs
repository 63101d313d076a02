//! The events of an entry: when the order was sent, to whom, what came back, what was learned
//! later.

use super::till::{Till, sha256};
use serde_json::{Value, json};
use support::abi::Client;
use support::log::Log;
use support::responses::created;
use support::service::respond;
use support::shop::{listed, order, states};

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

fn by_order(order_id: &str) -> Value {
    json!({"orderId": order_id})
}

#[test]
fn an_entry_says_how_its_order_was_sent_and_what_came_of_it() {
    let till = Till::new();
    till.client.create(&order("A")).done();
    till.says("A", json!({}));
    till.client.status(&by_order("A")).done();
    let entry = with_events(&till.client, "A").remove(0);
    let told = entry["events"].as_array().expect("events");
    let body = &till.service.requests()[0].body;
    let host = format!("127.0.0.1:{}", till.service.port());
    let (took, sent) = (&told[1]["durationMs"], &told[1]["bytesSent"]);
    assert_eq!(
        *told,
        [
            json!({
                "number": 1, "at": entry["startedAt"], "event": "sending",
                "bodySha256": sha256(body.as_bytes()), "bodyBytes": body.len(),
            }),
            json!({
                "number": 2, "at": told[1]["at"], "event": "attempt",
                "attempt": 1, "durationMs": took, "bytesSent": sent,
                "httpStatus": 200, "responseCode": "200", "result": 0,
                "host": host, "proxy": false, "tls": false,
            }),
            json!({
                "number": 3, "at": told[2]["at"], "event": "status",
                "transactionId": "T-900", "transactionStatus": "Completed", "amount": "100.10",
                "host": host, "proxy": false, "tls": false,
            }),
        ]
    );
    assert!(took.as_u64() < Some(10_000), "{took}");
    assert!(sent.as_u64() > Some(body.len() as u64), "head and body");
    let times = values(told, "at");
    assert!(times.is_sorted_by_key(|time| time.as_str()), "{times:?}");
    assert!(till.entries()[0].get("events").is_none(), "only if asked");
}

#[test]
fn a_status_is_an_event_only_if_it_says_something_new() {
    let till = Till::new();
    till.client.create(&order("A")).done();
    for changes in [
        json!({"transactionStatus": "Pending"}),
        json!({"transactionStatus": "Pending"}),
        json!({}),
        json!({}),
        json!({"refundStatus": "Refunded"}),
        json!({"refundStatus": "Refunded"}),
        json!({"amount": "100.09", "refundStatus": "Refunded"}),
    ] {
        till.says("A", changes);
        till.client.status(&by_order("A")).done();
    }
    let keys = ["number", "transactionStatus", "amount", "refundStatus"];
    let told = events(&till.client, "A").split_off(2);
    let found: Vec<Value> = told
        .iter()
        .map(|event| json!(keys.map(|key| &event[key])))
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
fn a_status_is_compared_with_the_last_status_of_its_own_entry() {
    let till = Till::with("created");
    till.add("B", "created");
    let (pending, paid) = (json!({"transactionStatus": "Pending"}), json!({}));
    for (order_id, says) in [
        ("A", &pending),
        ("B", &pending),
        ("A", &paid),
        ("B", &pending),
    ] {
        till.says(order_id, says.clone());
        till.client.status(&by_order(order_id)).done();
    }
    till.client.journal_settle(&json!({"entry": 2})).done();
    till.client.status(&by_order("B")).done();
    let told = events(&till.client, "B");
    let kinds: Vec<&Value> = told.iter().map(|event| &event["event"]).collect();
    assert_eq!(kinds, ["sending", "attempt", "status", "settled"]);
}

#[test]
fn each_entry_of_an_order_has_its_own_events() {
    let till = Till::with("unknown");
    till.add("B", "unknown");
    till.service.set_script([respond(created())]);
    till.resend().done();
    let found = with_events(&till.client, "A");
    assert_eq!(states(&found), ["A: unknown", "A: created"]);
    for entry in found {
        assert_eq!(entry["events"].as_array().map(Vec::len), Some(2));
    }
    assert_eq!(with_events(&till.client, "C"), Vec::<Value>::new());
}

#[test]
fn events_go_with_their_entry() {
    let till = Till::new();
    for order_id in ["OLD", "OLDER", "NEW"] {
        till.add(order_id, "rejected");
    }
    // An entry that another program removed.
    till.shop.journal.sql(&[
        "UPDATE payorder_orders SET begun_ms = 1, updated_ms = 1 WHERE order_id = 'OLD'",
        "DELETE FROM payorder_orders WHERE order_id = 'OLDER'",
    ]);
    let pruned = till.client.journal_prune(&json!({})).done();
    assert_eq!(pruned["removed"], 1);
    let left = till
        .shop
        .journal
        .sql(&["SELECT entry, count(*) FROM payorder_events GROUP BY entry"]);
    assert_eq!(left, json!([[3, 1]]));
}

#[test]
fn an_entry_has_at_most_a_thousand_events() {
    let till = Till::new();
    till.client.create(&order("A")).done();
    let many = "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO payorder_events (entry, number, at_ms, event, details)
        SELECT 1, i, 1, 'status', '{\"amount\":\"' || i || '\"}' FROM n";
    till.shop.journal.sql(&[many]);
    for amount in ["7.00", "8.00"] {
        till.says("A", json!({"amount": amount}));
        till.client.status(&by_order("A")).done();
    }
    let told = events(&till.client, "A");
    assert_eq!(told.len(), 1000);
    let numbers = values(&told, "number");
    assert_eq!(numbers[..3], [1, 2, 5], "the oldest statuses are gone");
    assert_eq!(numbers[999], 1002);
    assert_eq!(told[999]["amount"], "8.00");
    // Another order has room.
    till.add("B", "created");
    for amount in ["7.00", "8.00"] {
        till.says("B", json!({"amount": amount}));
        till.client.status(&by_order("B")).done();
    }
    let told = events(&till.client, "B");
    assert_eq!(values(&told, "number"), [1, 2, 3, 4]);
}

/// The texts of a service are cut, so that it cannot fill the journal.
#[test]
fn long_texts_of_the_service_are_cut() {
    let till = Till::new();
    till.client.create(&order("A")).done();
    let long = "é".repeat(5000);
    till.says("A", json!({"transactionStatus": long}));
    till.client.status(&by_order("A")).done();
    let text = events(&till.client, "A")[2]["transactionStatus"].clone();
    assert_eq!(text, "é".repeat(200));
}

#[test]
fn an_event_that_is_damaged_is_an_error_and_not_left_out() {
    let till = Till::new();
    till.client.create(&order("A")).done();
    till.shop
        .journal
        .sql(&["UPDATE payorder_events SET details = 'x' WHERE number = 2"]);
    let log = Log::of(&till.client);
    let reply = till.client.journal_list(&json!({"events": true}));
    reply.is(support::result::JOURNAL_FAILED);
    assert_eq!(log.names(), ["call_finished"]);
    assert_eq!(till.entries().len(), 1, "the entries can still be read");
}
