//! Failures before the connection is established: nothing may have been sent.

use crate::names;
use Step::*;
use support::fault_service::fault::{BOTH, Step, TlsSetup, Way, response};
use support::responses::{created, http};
use support::row::{CONNECT_FAILED, CONNECTION_LOST, DONE, Place, Row, TLS_FAILED};

const HANDSHAKE: &[Way] = &[Way::Handshake];

pub fn rows() -> Vec<Row> {
    [places(), certificates(), handshakes(), early_responses()].concat()
}

fn places() -> Vec<Row> {
    let never = &[CONNECT_FAILED];
    vec![
        Row::at("nobody listens", Place::Nobody, BOTH, never).cause("connection_refused"),
        Row::at(
            "the accept queue is full until the deadline",
            Place::FullQueue,
            BOTH,
            never,
        )
        .within(300),
        Row::at(
            "the accept queue is full until connectTimeoutMs",
            Place::FullQueue,
            BOTH,
            never,
        )
        .with("connectTimeoutMs", 200)
        .with("createRetries", 0)
        .within(9000)
        .sooner(3000)
        .cause("connect_timed_out"),
        Row::at(
            "a name that does not exist",
            Place::Host("name.invalid"),
            BOTH,
            never,
        ),
        Row::at(
            "a name lookup that takes too long",
            Place::Named(names::SLOW),
            BOTH,
            never,
        )
        .within(300),
        Row::at(
            "a name lookup that takes longer than connectTimeoutMs",
            Place::Named(names::SLOW),
            BOTH,
            never,
        )
        .with("connectTimeoutMs", 200)
        .with("createRetries", 0)
        .within(20_000)
        .sooner(8000)
        .cause("name_lookup_timed_out"),
        Row::at(
            "a name that no name server knows",
            Place::Named(names::UNKNOWN),
            BOTH,
            never,
        )
        .cause("name_not_found"),
        Row::at(
            "a name server that does not respond",
            Place::Named(names::NO_NAME_SERVER),
            BOTH,
            never,
        )
        .cause("name_lookup_failed"),
        Row::at(
            "no file descriptor left for the lookup",
            Place::Named(names::NO_DESCRIPTORS),
            BOTH,
            never,
        )
        .cause("no_descriptors"),
        Row::new(
            "a name that is found after a while",
            &[Way::Plain],
            [Request, Send(created())],
            &[DONE],
        )
        .named(names::LATE)
        .connections(1..=1),
        Row::at(
            "no listener in that address family",
            Place::Host("[::1]:9"),
            BOTH,
            never,
        ),
    ]
}

fn certificates() -> Vec<Row> {
    let bad = [
        (
            "a self-signed certificate",
            TlsSetup::SelfSigned,
            "certificate_unknown_issuer",
        ),
        (
            "an expired certificate",
            TlsSetup::Expired,
            "certificate_expired",
        ),
        (
            "a certificate that is not valid yet",
            TlsSetup::NotYetValid,
            "certificate_not_yet_valid",
        ),
        (
            "a certificate for another host",
            TlsSetup::WrongHost,
            "certificate_wrong_host",
        ),
        (
            "a certificate for the address, not for the name",
            TlsSetup::ForAddress,
            "certificate_wrong_host",
        ),
        (
            "a certificate of an unknown authority",
            TlsSetup::UnknownIssuer,
            "certificate_unknown_issuer",
        ),
        (
            "a certificate of an authority under a trusted one's name",
            TlsSetup::ImpostorIssuer,
            "certificate_invalid",
        ),
        (
            "an authority's own certificate",
            TlsSetup::AuthorityCertificate,
            "certificate_invalid",
        ),
        (
            "a certificate for clients only",
            TlsSetup::ForClientsOnly,
            "certificate_invalid",
        ),
        ("only HTTP/2", TlsSetup::OnlyHttp2, "handshake_failed"),
    ];
    let mut rows: Vec<Row> = bad
        .into_iter()
        .map(|(name, setup, cause)| {
            Row::new(
                name,
                HANDSHAKE,
                [Handshake(setup), Request, Send(created())],
                &[TLS_FAILED],
            )
            .connections(1..=1)
            .cause(cause)
        })
        .collect();
    rows.extend([
        Row::new(
            "a client certificate is required, TLS 1.2",
            HANDSHAKE,
            [Handshake(TlsSetup::RequiresClientCertificateTls12)],
            &[TLS_FAILED],
        )
        .cause("client_certificate_refused"),
        // The client finishes its part of the handshake before it learns of this, so it sends the
        // order.
        Row::new(
            "a client certificate is required, TLS 1.3",
            HANDSHAKE,
            [Handshake(TlsSetup::RequiresClientCertificate)],
            &[CONNECTION_LOST, TLS_FAILED],
        )
        .cause("client_certificate_refused"),
        Row::new(
            "TLS 1.2, and then reset",
            HANDSHAKE,
            [Handshake(TlsSetup::GoodTls12), Request, Reset],
            &[CONNECTION_LOST],
        ),
        Row::new(
            "TLS 1.2, without a fault",
            HANDSHAKE,
            [Handshake(TlsSetup::GoodTls12), Request, Send(created())],
            &[DONE],
        ),
    ]);
    rows
}

/// Data that arrives with the handshake is not a response to a later request.
fn early_responses() -> Vec<Row> {
    let row = |name: String, setup, hundredths| {
        let script = [
            HandshakeAndSend(setup, response(400), hundredths),
            Wait(1500),
            Request,
        ];
        // A second connection would resume the first one's session, with other messages.
        Row::new(name, HANDSHAKE, script, &[CONNECT_FAILED])
            .with("createRetries", 0)
            .cause("answer_before_request")
    };
    let mut rows = Vec::new();
    for (version, setup) in [("1.2", TlsSetup::GoodTls12), ("1.3", TlsSetup::Good)] {
        for hundredths in [1, 50, 100] {
            let name = format!("{hundredths}% of a response in the handshake, TLS {version}");
            rows.push(row(name, setup, hundredths));
        }
    }
    rows
}

fn handshakes() -> Vec<Row> {
    let failed: &[i32] = &[TLS_FAILED, CONNECT_FAILED];
    let tls = &[TLS_FAILED];
    let row = |name: &str, script: Vec<Step>, results: &[i32]| {
        Row::new(format!("the handshake: {name}"), HANDSHAKE, script, results)
    };
    let alert = |level, what| vec![21, 3, 3, 0, 2, level, what];
    vec![
        row("closed at once", vec![Close], tls),
        row("closed unread at once", vec![CloseUnread], failed),
        row("reset at once", vec![Reset], failed),
        row(
            "closed after the ClientHello",
            vec![WaitForData, Close],
            tls,
        ),
        row(
            "closed unread after the ClientHello",
            vec![WaitForData, CloseUnread],
            failed,
        ),
        row(
            "reset after the ClientHello",
            vec![WaitForData, Reset],
            failed,
        ),
        row(
            "closed in the middle",
            vec![PartOfHandshake(50), Close],
            tls,
        ),
        row(
            "reset in the middle",
            vec![PartOfHandshake(50), Reset],
            failed,
        ),
        row("stalled in the middle", vec![PartOfHandshake(50)], failed).within(300),
        row(
            "closed before its last bytes",
            vec![PartOfHandshake(98), Close],
            tls,
        ),
        row(
            "closed after its first bytes",
            vec![PartOfHandshake(1), Close],
            tls,
        ),
        row("silence", vec![], failed).within(300),
        row("silence until connectTimeoutMs", vec![], failed)
            .with("connectTimeoutMs", 1000)
            .with("createRetries", 0)
            .within(9000)
            .sooner(3000)
            .cause("handshake_timed_out"),
        row("nobody reads", vec![Wait(700)], failed).within(300),
        row(
            "answered in plain HTTP, 400",
            vec![WaitForData, Send(http(400, "<html>"))],
            tls,
        ),
        row(
            "answered in plain HTTP, with a success",
            vec![WaitForData, Send(created()), Close],
            tls,
        ),
        row(
            "plain HTTP before the request",
            vec![Send(created()), Close],
            tls,
        ),
        row("noise", vec![WaitForData, Send(vec![7; 500]), Close], tls),
        row(
            "endless zeros",
            vec![WaitForData, Flood(vec![0; 1024])],
            failed,
        ),
        row(
            "a fatal alert",
            vec![WaitForData, Send(alert(2, 40)), Close],
            tls,
        )
        .cause("handshake_failed"),
        row(
            "an old version of TLS",
            vec![WaitForData, Send(alert(2, 70)), Close],
            tls,
        )
        .cause("tls_version_unsupported"),
        row(
            "close_notify instead of ServerHello",
            vec![WaitForData, Send(alert(1, 0)), Close],
            failed,
        ),
        row(
            "endless warnings",
            vec![WaitForData, Flood(alert(1, 90))],
            failed,
        )
        .within(1000),
        row(
            "a record over the size limit",
            vec![
                WaitForData,
                Send(vec![22, 3, 3, 255, 255, 2]),
                Send(vec![0; 70_000]),
            ],
            failed,
        )
        .within(1000),
        row(
            "a message over the size limit",
            vec![
                WaitForData,
                Send(vec![22, 3, 3, 64, 0, 2, 255, 255, 255]),
                Flood(vec![0; 512]),
            ],
            failed,
        )
        .within(1000),
        row(
            "a byte at a time",
            vec![
                WaitForData,
                Drip(vec![22, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3, 0, 0, 0], 60),
            ],
            failed,
        )
        .within(300),
        row(
            "endless empty records",
            vec![WaitForData, Flood(vec![22, 3, 3, 0, 0])],
            failed,
        )
        .within(1000),
    ]
}
