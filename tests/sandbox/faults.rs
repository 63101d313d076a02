//! Each fault has the effect that the table describes, through its markers and through a rule.

use std::time::Duration;

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::faults::{Kind, PREFIX, Step, TABLE};
use sandbox::{self, Sandbox};
use support::table;

type Sent = Result<Response, ureq::Error>;

/// Sends a request about an order with a fault. If no response is expected, it waits only briefly.
fn ask(sandbox: &Sandbox, path: &str, headers: &[(&str, &str)], body: &str, fault: &str) -> Sent {
    let patience = Duration::from_millis(if fault.contains("stall") { 300 } else { 30_000 });
    let earlier = sandbox.exchanges().len();
    let response = send_within(patience, sandbox, "POST", path, headers, body);
    wait_until(|| sandbox.exchanges().len() > earlier);
    response
}

/// The ways to ask for a fault: its markers, with their prefix, and as `None` a rule.
fn ways(step: Step, name: &str) -> Vec<Option<String>> {
    let fault = TABLE
        .iter()
        .find(|fault| fault.step() == step && fault.name == name)
        .unwrap_or_else(|| panic!("{name} is not in the table"));
    let markers = fault.markers.iter().map(|m| Some(format!("{PREFIX}{m}")));
    markers.chain([None]).collect()
}

/// What a client sees: the HTTP status and the responseCode or another body, or how the connection
/// ended.
fn seen(response: &Sent) -> String {
    match response {
        Ok(response) => match serde_json::from_str::<Value>(&response.body) {
            Ok(body) => format!(
                "{} {}",
                response.status,
                body["responseCode"].as_str().unwrap_or("no code")
            ),
            Err(_) => format!("{} no JSON", response.status),
        },
        Err(ureq::Error::Timeout(_)) => "nothing".to_owned(),
        Err(_) => "cut".to_owned(),
    }
}

fn faulty(order_id: &str, marker: Option<&str>) -> String {
    let marker = marker.unwrap_or_default();
    order(
        order_id,
        json!({"productInfo": format!("Two coffees {marker}, please")}),
    )
}

/// What the client sees, and whether the order is kept.
const AT_CREATE_ORDER: &[(&str, &str, bool)] = &[
    ("drop-before", "cut", false),
    ("drop-after-commit", "cut", true),
    ("drop-mid-answer", "cut", true),
    ("stall-unread", "nothing", false),
    ("stall-before", "nothing", false),
    ("stall", "nothing", true),
    ("stall-mid-answer", "nothing", true),
    ("html-502", "502 no JSON", true),
    ("service-error", "200 500", true),
    ("malformed-json", "200 no JSON", true),
    ("no-url", "200 200", true),
    ("bad-url", "200 200", true),
    ("redirect", "307 no JSON", true),
    ("too-large", "200 200", true),
    ("reject", "200 400", false),
    ("rate-limit", "429 429", false),
    ("firewall-page", "403 no JSON", true),
    ("http-408", "408 no JSON", true),
    ("http-499", "499 no JSON", true),
    ("http-500", "500 no JSON", true),
    ("http-503", "503 no JSON", true),
    ("http-504", "504 no JSON", true),
    ("refused-with-url", "400 400", true),
    ("byte-order-mark", "400 no JSON", true),
];

#[test]
fn each_create_order_fault_does_what_its_name_says() {
    let sandbox = start();
    for (name, expected, kept) in AT_CREATE_ORDER {
        for way in ways(Step::Create, name) {
            if way.is_none() {
                add_rule(&sandbox, &format!("create:1:{name}"));
            }
            let label = way.clone().unwrap_or_else(|| format!("rule {name}"));
            let order_id = format!("A {label}").replace(PREFIX, "");
            let body = faulty(&order_id, way.as_deref());
            let response = ask(&sandbox, sandbox::CREATE_ORDER, CREATE_HEADERS, &body, name);
            assert_eq!(seen(&response), *expected, "{label}");
            let known =
                try_status(&sandbox, by_order(&order_id)).expect("a response to Get Status");
            assert_eq!(known.status, if *kept { 200 } else { 404 }, "{label}");
            let exchange = &sandbox.exchanges()[sandbox.exchanges().len() - 2];
            assert_eq!(exchange.fault.as_deref(), Some(*name), "{label}");
            assert_eq!(exchange.created, *kept, "{label}");
            let record = sandbox
                .orders()
                .into_iter()
                .find(|record| record.order_id == order_id);
            let told = record.map(|record| (record.create_requests, record.state.is_some()));
            let read = (*name != "stall-unread").then_some((1, *kept));
            assert_eq!(told, read, "{label}");
            if let Ok(response) = response {
                check_content(&sandbox, name, &response);
            }
        }
    }
}

fn check_content(sandbox: &Sandbox, name: &str, response: &Response) {
    match name {
        "html-502" => assert!(response.body.starts_with("<html>"), "{}", response.body),
        "no-url" => assert_eq!(response.json()["data"], json!({})),
        "bad-url" => assert_eq!(response.json()["data"]["url"], "javascript:alert(1)"),
        "too-large" => assert!(response.body.len() > 2 * 1024 * 1024),
        "rate-limit" => assert_eq!(response.header("Retry-After"), Some("1")),
        "refused-with-url" => {
            assert!(response.json()["data"]["url"].is_string());
        }
        "byte-order-mark" => assert!(response.body.starts_with('\u{feff}')),
        "redirect" => {
            let location = format!("{}{}", sandbox.base_url(), sandbox::CREATE_ORDER);
            assert_eq!(response.header("Location"), Some(location.as_str()));
        }
        _ => {}
    }
}

/// What the client sees, and a field of the response with its value.
const AT_GET_STATUS: &[(&str, &str, &str, &str)] = &[
    ("wrong-amount", "200 200", "amount", "1.00"),
    ("wrong-order", "200 200", "orderId", "another-order"),
    ("unknown-status", "200 200", "transactionStatus", "OnHold"),
    ("refunded", "200 200", "refundStatus", "Refunded"),
    ("other-date", "200 200", "transactionStatus", "Completed"),
    ("few-fields", "200 200", "amount", "249.50"),
    ("not-found", "404 404", "", ""),
    ("drop", "cut", "", ""),
    ("html-502", "502 no JSON", "", ""),
    ("rate-limit", "429 429", "", ""),
    ("stall", "nothing", "", ""),
    ("stall-mid-answer", "nothing", "", ""),
    ("malformed-json", "200 no JSON", "", ""),
    ("echo", "200 200", "transactionStatus", "null"),
];

#[test]
fn each_get_status_fault_does_what_its_name_says() {
    let sandbox = start();
    for (name, expected, field, value) in AT_GET_STATUS {
        for way in ways(Step::Status, name) {
            let label = way.clone().unwrap_or_else(|| format!("rule {name}"));
            let order_id = format!("A {label}").replace(PREFIX, "");
            let path = checkout_path(&sandbox, &faulty(&order_id, way.as_deref()));
            let location = press(&sandbox, &path, "pay");
            if way.is_none() {
                add_rule(&sandbox, &format!("status:1-2:{name}"));
            }
            let once = label.ends_with("-once");
            let second = if once { "200 200" } else { expected };
            for (query, expected) in [
                (by_order(&order_id), *expected),
                (by_transaction(txn(&location)), second),
            ] {
                let body = query.to_string();
                let response = ask(&sandbox, sandbox::GET_STATUS, STATUS_HEADERS, &body, name);
                assert_eq!(seen(&response), expected, "{label}");
                let exchange = sandbox.exchanges().pop().expect("an exchange");
                let fault = (!once || expected != "200 200").then_some(*name);
                assert_eq!(exchange.fault.as_deref(), fault, "{label}");
                if !field.is_empty() {
                    let data = response.expect("a response").json()["data"].clone();
                    let said = data[field].as_str().unwrap_or("null");
                    assert_eq!(said, *value, "{label}");
                    if *name != "echo" {
                        check_fields(name, &data);
                    }
                }
            }
        }
    }
}

fn check_fields(name: &str, data: &Value) {
    for always in ["orderId", "transactionId", "amount", "transactionStatus"] {
        assert!(data[always].is_string(), "{name}: {data}");
    }
    let date = data["transactionDate"].as_str().unwrap_or_default();
    assert_eq!(
        date.contains('/'),
        !["other-date", "few-fields"].contains(&name),
        "{name}"
    );
    let fields = if name == "few-fields" { 4 } else { 15 };
    assert_eq!(data.as_object().expect("an object").len(), fields, "{name}");
}

#[test]
fn the_wrong_amount_fault_reports_two_for_an_order_of_one() {
    let sandbox = start();
    let one = json!({"amount": "1", "productInfo": "sandbox:wrong-amount"});
    checkout_path(&sandbox, &order("A-1", one));
    assert_eq!(status(&sandbox, by_order("A-1"))["amount"], "2.00");
}

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

#[test]
fn each_return_fault_does_what_its_name_says() {
    for (name, given, came_back) in ON_THE_WAY_BACK {
        for way in ways(Step::Return, name) {
            let sandbox = start();
            if way.is_none() {
                add_rule(&sandbox, &format!("return:1:{name}"));
            }
            let body = order(
                "A-1",
                json!({"productInfo": way.as_deref().unwrap_or("Tea"), "redirectionURL": given}),
            );
            let path = checkout_path(&sandbox, &body);
            assert_eq!(press(&sandbox, &path, "pay"), *came_back);
        }
    }
}

#[test]
fn one_fault_for_each_step_can_be_combined() {
    let sandbox = start();
    let product_info =
        "sandbox:drop-after-commit sandbox:not-found-once sandbox:return-without-txn";
    let body = order("A-1", json!({"productInfo": product_info}));
    assert!(try_create(&sandbox, &body).is_err());
    let asked = || {
        try_status(&sandbox, by_order("A-1"))
            .expect("a response")
            .status
    };
    assert_eq!([asked(), asked()], [404, 200]);
    assert_eq!(
        press(&sandbox, "/checkout/1", "pay"),
        "https://shop.example/thanks"
    );
}

#[test]
fn an_unknown_marker_is_refused() {
    let sandbox = start();
    for (product_info, named) in table! {
        "sandbox:drop-afterwards", "sandbox:drop-afterwards is not a fault";
        "sandbox:", "sandbox: is not a fault";
        "sandbox:stall sandbox:no-url", "sandbox:no-url comes on top";
    } {
        let response = create(
            &sandbox,
            &order("A-1", json!({"productInfo": product_info})),
        );
        assert_eq!(response.status, 400);
        assert!(response.body.contains(named), "{}", response.body);
    }
}

#[test]
fn every_fault_is_tested_and_documented_in_the_same_words() {
    // Spaces align the columns of its tables.
    let readme = include_str!("../../examples/sandbox/README.md");
    let words: Vec<&str> = readme.split_whitespace().collect();
    let readme = words.join(" ");
    for fault in TABLE {
        let name = fault.name;
        let tried = match fault.kind {
            Kind::Create(_) => AT_CREATE_ORDER.iter().any(|(tried, ..)| *tried == name),
            Kind::Status(_) => AT_GET_STATUS.iter().any(|(tried, ..)| *tried == name),
            Kind::Return(_) => ON_THE_WAY_BACK.iter().any(|(tried, ..)| *tried == name),
            // In rules.rs.
            Kind::Slow(_) | Kind::Field => true,
        };
        assert!(tried, "{name}");
        let markers = match fault.markers {
            [] => "none".to_owned(),
            markers => markers
                .iter()
                .map(|marker| format!("`{PREFIX}{marker}`"))
                .collect::<Vec<_>>()
                .join(", "),
        };
        let row = format!("| `{name}` | {markers} | {} |", fault.effect);
        assert!(readme.contains(&row), "{row}");
    }
    let markers: usize = TABLE.iter().map(|fault| fault.markers.len()).sum();
    let tables = readme.matches("| `sandbox:").count() + readme.matches(", `sandbox:").count();
    assert_eq!(tables, markers);
}
