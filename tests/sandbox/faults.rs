//! Each fault has the effect that the table describes, through its markers and through a rule.

use std::io::{ErrorKind, Read};
use std::net::Shutdown;
use std::time::Duration;

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::faults::{PREFIX, Step, TABLE};

/// What the client sees at Create Order, how the response ended, whether the order is kept, and a
/// part of the response. `half` and `held` responses may have a status.
#[rustfmt::skip]
const AT_CREATE_ORDER: &[(&str, &str, &str, bool, &str)] = &[
    ("drop-before", "cut", "cut", false, ""),
    ("drop-after-commit", "cut", "cut", true, ""),
    ("drop-mid-answer", "200", "half", true, r#"{"responseCode""#),
    ("stall-unread", "cut", "held", false, ""),
    ("stall-before", "cut", "held", false, ""),
    ("stall", "cut", "held", true, ""),
    ("stall-mid-answer", "200", "held", true, ""),
    ("html-502", "502", "complete", true, "<html>"),
    ("service-error", "200", "complete", true, r#""responseCode":"500""#),
    ("malformed-json", "200", "complete", true, r#""data":{"#),
    ("no-url", "200", "complete", true, r#""data":{}"#),
    ("bad-url", "200", "complete", true, r#""url":"javascript:alert(1)""#),
    ("redirect", "307", "complete", true, "/api/v1/Gateway/CreateOrder\r\n"),
    ("too-large", "200", "complete", true, "xxxxxxxxxxxxxxxx"),
    ("reject", "200", "complete", false, r#""responseCode":"400""#),
    ("rate-limit", "429", "complete", false, "Retry-After: 1\r\n"),
    ("firewall-page", "403", "complete", true, "<html>"),
    ("http-408", "408", "complete", true, "Content-Length: 0\r\n"),
    ("http-499", "499", "complete", true, "Content-Length: 0\r\n"),
    ("http-500", "500", "complete", true, "Content-Length: 0\r\n"),
    ("http-503", "503", "complete", true, "Content-Length: 0\r\n"),
    ("http-504", "504", "complete", true, "Content-Length: 0\r\n"),
    ("refused-with-url", "400", "complete", true, "/checkout/"),
    ("byte-order-mark", "400", "complete", true, "\u{feff}{"),
];

/// The same at Get Status, after the payment.
#[rustfmt::skip]
const AT_GET_STATUS: &[(&str, &str, &str, &str)] = &[
    ("wrong-amount", "200", "complete", r#""amount":"1.00""#),
    ("wrong-order", "200", "complete", r#""orderId":"another-order""#),
    ("unknown-status", "200", "complete", r#""transactionStatus":"OnHold""#),
    ("refunded", "200", "complete", r#""refundStatus":"Refunded""#),
    ("other-date", "200", "complete", r#""transactionDate":"20"#),
    ("few-fields", "200", "complete", r#""transactionStatus":"Completed"}}"#),
    ("not-found", "404", "complete", r#""responseCode":"404""#),
    ("drop", "cut", "cut", ""),
    ("html-502", "502", "complete", "<html>"),
    ("rate-limit", "429", "complete", "Retry-After: 1\r\n"),
    ("stall", "cut", "held", ""),
    ("stall-mid-answer", "200", "held", ""),
    ("malformed-json", "200", "complete", r#""data":{"#),
    ("echo", "200", "complete", r#""transactionStatus":null"#),
];

/// The return URL that is given, and the URL of the return.
const ON_THE_WAY_BACK: &[(&str, &str, &str)] = &[
    (
        "second-question-mark",
        "https://shop.example/r?a=b",
        "https://shop.example/r?a=b?txn=TXN0000001",
    ),
    (
        "without-txn",
        "https://shop.example/r?a=b#c",
        "https://shop.example/r?a=b#c",
    ),
];

/// The ways to ask for a fault: its markers, with their prefix, and as "" a rule.
fn ways(step: Step, name: &str) -> Vec<String> {
    let mut faults = TABLE.iter();
    let fault = faults.find(|fault| fault.step == step && fault.name == name);
    let markers = fault.expect("a fault of the table").markers.iter();
    let markers = markers.map(|marker| format!("{PREFIX}{marker}"));
    markers.chain([String::new()]).collect()
}

/// Sends a request, and compares its response with the expected one and with the record.
fn check(sandbox: &sandbox::Sandbox, text: &str, label: &str, status: &str, ended: &str) -> Value {
    let before = sandbox.exchanges().len();
    let mut stream = connect(sandbox);
    send(&stream, text);
    wait_until(|| sandbox.exchanges().len() > before);
    let listed = requests(sandbox, before as u64).remove(0);
    let response = &listed["response"];
    let known = match status {
        "cut" => Value::Null,
        status => json!(status.parse::<u16>().expect("a status")),
    };
    assert_eq!(response["status"], known, "{label}");
    assert_eq!(response["ended"], ended, "{label}");

    let mut received = String::new();
    if ended == "held" {
        // Nothing follows what came, and the connection stays open until the client gives up.
        let patience = Some(Duration::from_millis(200));
        stream.set_read_timeout(patience).expect("a timeout");
        let error = stream.read_to_string(&mut received).expect_err("silence");
        let silent = [ErrorKind::WouldBlock, ErrorKind::TimedOut];
        assert!(silent.contains(&error.kind()), "{label}: {error}");
        let patience = Some(Duration::from_secs(30));
        stream.set_read_timeout(patience).expect("a timeout");
    }
    if ended != "complete" {
        let _ = stream.shutdown(Shutdown::Write);
        stream.read_to_string(&mut received).expect("an end");
    } else {
        let response = receive(&stream).expect("a response");
        received = response.head + &response.body;
    }
    let sent = response["body"].as_str().expect("a text");
    assert!(received.contains(sent), "{label}: {received}");
    assert_eq!(received.is_empty(), known.is_null(), "{label}: {received}");
    let length = response["headers"]["Content-Length"].as_str();
    if ended != "complete"
        && let Some(length) = length
    {
        let length: usize = length.parse().expect("a number");
        assert_eq!(sent.len(), length / 2, "{label}");
    }
    json!([listed, received])
}

#[test]
fn each_create_order_fault_does_what_its_name_says() {
    let sandbox = start();
    for (name, status_line, ended, kept, part) in AT_CREATE_ORDER {
        for way in ways(Step::Create, name) {
            if way.is_empty() {
                add_rule(&sandbox, &format!("create:1:{name}"));
            }
            let label = format!("{name} {way}");
            let order_id = label.replace(PREFIX, "");
            let product = format!("Two coffees {way}, please");
            let text = create(&order_id, json!({ "productInfo": product }));
            let told = check(&sandbox, &text, &label, status_line, ended);
            let received = told[1].as_str().unwrap_or_default();
            assert!(received.contains(part), "{label}: {received}");
            assert!(*name != "too-large" || received.len() > 2 * 1024 * 1024);
            let listed = &told[0];
            let known = ask(&sandbox, &status(&order_id));
            assert_eq!(known.status, if *kept { 200 } else { 404 }, "{label}");
            assert_eq!(
                (&listed["fault"], &listed["created"]),
                (&json!(name), &json!(kept))
            );
            let read = *name != "stall-unread";
            let step = if read { "create" } else { "unread" };
            let read_id = if read { json!(order_id) } else { Value::Null };
            assert_eq!(
                (&listed["step"], &listed["orderId"]),
                (&json!(step), &read_id)
            );
        }
    }
}

#[test]
fn each_get_status_fault_does_what_its_name_says() {
    let sandbox = start();
    for (name, status_line, ended, part) in AT_GET_STATUS {
        for way in ways(Step::Status, name) {
            if way.is_empty() {
                add_rule(&sandbox, &format!("status:1-2:{name}"));
            }
            let label = format!("{name} {way}");
            let order_id = label.replace(PREFIX, "");
            let product = format!("Two coffees {way}, please");
            let made = ask(
                &sandbox,
                &create(&order_id, json!({ "productInfo": product })),
            )
            .json();
            let url = made["data"]["url"].as_str().expect("a checkout URL");
            let path = url.replace(&sandbox.base_url(), "") + "/pay";
            assert_eq!(ask(&sandbox, &plain("POST", &path, "")).status, 303);
            let once = label.ends_with("-once");
            for first in [true, false] {
                let (status_line, ended) = match first || !once {
                    true => (*status_line, *ended),
                    false => ("200", "complete"),
                };
                let told = check(&sandbox, &status(&order_id), &label, status_line, ended);
                let received = told[1].as_str().unwrap_or_default();
                let fault = if first || !once {
                    json!(name)
                } else {
                    Value::Null
                };
                assert_eq!(told[0]["fault"], fault, "{label}");
                assert!(
                    fault.is_null() || received.contains(part),
                    "{label}: {received}"
                );
                let fields = received.matches("\":").count();
                assert!(*name != "few-fields" || fields == 7, "{label}: {received}");
            }
        }
    }
}

#[test]
fn each_return_fault_does_what_its_name_says() {
    for (name, given, came_back) in ON_THE_WAY_BACK {
        for way in ways(Step::Return, name) {
            let sandbox = start();
            if way.is_empty() {
                add_rule(&sandbox, &format!("return:1:{name}"));
            }
            let product = format!("Tea {way}");
            let changes = json!({"productInfo": product, "redirectionURL": given});
            ask(&sandbox, &create("A-1", changes));
            let pressed = ask(&sandbox, &plain("POST", "/checkout/1/pay", ""));
            assert_eq!(pressed.header("Location"), Some(*came_back), "{name} {way}");
        }
    }
}

#[test]
fn every_fault_is_tested_documented_and_listed_in_the_same_words() {
    // Spaces align the columns of its tables.
    let readme = include_str!("../../examples/sandbox/README.md");
    let words: Vec<&str> = readme.split_whitespace().collect();
    let readme = words.join(" ");
    let about = ask(&start(), &plain("GET", "/sandbox", "")).json();
    let mut listed = about["faults"].as_array().expect("a list").iter();
    for fault in TABLE {
        let name = fault.name;
        let tried = match fault.step {
            Step::Create => AT_CREATE_ORDER.iter().any(|row| row.0 == name),
            Step::Status => AT_GET_STATUS.iter().any(|row| row.0 == name),
            Step::Return => ON_THE_WAY_BACK.iter().any(|row| row.0 == name),
        };
        // In conversations.txt and in connections.rs.
        assert!(tried || name.contains('='), "{name}");
        let markers = fault.markers.iter();
        let markers: Vec<String> = markers
            .map(|marker| format!("`{PREFIX}{marker}`"))
            .collect();
        let markers = match markers.is_empty() {
            true => "none".to_owned(),
            false => markers.join(", "),
        };
        let row = format!("| `{name}` | {markers} | {} |", fault.effect);
        assert!(readme.contains(&row), "{row}");
        let step = fault.step.name();
        let told = json!({"step": step, "name": name, "effect": fault.effect});
        assert_eq!(listed.next(), Some(&told));
    }
    assert_eq!(listed.next(), None);
    let markers: usize = TABLE.iter().map(|fault| fault.markers.len()).sum();
    let tables = readme.matches("| `sandbox:").count() + readme.matches(", `sandbox:").count();
    assert_eq!(tables, markers);
}
