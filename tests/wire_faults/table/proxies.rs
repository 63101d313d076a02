//! Proxies that refuse, stall, close or do not speak HTTP: without a tunnel nothing was sent.

use super::*;
use Before::*;
use Step::*;
use support::responses::{created, http, http_with};
use support::service::{PROXIES, Script, TlsSetup, Way, response};

const TO_TLS: &[Way] = &[Way::ProxyToTls, Way::TlsProxyToTls];
const TLS_PROXIES: &[Way] = &[Way::TlsProxy, Way::TlsProxyToTls];
const TO_PLAIN: &[Way] = &[Way::Proxy, Way::TlsProxy];

pub fn rows() -> Vec<Row> {
    [refusing(), openings(), tunnels(), handshakes()].concat()
}

fn refusing() -> Vec<Row> {
    let sent = |response: &[u8]| [Connect, Send(response.to_vec()), Close];
    let headers = |status, header| sent(&http_with(status, &[header], ""));
    let opened = "HTTP/1.1 200 Connection established\r\n";
    let success = [b"x", &*created()].concat();
    table! { "the proxy: ", PROXIES;
        "nobody listens", [], NEVER, .at(Place::Nobody).cause("proxy_unreachable");
        "its accept queue is full", [], NEVER, .at(Place::FullQueue).within(300);
        "its name does not exist", [], NEVER, .at(Place::Host("name.invalid"));
        "400", sent(&http(400, "")), NEVER;
        "403", sent(&http(403, "no")), NEVER, .cause("proxy_refused");
        "407", headers(407, ("Proxy-Authenticate", "Basic")), NEVER,
            .cause("proxy_needs_credentials");
        "502", sent(&http(502, "<html>")), NEVER;
        "302", headers(302, ("Location", "http://localhost:9/")), NEVER;
        "100 and nothing else", sent(&http(100, "")), NEVER;
        "a success of the service", sent(&success), NEVER;
        "HTML without a head", sent(b"<html>\r\n\r\n"), NEVER;
        "garbage", sent(&[7; 100]), NEVER;
        "another protocol", sent(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), NEVER;
        "a status that is not a number", sent(b"HTTP/1.1 2xx OK\r\n\r\n"), NEVER;
        "half a head", sent(opened.as_bytes()), NEVER;
        "closed at once", [Close], NEVER;
        "reset at once", [Reset], NEVER;
        "closed unread after CONNECT", [WaitForData, CloseUnread], NEVER;
        "closed after CONNECT", [Connect, Close], NEVER, .cause("connection_closed");
        "reset after CONNECT", [Connect, Reset], NEVER;
        "reset after CONNECT, without TLS", [Connect, Reset], NEVER,
            .ways(&[Way::Proxy]).cause("connection_reset");
        "cut after CONNECT", [Connect, Cut], NEVER;
        "silence", [], NEVER, .within(300);
        "silence until connectTimeoutMs", [], NEVER, .attempt_of(1000).within(9000).sooner(3000);
        "nothing is read", [Wait(700)], NEVER, .within(300);
        "silence in the middle of its head", [Connect, text(opened)], NEVER, .within(300);
        "a byte at a time", [Connect, Drip(opened.into(), 60)], NEVER, .within(300);
        "endless headers", [Connect, text(opened), Flood("X: y\r\n".into())], NEVER;
    }
}

/// The tunnel opens, and the connection behind it fails.
fn openings() -> Vec<Row> {
    let then = |steps: &[Step]| -> Script {
        let opened = text("HTTP/1.1 200 Connection established\r\n\r\n");
        [&[Connect, opened], steps].concat()
    };
    let early = [&b"HTTP/1.1 200 OK\r\n\r\n"[..], &response(400)].concat();
    let no_tls = [WaitForData, Send(http(400, "")), Close];
    // A TLS control message is not a response, even if its second half comes late.
    let half = |pause| -> Script {
        let opened = b"HTTP/1.1 200 Connection established\r\n\r\n".to_vec();
        let half = SendInOneSegment(vec![opened, Vec::new()], 50);
        vec![Connect, half, Wait(pause), Rest, Opened]
    };
    let in_two = [half(200), no_fault(1)].concat();
    table! { "the tunnel: ", TO_TLS;
        "a TLS message in two segments before the request", in_two, OK,
            .ways(TLS_PROXIES).connections(1..=1);
        "half a TLS message before the request, and nothing else", half(5000), NEVER,
            .ways(TLS_PROXIES).with("createRetries", 0).cause("answer_before_request").sooner(3000);
        "a response in the same segment as the proxy's", [Connect, Send(early), Wait(500)], NEVER,
            .ways(PROXIES).cause("answer_before_request");
        "closed as soon as it is open", then(&[Close]), NO_TLS;
        "reset as soon as it is open", then(&[Reset]), NEVER_OR_NO_TLS;
        "silence as soon as it is open", then(&[]), NEVER_OR_NO_TLS, .within(300);
        "no TLS behind it", then(&no_tls), NO_TLS;
        "another host's certificate", then(&[Handshake(TlsSetup::WrongHost)]), NO_TLS;
        "closed as soon as it is open, plain", [Connect, Open, Close], NEVER_OR_LOST, .ways(TO_PLAIN);
        "reset as soon as it is open, plain", [Connect, Open, Reset], NEVER_OR_LOST, .ways(TO_PLAIN);
    }
}

/// The service behind the tunnel fails.
fn tunnels() -> Vec<Row> {
    let open = |steps: &[Step]| [&[Connect, Open], steps].concat();
    let responded = |steps: &[Step]| open(&[&no_fault(1)[..], steps].concat());
    let half = Send(created()[..50].to_vec());
    let mut rows = once(table! { "the tunnel: ", PROXIES;
        "no fault", open(&no_fault(2)), OK, .then(Nothing, OK);
        "half of a large request is read, then reset",
            open(&[Head, Wait(50), ResetUnread]), LOST, .large();
        "half of a large request is read, then closed unread",
            open(&[Head, Wait(50), CloseUnread]), LOST, .large();
        "closed unread at the first bytes", open(&[WaitForData, CloseUnread]), LOST;
        "reset at the first bytes", open(&[WaitForData, Reset]), LOST;
        "closed after the head", open(&[Head, Close]), LOST;
        "closed after the request", open(&[Request, Close]), LOST;
        "cut after the request", open(&[Request, Cut]), LOST;
        "reset after the request", open(&[Request, Reset]), LOST;
        "silence after the request", open(&[Request]), LATE, .within(500);
        "half a response", open(&[Request, half, Close]), UNUSABLE;
        "kept, and reset as the next request comes", responded(&[WaitForData, Reset]), OK,
            .then(Nothing, LOST);
    });
    rows.extend(table! { "the tunnel: ", PROXIES;
        "kept, then closed", responded(&[Close, StartNextCall]), OK,
            .then(ScriptSays, OK).connections(2..=2);
        "kept, then reset", responded(&[Reset]), OK, .then(ScriptSays, OK).connections(2..=2);
    });
    rows
}

/// The proxy's own TLS connection.
fn handshakes() -> Vec<Row> {
    table! { "the proxy's handshake: ", &[Way::ProxyHandshake];
        "another host's certificate", [Handshake(TlsSetup::WrongHost)], NO_TLS;
        "an unknown authority", [Handshake(TlsSetup::UnknownIssuer)], NO_TLS;
        "closed in the middle", [PartOfHandshake(TlsSetup::Good, 50), Close], NO_TLS;
        "reset in the middle", [PartOfHandshake(TlsSetup::Good, 50), Reset], NEVER_OR_NO_TLS;
        "stalled in the middle", [PartOfHandshake(TlsSetup::Good, 50)], NEVER_OR_NO_TLS, .within(300);
        "answered in plain HTTP", [WaitForData, Send(http(200, "")), Close], NO_TLS;
    }
}
