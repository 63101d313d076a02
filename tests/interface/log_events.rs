//! The log has each attempt and the end of each call, and nothing about the customer. The
//! conformance suite has the events of a success, and callbacks that throw, cancel or close;
//! `tests/programs/misuse.c` callbacks that make calls.

use serde_json::{Value, json};
use support::abi::{self, Client};
use support::calls::{NETWORK, make};
use support::log::{Log, unset_log};
use support::orders::{config, order, query, with, without};
use support::responses::{completed, completed_body, created, http};
use support::result::{CONNECT_FAILED, INVALID_ARGUMENT};
use support::rows::Rows;
use support::service::{Service, close, respond, stall};
use support::shop::Shop;
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

#[test]
fn the_tag_is_in_each_event_of_the_call_and_nowhere_else() {
    let (shop, longest) = (Shop::new(), "é".repeat(128));
    let mut rows = Rows::new();
    for call in NETWORK {
        let service = Service::start([respond(http(500, ""))]);
        let client = Client::new(&with(&shop.config(&service.url()), "statusRetries", 0));
        let log = Log::of(&client);
        for tag in ["span-4bf92f", &longest] {
            let before = log.events().len();
            let options = match call {
                "wait_for_payment" => json!({"tag": tag, "waitMs": 50}),
                _ => json!({"tag": tag}),
            };
            let reply = make(call, &client, &options);
            rows.holds(call, !reply.text().contains(tag), reply.text());
            let events = log.events().split_off(before);
            rows.that(call, !events.is_empty(), || "no event".into());
            for event in events {
                rows.same(call, event["tag"].as_str(), Some(tag));
            }
        }
        for head in service.heads() {
            rows.holds(call, !head.contains("span-"), &head);
        }
        for tag in json!(["", "x".repeat(129), "a\nb", "a\u{85}", 7, null])
            .as_array()
            .unwrap()
        {
            let refused = make(call, &client, &json!({"tag": tag}));
            rows.code(&format!("{call} {tag:.20}"), &refused, INVALID_ARGUMENT);
        }
    }
    rows.end();
}

#[test]
fn the_tag_is_in_the_events_of_started_calls() {
    let service = Service::start([stall(), respond(completed("ORDER-1001"))]);
    let client = Client::new(&with(&config(&service.url()), "maxCalls", 1));
    let log = Log::of(&client);
    let start = |operation, request: &Value, options: Value| {
        let (request, options) = (request.to_string(), options.to_string());
        let begun = abi::start_taken(client.key(), operation, Some(&request), Some(&options), 0);
        assert_eq!(begun.code, 0, "{:?}", begun.text);
    };
    start(
        "create_order",
        &order(),
        json!({"tag": "runs", "timeoutMs": 300}),
    );
    start(
        "get_status",
        &query(),
        json!({"tag": "queued", "timeoutMs": 100}),
    );
    start("wait_for_payment", &query(), json!({"tag": "waits"}));
    for _ in 0..3 {
        abi::take(client.key(), 60_000).expect("an answer");
    }
    let tagged = |event: &Value| format!("{} {}", event["tag"], event["operation"]);
    let mut seen: Vec<String> = log.events().iter().map(tagged).collect();
    seen.sort();
    seen.dedup();
    let expected = [
        r#""queued" "get_status""#,
        r#""runs" "create_order""#,
        r#""waits" "wait_for_payment""#,
    ];
    assert_eq!(seen, expected);
}

#[test]
fn the_message_says_that_a_slow_log_function_left_no_time() {
    let service = Service::start([respond(created())]);
    let client = Client::new(&with(&config(&service.url()), "timeoutMs", 300));
    let slow = |_: &Value| std::thread::sleep(std::time::Duration::from_millis(400));
    Log::reacting(&client, slow);
    let reply = client.create(&order());
    reply.is(CONNECT_FAILED);
    reply.says("no time left");
    assert_eq!(service.request_count(), 0);
}
