//! What fails before there is a connection: nothing may have been sent.

use crate::names;
use crate::row::{CONNECT_FAILED, CONNECTION_LOST, DONE, Place, Row, TLS_FAILED};
use crate::service::fault::{BOTH, Shown, Step, Way, response};
use crate::support::responses::{created, http};
use Step::*;

const HANDSHAKE: &[Way] = &[Way::Handshake];

pub fn rows() -> Vec<Row> {
    [places(), certificates(), handshakes(), early_responses()].concat()
}

fn places() -> Vec<Row> {
    let never = &[CONNECT_FAILED];
    vec![
        Row::at("nobody listens", Place::Nobody, BOTH, never).cause("connection_refused"),
        Row::at(
            "the queue is full until the deadline",
            Place::FullQueue,
            BOTH,
            never,
        )
        .within(300),
        Row::at(
            "the queue is full for as long as a connection may take",
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
            "a name that is looked up for too long",
            Place::Named(names::SLOW),
            BOTH,
            never,
        )
        .within(300),
        Row::at(
            "a name that is looked up for longer than a connection may take",
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
            "a name that nobody has",
            Place::Named(names::UNKNOWN),
            BOTH,
            never,
        )
        .cause("name_not_found"),
        Row::at(
            "a name server that does not answer",
            Place::Named(names::FAILING),
            BOTH,
            never,
        )
        .cause("name_lookup_failed"),
        Row::at(
            "no descriptor left for the name server",
            Place::Named(names::CROWDED),
            BOTH,
            never,
        )
        .cause("no_descriptors"),
        Row::new(
            "a name that is found late",
            &[Way::Plain],
            [Request, Send(created())],
            &[DONE],
        )
        .named(names::LATE)
        .connections(1..=1),
        Row::at(
            "no listener of that family",
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
            Shown::SelfSigned,
            "certificate_unknown_issuer",
        ),
        (
            "an expired certificate",
            Shown::Expired,
            "certificate_expired",
        ),
        (
            "a certificate that is not valid yet",
            Shown::NotYetValid,
            "certificate_not_yet_valid",
        ),
        (
            "a certificate of another host",
            Shown::OfAnotherHost,
            "certificate_wrong_host",
        ),
        (
            "a certificate of the address, not of the name",
            Shown::OfAnAddress,
            "certificate_wrong_host",
        ),
        (
            "a certificate of an unknown authority",
            Shown::OfAStranger,
            "certificate_unknown_issuer",
        ),
        (
            "a certificate of an authority under a trusted one's name",
            Shown::OfAnImpostor,
            "certificate_invalid",
        ),
        (
            "an authority's own certificate",
            Shown::OfTheAuthority,
            "certificate_invalid",
        ),
        (
            "a certificate for clients",
            Shown::ForClients,
            "certificate_invalid",
        ),
        ("only HTTP/2", Shown::OnlyHttp2, "handshake_failed"),
    ];
    let mut rows: Vec<Row> = bad
        .into_iter()
        .map(|(name, shown, cause)| {
            Row::new(
                name,
                HANDSHAKE,
                [Shake(shown), Request, Send(created())],
                &[TLS_FAILED],
            )
            .connections(1..=1)
            .cause(cause)
        })
        .collect();
    rows.extend([
        Row::new(
            "a client certificate is wanted, TLS 1.2",
            HANDSHAKE,
            [Shake(Shown::GoodAndWantsOneByTls12)],
            &[TLS_FAILED],
        )
        .cause("client_certificate_refused"),
        // The client's part of the handshake ends before it hears of that, and the order goes out
        // with it.
        Row::new(
            "a client certificate is wanted, TLS 1.3",
            HANDSHAKE,
            [Shake(Shown::GoodAndWantsOne)],
            &[CONNECTION_LOST, TLS_FAILED],
        )
        .cause("client_certificate_refused"),
        Row::new(
            "TLS 1.2, and then reset",
            HANDSHAKE,
            [Shake(Shown::GoodByTls12), Request, Reset],
            &[CONNECTION_LOST],
        ),
        Row::new(
            "TLS 1.2, and all is well",
            HANDSHAKE,
            [Shake(Shown::GoodByTls12), Request, Send(created())],
            &[DONE],
        ),
    ]);
    rows
}

/// A response that comes with the handshake is no response to the request that would follow it.
fn early_responses() -> Vec<Row> {
    let row = |name: String, shown, hundredths| {
        let script = [
            ShakeAndSend(shown, response(400), hundredths),
            Wait(1500),
            Request,
        ];
        // A second handshake would take the first one's session up, with other messages.
        Row::new(name, HANDSHAKE, script, &[CONNECT_FAILED])
            .with("createRetries", 0)
            .cause("answer_before_request")
    };
    let mut rows = Vec::new();
    for (version, shown) in [("1.2", Shown::GoodByTls12), ("1.3", Shown::Good)] {
        for hundredths in [1, 50, 100] {
            let name =
                format!("{hundredths} hundredths of a response in the handshake, TLS {version}");
            rows.push(row(name, shown, hundredths));
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
        row("slammed at once", vec![Slam], failed),
        row("reset at once", vec![Reset], failed),
        row(
            "closed after the client's greeting",
            vec![Something, Close],
            tls,
        ),
        row(
            "slammed after the client's greeting",
            vec![Something, Slam],
            failed,
        ),
        row(
            "reset after the client's greeting",
            vec![Something, Reset],
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
        row(
            "silence for as long as a connection may take",
            vec![],
            failed,
        )
        .with("connectTimeoutMs", 200)
        .with("createRetries", 0)
        .within(9000)
        .sooner(3000)
        .cause("handshake_timed_out"),
        row("nobody reads", vec![Wait(700)], failed).within(300),
        row(
            "answered in plain HTTP, 400",
            vec![Something, Send(http(400, "<html>"))],
            tls,
        ),
        row(
            "answered in plain HTTP, with a success",
            vec![Something, Send(created()), Close],
            tls,
        ),
        row(
            "plain HTTP before anything was asked",
            vec![Send(created()), Close],
            tls,
        ),
        row("noise", vec![Something, Send(vec![7; 500]), Close], tls),
        row(
            "zeros without end",
            vec![Something, Flood(vec![0; 1024])],
            failed,
        ),
        row(
            "a fatal alert",
            vec![Something, Send(alert(2, 40)), Close],
            tls,
        )
        .cause("handshake_failed"),
        row(
            "an old version of TLS",
            vec![Something, Send(alert(2, 70)), Close],
            tls,
        )
        .cause("tls_version_unsupported"),
        row(
            "goodbye instead of hello",
            vec![Something, Send(alert(1, 0)), Close],
            failed,
        ),
        row(
            "warnings without end",
            vec![Something, Flood(alert(1, 90))],
            failed,
        )
        .within(1000),
        row(
            "a record longer than records are",
            vec![
                Something,
                Send(vec![22, 3, 3, 255, 255, 2]),
                Send(vec![0; 70_000]),
            ],
            failed,
        )
        .within(1000),
        row(
            "a message longer than messages are",
            vec![
                Something,
                Send(vec![22, 3, 3, 64, 0, 2, 255, 255, 255]),
                Flood(vec![0; 512]),
            ],
            failed,
        )
        .within(1000),
        row(
            "a byte at a time",
            vec![
                Something,
                Drip(vec![22, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3, 0, 0, 0], 60),
            ],
            failed,
        )
        .within(300),
        row(
            "empty records without end",
            vec![Something, Flood(vec![22, 3, 3, 0, 0])],
            failed,
        )
        .within(1000),
    ]
}
