//! After a start, each sale that is open has one verdict.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::INVALID_ARGUMENT;
use serde_json::{Value, json};
use support::abi::{Client, with_idle};
use support::orders::{config, with};
use support::responses::{completed_body, created, http};
use support::rows::Rows;
use support::service::{Service, close, respond, respond_after, stall};
use support::shop::{Shop, order, sql};

const INVALID_REQUEST: i32 = 4;
const MISSING_CREDENTIALS: i32 = 5;

/// A service that creates every order, and knows what `statuses` says: an order's identifier, and
/// the fields of its status.
fn service(statuses: &[(&str, Value)]) -> Service {
    let mut known = BTreeMap::new();
    for (order_id, fields) in statuses {
        let mut body = completed_body(order_id);
        for (field, value) in fields.as_object().unwrap() {
            body["data"][field] = value.clone();
        }
        known.insert((*order_id).to_owned(), body.to_string());
    }
    let unknown = json!({"responseCode": "404", "responseMessage": "Not found"}).to_string();
    Service::deciding(move |query| {
        let response = match known.get(&query.order_id) {
            _ if query.is_order => created(),
            Some(body) => http(200, body),
            None => http(404, &unknown),
        };
        respond_after(Duration::ZERO, response)
    })
}

fn sales(list: &[(&str, &str)]) -> Value {
    let sale = |(order_id, amount): &(&str, &str)| json!({"orderId": order_id, "amount": amount});
    list.iter().map(sale).collect()
}

/// `orderId: verdict` of each sale.
fn verdicts(result: &Value) -> Vec<String> {
    let sales = result["sales"].as_array().expect("sales");
    let text = |sale: &Value, key: &str| sale[key].as_str().unwrap_or("?").to_owned();
    sales
        .iter()
        .map(|sale| format!("{}: {}", text(sale, "orderId"), text(sale, "verdict")))
        .collect()
}

fn amount() -> String {
    order("A")["amount"].as_str().unwrap().to_owned()
}

#[test]
fn every_sale_has_one_verdict() {
    let (paid, amount) = (json!({"amount": amount()}), amount());
    let pending = json!({"transactionStatus": "Pending", "amount": amount});
    let server = service(&[
        ("PAID", paid.clone()),
        ("CHEAP", json!({"amount": "1.00"})),
        ("REFUNDED", with(&paid, "refundType", "Full")),
        ("OTHER-AMOUNT", paid.clone()),
        ("PAYABLE", pending.clone()),
        ("FAILED", with(&pending, "transactionStatus", "Failed")),
        ("LOST", pending.clone()),
        ("REFUSED-BUT-PAID", paid.clone()),
        ("SETTLED-BUT-PAID", paid.clone()),
        ("REFUSED-BUT-PENDING", pending.clone()),
        ("PAID-BEFORE", pending.clone()),
        (
            "ECHO",
            json!({"transactionId": "", "transactionStatus": null, "amount": null}),
        ),
        ("ELSEWHERE-ONLY", pending),
    ]);
    let shop = Shop::new();
    let client = Client::new(&shop.config(&server.url()));
    let table = [
        ("PAID", "created", "paid"),
        ("CHEAP", "created", "check"),
        ("REFUNDED", "unknown", "check"),
        ("OTHER-AMOUNT", "created", "check"),
        ("PAYABLE", "created", "payable"),
        ("FAILED", "unknown", "payable"),
        ("LOST", "unknown", "url_lost"),
        ("UNKNOWN", "unknown", "unknown"),
        ("ECHO", "unknown", "unknown"),
        ("SENDING", "sending", "sending"),
        ("REFUSED", "rejected", "refused"),
        ("NOT-SENT", "not_sent", "not_sent"),
        ("SETTLED", "settled", "settled"),
        ("REFUSED-BUT-PAID", "rejected", "check"),
        ("SETTLED-BUT-PAID", "settled", "check"),
        ("REFUSED-BUT-PENDING", "rejected", "url_lost"),
        ("PAID-BEFORE", "created", "check"),
        ("NEVER", "", "not_in_journal"),
        ("ELSEWHERE", "elsewhere", "unknown"),
        ("ELSEWHERE-ONLY", "", "url_lost"),
    ];
    let mut changes = Vec::new();
    for (order_id, state, _) in table {
        if state.is_empty() {
            continue;
        }
        client.create(&order(order_id)).done();
        let mut change = format!("state = '{state}'");
        if !["PAYABLE", "FAILED", "PAID"].contains(&order_id) {
            change += ", url = NULL";
        }
        if state == "elsewhere" {
            change = "service = 'https://other.example.com'".into();
        }
        if order_id == "PAID-BEFORE" {
            change += ", transaction_status = 'Completed', transaction_id = 'T-1'";
        }
        if state == "sending" {
            change += ", deadline_ms = begun_ms + 600000";
        }
        changes.push(format!(
            "UPDATE orders SET {change} WHERE order_id = '{order_id}'"
        ));
    }
    let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
    sql(&shop.path, &changes);
    let named: Vec<_> = table
        .iter()
        .map(|(order_id, ..)| match *order_id {
            "OTHER-AMOUNT" => (*order_id, "7.00"),
            _ => (*order_id, amount.as_str()),
        })
        .collect();
    let result = client.recover(Some(&sales(&named)), &json!({})).done();
    let expected: Vec<_> = table
        .iter()
        .map(|(order_id, _, verdict)| format!("{order_id}: {verdict}"))
        .collect();
    assert_eq!(verdicts(&result.json), expected);
    assert_eq!(result["otherServices"], 0, "it is created");
    assert_eq!(
        result["summary"]["asked"],
        table.len() - 1,
        "all but SENDING"
    );
    for sale in result["sales"].as_array().unwrap() {
        let payable = sale["verdict"] == "payable";
        assert_eq!(sale["url"].is_string(), payable, "{sale}");
        let query = json!({"searchType": "1", "orderId": sale["orderId"]});
        assert_eq!(sale["statusQuery"], query);
    }
    let check = |at: usize| result["sales"][at]["reasons"][0]["check"].clone();
    assert_eq!((check(1), check(2)), (json!("amount"), json!("refundType")));
    assert_eq!(check(3), "amount");
    assert_eq!(
        result["sales"][3]["reasons"].as_array().map(Vec::len),
        Some(1)
    );
    // Without sales: what the journal has open now, and no sale that the program finished.
    let open = client.recover(None, &json!({})).done();
    let expected = [
        "PAYABLE: payable",
        "FAILED: payable",
        "LOST: url_lost",
        "UNKNOWN: unknown",
        "ECHO: unknown",
        "SENDING: sending",
        "REFUSED-BUT-PENDING: url_lost",
    ];
    assert_eq!(verdicts(&open.json), expected);
}

#[test]
fn what_is_learned_is_recorded_and_not_lost() {
    let server = service(&[("A", json!({"amount": amount()}))]);
    let shop = Shop::new();
    let client = Client::new(&shop.config(&server.url()));
    client.create(&order("A")).done();
    sql(&shop.path, &["UPDATE orders SET state = 'unknown'"]);
    assert_eq!(
        verdicts(&client.recover(None, &json!({})).done().json),
        ["A: paid"]
    );
    let entry = client.journal_list(&json!({}))["entries"][0].clone();
    assert_eq!(entry["state"], "created");
    assert_eq!(entry["transactionStatus"], "Completed");
}

#[test]
fn an_outage_costs_one_time_limit() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let client = shop.client(&service);
    let named: Vec<String> = (0..100).map(|number| format!("O-{number}")).collect();
    let named: Vec<_> = named.iter().map(|id| (id.as_str(), "1.00")).collect();
    let began = Instant::now();
    let options = json!({"timeoutMs": 2000});
    let result = client.recover(Some(&sales(&named)), &options).done();
    // Eight at a time, one limit for each would be 26 seconds.
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(result["sales"].as_array().unwrap().len(), 100);
    for verdict in verdicts(&result.json) {
        assert!(verdict.ends_with(": unknown"), "{verdict}");
    }
    let asked = result["summary"]["asked"].as_u64().unwrap();
    assert!((8..=16).contains(&asked), "{asked}");
    assert_eq!(result["summary"]["stopped"], true);
}

#[test]
fn it_waits_for_an_entry_that_another_process_sends() {
    let server = service(&[("A", json!({"amount": amount()}))]);
    let shop = Shop::new();
    let client = Client::new(&shop.config(&server.url()));
    client.create(&order("A")).done();
    let until = "(CAST(strftime('%s','now') AS INTEGER) + 2) * 1000";
    let sending = format!(
        "UPDATE orders SET state = 'sending', begun_ms = begun_ms - 5000, deadline_ms = {until}"
    );
    sql(&shop.path, &[&sending]);
    let at_once = client.recover(None, &json!({})).done();
    assert_eq!(verdicts(&at_once.json), ["A: sending"]);
    assert_eq!(at_once["summary"]["asked"], 0);
    // Cancelled while it waits, it asks about nothing.
    let named = sales(&[("B", "1")]);
    let wait = json!({"waitMs": 60_000});
    let cancelled = with_idle(|| true, || client.recover(Some(&named), &wait).done());
    assert_eq!(verdicts(&cancelled.json), ["B: unknown", "A: sending"]);
    let summary = &cancelled["summary"];
    assert_eq!(
        (&summary["asked"], &summary["stopped"]),
        (&json!(0), &json!(true))
    );
    let later = client.recover(None, &json!({"waitMs": 60_000})).done();
    assert_eq!(verdicts(&later.json), ["A: paid"]);
}

#[test]
fn without_a_journal_it_needs_the_sales_and_says_less() {
    let server = service(&[("PAID", json!({"amount": "1.00"}))]);
    let client = Client::new(&config(&server.url()));
    let none = client.recover(None, &json!({}));
    none.is(INVALID_ARGUMENT);
    assert_eq!(none.error()["operation"], "recover");
    let named = sales(&[("PAID", "1"), ("NEVER", "1.00")]);
    let result = client.recover(Some(&named), &json!({})).done();
    assert_eq!(verdicts(&result.json), ["PAID: paid", "NEVER: unknown"]);
    let nothing = client.recover(Some(&json!([])), &json!({})).done();
    assert_eq!(nothing["sales"], json!([]));
}

#[test]
fn bad_sales_are_errors() {
    let server = service(&[]);
    let client = Client::new(&config(&server.url()));
    let mut rows = Rows::new();
    for (given, expected) in [
        (json!({}), INVALID_ARGUMENT),
        (json!([7]), INVALID_ARGUMENT),
        (json!([{"orderId": "A"}]), INVALID_REQUEST),
        (json!([{"orderId": "A", "amount": "x"}]), INVALID_REQUEST),
        (json!([{"orderId": " ", "amount": "1"}]), INVALID_REQUEST),
        (
            json!([{"orderId": "A", "amount": "1", "transactionId": "T"}]),
            INVALID_REQUEST,
        ),
    ] {
        let reply = client.recover(Some(&given), &json!({}));
        rows.same(&given.to_string(), reply.code, expected);
    }
    let one = sales(&[("A", "1")]);
    let without = Client::new(&json!({"baseUrl": server.url(), "proxy": "none"}));
    let reply = without.recover(Some(&one), &json!({}));
    rows.same("no credentials", reply.code, MISSING_CREDENTIALS);
    rows.end();
}

#[test]
fn a_person_who_settled_one_entry_of_an_order_decided_about_the_order() {
    let mut rows = Rows::new();
    for (status, verdict) in [("Completed", "check"), ("Failed", "settled")] {
        let shop = Shop::new();
        let service = Service::start([close()]);
        let client = shop.client(&service);
        let again = json!({"resend": true});
        rows.same(status, client.create(&order("A")).code, 201);
        rows.same(status, client.create_with(&order("A"), &again).code, 201);
        sql(
            &shop.path,
            &["UPDATE orders SET state = 'settled' WHERE entry = 1"],
        );
        let mut body = completed_body("A");
        body["data"]["transactionStatus"] = json!(status);
        service.set_script([respond(http(200, &body.to_string()))]);
        let recovered = client.recover(None, &json!({})).done().json;
        rows.same(status, &recovered["sales"][0]["verdict"], &json!(verdict));
    }
    rows.end();
}

#[test]
fn a_refused_order_that_is_paid_stays_a_persons_case() {
    let mut rows = Rows::new();
    for (row, refusal, expected) in [("refused", 100, "check"), ("not refused", 0, "paid")] {
        let server = service(&[("A", json!({"amount": amount()}))]);
        let shop = Shop::new();
        let client = Client::new(&shop.config(&server.url()));
        client.create(&order("A")).done();
        if refusal != 0 {
            let refused = format!("UPDATE orders SET state = 'rejected', result = {refusal}");
            sql(&shop.path, &[&refused]);
        }
        let named = sales(&[("A", amount().as_str())]);
        // The first run stops before a person has looked at it.
        for run in ["first", "second"] {
            let recovered = client.recover(Some(&named), &json!({})).done().json;
            let row = format!("{row}, {run} run");
            rows.same(&row, &recovered["sales"][0]["verdict"], &json!(expected));
        }
    }
    rows.end();
}
