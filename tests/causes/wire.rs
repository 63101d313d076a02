//! What goes wrong on the wire: name lookups, connects, proxies, handshakes and responses.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use crate::case::Case;
use crate::names;
use Step::*;
use serde_json::json;
use support::abi::{Client, Reply, cancel};
use support::certificates::Certificates;
use support::log::Log;
use support::orders::{config, order, query};
use support::responses::{completed, created, http, http_with};
use support::row::{CONNECT_FAILED, CONNECTION_LOST, Place, Row, TLS_FAILED};
use support::service::{BOTH, PROXIES, Service, Step, TlsSetup, Way, respond, stall};
use support::table;
use support::trial::Trial;

pub type Operation = fn(&Client) -> Reply;

pub const OPERATIONS: [Operation; 2] = [
    |client| client.create(&order()),
    |client| client.status(&query()),
];

const PLAIN: &[Way] = &[Way::Plain];
const TLS: &[Way] = &[Way::Handshake];

/// A case for each way and each operation of a wire fault.
fn wire_fault(cause: &'static str, result: i32, row: Row) -> Vec<Case> {
    use support::trial::Operation;
    static CERTIFICATES: LazyLock<Arc<Certificates>> =
        LazyLock::new(|| Arc::new(Certificates::new()));
    let mut cases = Vec::new();
    for way in row.ways {
        let operations = [Operation::CreateOrder, Operation::GetStatus];
        for operation in &operations[..if row.create_only { 1 } else { 2 }] {
            let (row, operation) = (row.clone(), *operation);
            let what = format!("{}, {way:?}, {operation:?}", row.name);
            cases.push(Case::new(cause, result, what, move || {
                let trial = Trial::of(&row, *way, operation, &CERTIFICATES, 1);
                trial.calls[0].reply.clone()
            }));
        }
    }
    cases
}

/// A service that runs this script on each connection.
fn scripted(ways: &'static [Way], script: impl Into<Vec<Step>>) -> Row {
    Row::new("a script", ways, script, &[]).with("createRetries", 0)
}

/// Some of these calls wait until their time to connect is over.
fn place(place: Place, ways: &'static [Way]) -> Row {
    let row = Row::new("a place", ways, [], &[]).at(place);
    row.attempt_of(400).within(20_000)
}

/// A service that presents a certificate.
fn presenting(setup: TlsSetup) -> Row {
    scripted(TLS, [Handshake(setup), Request, Send(created())])
}

/// The service sends a TLS alert as plain bytes.
fn alert(description: u8) -> Row {
    let alert = vec![21, 3, 3, 0, 2, 2, description];
    scripted(TLS, [WaitForData, Send(alert), Close])
}

/// A response of this status and body.
fn answer(status: u16, body: &str) -> Row {
    scripted(PLAIN, [Request, Send(http(status, body)), Close]).with("maxResponseBytes", 1024)
}

/// A success with this `data`, for Create Order alone.
fn success(data: &str) -> Row {
    let body = format!(r#"{{"responseCode":"200","data":{data}}}"#);
    let row = answer(200, &body).with("checkoutHosts", json!(["pay.example.com"]));
    row.create_only(true)
}

fn rows() -> Vec<(&'static str, i32, Row)> {
    let tunnel = |status| scripted(PROXIES, [Connect, Send(http(status, "")), Close]);
    let early = [&b"HTTP/1.1 200 OK\r\n\r\n"[..], &created()].concat();
    let noise = [&[23, 3, 3, 0, 64][..], &[7; 64]].concat();
    let broken_later = [Handshake(TlsSetup::Good), Request, SendRaw(noise)];
    let elsewhere = http_with(302, &[("Location", "http://127.0.0.1:9/")], "");
    let silent = Row::new("silence", TLS, [], &[]).attempt_of(300);
    let rows = table! {
        "name_not_found", CONNECT_FAILED, place(Place::Named(names::UNKNOWN), BOTH);
        "name_lookup_failed", CONNECT_FAILED, place(Place::Named(names::NO_NAME_SERVER), BOTH);
        "name_lookup_timed_out", CONNECT_FAILED, place(Place::Named(names::SLOW), BOTH);
        "no_descriptors", CONNECT_FAILED, place(Place::Named(names::NO_DESCRIPTORS), BOTH);
        "no_resources", CONNECT_FAILED, place(Place::Named(names::NO_MEMORY), BOTH);
        "connection_refused", CONNECT_FAILED, place(Place::Nobody, BOTH);
        "connect_timed_out", CONNECT_FAILED, place(Place::FullQueue, BOTH);
        // The system cannot reach this address.
        "network_unreachable", CONNECT_FAILED, place(Place::Host("255.255.255.255:9"), BOTH);
        "proxy_unreachable", CONNECT_FAILED, place(Place::Nobody, PROXIES);
        "proxy_refused", CONNECT_FAILED, tunnel(403);
        "proxy_needs_credentials", CONNECT_FAILED, tunnel(407);
        "connection_reset", CONNECT_FAILED, scripted(&[Way::Proxy], [Connect, Reset]);
        "connection_closed", CONNECT_FAILED, scripted(PROXIES, [Connect, Close]);
        "answer_before_request", CONNECT_FAILED,
            scripted(PROXIES, [Connect, Send(early), Wait(500)]);
        "handshake_failed", TLS_FAILED, alert(40);
        "handshake_failed", CONNECTION_LOST, scripted(TLS, broken_later);
        "tls_version_unsupported", TLS_FAILED, alert(70);
        "handshake_timed_out", TLS_FAILED, silent.within(20_000);
        "certificate_unknown_issuer", TLS_FAILED, presenting(TlsSetup::UnknownIssuer);
        "certificate_wrong_host", TLS_FAILED, presenting(TlsSetup::WrongHost);
        "certificate_invalid", TLS_FAILED, presenting(TlsSetup::ForClientsOnly);
        "client_certificate_refused", TLS_FAILED,
            presenting(TlsSetup::RequiresClientCertificateTls12);
        "response_timed_out", 200, scripted(PLAIN, [Request]).within(300);
        "connection_reset", CONNECTION_LOST, scripted(PLAIN, [Request, Reset]);
        "connection_closed", CONNECTION_LOST, scripted(PLAIN, [Request, Close]);
        "response_not_http", 202,
            scripted(PLAIN, [Request, Send(b"SSH-2.0-x\r\n\r\n".to_vec()), Close]);
        "response_not_json", 202, answer(200, "<html>");
        "response_too_large", 202, answer(200, &"x".repeat(2000));
        "response_code_missing", 202, answer(200, "{}");
        "refusal_unclear", 202, answer(400, r#"{"responseCode":"200"}"#);
        "redirected", 202, scripted(PLAIN, [Request, Send(elsewhere), Close]);
        "service_error", 203, answer(503, "");
        "service_refused", 100, answer(400, "{}");
        "unauthorized", 101, answer(401, "");
        "rate_limited", 102, answer(429, "");
        "checkout_url_missing", 202, success("null");
        "checkout_url_unusable", 202, success(r#"{"url":"/checkout"}"#);
        "checkout_host_not_allowed", 202, success(r#"{"url":"https://other.example.com/"}"#);
    };
    rows.into()
}

/// Cancelled before and after the request was sent.
fn cancelled(operation: Operation) -> [Case; 2] {
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
}

pub fn cases() -> Vec<Case> {
    let another = Case::new("another_order", 202, "another order's status", || {
        let service = Service::start([respond(completed("ANOTHER"))]);
        Client::new(&config(&service.url())).status(&query())
    });
    let exists = Case::new("order_exists", 203, "HTTP 409", || {
        let service = Service::start([respond(http(409, ""))]);
        Client::new(&config(&service.url())).create(&order())
    });
    let code = r#"{"responseCode":"409","data":{"url":"https://pay.example.com/1"}}"#;
    let unclear = Case::new(
        "order_exists",
        202,
        "an unclear refusal with 409",
        move || {
            let service = Service::start([respond(http(400, code))]);
            Client::new(&config(&service.url())).create(&order())
        },
    );
    let rows = rows().into_iter();
    rows.flat_map(|(cause, result, row)| wire_fault(cause, result, row))
        .chain(OPERATIONS.into_iter().flat_map(cancelled))
        .chain([another, exists, unclear])
        .collect()
}
