//! The log has each attempt and the end of each call, and nothing about the customer. The
//! conformance suite has the events of a success, and callbacks that throw, cancel or close;
//! `tests/programs/misuse.c` callbacks that make calls.

use serde_json::{Value, json};
use support::abi::{self, Client};
use support::log::{Log, unset_log};
use support::orders::{config, order, query, with, without};
use support::responses::{completed, completed_body, created, http};
use support::rows::Rows;
use support::service::{Service, close, respond};
use support::table;
use support::tls::Folder;

#[test]
fn every_failed_attempt_is_logged() {
    let last = respond(completed("ORDER-1001"));
    let service = Service::start([close(), respond(http(503, "")), last]);
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 2));
    let log = Log::of(&client);
    client.status(&query()).done();
    let events = log.events();
    let shown = |event: &Value| {
        let keys = [
            "event",
            "attempt",
            "result",
            "cause",
            "httpStatus",
            "transactionStatus",
        ];
        let values = keys.iter().filter_map(|key| event.get(key));
        values.map(Value::to_string).collect::<Vec<_>>().join(" ")
    };
    let shown: Vec<String> = events.iter().map(shown).collect();
    assert_eq!(
        shown,
        [
            r#""attempt_started" 1"#,
            r#""attempt_failed" 1 201 "connection_closed""#,
            r#""attempt_started" 2"#,
            r#""attempt_failed" 2 203 "service_error" 503"#,
            r#""attempt_started" 3"#,
            r#""attempt_finished" 3 0 200 "Completed""#,
            r#""call_finished" 3 0 200"#,
        ]
    );
    let elapsed: Vec<_> = events
        .iter()
        .map(|event| event["elapsedMs"].as_u64())
        .collect();
    assert!(elapsed.is_sorted() && elapsed[0].is_some(), "{elapsed:?}");
    for event in events {
        assert_eq!(event["operation"], "get_status", "{event}");
        assert_eq!(event["orderId"], "ORDER-1001", "{event}");
    }
}

#[test]
fn an_order_without_a_journal_is_logged_with_a_warning() {
    let folder = Folder::new();
    let service = Service::start([close(), respond(created()), respond(created())]);
    let plain = config(&service.url());
    let kept = with(
        &plain,
        "journal",
        folder.path().join("journal").to_string_lossy(),
    );
    let warnings = |config: &Value, id: &str| {
        let client = Client::new(config);
        let log = Log::of(&client);
        client.create(&with(&order(), "orderId", id));
        let events = log.events();
        let warned = events.iter().filter_map(|event| event["warning"].as_str());
        warned.map(str::to_owned).collect::<Vec<_>>()
    };
    let [warning] = &warnings(&plain, "A")[..] else {
        panic!("not one warning");
    };
    assert!(warning.contains("no journal"), "{warning}");
    assert!(warnings(&kept, "B").is_empty());
}

#[test]
fn a_query_by_transaction_is_logged_by_its_transaction() {
    let service = Service::responding(completed(""));
    let client = Client::new(&config(&service.url()));
    let log = Log::of(&client);
    client.status(&json!({"transactionId": "T-900"})).done();
    for event in log.events() {
        assert_eq!(event["transactionId"], "T-900", "{event}");
        assert_eq!(event.get("orderId"), None, "{event}");
    }
}

#[test]
fn a_call_without_an_attempt_has_only_call_finished() {
    let client = Client::new(&without(&config("http://127.0.0.1:1"), "accessToken"));
    let log = Log::of(&client);
    let (text, key) = (order().to_string(), client.key());
    let (known, none) = (json!("ORDER-1001"), Value::Null);
    let mut rows = Rows::new();
    type Call<'a> = &'a dyn Fn() -> i32;
    let calls: [(Call<'_>, i32, &str, &Value); 7] = table! {
        &|| client.create(&json!({"orderId": "ORDER-1001"})).code, 4, "create_order", &known;
        &|| client.create(&json!({"orderId": 7})).code, 4, "create_order", &none;
        &|| client.create(&order()).code, 5, "create_order", &known;
        &|| abi::create_order(key, "{", None).code, 1, "create_order", &none;
        &|| abi::create_order(key, &text, Some("[]")).code, 1, "create_order", &known;
        &|| client.status(&json!({})).code, 4, "get_status", &none;
        &|| client.status_with(&query(), &json!({"x": 1})).code, 1, "get_status", &none;
    };
    for (number, (call, code, operation, order_id)) in calls.into_iter().enumerate() {
        let row = format!("call {number}");
        rows.same(&row, call(), code);
        let events = log.events();
        rows.same(&row, events.len(), number + 1);
        let event = &events[number];
        rows.same(&row, &event["event"], &json!("call_finished"));
        rows.same(&row, &event["result"], &json!(code));
        rows.same(&row, &event["operation"], &json!(operation));
        rows.same(&row, &event["orderId"], order_id);
    }
    rows.end();
}

#[test]
fn no_event_has_credentials_or_personal_data() {
    let said = "Asha Verma 9876543210 asha@example.com access-token-1";
    let echo = json!({"responseCode": "500", "responseMessage": said});
    let mut held = completed_body("ORDER-1001");
    held["data"]["transactionStatus"] = json!("held for secret-key-1 today");
    let service = Service::start([respond(http(200, held.to_string()))]);
    let client = Client::new(&config(&service.url()));
    let log = Log::of(&client);
    client.status(&query()).done();
    let seen = &log.events()[1]["transactionStatus"];
    assert_eq!(seen, "held for [redacted] today");
    service.set_script([respond(http(200, echo.to_string()))]);
    client.create(&order());
    service.set_script([close()]);
    client.create(&order());
    client.create(&json!({"customerName": "Asha Verma", "customerMobile": 9876543210_u64}));
    let private = "Asha Verma 9876543210 asha@ access-token client-key client-id secret-key";
    for text in log.texts() {
        let shown = private.split(' ').find(|part| text.contains(part));
        assert_eq!(shown, None, "{text}");
    }
}

#[test]
fn each_client_has_a_log_of_its_own_and_a_call_keeps_the_one_that_it_started_with() {
    let service = Service::responding(created());
    let [one, two] = [(); 2].map(|()| Client::new(&config(&service.url())));
    let (key, log_of_two) = (one.key(), Log::of(&two));
    let log = Log::reacting(&one, move |_| assert_eq!(unset_log(key), 0));
    one.create(&order()).done();
    assert_eq!(
        log.names(),
        ["attempt_started", "attempt_finished", "call_finished"]
    );
    one.create(&order()).done();
    assert_eq!(log.texts().len(), 3, "the next call starts without it");
    assert_eq!(log_of_two.texts().len(), 0);
}
