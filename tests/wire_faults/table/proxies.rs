//! Proxies that refuse, stall, close or do not speak HTTP: without a tunnel nothing was sent.

use Step::*;
use support::fault_service::fault::{PROXIES, Step, TlsSetup, Way, response};
use support::responses::{created, http, http_with};
use support::row::Before::{Nothing, ScriptSays};
use support::row::{
    BAD_RESPONSE, CONNECT_FAILED, CONNECTION_LOST, DONE, Place, Row, TIMEOUT, TLS_FAILED,
};

const TO_TLS: &[Way] = &[Way::ProxyToTls, Way::TlsProxyToTls];
const TLS_PROXIES: &[Way] = &[Way::TlsProxy, Way::TlsProxyToTls];
const TO_PLAIN: &[Way] = &[Way::Proxy, Way::TlsProxy];

pub fn rows() -> Vec<Row> {
    [refusing(), tunnels(), handshakes()].concat()
}

fn refusing() -> Vec<Row> {
    let never = &[CONNECT_FAILED];
    let row = |name: &str, script: Vec<Step>| {
        Row::new(format!("the proxy: {name}"), PROXIES, script, never)
    };
    let responses = |name: &str, response: Vec<u8>| row(name, vec![Connect, Send(response), Close]);
    let opened = b"HTTP/1.1 200 Connection established\r\n".to_vec();
    vec![
        Row::at("the proxy: nobody listens", Place::Nobody, PROXIES, never)
            .cause("proxy_unreachable"),
        Row::at(
            "the proxy: its accept queue is full",
            Place::FullQueue,
            PROXIES,
            never,
        )
        .within(300),
        Row::at(
            "the proxy: its name does not exist",
            Place::Host("name.invalid"),
            PROXIES,
            never,
        ),
        responses("400", http(400, "")),
        responses("403", http(403, "no")).cause("proxy_refused"),
        responses(
            "407",
            http_with(407, &[("Proxy-Authenticate", "Basic")], ""),
        )
        .cause("proxy_needs_credentials"),
        responses("502", http(502, "<html>")),
        responses(
            "302",
            http_with(302, &[("Location", "http://localhost:9/")], ""),
        ),
        responses("100 and nothing else", http(100, "")),
        responses(
            "a success of the service",
            [b"x", created().as_slice()].concat(),
        ),
        responses("HTML without a head", b"<html>\r\n\r\n".to_vec()),
        responses("garbage", vec![7; 100]),
        responses("another protocol", b"SSH-2.0-OpenSSH_9.2\r\n\r\n".to_vec()),
        responses(
            "a status that is not a number",
            b"HTTP/1.1 2xx OK\r\n\r\n".to_vec(),
        ),
        responses("half a head", opened.clone()),
        row("closed at once", vec![Close]),
        row("reset at once", vec![Reset]),
        row(
            "closed unread after CONNECT",
            vec![WaitForData, CloseUnread],
        ),
        row("closed after CONNECT", vec![Connect, Close]),
        row("reset after CONNECT", vec![Connect, Reset]),
        row("cut after CONNECT", vec![Connect, Cut]),
        row("silence", vec![]).within(300),
        row("silence until connectTimeoutMs", vec![])
            .with("connectTimeoutMs", 1000)
            .with("createRetries", 0)
            .within(9000)
            .sooner(3000),
        row("nothing is read", vec![Wait(700)]).within(300),
        row(
            "silence in the middle of its head",
            vec![Connect, Send(opened.clone())],
        )
        .within(300),
        row("a byte at a time", vec![Connect, Drip(opened.clone(), 60)]).within(300),
        row(
            "endless headers",
            vec![Connect, Send(opened), Flood(b"X: y\r\n".to_vec())],
        ),
    ]
}

/// The tunnel is open, and the service behind it fails.
fn tunnels() -> Vec<Row> {
    let lost = &[CONNECTION_LOST];
    let row = |name: &str, ways, script: Vec<Step>, results: &[i32]| {
        Row::new(format!("the tunnel: {name}"), ways, script, results)
    };
    let opened = || Send(b"HTTP/1.1 200 Connection established\r\n\r\n".to_vec());
    vec![
        row(
            "no fault",
            PROXIES,
            vec![
                Connect,
                Open,
                Request,
                Send(created()),
                Request,
                Send(created()),
            ],
            &[DONE],
        )
        .then(Nothing, &[DONE])
        .connections(1..=1),
        // A TLS control message is not a response, even if its second half comes late.
        row(
            "a TLS message in two segments before the request",
            TLS_PROXIES,
            vec![
                Connect,
                OpenWithPartialRecord(200),
                Request,
                Send(created()),
            ],
            &[DONE],
        )
        .connections(1..=1),
        row(
            "half a TLS message before the request, and nothing else",
            TLS_PROXIES,
            vec![Connect, OpenWithPartialRecord(5000)],
            &[CONNECT_FAILED],
        )
        .with("createRetries", 0)
        .cause("answer_before_request")
        .sooner(3000),
        row(
            "a response in the same segment as the proxy's",
            PROXIES,
            vec![
                Connect,
                Send([&b"HTTP/1.1 200 OK\r\n\r\n"[..], &response(400)].concat()),
                Wait(500),
            ],
            &[CONNECT_FAILED],
        )
        .cause("answer_before_request"),
        row(
            "half of a large request is read, then reset",
            PROXIES,
            vec![Connect, Open, Head, Wait(50), ResetUnread],
            lost,
        )
        .large()
        .connections(1..=1),
        row(
            "half of a large request is read, then closed unread",
            PROXIES,
            vec![Connect, Open, Head, Wait(50), CloseUnread],
            lost,
        )
        .large()
        .connections(1..=1),
        row(
            "closed as soon as it is open",
            TO_TLS,
            vec![Connect, opened(), Close],
            &[TLS_FAILED],
        ),
        row(
            "reset as soon as it is open",
            TO_TLS,
            vec![Connect, opened(), Reset],
            &[TLS_FAILED, CONNECT_FAILED],
        ),
        row(
            "silence as soon as it is open",
            TO_TLS,
            vec![Connect, opened()],
            &[TLS_FAILED, CONNECT_FAILED],
        )
        .within(300),
        row(
            "no TLS behind it",
            TO_TLS,
            vec![Connect, opened(), WaitForData, Send(http(400, "")), Close],
            &[TLS_FAILED],
        ),
        row(
            "another host's certificate",
            TO_TLS,
            vec![Connect, opened(), Handshake(TlsSetup::WrongHost)],
            &[TLS_FAILED],
        ),
        row(
            "closed as soon as it is open, plain",
            TO_PLAIN,
            vec![Connect, Open, Close],
            &[CONNECTION_LOST, CONNECT_FAILED],
        ),
        row(
            "reset as soon as it is open, plain",
            TO_PLAIN,
            vec![Connect, Open, Reset],
            &[CONNECTION_LOST, CONNECT_FAILED],
        ),
        row(
            "closed unread at the first bytes",
            PROXIES,
            vec![Connect, Open, WaitForData, CloseUnread],
            lost,
        )
        .connections(1..=1),
        row(
            "reset at the first bytes",
            PROXIES,
            vec![Connect, Open, WaitForData, Reset],
            lost,
        )
        .connections(1..=1),
        row(
            "closed after the head",
            PROXIES,
            vec![Connect, Open, Head, Close],
            lost,
        )
        .connections(1..=1),
        row(
            "closed after the request",
            PROXIES,
            vec![Connect, Open, Request, Close],
            lost,
        )
        .connections(1..=1),
        row(
            "cut after the request",
            PROXIES,
            vec![Connect, Open, Request, Cut],
            lost,
        )
        .connections(1..=1),
        row(
            "reset after the request",
            PROXIES,
            vec![Connect, Open, Request, Reset],
            lost,
        )
        .connections(1..=1),
        row(
            "silence after the request",
            PROXIES,
            vec![Connect, Open, Request],
            &[TIMEOUT],
        )
        .within(500)
        .connections(1..=1),
        row(
            "half a response",
            PROXIES,
            vec![
                Connect,
                Open,
                Request,
                Send(created()[..50].to_vec()),
                Close,
            ],
            &[CONNECTION_LOST, BAD_RESPONSE],
        )
        .connections(1..=1),
        row(
            "kept, then closed",
            PROXIES,
            vec![
                Connect,
                Open,
                Request,
                Send(created()),
                Close,
                StartNextCall,
            ],
            &[DONE],
        )
        .then(ScriptSays, &[DONE])
        .connections(2..=2),
        row(
            "kept, then reset",
            PROXIES,
            vec![Connect, Open, Request, Send(created()), Reset],
            &[DONE],
        )
        .then(ScriptSays, &[DONE])
        .connections(2..=2),
        row(
            "kept, and reset as the next request comes",
            PROXIES,
            vec![Connect, Open, Request, Send(created()), WaitForData, Reset],
            &[DONE],
        )
        .then(Nothing, lost)
        .connections(1..=1),
    ]
}

/// The proxy's own TLS connection.
fn handshakes() -> Vec<Row> {
    let row = |name: &str, script: Vec<Step>, results: &[i32]| {
        Row::new(
            format!("the proxy's handshake: {name}"),
            &[Way::ProxyHandshake],
            script,
            results,
        )
    };
    let failed = &[TLS_FAILED, CONNECT_FAILED];
    vec![
        row(
            "another host's certificate",
            vec![Handshake(TlsSetup::WrongHost)],
            &[TLS_FAILED],
        ),
        row(
            "an unknown authority",
            vec![Handshake(TlsSetup::UnknownIssuer)],
            &[TLS_FAILED],
        ),
        row(
            "closed in the middle",
            vec![PartOfHandshake(50), Close],
            &[TLS_FAILED],
        ),
        row(
            "reset in the middle",
            vec![PartOfHandshake(50), Reset],
            failed,
        ),
        row("stalled in the middle", vec![PartOfHandshake(50)], failed).within(300),
        row(
            "answered in plain HTTP",
            vec![WaitForData, Send(http(200, "")), Close],
            &[TLS_FAILED],
        ),
    ]
}
