//! The record of requests, which the control address shows.

use serde_json::json;

use crate::wire::*;
use sandbox::{CREATE_ORDER, GET_STATUS};

#[test]
fn a_client_with_its_response_finds_its_request() {
    let sandbox = start();
    for number in 0..200 {
        assert_eq!(ask(&sandbox, &status("A-1")).status, 404);
        assert_eq!(requests(&sandbox, number).len(), 1);
    }
}

#[test]
fn the_record_has_the_last_ten_thousand_requests_and_64_kib_of_a_body() {
    let sandbox = start();
    let long = format!("{}üü", "x".repeat(64 * 1024 - 1));
    ask(
        &sandbox,
        &request("POST", CREATE_ORDER, CREATE_HEADERS, &long),
    );
    let first = requests(&sandbox, 0).remove(0);
    let stored = first["body"].as_str().expect("a text").len();
    assert_eq!(stored, 64 * 1024 - 1, "cut between two characters");

    let stream = connect(&sandbox);
    let text = plain("GET", GET_STATUS, "");
    for _ in 0..100 {
        send(&stream, &text.repeat(100));
        for _ in 0..100 {
            receive(&stream).expect("a response");
        }
    }
    let exchanges = sandbox.exchanges();
    let ends = [0, 9_999].map(|place: usize| &exchanges[place]["number"]);
    assert_eq!(
        (exchanges.len(), ends),
        (10_000, [&json!(2), &json!(10_001)])
    );
}

#[test]
fn the_record_has_about_64_mib_at_most() {
    let long = "x".repeat(64 * 1024);
    let query = json!({"searchType": "1", "orderId": "x".repeat(70_000)}).to_string();
    // A body is listed as it is, and its orderId once more.
    for (body, most) in [(long, 1_024), (query, 512)] {
        let sandbox = start();
        let stream = connect(&sandbox);
        for _ in 0..1_100 {
            send(&stream, &request("POST", GET_STATUS, STATUS_HEADERS, &body));
            receive(&stream).expect("a response");
        }
        let exchanges = sandbox.exchanges();
        let count = exchanges.len();
        assert!((most - most / 14..most).contains(&count), "{count}");
        assert_eq!(exchanges.last().expect("the last")["number"], 1_100);
    }
}

#[test]
fn only_who_has_the_credentials_adds_to_the_orders() {
    let sandbox = start();
    let wrong = create("A-1", json!({})).replace(sandbox::ACCESS_TOKEN, "wrong");
    assert_eq!(ask(&sandbox, &wrong).status, 401);
    assert_eq!(sandbox.orders(), []);
    let refused = create("A-1", json!({"amount": "0"}));
    assert_eq!(ask(&sandbox, &refused).status, 400);
    assert_eq!(sandbox.orders()[0].create_requests, 1);
}

#[test]
fn a_request_that_cannot_be_read_is_listed_and_uses_no_rule() {
    let sandbox = start();
    add_rule(&sandbox, "create:1:reject");
    let long = "x".repeat(256 * 1024 + 1);
    let chunked = create("A-1", json!({})).replace("Content-Length: ", "Transfer-Encoding: x");
    let long = request("POST", CREATE_ORDER, CREATE_HEADERS, &long);
    for (number, (text, status)) in [(long, 413), (chunked, 411)].into_iter().enumerate() {
        assert_eq!(ask(&sandbox, &text).status, status);
        let listed = requests(&sandbox, number as u64).remove(0);
        let told = (&listed["step"], &listed["response"]["status"]);
        assert_eq!(told, (&json!("create"), &json!(status)));
        assert_eq!(listed["fault"], json!(null));
    }
    ask(&sandbox, &create("A-1", json!({})));
    assert_eq!(requests(&sandbox, 2).remove(0)["fault"], "reject");
}

#[test]
fn a_client_that_gives_up_a_slow_response_is_noticed() {
    let sandbox = start();
    add_rule(&sandbox, "create:1:slow=600000");
    let stream = connect(&sandbox);
    send(&stream, &create("A-1", json!({})));
    wait_until(|| sandbox.orders().len() == 1);
    assert!(requests(&sandbox, 0).is_empty());
    drop(stream);
    wait_until(|| sandbox.exchanges().len() == 1);
    let exchange = sandbox.exchanges().remove(0);
    assert_eq!(exchange["created"], true);
    let none = json!({"status": null, "head": "", "headers": {}, "body": "", "ended": "cut"});
    assert_eq!(exchange["response"], none);
}

/// Received before the reset and answered after it, it is not a request of the next test.
#[test]
fn a_slow_request_does_not_come_after_a_reset() {
    let sandbox = start();
    add_rule(&sandbox, "create:1:slow=700");
    let slow = connect(&sandbox);
    send(&slow, &create("A-1", json!({})));
    wait_until(|| !sandbox.orders().is_empty());
    assert_eq!(
        ask(&sandbox, &plain("POST", "/sandbox/reset", "")).status,
        200
    );
    receive(&slow).expect("the slow response");
    assert!(requests(&sandbox, 0).is_empty());
}
