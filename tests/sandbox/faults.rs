//! Each marker has the effect that the table describes.

use std::time::Duration;

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::faults::{Fault, TABLE};
use sandbox::{self, Sandbox};

type Sent = Result<Response, ureq::Error>;

/// Sends a request about an order with a fault. If no response is expected, it waits only briefly.
fn ask(sandbox: &Sandbox, path: &str, headers: &[(&str, &str)], body: &str, marker: &str) -> Sent {
    let patience = Duration::from_millis(if marker.contains("stall") {
        300
    } else {
        30_000
    });
    let earlier = sandbox.exchanges().len();
    let response = send_within(patience, sandbox, "POST", path, headers, body);
    wait_until(|| sandbox.exchanges().len() > earlier);
    response
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

fn faulty(order_id: &str, marker: &str) -> String {
    order(
        order_id,
        json!({"productInfo": format!("Two coffees {marker}, please")}),
    )
}

const AT_CREATE_ORDER: &[(&str, &str, bool)] = &[
    ("sandbox:drop-before", "cut", false),
    ("sandbox:drop-after-commit", "cut", true),
    ("sandbox:drop-mid-answer", "cut", true),
    ("sandbox:stall-before", "nothing", false),
    ("sandbox:stall", "nothing", true),
    ("sandbox:html-502", "502 no JSON", true),
    ("sandbox:service-error", "200 500", true),
    ("sandbox:malformed-json", "200 no JSON", true),
    ("sandbox:no-url", "200 200", true),
    ("sandbox:bad-url", "200 200", true),
    ("sandbox:redirect", "307 no JSON", true),
    ("sandbox:too-large", "200 200", true),
    ("sandbox:reject", "200 400", false),
    ("sandbox:rate-limit", "429 429", false),
];

#[test]
fn each_create_order_fault_does_what_its_name_says() {
    let sandbox = start();
    for (number, (marker, expected, kept)) in AT_CREATE_ORDER.iter().enumerate() {
        let order_id = format!("A-{number:02}");
        let body = faulty(&order_id, marker);
        let response = ask(
            &sandbox,
            sandbox::CREATE_ORDER,
            CREATE_HEADERS,
            &body,
            marker,
        );
        assert_eq!(seen(&response), *expected, "{marker}");
        let known = try_status(&sandbox, by_order(&order_id)).expect("a response to Get Status");
        assert_eq!(known.status, if *kept { 200 } else { 404 }, "{marker}");
        let record = sandbox
            .orders()
            .into_iter()
            .find(|record| record.order_id == order_id)
            .expect("a record");
        assert_eq!(
            (record.create_requests, record.state.is_some()),
            (1, *kept),
            "{marker}"
        );

        let Ok(response) = response else { continue };
        match *marker {
            "sandbox:html-502" => assert!(response.body.starts_with("<html>"), "{}", response.body),
            "sandbox:no-url" => assert_eq!(response.json()["data"], json!({})),
            "sandbox:bad-url" => assert_eq!(response.json()["data"]["url"], "javascript:alert(1)"),
            "sandbox:too-large" => assert!(response.body.len() > 2 * 1024 * 1024),
            "sandbox:rate-limit" => assert_eq!(response.header("Retry-After"), Some("1")),
            "sandbox:redirect" => {
                let location = format!("{}{}", sandbox.base_url(), sandbox::CREATE_ORDER);
                assert_eq!(response.header("Location"), Some(location.as_str()));
            }
            _ => {}
        }
    }
}

/// What the first and the second query see, and a field of both responses with its value.
const AT_GET_STATUS: &[[&str; 5]] = &[
    [
        "sandbox:wrong-amount",
        "200 200",
        "200 200",
        "amount",
        "1.00",
    ],
    [
        "sandbox:wrong-order",
        "200 200",
        "200 200",
        "orderId",
        "another-order",
    ],
    [
        "sandbox:unknown-status",
        "200 200",
        "200 200",
        "transactionStatus",
        "OnHold",
    ],
    [
        "sandbox:refunded",
        "200 200",
        "200 200",
        "refundStatus",
        "Refunded",
    ],
    [
        "sandbox:other-date",
        "200 200",
        "200 200",
        "transactionStatus",
        "Completed",
    ],
    [
        "sandbox:few-fields",
        "200 200",
        "200 200",
        "amount",
        "249.50",
    ],
    ["sandbox:not-found-once", "404 404", "200 200", "", ""],
    ["sandbox:status-drop-once", "cut", "200 200", "", ""],
    [
        "sandbox:status-html-502-once",
        "502 no JSON",
        "200 200",
        "",
        "",
    ],
    [
        "sandbox:status-rate-limit-once",
        "429 429",
        "200 200",
        "",
        "",
    ],
    ["sandbox:status-drop", "cut", "cut", "", ""],
    ["sandbox:status-stall", "nothing", "nothing", "", ""],
    [
        "sandbox:status-malformed-json",
        "200 no JSON",
        "200 no JSON",
        "",
        "",
    ],
];

#[test]
fn each_get_status_fault_does_what_its_name_says() {
    let sandbox = start();
    for (number, [marker, first, second, field, value]) in AT_GET_STATUS.iter().enumerate() {
        let order_id = format!("A-{number:02}");
        let path = checkout_path(&sandbox, &faulty(&order_id, marker));
        let location = press(&sandbox, &path, "pay");
        let mut responses = Vec::new();
        for query in [by_order(&order_id), by_transaction(txn(&location))] {
            let body = query.to_string();
            let response = ask(&sandbox, sandbox::GET_STATUS, STATUS_HEADERS, &body, marker);
            responses.push(response);
        }
        assert_eq!(
            [seen(&responses[0]), seen(&responses[1])],
            [first, second].map(|s| s.to_string()),
            "{marker}"
        );
        if field.is_empty() {
            continue;
        }
        for response in responses {
            let data = response.expect("a response").json()["data"].clone();
            assert_eq!(data[field], *value, "{marker}");
            for always in ["orderId", "transactionId", "amount", "transactionStatus"] {
                assert!(data[always].is_string(), "{marker}: {data}");
            }
            let date = data["transactionDate"].as_str().unwrap_or_default();
            assert_eq!(
                date.contains('/'),
                !["sandbox:other-date", "sandbox:few-fields"].contains(marker),
                "{marker}"
            );
            let fields = if *marker == "sandbox:few-fields" {
                4
            } else {
                15
            };
            assert_eq!(
                data.as_object().expect("an object").len(),
                fields,
                "{marker}"
            );
        }
    }
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
        "sandbox:return-second-question-mark",
        "https://shop.example/r?a=b",
        "https://shop.example/r?a=b?txn=TXN0000001",
    ),
    (
        "sandbox:return-without-txn",
        "https://shop.example/r?a=b#c",
        "https://shop.example/r?a=b#c",
    ),
];

#[test]
fn each_return_fault_does_what_its_name_says() {
    for (marker, given, came_back) in ON_THE_WAY_BACK {
        let sandbox = start();
        let body = order(
            "A-1",
            json!({"productInfo": marker, "redirectionURL": given}),
        );
        let path = checkout_path(&sandbox, &body);
        assert_eq!(press(&sandbox, &path, "pay"), *came_back);
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
    for (product_info, named) in [
        (
            "sandbox:drop-afterwards",
            "sandbox:drop-afterwards is not a fault",
        ),
        ("sandbox:", "sandbox: is not a fault"),
        (
            "sandbox:stall sandbox:no-url",
            "sandbox:no-url comes on top",
        ),
    ] {
        let response = create(
            &sandbox,
            &order("A-1", json!({"productInfo": product_info})),
        );
        assert_eq!(response.status, 400);
        assert!(response.body.contains(named), "{}", response.body);
    }
}

#[test]
fn every_marker_is_tested_and_documented_in_the_same_words() {
    // Spaces align the columns of its tables.
    let readme = include_str!("../../examples/sandbox/README.md");
    let words: Vec<&str> = readme.split_whitespace().collect();
    let readme = words.join(" ");
    for (marker, fault, effect) in TABLE {
        let tried = match fault {
            Fault::Create(_) => AT_CREATE_ORDER.iter().any(|(tried, ..)| tried == marker),
            Fault::Status(_) => AT_GET_STATUS.iter().any(|[tried, ..]| tried == marker),
            Fault::Return(_) => ON_THE_WAY_BACK.iter().any(|(tried, ..)| tried == marker),
        };
        assert!(tried, "{marker}");
        assert!(
            readme.contains(&format!("| `{marker}` | {effect} |")),
            "{marker}"
        );
    }
    assert_eq!(readme.matches("| `sandbox:").count(), TABLE.len());
}
