//! How and when a connection ends: before, during and after the request, and at every place of the
//! response.

use super::*;
use Step::*;
use support::responses::{created, http};
use support::service::{BOTH, TlsSetup, Way, response};

pub fn rows() -> Vec<Row> {
    [requests(), responses(), refusals(), drips(), early()].concat()
}

fn requests() -> Vec<Row> {
    let any = &[CONNECT_FAILED, TLS_FAILED, CONNECTION_LOST];
    let mut rows = table! { "", BOTH;
        "closed on accept", [Close], any;
        "cut on accept", [Cut], any;
        "closed unread on accept", [CloseUnread], any;
        "reset on accept", [Reset], any;
        "closed unread at the first bytes", [WaitForData, CloseUnread], any;
        "reset at the first bytes", [WaitForData, Reset], any;
        "closed after the head", [Head, Close], LOST;
        "reset after the head", [Head, Reset], LOST;
        "closed unread after the head of a large request", [Head, CloseUnread], LOST, .large();
        "reset after the head of a large request", [Head, ResetUnread], LOST, .large();
        "closed after the head of a large request", [Head, Close], LOST, .large();
        // The second attempt of Get Status fails before anything is sent, so the first attempt
        // decides.
        "reset after the request, and the next handshake is cut",
            [Handshake(TlsSetup::Good), Request, Reset], LOST,
            .next([Close]).with("statusRetries", 1).ways(&[Way::Handshake]);
    };
    let noise = [&[23, 3, 3, 0, 64][..], &[7; 64]].concat();
    rows.extend(once(table! { "", BOTH;
        "closed after the complete request", [Request, Close], LOST, .cause("connection_closed");
        "cut after the complete request", [Request, Cut], LOST;
        "closed unread after the complete request", [Request, CloseUnread], LOST;
        "reset after the complete request", [Request, Reset], LOST, .cause("connection_reset");
        "closed a moment after the complete request", [Request, Wait(30), Close], LOST;
        "a broken TLS record after the request", [Request, SendRaw(noise)], LOST,
            .ways(&[Way::Tls]).cause("handshake_failed");
        "reset a moment after the complete request", [Request, Wait(30), Reset], LOST;
        "closed after the complete large request", [Request, Close], LOST, .large();
        "silence after the complete request", [], LATE, .within(400).cause("response_timed_out");
        "silence, and nothing is read", [Wait(900)], LATE, .within(400);
        "silence, and nothing of a large request is read", [Wait(900)], LATE, .large().within(400);
        "a large request is read a byte at a time", [ReadSlowly(20)], LATE, .large().within(400);
    }));
    rows
}

/// `every_byte` has responses that end after each of their bytes.
fn responses() -> Vec<Row> {
    let body = success();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    let measured = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    let unmeasured = format!("{head}\r\n{body}");
    let half = || text(&measured[..measured.len() - body.len() / 2]);
    let mut rows = table! { "half a body, then ", BOTH;
        "closed", [Request, half(), Close], UNUSABLE;
        "cut", [Request, half(), Cut], UNUSABLE;
        "reset", [Request, half(), Wait(30), Reset], UNUSABLE;
        "silence", [Request, half()], LATE, .within(400);
    };
    for (name, response) in [("with", &measured), ("without", &unmeasured)] {
        for (end, step) in [("closed", Close), ("cut", Cut), ("reset", Reset)] {
            let name = format!("a complete response {name} a length, then {end}");
            let script = [Request, text(response), Wait(30), step];
            rows.push(Row::new(name, BOTH, script, OK));
        }
    }
    let mut rows = once(rows);
    let lengthless = text("HTTP/1.1 200 OK\r\n\r\n");
    rows.extend(table! { "", BOTH;
        "a complete response without a length, then silence",
            [Request, lengthless, text(success()), Wait(1500)], LATE, .within(400);
    });
    rows
}

/// A refusal counts only if it is complete: a partial one could have continued in any way.
fn refusals() -> Vec<Row> {
    let half = r#"{"responseCode":"4"#;
    let measured = || {
        text(format!(
            "HTTP/1.1 400 No\r\nContent-Length: 30\r\n\r\n{half}"
        ))
    };
    let unmeasured = || text(format!("HTTP/1.1 400 No\r\n\r\n{half}"));
    once(table! { "half a refusal ", BOTH;
        "with a length, then closed", [Request, measured(), Close], LOST;
        "with a length, then cut", [Request, measured(), Cut], LOST;
        "with a length, then reset", [Request, measured(), Wait(30), Reset], LOST;
        // Such a body ends when the connection is closed properly. It is not one JSON object.
        "without a length, then closed", [Request, unmeasured(), Close], BAD, .create_only(true);
        "without a length, then cut", [Request, unmeasured(), Cut], LOST, .ways(&[Way::Tls]);
        "without a length, then reset", [Request, unmeasured(), Wait(30), Reset], LOST;
    })
}

/// Each byte arrives in time, but the complete response does not.
fn drips() -> Vec<Row> {
    let response = String::from_utf8(created()).unwrap();
    let body = response.find("\r\n\r\n").unwrap() + 4;
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let (plain, go_on) = ("HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n");
    support::table! {
        "the complete response", "", &*response;
        "the headers", &response[..20], &response[20..];
        "the body", &response[..body], &response[body..];
        "a body without a length", plain, &success();
        "chunks", chunked, &"1\r\n{\r\n".repeat(20);
        "interim responses", "", &go_on.repeat(20);
    }
    .into_iter()
    .map(|(place, at_once, drip)| {
        let script = [Request, text(at_once), Drip(drip.into(), 100)];
        let row = Row::new(format!("{place}, a byte at a time"), BOTH, script, LATE);
        row.within(500).connections(1..=1)
    })
    .collect()
}

/// The service responds before it has read the request, or while it reads.
fn early() -> Vec<Row> {
    let large = || http(413, "{\"error\":\"too large\"}");
    let half = || Send(large()[..20].to_vec());
    let after_the_head = once(table! { "", BOTH;
        "413 after the head, then closed", [Head, Send(large()), Close], REFUSED, .large();
        "413 after the head, then cut", [Head, Send(large()), Cut], REFUSED, .large();
        "413 after the head, and read on", [Head, Send(large())], REFUSED, .large();
        // The client is still sending, and its system keeps what has arrived.
        "413 after the head, then closed unread",
            [Head, Send(large()), Wait(100), CloseUnread], REFUSED, .large();
        "413 after the head, then reset", [Head, Send(large()), Wait(100), Reset], REFUSED, .large();
        "413 after the head, and reset at once", [Head, Send(large()), Reset],
            &[REJECTED, CONNECTION_LOST], .large();
        "503 after the head, then closed", [Head, Send(response(503)), Close], FAILED, .large();
        "half of a 413 after the head, then reset", [Head, half(), Reset],
            &[CONNECTION_LOST, BAD_RESPONSE], .large();
        "success after the head, and read on", [Head, Send(created()), Request], OK, .large();
        "success after the head, then silence, unread", [Head, Send(created()), Wait(300)], OK,
            .large();
    });
    let before_the_request = table! { "", BOTH;
        "408 before the request, then closed", [Send(response(408)), Close],
            &[CONNECT_FAILED, CONNECTION_LOST, SERVICE_FAILED];
        "400 before the request, then reset", [Send(response(400)), Reset],
            &[CONNECT_FAILED, CONNECTION_LOST, REJECTED], .ways(&[Way::Plain]);
    };
    let rows = after_the_head.into_iter().chain(before_the_request);
    rows.map(|row| row.early(true)).collect()
}
