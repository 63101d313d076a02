//! What a status teaches the journal, whoever asks for it.

use super::states::{ELSEWHERE, STATES};
use super::till::{AskStatus, Till, WAYS, add_many, status};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;
use support::abi::Client;
use support::orders::{with, without};
use support::patience::until;
use support::responses::{created, http, status_body};
use support::result::CONNECTION_LOST;
use support::result::DUPLICATE;
use support::rows::Rows;
use support::service::{close, respond, respond_after, stall};
use support::shop::{entries, listed, order, states};
use support::table;

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
    let table: [(&str, Value, Learned); 23] = table! {
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
        "unknown", json!({"orderId": ""}), None;
        "unknown", json!({"orderId": null}), None;
        "unknown", no_data(Value::Null), None;
        "unknown", no_data(json!(" ")), None;
        "unknown", no_data(json!("")), None;
    };
    for (before, fields, learned) in table {
        let state = STATES.iter().find(|state| state.given == before);
        let state = state.expect("a state");
        let is_asked = state.groups.contains(&"open") && state.refused != ELSEWHERE;
        for (way, ask) in WAYS {
            let transaction = fields["transactionId"].as_str().unwrap_or_default();
            if way.ends_with("by transaction") && !["", "T-900"].contains(&transaction) {
                // An answer about another transaction is refused.
                continue;
            }
            let row = format!("{before}, {fields}, {way}");
            let till = Till::with(before);
            till.add("OTHER", "created");
            let old = till.told();
            till.says("A", fields.clone());
            for _ in 0..2 {
                rows.code(&row, &ask(&till.client), 0);
            }
            let new = till.told();
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
    let poor = without(&till.shop.config(&till.service.url()), "secretKey");
    let summary = Client::new(&poor).journal_resolve(&json!({})).done()["summary"].clone();
    assert_eq!(summary["notSent"], 1, "without credentials: {summary}");
    assert_eq!(till.entries(), before);
}

#[test]
fn a_recorded_status_closes_and_reopens_no_other_entry() {
    for closed in ["rejected", "not_sent"] {
        let till = Till::with(closed);
        till.service.set_script([close()]);
        till.client.create(&order("A")).is(CONNECTION_LOST);
        till.resend().is(CONNECTION_LOST);
        till.change("state = 'settled' WHERE entry = 2");
        let before = till.entries()[0].clone();
        till.says("A", json!({"transactionStatus": "Pending"}));
        till.client.status(&json!({"orderId": "A"})).done();
        assert_eq!(
            till.states(),
            [&format!("A: {closed}"), "A: settled", "A: created"],
            "every attempt that may have created the order"
        );
        assert_eq!(till.entries()[0], before, "that attempt created no order");
        assert_eq!(till.entries()[1]["transactionStatus"], "Pending");
    }
}

#[test]
fn long_texts_that_differ_only_at_their_ends_are_recorded() {
    let till = Till::with("created");
    let (long, query) = ("x".repeat(300), json!({"orderId": "A"}));
    for field in ["transactionId", "transactionStatus"] {
        for end in ["1", "2"] {
            let text = long.clone() + end;
            till.says(
                "A",
                with(
                    &json!({"transactionStatus": "Pending"}),
                    field,
                    text.clone(),
                ),
            );
            till.client.status(&query).done();
            assert_eq!(till.entries()[0][field], text);
        }
    }
}

#[test]
fn all_of_many_entries_are_listed_resolved_and_recorded() {
    let till = Till::with("unknown");
    add_many(&till.shop.journal, 2499);
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
    let paid = "SELECT count(*) FROM payorder_orders WHERE transaction_status = 'Completed'";
    assert_eq!(till.shop.journal.sql(&[paid]), json!([[500]]));
}

#[test]
fn a_status_of_a_batch_is_recorded_while_others_are_awaited() {
    let mut rows = Rows::new();
    let calls: [(&str, AskStatus); 3] = [
        ("get_statuses", |client| {
            let both = json!([{"orderId": "A"}, {"orderId": "B"}]);
            client.statuses(&both, &json!({"concurrency": 1}), |_, _| true)
        }),
        ("journal_resolve", |client| {
            client.journal_resolve(&json!({"concurrency": 1}))
        }),
        ("recover", |client| {
            client.recover(None, &json!({"concurrency": 1}))
        }),
    ];
    for (way, ask) in calls {
        let till = Till::with("created");
        till.add("B", "created");
        // Of B it says nothing.
        till.service.set_script([status("A", json!({})), stall()]);
        let other = till.shop.client(&till.service);
        thread::scope(|scope| {
            let asking = scope.spawn(|| ask(&till.client));
            let recorded = |place: usize| !entries(&other)[place]["transactionStatus"].is_null();
            until(|| recorded(0));
            rows.that(way, !recorded(1) && !asking.is_finished(), || {
                "only at its end".into()
            });
            till.client.cancel();
        });
    }
    rows.end();
}

#[test]
fn a_batch_loses_no_status_while_the_journal_is_locked_for_some_time() {
    let till = Till::with("created");
    till.add("B", "created");
    let b = http(200, status_body("B", &json!({})).to_string());
    let slow = respond_after(Duration::from_secs(2), b);
    till.service.set_script([status("A", json!({})), slow]);
    let holder = till.shop.journal.lock();
    let one = json!({"concurrency": 1});
    thread::scope(|scope| {
        let resolving = scope.spawn(|| till.client.journal_resolve(&one));
        thread::sleep(Duration::from_millis(2700));
        drop(holder);
        resolving.join().unwrap().done();
    });
    for entry in till.entries() {
        assert_eq!(entry["transactionStatus"], "Completed", "{entry}");
    }
}

#[test]
fn resolve_asks_about_open_entries_of_this_service_in_their_order() {
    let till = Till::new();
    for state in &STATES {
        till.add(state.given, state.given);
    }
    till.change("state = 'sending' WHERE order_id = 'elsewhere'");
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
    assert_eq!(reply["otherServices"], 1);
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
    let journal = till.shop.journal.clone();
    till.service.set_script([respond(http(404, "{}"))]);
    let _log = support::log::Log::reacting(&till.client, move |event| {
        if event["event"] == "attempt_started" && event["orderId"] == "A" {
            journal.sql(&[
                "INSERT INTO payorder_orders (order_id, order_number, merchant_txn_id, txn_number,
                    amount, currency_code, body_sha256, body_bytes, state, begun_ms, deadline_ms,
                    updated_ms, service)
                SELECT 'LATE', 1, 'T', 1, amount, currency_code, body_sha256, body_bytes, state,
                    begun_ms, deadline_ms, updated_ms, service
                FROM payorder_orders WHERE order_id = 'A'",
            ]);
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
