//! Statuses are recorded, whichever function asks, and only for the order that the response names.

use super::DUPLICATE;
use serde_json::{Value, json};
use support::abi::{Client, Reply};
use support::log::Log;
use support::orders::with;
use support::responses::{completed_body, created, http};
use support::rows::Rows;
use support::service::{Script, Service, close, respond};
use support::shop::{LockHolder, Shop, entries, order, sql, states};

fn response(order_id: &str, state: &str) -> Script {
    let mut body = completed_body(order_id);
    body["data"]["transactionStatus"] = state.into();
    body["data"]["transactionId"] = "T-1".into();
    respond(http(200, &body.to_string()))
}

const INVALID_REQUEST: i32 = 4;

/// Every function that asks about one order, or about the transaction T-1.
type AskStatus = fn(&Client, &Value) -> Reply;
const WAYS: [(&str, AskStatus); 3] = [
    ("get_status", |client, query| client.status(query)),
    ("wait_for_payment", |client, query| {
        client.wait(
            query,
            &json!({"waitMs": 300, "intervalMs": 10, "final": ["Pending"]}),
        )
    }),
    ("get_statuses", |client, query| {
        client.statuses(&json!([query]), &json!({}), |_, _| true)
    }),
];

fn by_order(order_id: &str) -> Value {
    json!({"orderId": order_id})
}

#[test]
fn every_way_to_ask_records_the_status() {
    let mut rows = Rows::new();
    for (way, ask) in WAYS {
        for (what, query) in [
            ("by order", by_order("A")),
            ("by transaction", json!({"transactionId": "T-1"})),
        ] {
            let row = format!("{way} {what}");
            let (shop, service) = (Shop::new(), Service::start([close()]));
            let client = shop.client(&service);
            client.create(&order("A")).is(201);
            service.set_script([respond(created())]);
            client.create(&order("OTHER")).done();
            let other = entries(&client)[1].clone();
            for state in ["Pending", "Completed"] {
                service.set_script([response("A", state)]);
                rows.same(&row, ask(&client, &query).code, 0);
                let listed = entries(&shop.client(&service));
                let entry = &listed[0];
                rows.same(
                    &row,
                    &json!([
                        entry["state"],
                        entry["transactionId"],
                        entry["transactionStatus"]
                    ]),
                    &json!(["created", "T-1", state]),
                );
                rows.same(&row, &listed[1], &other);
            }
        }
    }
    rows.end();
}

#[test]
fn a_response_without_the_order_id_is_not_recorded() {
    let mut rows = Rows::new();
    let no_order = [
        ("null", json!({"responseCode": "200", "data": null})),
        ("empty", json!({"responseCode": "200", "data": {}})),
        ("missing", json!({"responseCode": "200"})),
        ("an empty orderId", completed_body("")),
        (
            "only a status",
            json!({"responseCode": "200", "data": {"transactionStatus": "Completed"}}),
        ),
    ];
    for (what, body) in no_order {
        for (way, ask) in WAYS.into_iter().chain([(
            "journal_resolve",
            (|client, _| client.journal_resolve(&json!({}))) as AskStatus,
        )]) {
            let row = format!("{way}, {what}");
            let (shop, service) = (Shop::new(), Service::start([close()]));
            let client = shop.client(&service);
            client.create(&order("A")).is(201);
            let before = entries(&client);
            service.set_script([respond(http(200, &body.to_string()))]);
            let reply = ask(&client, &by_order("A"));
            rows.code(&row, &reply, 0);
            rows.same(&row, &entries(&client), &before);
        }
    }
    rows.end();
}

#[test]
fn a_recorded_status_closes_and_reopens_no_other_entry() {
    let (shop, service) = (Shop::new(), Service::start([respond(http(400, "{}"))]));
    let client = shop.client(&service);
    client.create(&order("A")).is(100);
    service.set_script([close()]);
    client.create(&order("A")).is(201);
    let again = json!({"resend": true});
    client.create_with(&order("A"), &again).is(201);
    client
        .journal_settle(&json!({"entry": 2, "note": "by hand"}))
        .done();
    let rejected = entries(&client)[0].clone();
    service.set_script([response("A", "Pending")]);
    client.status(&by_order("A")).done();
    let listed = entries(&client);
    assert_eq!(
        states(&listed),
        ["A: rejected", "A: settled", "A: created"],
        "every attempt that may have created the order"
    );
    assert_eq!(listed[0], rejected, "that attempt created no order");
    assert_eq!(listed[1]["transactionStatus"], "Pending");
    assert_eq!(listed[1]["note"], "by hand");
}

#[test]
fn every_change_of_status_is_recorded() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    for (transaction, state) in [
        ("T-1", "Pending"),
        ("T-2", "Pending"),
        ("T-2", "Failed"),
        ("", "Failed"),
        ("", ""),
    ] {
        let mut body = completed_body("A");
        body["data"]["transactionId"] = transaction.into();
        body["data"]["transactionStatus"] = state.into();
        service.set_script([respond(http(200, &body.to_string()))]);
        client.status(&by_order("A")).done();
        let entry = &entries(&client)[0];
        assert_eq!(
            [&entry["transactionId"], &entry["transactionStatus"]],
            [transaction, state]
        );
    }
}

#[test]
fn an_unchanged_status_is_not_written_again() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    service.set_script([response("A", "Pending")]);
    client.status(&by_order("A")).done();
    let before = entries(&client);
    let _holder = LockHolder::of(&shop.path);
    let log = Log::of(&client);
    client.status(&by_order("A")).done();
    client.status(&by_order("A")).done();
    service.set_script([response("ANOTHER", "Pending")]);
    client.status(&by_order("ANOTHER")).done();
    assert_eq!(entries(&client), before);
    assert!(
        !log.names().contains(&"journal_failed".to_owned()),
        "no call waited for the journal: {:?}",
        log.names()
    );
}

#[test]
fn a_status_that_cannot_be_recorded_is_still_returned() {
    let mut rows = Rows::new();
    for (way, ask) in WAYS {
        let (shop, service) = (Shop::new(), Service::start([close()]));
        let client = Client::new(&with(&shop.config(&service.url()), "timeoutMs", 1000));
        let patient = json!({"timeoutMs": 20_000});
        client.create_with(&order("A"), &patient).is(201);
        service.set_script([response("A", "Pending")]);
        let holder = LockHolder::of(&shop.path);
        let log = Log::of(&client);
        let reply = ask(&client, &by_order("A"));
        rows.code(way, &reply, 0);
        let failed = log
            .events()
            .iter()
            .find(|event| event["event"] == "journal_failed")
            .cloned()
            .unwrap_or_default();
        rows.same(way, &failed["operation"], &json!(way));
        rows.same(way, &failed["name"], &json!("PAYORDER_JOURNAL_FAILED"));
        drop(holder);
        rows.same(
            way,
            states(&entries(&client)).as_slice(),
            &["A: unknown".to_owned()][..],
        );
        ask(&client, &by_order("A"));
        rows.same(
            way,
            states(&entries(&client)).as_slice(),
            &["A: created".to_owned()][..],
        );
    }
    rows.end();
}

#[test]
fn a_status_is_recorded_after_a_short_lock() {
    let mut rows = Rows::new();
    for (way, ask) in WAYS {
        let (shop, service) = (Shop::new(), Service::start([close()]));
        let client = shop.client(&service);
        client.create(&order("A")).is(201);
        service.set_script([response("A", "Pending")]);
        let holder = LockHolder::of(&shop.path);
        std::thread::scope(|scope| {
            let functions = scope.spawn(|| ask(&client, &by_order("A")).code);
            service.wait_for_requests(2);
            std::thread::sleep(std::time::Duration::from_millis(200));
            drop(holder);
            rows.same(way, functions.join().unwrap(), 0);
        });
        let seen = sql(&shop.path, &["SELECT state FROM orders"]);
        rows.same(way, &seen, &json!([["created"]]));
    }
    rows.end();
}

#[test]
fn all_of_many_statuses_are_recorded() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let more = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code, body_sha256, state,
            begun_ms, deadline_ms, updated_ms, service)
        SELECT 'O-' || i, 'T-' || i, '1.00', 'INR', x'00', 'unknown', 1, 1, 1,
            (SELECT service FROM orders) FROM n";
    sql(&shop.path, &[more]);
    let responses = (1..=500).map(|i| response(&format!("O-{i}"), "Completed"));
    service.set_script(responses.collect::<Vec<_>>());
    let queries: Vec<Value> = (1..=500).map(|i| by_order(&format!("O-{i}"))).collect();
    client
        .statuses(&json!(queries), &json!({"concurrency": 1}), |_, _| true)
        .done();
    let counts = sql(
        &shop.path,
        &[
            "SELECT count(*) FROM orders WHERE state = 'created' AND transaction_status = 'Completed'",
        ],
    );
    assert_eq!(counts, json!([[500]]));
}

/// What a status says about the order A: transaction, transactionStatus, refundStatus, refundType.
type Said = [&'static str; 4];

fn saying([transaction, state, refund_status, refund_type]: Said) -> Script {
    let mut body = completed_body("A");
    body["data"]["transactionId"] = transaction.into();
    body["data"]["transactionStatus"] = state.into();
    body["data"]["refundStatus"] = refund_status.into();
    body["data"]["refundType"] = refund_type.into();
    respond(http(200, &body.to_string()))
}

#[test]
fn what_is_paid_stays_paid() {
    const PAID: Said = ["T-1", "Completed", "", ""];
    const KEPT: [&str; 2] = ["T-1", "Completed"];
    let mut rows = Rows::new();
    for (way, ask) in WAYS {
        for (later, expected) in [
            (["T-1", "Failed", "", ""], KEPT),
            (["T-2", "Failed", "", ""], KEPT),
            (["T-2", "Completed", "", ""], KEPT),
            (["T-2", "Refunded", "Success", ""], KEPT),
            (["", "Failed", "", ""], KEPT),
            (["T-1", "Completed", "Partial", ""], KEPT),
            (["T-1", "Refunded", "Success", ""], ["T-1", "Refunded"]),
            (["T-1", "Refunded", "", "Full"], ["T-1", "Refunded"]),
        ] {
            let row = format!("{way}, {later:?}");
            let (shop, service) = (Shop::new(), Service::responding(created()));
            let client = shop.client(&service);
            client.create(&order("A")).done();
            for said in [PAID, later, later] {
                service.set_script([saying(said)]);
                rows.same(&row, ask(&client, &by_order("A")).code, 0);
            }
            let listed = client.journal_list(&json!({"events": true})).done();
            let entry = &listed["entries"][0];
            rows.same(
                &row,
                &json!([entry["transactionId"], entry["transactionStatus"]]),
                &json!(expected),
            );
            let statuses: Vec<&Value> = entry["events"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|event| event["event"] == "status")
                .collect();
            rows.same(&row, statuses.len(), 2);
            rows.same(&row, &statuses[1]["transactionStatus"], &json!(later[1]));
            let is_open = expected != KEPT;
            let asked = client.journal_resolve(&json!({})).done()["summary"]["asked"].clone();
            rows.same(&row, asked, json!(u8::from(is_open)));
            let settled = client.journal_settle(&json!({"entry": 1})).code;
            rows.same(&row, settled, if is_open { 0 } else { INVALID_REQUEST });
        }
    }
    rows.end();
}

#[test]
fn a_status_that_names_a_refused_order_makes_it_a_duplicate() {
    let mut rows = Rows::new();
    for (way, ask) in WAYS {
        for state in ["rejected", "not_sent"] {
            let row = format!("{way}, {state}");
            let (shop, service) = (Shop::new(), Service::responding(http(400, "{}")));
            let client = shop.client(&service);
            // Twice, since a refused order may be sent again. The last entry is the order's.
            client.create(&order("A"));
            client.create(&order("A"));
            sql(
                &shop.path,
                &[&format!("UPDATE orders SET state = '{state}'")],
            );
            service.set_script([response("A", "Pending")]);
            rows.same(&row, ask(&client, &by_order("A")).code, 0);
            let listed = entries(&client);
            rows.same(
                &row,
                states(&listed).as_slice(),
                &[format!("A: {state}"), "A: created".to_owned()][..],
            );
            rows.same(&row, &listed[1]["transactionStatus"], &json!("Pending"));
            service.set_script([respond(created())]);
            let again = client.create(&order("A"));
            rows.same(&row, again.code, DUPLICATE);
            rows.same(&row, &again.error()["previous"], &listed[1]);
        }
    }
    rows.end();
}

#[test]
fn an_echo_of_the_question_teaches_nothing() {
    let mut rows = Rows::new();
    let mut empty = completed_body("A");
    let mut blank = completed_body("A");
    for field in ["transactionId", "transactionStatus", "amount"] {
        empty["data"][field] = Value::Null;
        blank["data"][field] = " ".into();
    }
    for (what, body) in [
        ("null", empty),
        ("blank", blank),
        (
            "missing",
            json!({"responseCode": "200", "data": {"orderId": "A"}}),
        ),
    ] {
        for (way, ask) in WAYS.into_iter().chain([(
            "journal_resolve",
            (|client, _| client.journal_resolve(&json!({}))) as AskStatus,
        )]) {
            let row = format!("{way}, {what}");
            let (shop, service) = (Shop::new(), Service::start([close()]));
            let client = shop.client(&service);
            client.create(&order("A")).is(201);
            let before = entries(&client);
            service.set_script([respond(http(200, &body.to_string()))]);
            let reply = ask(&client, &by_order("A"));
            rows.code(&row, &reply, 0);
            rows.same(&row, &entries(&client), &before);
        }
    }
    rows.end();
}
