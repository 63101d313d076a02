//! The log has each attempt and the end of each call, and nothing about the customer.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use support::abi::{self, Client};
use support::log::{Log, unset_log};
use support::orders::{config, order, query, with, without};
use support::responses::{completed, created, http};
use support::rows::Rows;
use support::service::{Service, close, respond};
use support::table;

/// The events of a call whose first attempt gets a usable response.
const GOES_WELL: [&str; 3] = ["attempt_started", "attempt_finished", "call_finished"];

#[test]
fn every_failed_attempt_is_logged() {
    let service = Service::start([
        close(),
        respond(http(503, "")),
        respond(completed("ORDER-1001")),
    ]);
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 2));
    let log = Log::of(&client);
    client.status(&query()).done();
    let started = "attempt_started";
    assert_eq!(
        log.names(),
        [
            started,
            "attempt_failed",
            started,
            "attempt_failed",
            started,
            "attempt_finished",
            "call_finished"
        ]
    );
    let events = log.events();
    let of = |key: &str| {
        events
            .iter()
            .map(|event| event[key].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("operation"), ["get_status"; 7]);
    assert_eq!(of("orderId"), ["ORDER-1001"; 7]);
    assert_eq!(of("attempt")[..6], [1, 1, 2, 2, 3, 3]);
    assert_eq!(
        (&events[1]["result"], &events[1]["name"]),
        (&json!(201), &json!("PAYORDER_CONNECTION_LOST"))
    );
    assert_eq!(
        (&events[3]["result"], &events[3]["name"]),
        (&json!(203), &json!("PAYORDER_SERVICE_FAILED"))
    );
    assert_eq!(events[3]["httpStatus"], 503);
    assert_eq!(
        (&events[1]["cause"], &events[3]["cause"]),
        (&json!("connection_closed"), &json!("service_error"))
    );
    assert_eq!(events[5]["result"], 0);
    assert_eq!(events[5]["transactionStatus"], "Completed");
    assert_eq!(events[6]["result"], 0);
    let mut elapsed: Vec<u64> = of("elapsedMs")
        .iter()
        .map(|ms| ms.as_u64().expect("a number"))
        .collect();
    let told = elapsed.clone();
    elapsed.sort_unstable();
    assert_eq!(told, elapsed, "elapsedMs counts from entering the function");
}

#[test]
fn a_query_by_transaction_is_logged_by_its_transaction() {
    let service = Service::responding(completed(""));
    let client = Client::new(&config(&service.url()));
    let log = Log::of(&client);
    client.status(&json!({"transactionId": "T-900"})).done();
    for event in log.events() {
        assert_eq!(event["transactionId"], "T-900", "{event}");
        assert!(
            event
                .get("orderId")
                .is_none_or(|id| id.is_null() || id == ""),
            "{event}"
        );
    }
}

#[test]
fn a_call_without_an_attempt_has_only_call_finished() {
    let service = Service::responding(created());
    let client = Client::new(&without(&config(&service.url()), "accessToken"));
    let log = Log::of(&client);
    let text = order().to_string();
    let key = client.key();
    type Call<'a> = &'a dyn Fn() -> i32;
    let calls: [(&str, Call<'_>, i32, &str, Value); 8] = table! {
        "an invalid order", &|| client.create(&json!({"orderId": "O-1"})).code, 4, "create_order",
            json!("O-1");
        "an order whose id is not a string", &|| client.create(&json!({"orderId": 7})).code, 4,
            "create_order", Value::Null;
        "no credentials", &|| client.create(&order()).code, 5, "create_order", json!("ORDER-1001");
        "no JSON", &|| abi::create_order(key, "{", None).code, 1, "create_order", Value::Null;
        "broken options", &|| abi::create_order(key, &text, Some("[]")).code, 1, "create_order",
            json!("ORDER-1001");
        "an invalid query", &|| client.status(&json!({})).code, 4, "get_status", Value::Null;
        "a query that is not JSON", &|| abi::get_status(key, "x", None).code, 1, "get_status",
            Value::Null;
        "an unknown option", &|| client.status_with(&query(), &json!({"x": 1})).code, 1,
            "get_status", Value::Null;
    };
    let mut rows = Rows::new();
    for (row, call, code, operation, order_id) in calls {
        let before = log.events().len();
        rows.same(row, call(), code);
        let events = log.events().split_off(before);
        rows.same(row, events.len(), 1);
        for event in events {
            rows.same(row, &event["event"], &json!("call_finished"));
            rows.same(row, &event["result"], &json!(code));
            rows.same(row, &event["operation"], &json!(operation));
            rows.same(row, &event["orderId"], &order_id);
        }
    }
    rows.end();
    assert_eq!(service.connections(), 0);
}

#[test]
fn no_event_has_credentials_or_personal_data() {
    let echo = "{\"responseCode\":\"500\",\
                \"responseMessage\":\"Asha Verma 9876543210 asha@example.com access-token-1\"}";
    let service = Service::start([respond(completed("ORDER-1001"))]);
    let client = Client::new(&config(&service.url()));
    let log = Log::of(&client);
    client.status(&query()).done();
    service.set_script([respond(http(200, echo))]);
    client.create(&order());
    service.set_script([close()]);
    client.create(&order());
    client.create(&json!({"customerName": "Asha Verma", "customerMobile": 9876543210u64}));
    let private = [
        "Asha",
        "Verma",
        "9876543210",
        "asha@",
        "access-token",
        "client-key",
        "client-id",
        "secret-key",
    ];
    let mut rows = Rows::new();
    for text in log.texts() {
        for part in private {
            rows.that(part, !text.contains(part), || text.clone());
        }
    }
    rows.end();
}

#[test]
fn each_client_has_a_log_of_its_own() {
    let service = Service::responding(created());
    let (one, two) = (
        Client::new(&config(&service.url())),
        Client::new(&config(&service.url())),
    );
    let (log_one, log_two) = (Log::of(&one), Log::of(&two));
    one.create(&order()).done();
    assert_eq!((log_one.texts().len(), log_two.texts().len()), (3, 0));
}

#[test]
fn a_call_keeps_the_callback_that_it_started_with() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let key = client.key();
    let log = Log::reacting(&client, move |_| {
        assert_eq!(unset_log(key), 0);
    });
    client.create(&order()).done();
    assert_eq!(log.names(), GOES_WELL);
    client.create(&order()).done();
    assert_eq!(log.texts().len(), 3, "the next call starts without it");
}

#[test]
fn a_callback_may_make_calls_and_clients() {
    static INSIDE: AtomicBool = AtomicBool::new(false);
    let service = Service::start([respond(completed(""))]);
    let client = Client::new(&config(&service.url()));
    let (key, config) = (client.key(), config(&service.url()));
    let log = Log::reacting(&client, move |_| {
        if !INSIDE.swap(true, Ordering::SeqCst) {
            assert_eq!(
                abi::get_status(key, "{\"orderId\":\"INNER\"}", None).code,
                0
            );
            let other = Client::new(&config);
            other.status(&query()).done();
            abi::build_create_order("{}", None).is(4);
            INSIDE.store(false, Ordering::SeqCst);
        }
    });
    client.status(&query()).done();
    let inner = log
        .events()
        .iter()
        .filter(|event| event["orderId"] == "INNER")
        .count();
    assert_eq!(
        inner, 9,
        "three events within each of the three events of the outer call"
    );
}

#[test]
fn a_response_is_logged_with_its_status_and_without_credentials() {
    let status = |text: &str| {
        let body = json!({
            "responseCode": "200",
            "responseMessage": "Success",
            "data": {"orderId": "ORDER-1001", "transactionStatus": text},
        });
        respond(http(200, &body.to_string()))
    };
    let service = Service::start([status("Pending"), status("held for secret-key-1 today")]);
    let client = Client::new(&config(&service.url()));
    let log = Log::of(&client);
    client.status(&query()).done();
    client.status(&query()).done();
    let seen: Vec<Value> = log
        .events()
        .iter()
        .filter(|event| event["event"] == "attempt_finished")
        .map(|event| event["transactionStatus"].clone())
        .collect();
    assert_eq!(seen, ["Pending", "held for [redacted] today"]);
}
