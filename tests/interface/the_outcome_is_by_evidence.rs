//! The outcome depends on what left this machine. *Not sent* means that the service received no
//! byte of the order, and no order is delivered twice.

mod connecting;
mod faults;
mod kept_connections;

use faults::faults;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::abi::{Client, Reply};
use support::orders::{config, order, with};
use support::responses::{created, created_body};
use support::rows::Rows;
use support::service::{Reaction, Service};
use support::tls::{Authority, Folder, serving};

const CONNECT_FAILED: i32 = 6;
const TLS_FAILED: i32 = 7;
const TIMEOUT: i32 = 200;
const CONNECTION_LOST: i32 = 201;
const BAD_RESPONSE: i32 = 202;

/// Many retries and short timeouts: the worst case for delivering twice.
fn eager(base_url: &str) -> Value {
    let config = with(&config(base_url), "createRetries", 3);
    with(&config, "timeoutMs", 2000)
}

fn is_not_sent(reply: &Reply) -> bool {
    (1..100).contains(&reply.code) && reply.error()["outcome"] == "not_sent"
}

fn is_unknown(reply: &Reply) -> bool {
    (200..300).contains(&reply.code) && reply.error()["outcome"] == "unknown"
}

/// Checks the result of a fault against what the service received.
fn check_outcome(
    rows: &mut Rows,
    row: &str,
    service: &Service,
    client: &Client,
    codes: &[i32],
) -> Reply {
    let reply = client.create(&order());
    rows.that(row, codes.contains(&reply.code), || {
        format!("expected one of {codes:?}, got {}", reply.text())
    });
    let honest = !is_not_sent(&reply) || service.bytes() == 0;
    rows.that(row, honest, || {
        format!(
            "{} bytes were received, but {}",
            service.bytes(),
            reply.text()
        )
    });
    let once = service.request_count() <= 1;
    rows.that(row, once, || {
        format!("delivered {} times", service.request_count())
    });
    if is_unknown(&reply) {
        let asks = json!({"searchType": "1", "orderId": "ORDER-1001"});
        rows.same(row, &reply.error()["statusQuery"], &asks);
    }
    reply
}

/// A fault after connecting: the order is not sent a second time.
fn check_fault(rows: &mut Rows, row: &str, service: &Service, client: &Client, codes: &[i32]) {
    let reply = check_outcome(rows, row, service, client, codes);
    let attempts = &reply.error()["attempts"];
    rows.same(&format!("{row}, attempts"), attempts, &json!(1));
}

#[test]
fn every_fault_after_connecting_has_the_outcome_that_the_service_saw() {
    let mut rows = Rows::new();
    for (row, reaction, codes) in faults() {
        let service = Service::start([reaction]);
        let client = Client::new(&eager(&service.url()));
        check_fault(&mut rows, row, &service, &client, codes);
    }
    rows.end();
}

#[test]
fn every_fault_under_tls_has_the_outcome_that_the_service_saw() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    for (row, reaction, codes) in faults() {
        let service = Service::start_tls(serving(authority.identity_for("localhost")), [reaction]);
        let client = Client::new(&with(
            &eager(&service.url()),
            "tls",
            json!({"caFile": ca_file}),
        ));
        check_fault(&mut rows, row, &service, &client, codes);
    }
    rows.end();
}

#[test]
fn a_connection_that_ends_before_the_request_is_read_is_never_a_success() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    let any = &[CONNECT_FAILED, TLS_FAILED, CONNECTION_LOST, TIMEOUT];
    for (row, reaction) in [
        ("closed unread", Reaction::CloseUnread),
        ("reset unread", Reaction::ResetUnread),
        ("never read", Reaction::StallUnread),
    ] {
        for _ in 0..5 {
            let service = Service::start([reaction.clone()]);
            let client = Client::new(&with(&eager(&service.url()), "timeoutMs", 500));
            check_outcome(&mut rows, row, &service, &client, any);
            let service = Service::start_tls(
                serving(authority.identity_for("localhost")),
                [reaction.clone()],
            );
            let secure = with(&eager(&service.url()), "tls", json!({"caFile": ca_file}));
            let client = Client::new(&with(&secure, "timeoutMs", 500));
            check_outcome(&mut rows, &format!("{row}, TLS"), &service, &client, any);
        }
    }
    rows.end();
}

#[test]
fn one_byte_a_second_does_not_outlast_the_deadline() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let drip = [Reaction::Drip(created(), Duration::from_millis(300))];
    let plain = Service::start(drip.clone());
    let secure = Service::start_tls(serving(authority.identity_for("localhost")), drip);
    for service in [&plain, &secure] {
        let slow = with(&config(&service.url()), "tls", json!({"caFile": ca_file}));
        let began = Instant::now();
        let reply = Client::new(&with(&slow, "timeoutMs", 1200)).create(&order());
        assert_eq!(reply.code, TIMEOUT, "{}", reply.text());
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "{:?}",
            began.elapsed()
        );
        assert!(
            began.elapsed() >= Duration::from_millis(1200),
            "{:?}",
            began.elapsed()
        );
    }
}

#[test]
fn a_large_request_that_is_not_read_is_unknown() {
    let service = Service::start([Reaction::StallUnread]);
    let client = Client::new(&with(&eager(&service.url()), "timeoutMs", 4000));
    let extra: serde_json::Map<String, Value> = (0..4)
        .map(|number| (format!("x{number}"), json!("\u{1}".repeat(9_000))))
        .collect();
    let large = with(&order(), "productInfo", "\u{1}".repeat(40_000));
    let reply = client.create_with(&large, &json!({"extraFields": extra}));
    assert_eq!(reply.code, TIMEOUT, "{}", reply.text());
}

#[test]
fn a_success_without_its_last_byte_is_not_a_success() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let body = created_body().to_string();
    let to_the_end = format!("HTTP/1.1 200 OK\r\n\r\n{}", &body[..body.len() - 1]).into_bytes();
    let mut rows = Rows::new();
    for (row, reaction) in [
        ("closed", Reaction::RespondThenClose(to_the_end.clone())),
        (
            "cut without close_notify",
            Reaction::RespondThenCut(to_the_end.clone()),
        ),
        ("reset", Reaction::RespondThenReset(to_the_end)),
    ] {
        let service = Service::start_tls(serving(authority.identity_for("localhost")), [reaction]);
        let client = Client::new(&with(
            &eager(&service.url()),
            "tls",
            json!({"caFile": ca_file}),
        ));
        check_outcome(
            &mut rows,
            row,
            &service,
            &client,
            &[CONNECTION_LOST, BAD_RESPONSE],
        );
    }
    rows.end();
}

#[test]
fn a_complete_response_counts_however_the_connection_ends() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    for (row, reaction) in [
        ("closed", Reaction::RespondThenClose(created())),
        ("cut", Reaction::RespondThenCut(created())),
        ("reset", Reaction::RespondThenReset(created())),
    ] {
        let plain = Service::start([reaction.clone()]);
        let secure = Service::start_tls(serving(authority.identity_for("localhost")), [reaction]);
        for service in [&plain, &secure] {
            let client = Client::new(&with(
                &eager(&service.url()),
                "tls",
                json!({"caFile": ca_file}),
            ));
            rows.same(row, client.create(&order()).code, 0);
        }
    }
    rows.end();
}
