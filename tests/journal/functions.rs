//! The journal's functions: list, resolve and prune.

use super::INVALID_ARGUMENT;
use serde_json::{Value, json};
use support::abi::{self, Client};
use support::log::Log;
use support::orders::without;
use support::responses::{completed_body, created, http};
use support::rows::Rows;
use support::service::{Script, Service, close, respond, stall};
use support::shop::{Shop, entries, listed, order, sql, states};

/// A journal with an order in each state: `CREATED`, `REFUSED`, `NOT-SENT`, `UNKNOWN`, `SENDING`.
fn in_every_state(shop: &Shop, service: &Service) -> Client {
    let client = shop.client(service);
    for (order_id, reaction) in [
        ("CREATED", respond(created())),
        ("REFUSED", respond(http(400, "{}"))),
        ("NOT-SENT", respond(http(400, "{}"))),
        ("UNKNOWN", close()),
        ("SENDING", close()),
    ] {
        service.set_script([reaction]);
        client.create(&order(order_id));
    }
    let statements = [
        "UPDATE orders SET state = 'not_sent', result = 6 WHERE order_id = 'NOT-SENT'",
        "UPDATE orders SET state = 'sending', result = NULL, deadline_ms = begun_ms + 600000
            WHERE order_id = 'SENDING'",
    ];
    sql(&shop.path, &statements);
    client
}

fn status(order_id: &str, state: &str) -> Script {
    let mut body = completed_body(order_id);
    body["data"]["transactionStatus"] = state.into();
    body["data"]["transactionId"] = format!("T-{order_id}").into();
    respond(http(200, &body.to_string()))
}

#[test]
fn entries_are_listed_oldest_first_by_state_and_page() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = in_every_state(&shop, &service);
    let all = [
        "CREATED: created",
        "REFUSED: rejected",
        "NOT-SENT: not_sent",
        "UNKNOWN: unknown",
        "SENDING: sending",
    ];
    let mut rows = Rows::new();
    for (options, expected) in [
        (json!({}), &all[..]),
        (json!({"state": "created"}), &all[..1]),
        (json!({"state": "rejected"}), &all[1..2]),
        (json!({"state": "not_sent"}), &all[2..3]),
        (json!({"state": "unknown"}), &all[3..4]),
        (json!({"state": "sending"}), &all[4..]),
        (json!({"state": "unresolved"}), &all[3..]),
        (json!({"limit": 2}), &all[..2]),
        (json!({"limit": 2, "after": 2}), &all[2..4]),
        (json!({"limit": 10_000, "after": 4}), &all[4..]),
        (json!({"after": 5}), &all[5..]),
        (json!({"after": i64::MAX}), &all[5..]),
        (
            json!({"after": 0, "limit": 1, "state": "unresolved"}),
            &all[3..4],
        ),
        (json!({"state": "open", "limit": 1}), &all[..1]),
        (json!({"state": "open", "after": 1}), &all[3..]),
    ] {
        rows.same(
            &options.to_string(),
            states(&listed(&client.journal_list(&options))).as_slice(),
            &expected
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>(),
        );
    }
    rows.end();
    let paid = "UPDATE orders SET transaction_status = 'Completed' WHERE order_id = 'CREATED'";
    sql(&shop.path, &[paid]);
    let open = listed(&client.journal_list(&json!({"state": "open"})));
    assert_eq!(states(&open), all[3..], "a paid one is closed");
    let none = abi::journal_call(abi::payorder_journal_list, client.key(), None).done();
    assert_eq!(listed(&none).len(), 5);
}

#[test]
fn a_page_has_a_thousand_entries() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let more = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2499)
        INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code, body_sha256, state,
            begun_ms, deadline_ms, updated_ms)
        SELECT 'O-' || i, 'T-' || i, '1.00', 'INR', x'00', 'unknown', 1, 1, 1 FROM n";
    sql(&shop.path, &[more]);
    assert_eq!(entries(&client).len(), 1000);
    let (mut after, mut seen) = (json!(0), 0);
    loop {
        let page = listed(&client.journal_list(&json!({"limit": 700, "after": after})));
        let Some(last) = page.last() else { break };
        after = last["entry"].clone();
        seen += page.len();
    }
    assert_eq!(seen, 2500);
}

#[test]
fn resolve_asks_about_open_entries_and_records_the_statuses() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = in_every_state(&shop, &service);
    let before = service.request_count();
    service.set_script([
        status("CREATED", "Pending"),
        respond(http(404, "{}")),
        status("SENDING", "Completed"),
    ]);
    let log = Log::of(&client);
    let reply = client.journal_resolve(&json!({"concurrency": 1})).done();
    let summary = &reply["summary"];
    assert_eq!(
        [&summary["asked"], &summary["ok"], &summary["rejected"]],
        [3, 2, 1],
        "{summary}"
    );
    assert_eq!(
        summary["transactionStatus"],
        json!({"Completed": 1, "Pending": 1})
    );
    let asked: Vec<Value> = service.requests()[before..]
        .iter()
        .map(|request| serde_json::from_str(&request.body).unwrap())
        .collect();
    let by_order = |order_id: &str| json!({"searchType": "1", "orderId": order_id});
    assert_eq!(
        asked,
        [
            by_order("CREATED"),
            by_order("UNKNOWN"),
            by_order("SENDING")
        ]
    );
    assert_eq!(
        states(reply["entries"].as_array().unwrap()),
        ["UNKNOWN: unknown"],
        "an unknown order is not a proof"
    );
    let all = entries(&client);
    assert_eq!(
        states(&all),
        [
            "CREATED: created",
            "REFUSED: rejected",
            "NOT-SENT: not_sent",
            "UNKNOWN: unknown",
            "SENDING: created"
        ]
    );
    let learnt = |entry: &Value| {
        [
            entry["transactionId"].clone(),
            entry["transactionStatus"].clone(),
        ]
    };
    assert_eq!(learnt(&all[0]), ["T-CREATED", "Pending"]);
    assert_ne!(all[0]["url"], Value::Null, "what was known is kept");
    assert_eq!(learnt(&all[4]), ["T-SENDING", "Completed"]);
    assert_eq!(all[4]["url"], Value::Null);
    let again = client.create(&order("SENDING"));
    let lost = "its checkout URL is lost: ask Get Status";
    again.says(lost);
    let finished = |operation: &str| {
        log.events()
            .iter()
            .any(|event| event["event"] == "call_finished" && event["operation"] == operation)
    };
    assert!(finished("journal_resolve") && finished("journal_list"));

    let before = service.request_count();
    service.set_script([respond(http(500, "")), status("UNKNOWN", "Completed")]);
    let reply = client.journal_resolve(&json!({"concurrency": 1})).done();
    assert_eq!(reply["entries"], json!([]));
    assert_eq!(reply["summary"]["unknown"], 1);
    assert_eq!(
        service.request_count() - before,
        2,
        "a Completed entry is not asked about again"
    );
    let all = entries(&client);
    assert_eq!(
        learnt(&all[0]),
        ["T-CREATED", "Pending"],
        "a failed query changes nothing"
    );
    assert_eq!(all[3]["state"], "created");
    service.set_script([status("CREATED", "Completed")]);
    client.journal_resolve(&json!({})).done();
    let before = service.request_count();
    let reply = client.journal_resolve(&json!({})).done();
    assert_eq!(
        (&reply["summary"]["asked"], service.request_count()),
        (&json!(0), before)
    );
}

#[test]
fn resolve_handles_any_number_of_entries() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    client.create(&order("O-0")).is(201);
    sql(
        &shop.path,
        &["WITH RECURSIVE numbers(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 449)
           INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code, body_sha256, state,
               begun_ms, deadline_ms, updated_ms, service)
           SELECT 'O-' || n, 'T-' || n, '1', 'INR', x'00', 'unknown', begun_ms, deadline_ms,
               updated_ms, service FROM numbers, orders"],
    );
    service.set_script([respond(http(404, "{}"))]);
    let before = service.request_count();
    let reply = client.journal_resolve(&json!({})).done();
    assert_eq!(reply["summary"]["asked"], 450);
    assert_eq!(service.request_count() - before, 450);
    let unresolved = reply["entries"].as_array().unwrap();
    let numbers: Vec<i64> = unresolved
        .iter()
        .filter_map(|entry| entry["entry"].as_i64())
        .collect();
    assert_eq!(numbers, (1..=450).collect::<Vec<i64>>());
}

#[test]
fn a_status_found_by_resolve_during_a_call_is_kept() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let client = shop.client(&service);
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| client.create(&order("A")).code);
        service.wait_for_requests(1);
        service.set_script([status("A", "Pending")]);
        let other = shop.client(&service);
        assert_eq!(
            other.journal_resolve(&json!({})).done()["entries"],
            json!([])
        );
        client.cancel();
        assert_eq!(sending.join().unwrap(), 204);
        let entry = &entries(&other)[0];
        assert_eq!(
            [&entry["state"], &entry["transactionStatus"]],
            ["created", "Pending"],
            "the service has the order"
        );
        assert_eq!(entry["result"], 204, "and the call ended like this");
    });
}

#[test]
fn resolve_takes_the_options_of_get_statuses_and_can_be_cancelled() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = in_every_state(&shop, &service);
    let before = service.request_count();
    let mut rows = Rows::new();
    for options in [
        json!({"concurrency": 0}),
        json!({"ratePerSecond": 0}),
        json!({"state": "created"}),
        json!({"resend": true}),
        json!([]),
    ] {
        rows.same(
            &options.to_string(),
            client.journal_resolve(&options).code,
            INVALID_ARGUMENT,
        );
    }
    rows.end();
    assert_eq!(service.request_count(), before);
    service.set_script([stall()]);
    let reply = std::thread::scope(|scope| {
        let resolving = scope.spawn(|| client.journal_resolve(&json!({"concurrency": 1})));
        service.wait_for_requests(before + 1);
        client.cancel();
        resolving.join().unwrap().done()
    });
    assert_eq!(
        [&reply["summary"]["stopped"], &reply["summary"]["asked"]],
        [&json!(true), &json!(1)],
        "{}",
        reply.text()
    );
    assert_eq!(reply["entries"].as_array().unwrap().len(), 2);

    let poor = Client::new(&without(&shop.config(&service.url()), "secretKey"));
    let reply = poor.journal_resolve(&json!({})).done();
    assert_eq!(reply["summary"]["notSent"], 3, "{}", reply.text());
}

#[test]
fn prune_removes_only_old_settled_entries() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = in_every_state(&shop, &service);
    service.set_script([respond(created())]);
    client.create(&order("PAID")).done();
    client.create(&order("NEW")).done();
    assert_eq!(
        client.journal_prune(&json!({"olderThanDays": 1})).done()["removed"],
        0
    );
    sql(
        &shop.path,
        &[
            "UPDATE orders SET transaction_status = 'Completed' WHERE order_id IN ('PAID', 'NEW')",
            "UPDATE orders SET updated_ms = updated_ms - 10 * 86400000 - 1000 WHERE order_id <> 'NEW'",
        ],
    );
    assert_eq!(
        client.journal_prune(&json!({})).done()["removed"],
        0,
        "90 days by default"
    );
    assert_eq!(
        client.journal_prune(&json!({"olderThanDays": 11})).done()["removed"],
        0
    );
    assert_eq!(
        client.journal_prune(&json!({"olderThanDays": 10})).done()["removed"],
        3
    );
    assert_eq!(
        states(&entries(&client)),
        [
            "CREATED: created",
            "UNKNOWN: unknown",
            "SENDING: sending",
            "NEW: created"
        ]
    );
    assert_eq!(entries(&client)[3]["entry"], 7);
    client.create(&order("AFTER")).done();
    assert_eq!(
        entries(&client)[4]["entry"],
        8,
        "a number is never used twice"
    );
    client.create(&order("REFUSED")).done();
}

#[test]
fn without_a_place_for_the_result_they_are_refused() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = in_every_state(&shop, &service);
    for function in [
        abi::payorder_journal_list as abi::JournalFunction,
        abi::payorder_journal_resolve,
        abi::payorder_journal_prune,
    ] {
        let handle = std::ptr::without_provenance_mut(client.key());
        // SAFETY: NULL is allowed for the options and tested as the place.
        let code = unsafe { function(handle, std::ptr::null(), std::ptr::null_mut()) };
        assert_eq!(code, INVALID_ARGUMENT);
    }
    assert_eq!(entries(&client).len(), 5);
}
