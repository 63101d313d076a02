//! What a service does to its connections, chosen by a seed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use Step::*;
use support::random::random;
use support::responses::created;
use support::service::{Scripts, Step, TlsSetup, Way, response};
use support::table;

/// How often each fault was chosen.
pub type Faults = Arc<Mutex<BTreeMap<&'static str, usize>>>;

/// Some normal responses, then a fault. One connection in eight fails before it is established.
pub fn scripts(seed: u64, way: Way, faults: &Faults) -> Scripts {
    let faults = Arc::clone(faults);
    Box::new(move |number| {
        let chance = random(seed, number as u64);
        let (before, after) = (before(way), after());
        let pick = |of: usize, part: u64| (chance >> part) as usize % of;
        let (fault, steps) = if pick(8, 0) == 0 && !before.is_empty() {
            before[pick(before.len(), 8)].clone()
        } else {
            let normal = (0..pick(6, 16)).flat_map(|_| [Request, Respond(&[200])]);
            let (fault, steps) = after[pick(after.len(), 24)].clone();
            (
                fault,
                beginning(way)
                    .into_iter()
                    .chain(normal)
                    .chain(steps)
                    .collect(),
            )
        };
        *faults.lock().unwrap().entry(fault).or_default() += 1;
        steps
    })
}

fn beginning(way: Way) -> Vec<Step> {
    match way {
        Way::Handshake => vec![Handshake(TlsSetup::Good)],
        Way::Proxy | Way::ProxyToTls => vec![Connect, Open],
        _ => vec![],
    }
}

/// Faults before anything can be sent.
fn before(way: Way) -> Vec<(&'static str, Vec<Step>)> {
    match way {
        Way::Handshake => Vec::from(table! {
            "another host's certificate", vec![Handshake(TlsSetup::WrongHost)];
            "an unknown authority", vec![Handshake(TlsSetup::UnknownIssuer)];
            "handshake closed", vec![WaitForData, Close];
            "handshake cut in the middle", vec![PartOfHandshake(TlsSetup::Good, 50), Cut];
            "handshake reset", vec![PartOfHandshake(TlsSetup::Good, 30), Reset];
            "no TLS", vec![WaitForData, Send(response(400)), Close];
        }),
        Way::Proxy | Way::ProxyToTls => Vec::from(table! {
            "proxy refuses", vec![Connect, Send(response(403)), Close];
            "proxy closes", vec![Connect, Close];
            "proxy resets", vec![Connect, Reset];
            "proxy does not speak HTTP", vec![Connect, Send(b"what?\r\n\r\n".to_vec()), Close];
        }),
        _ => vec![],
    }
}

/// Faults of a connection, new or used.
fn after() -> Vec<(&'static str, Vec<Step>)> {
    let half = || Send(created()[..50].to_vec());
    let text = |text: &str| Send(text.as_bytes().to_vec());
    Vec::from(table! {
        "closed", vec![Close];
        "cut", vec![Cut];
        "closed unread", vec![CloseUnread];
        "reset", vec![Reset];
        "closed as a request comes", vec![WaitForData, Close];
        "closed unread as a request comes", vec![WaitForData, CloseUnread];
        "reset as a request comes", vec![WaitForData, Reset];
        "closed after the head", vec![Head, Close];
        "closed after the request", vec![Request, Close];
        "cut after the request", vec![Request, Cut];
        "closed unread after the request", vec![Request, CloseUnread];
        "reset after the request", vec![Request, Reset];
        "half a response, then closed", vec![Request, half(), Close];
        "half a response, then reset", vec![Request, half(), Reset];
        "silence", vec![Request];
        "not HTTP", vec![Request, text("what?\r\n\r\n"), Close];
        "not JSON", vec![Request, text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>")];
        "a malformed chunk",
            vec![Request, text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
                Close];
        "a redirect",
            vec![Request, text("HTTP/1.1 307 X\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")];
        "100 without more", vec![Request, text("HTTP/1.1 100 Continue\r\n\r\n"), Close];
        "HTTP 400", vec![Request, Respond(&[400]), Request, Respond(&[400])];
        "HTTP 401", vec![Request, Respond(&[401])];
        "HTTP 409", vec![Request, Respond(&[409])];
        "HTTP 503", vec![Request, Respond(&[503])];
        // The next call must not take it for its own.
        "a second response", vec![Request, Respond(&[200, 400]), Request, Respond(&[200])];
        "a response, then closed", vec![Request, Respond(&[200]), Close];
        "a response, then closed unread", vec![Request, Respond(&[200]), CloseUnread];
        "a response, then reset", vec![Request, Respond(&[200]), Reset];
    })
}
