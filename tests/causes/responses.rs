//! Causes that depend on the response, and on missing responses.

use std::time::Duration;

use serde_json::{Value, json};

use crate::case::Case;
use support::abi::{Client, Reply, cancel};
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed, created, http, http_with};
use support::service::{Script, Service, close, reset, respond, respond_then_close, stall};
use support::table;

type Operation = fn(&Client) -> Reply;

const CREATE: Operation = |client| client.create(&order());
const STATUS: Operation = |client| client.status(&query());

fn case(
    cause: &'static str,
    result: i32,
    reaction: Script,
    key: &'static str,
    value: Value,
    operation: Operation,
) -> Case {
    Case::new(cause, result, "a response", move || {
        let service = Service::start([reaction.clone()]);
        let client = Client::new(&with(&config(&service.url()), key, value.clone()));
        operation(&client)
    })
}

pub fn cases() -> Vec<Case> {
    let body = |status, body: &str| respond(http(status, body));
    let success = |url: &str| {
        let body = json!({"responseCode": "200", "data": {"url": url}});
        respond(http(200, &body.to_string()))
    };
    let half = created()[..created().len() - 5].to_vec();
    let mut cases = Vec::new();
    for (cause, result, reaction) in table! {
        "response_timed_out", 200, stall();
        "connection_reset", 201, reset();
        "connection_closed", 201, close();
        "connection_closed", 201, respond_then_close(half);
        "response_not_http", 202, respond(b"SSH-2.0-x\r\n\r\n".to_vec());
        "response_not_json", 202, body(200, "<html>");
        "response_too_large", 202, body(200, &format!("\"{}\"", "x".repeat(2000)));
        "response_code_missing", 202, body(200, "{}");
        "refusal_unclear", 202, body(400, r#"{"responseCode":"200"}"#);
        "redirected", 202, respond(http_with(302, &[("Location", "http://127.0.0.1:9/")], ""));
        "service_error", 203, body(503, "");
        "service_error", 203, body(200, r#"{"responseCode":"500"}"#);
        "service_refused", 100, body(400, "{}");
        "service_refused", 100, body(200, r#"{"responseCode":"404"}"#);
        "unauthorized", 101, body(401, "");
        "unauthorized", 101, body(200, r#"{"responseCode":"403"}"#);
        "rate_limited", 102, body(429, "");
        "rate_limited", 102, body(200, r#"{"responseCode":"429"}"#);
    } {
        let (key, value) = match cause {
            "response_timed_out" => ("timeoutMs", json!(300)),
            _ => ("maxResponseBytes", json!(1024)),
        };
        for operation in [CREATE, STATUS] {
            let reaction = reaction.clone();
            cases.push(case(cause, result, reaction, key, value.clone(), operation));
        }
    }
    for (cause, reaction) in table! {
        "refusal_unclear", body(403, "<html>");
        "refusal_unclear",
            body(200, r#"{"responseCode":"400","data":{"url":"https://pay.example.com/"}}"#);
        "checkout_url_missing", body(200, r#"{"responseCode":"200"}"#);
        "checkout_url_missing", body(200, r#"{"responseCode":"200","data":{}}"#);
        "checkout_url_missing", body(200, r#"{"responseCode":"200","data":{"url":null}}"#);
        "checkout_url_missing", success("");
        "checkout_url_unusable", success(" ");
        "checkout_url_unusable", success("http://pay.example.com/");
        "checkout_url_unusable", success("/checkout");
        "checkout_host_not_allowed", success("https://other.example.com/");
    } {
        let hosts = json!(["pay.example.com"]);
        cases.push(case(cause, 202, reaction, "checkoutHosts", hosts, CREATE));
    }
    let another = respond(completed("ANOTHER"));
    let any = ("timeoutMs", json!(20_000));
    cases.push(case("another_order", 202, another, any.0, any.1, STATUS));
    cases.extend(cancelled());
    cases
}

/// Cancelled before and after the request was sent.
fn cancelled() -> Vec<Case> {
    [CREATE, STATUS]
        .into_iter()
        .flat_map(|operation| {
            let before = Case::new("cancelled", 8, "before it was sent", move || {
                let service = Service::start([stall()]);
                let client = Client::new(&config(&service.url()));
                let key = client.key();
                Log::reacting(&client, move |event| {
                    if event["event"] == "attempt_started" {
                        assert_eq!(cancel(key), 0);
                    }
                });
                operation(&client)
            });
            let after = Case::new("cancelled", 204, "after it was sent", move || {
                let service = Service::start([stall()]);
                let client = Client::new(&config(&service.url()));
                std::thread::scope(|scope| {
                    let call = scope.spawn(|| operation(&client));
                    service.wait_for_requests(1);
                    std::thread::sleep(Duration::from_millis(20));
                    client.cancel();
                    call.join().unwrap()
                })
            });
            [before, after]
        })
        .collect()
}
