//! Name lookups, connects, proxies and TLS handshakes that fail.

use std::sync::{Arc, LazyLock};

use crate::case::Case;
use crate::names;
use Step::*;
use support::certificates::Certificates;
use support::responses::{created, http};
use support::row::{CONNECT_FAILED, CONNECTION_LOST, Place, Row, TLS_FAILED};
use support::service::{BOTH, PROXIES, Step, TlsSetup, Way};
use support::trial::{Operation, Trial};

/// A case for each way and each operation of a wire fault row.
pub fn wire_fault(cause: &'static str, result: i32, row: Row) -> Vec<Case> {
    static CERTIFICATES: LazyLock<Arc<Certificates>> =
        LazyLock::new(|| Arc::new(Certificates::new()));
    let mut cases = Vec::new();
    for way in row.ways {
        for operation in [Operation::CreateOrder, Operation::GetStatus] {
            let what = format!("{}, {way:?}, {operation:?}", row.name);
            let row = row.clone();
            cases.push(Case::new(cause, result, what, move || {
                Trial::of(&row, *way, operation, &CERTIFICATES, 1).into_first_reply()
            }));
        }
    }
    cases
}

/// Cases with this script on each connection.
pub fn scripted(
    cause: &'static str,
    result: i32,
    ways: &'static [Way],
    script: Vec<Step>,
) -> Vec<Case> {
    let row = Row::new("a script", ways, script, &[result]).with("createRetries", 0);
    wire_fault(cause, result, row)
}

fn place(cause: &'static str, place: Place, ways: &'static [Way]) -> Vec<Case> {
    // Some of these calls wait until this timeout.
    let row = Row::new("a place", ways, [], &[CONNECT_FAILED])
        .at(place)
        .attempt_of(400)
        .within(20_000);
    wire_fault(cause, CONNECT_FAILED, row)
}

/// The service sends a TLS alert as plain bytes.
fn alert(description: u8) -> Vec<Step> {
    vec![
        WaitForData,
        Send(vec![21, 3, 3, 0, 2, 2, description]),
        Close,
    ]
}

pub fn cases() -> Vec<Case> {
    let tls = &[Way::Handshake];
    let responses = |status| vec![Connect, Send(http(status, "")), Close];
    let opened = [&b"HTTP/1.1 200 OK\r\n\r\n"[..], &created()].concat();
    let early = vec![Connect, Send(opened), Wait(500)];
    [
        place("name_not_found", Place::Named(names::UNKNOWN), BOTH),
        place(
            "name_lookup_failed",
            Place::Named(names::NO_NAME_SERVER),
            BOTH,
        ),
        place("name_lookup_timed_out", Place::Named(names::SLOW), BOTH),
        place("no_descriptors", Place::Named(names::NO_DESCRIPTORS), BOTH),
        place("no_resources", Place::Named(names::NO_MEMORY), BOTH),
        place("connection_refused", Place::Nobody, BOTH),
        place("connect_timed_out", Place::FullQueue, BOTH),
        // The system cannot reach this address.
        place(
            "network_unreachable",
            Place::Host("255.255.255.255:9"),
            BOTH,
        ),
        place("proxy_unreachable", Place::Nobody, PROXIES),
        scripted("proxy_refused", CONNECT_FAILED, PROXIES, responses(403)),
        scripted(
            "proxy_needs_credentials",
            CONNECT_FAILED,
            PROXIES,
            responses(407),
        ),
        scripted(
            "connection_reset",
            CONNECT_FAILED,
            &[Way::Proxy],
            vec![Connect, Reset],
        ),
        scripted(
            "connection_closed",
            CONNECT_FAILED,
            PROXIES,
            vec![Connect, Close],
        ),
        scripted("answer_before_request", CONNECT_FAILED, PROXIES, early),
        scripted("handshake_failed", TLS_FAILED, tls, alert(40)),
        scripted(
            "handshake_failed",
            TLS_FAILED,
            tls,
            vec![WaitForData, Close],
        ),
        scripted("handshake_failed", CONNECTION_LOST, tls, broken_later()),
        scripted("tls_version_unsupported", TLS_FAILED, tls, alert(70)),
        wire_fault("handshake_timed_out", TLS_FAILED, silent()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The connection breaks below TLS after the handshake.
fn broken_later() -> Vec<Step> {
    let noise = [&[23, 3, 3, 0, 64][..], &[7; 64]].concat();
    vec![Handshake(TlsSetup::Good), Request, SendRaw(noise)]
}

/// A service that accepts the connection and is silent in the handshake.
fn silent() -> Row {
    Row::new("silence", &[Way::Handshake], [], &[TLS_FAILED])
        .attempt_of(300)
        .within(20_000)
}
