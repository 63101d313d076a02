//! Each fault has the effect that the table describes, through its markers and through a rule.

use std::io::{ErrorKind, Read};
use std::net::Shutdown;
use std::time::Duration;

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::Sandbox;
use sandbox::faults::Step::{self, *};
use sandbox::faults::{PREFIX, TABLE};

/// A fault of Create Order, or of Get Status after the payment: what the client sees, how the
/// response ended, whether the order is kept, and a part of the response. `half` and `held` responses
/// may have a status.
#[rustfmt::skip]
const FAULTS: &[(Step, &str, &str, &str, bool, &str)] = &[
    (Create, "drop-before", "cut", "cut", false, ""),
    (Create, "drop-after-commit", "cut", "cut", true, ""),
    (Create, "drop-mid-answer", "200", "half", true, r#"{"responseCode""#),
    (Create, "stall-unread", "cut", "held", false, ""),
    (Create, "stall-before", "cut", "held", false, ""),
    (Create, "stall", "cut", "held", true, ""),
    (Create, "stall-mid-answer", "200", "held", true, ""),
    (Create, "html-502", "502", "complete", true, "<html>"),
    (Create, "service-error", "200", "complete", true, r#""responseCode":"500""#),
    (Create, "malformed-json", "200", "complete", true, r#""data":{"#),
    (Create, "no-url", "200", "complete", true, r#""data":{}"#),
    (Create, "bad-url", "200", "complete", true, r#""url":"javascript:alert(1)""#),
    (Create, "redirect", "307", "complete", true, "/api/v1/Gateway/CreateOrder\r\n"),
    (Create, "too-large", "200", "complete", true, "xxxxxxxxxxxxxxxx"),
    (Create, "reject", "200", "complete", false, r#""responseCode":"400""#),
    (Create, "rate-limit", "429", "complete", false, "Retry-After: 1\r\n"),
    (Create, "firewall-page", "403", "complete", true, "<html>"),
    (Create, "http-408", "408", "complete", true, "Content-Length: 0\r\n"),
    (Create, "http-499", "499", "complete", true, "Content-Length: 0\r\n"),
    (Create, "http-500", "500", "complete", true, "Content-Length: 0\r\n"),
    (Create, "http-503", "503", "complete", true, "Content-Length: 0\r\n"),
    (Create, "http-504", "504", "complete", true, "Content-Length: 0\r\n"),
    (Create, "refused-with-url", "400", "complete", true, "/checkout/"),
    (Create, "byte-order-mark", "400", "complete", true, "\u{feff}{"),
    (Status, "wrong-amount", "200", "complete", true, r#""amount":"1.00""#),
    (Status, "wrong-order", "200", "complete", true, r#""orderId":"another-order""#),
    (Status, "unknown-status", "200", "complete", true, r#""transactionStatus":"OnHold""#),
    (Status, "refunded", "200", "complete", true, r#""refundStatus":"Refunded""#),
    (Status, "other-date", "200", "complete", true, r#""transactionDate":"20"#),
    (Status, "few-fields", "200", "complete", true, r#""transactionStatus":"Completed"}}"#),
    (Status, "not-found", "404", "complete", true, r#""responseCode":"404""#),
    (Status, "drop", "cut", "cut", true, ""),
    (Status, "html-502", "502", "complete", true, "<html>"),
    (Status, "rate-limit", "429", "complete", true, "Retry-After: 1\r\n"),
    (Status, "stall", "cut", "held", true, ""),
    (Status, "stall-mid-answer", "200", "held", true, ""),
    (Status, "malformed-json", "200", "complete", true, r#""data":{"#),
    (Status, "echo", "200", "complete", true, r#""transactionStatus":null"#),
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
fn check(sandbox: &Sandbox, text: &str, label: &str, status: &str, ended: &str) -> (Value, String) {
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
    (listed, received)
}

#[test]
fn each_fault_does_what_its_name_says() {
    let sandbox = start();
    for (step, name, status_line, ended, kept, part) in FAULTS {
        for way in ways(*step, name) {
            if way.is_empty() {
                let which = if *step == Create { "1" } else { "1-2" };
                add_rule(&sandbox, &format!("{}:{which}:{name}", step.name()));
            }
            let label = format!("{} {name} {way}", step.name());
            let order_id = label.replace(PREFIX, "");
            let product = format!("Two coffees {way}, please");
            let order = create(&order_id, json!({ "productInfo": product }));
            let text = match step {
                Create => order,
                _ => {
                    let url = ask(&sandbox, &order).json()["data"]["url"].take();
                    let page = url.as_str().expect("a checkout URL");
                    let path = page.replace(&sandbox.base_url(), "") + "/pay";
                    assert_eq!(ask(&sandbox, &plain("POST", &path, "")).status, 303);
                    status(&order_id)
                }
            };
            let (listed, received) = check(&sandbox, &text, &label, status_line, ended);
            assert!(received.contains(part), "{label}: {received}");
            assert!(*name != "too-large" || received.len() > 2 * 1024 * 1024);
            let fields = received.matches("\":").count();
            assert!(*name != "few-fields" || fields == 7, "{label}: {received}");
            let created = *step == Create && *kept;
            assert_eq!(
                (&listed["fault"], &listed["created"]),
                (&json!(name), &json!(created))
            );
            let read = *name != "stall-unread";
            let listed_step = if read { step.name() } else { "unread" };
            let read_id = if read { json!(order_id) } else { Value::Null };
            assert_eq!(
                (&listed["step"], &listed["orderId"]),
                (&json!(listed_step), &read_id)
            );
            // At the next query.
            let known = if *kept { "200" } else { "404" };
            let (status_line, ended, fault) = match step {
                Status if !label.ends_with("-once") => (*status_line, *ended, json!(name)),
                _ => (known, "complete", Value::Null),
            };
            let (listed, _) = check(&sandbox, &status(&order_id), &label, status_line, ended);
            assert_eq!(listed["fault"], fault, "{label}");
        }
    }
}

#[test]
fn each_return_fault_does_what_its_name_says() {
    for (name, given, came_back) in ON_THE_WAY_BACK {
        for way in ways(Return, name) {
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
            Return => ON_THE_WAY_BACK.iter().any(|row| row.0 == name),
            step => FAULTS.iter().any(|row| (row.0, row.1) == (step, name)),
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
