//! How and when a connection ends: before, during and after the request, and at every place of the
//! response.

use crate::table::success;
use Step::*;
use support::fault_service::fault::{BOTH, Step, TlsSetup, Way, response};
use support::responses::{created, http};
use support::row::{
    BAD_RESPONSE, CONNECT_FAILED, CONNECTION_LOST, DONE, REJECTED, Row, SERVICE_FAILED, TIMEOUT,
    TLS_FAILED,
};

pub fn rows() -> Vec<Row> {
    [requests(), responses(), drips(), early()].concat()
}

fn requests() -> Vec<Row> {
    let any: &[i32] = &[CONNECT_FAILED, TLS_FAILED, CONNECTION_LOST];
    let lost = &[CONNECTION_LOST];
    let row =
        |name: &str, script: Vec<Step>, results: &[i32]| Row::new(name, BOTH, script, results);
    vec![
        row("closed on accept", vec![Close], any),
        row("cut on accept", vec![Cut], any),
        row("closed unread on accept", vec![CloseUnread], any),
        row("reset on accept", vec![Reset], any),
        row(
            "closed unread at the first bytes",
            vec![WaitForData, CloseUnread],
            any,
        ),
        row("reset at the first bytes", vec![WaitForData, Reset], any),
        row("closed after the head", vec![Head, Close], lost),
        row("reset after the head", vec![Head, Reset], lost),
        row(
            "closed unread after the head of a large request",
            vec![Head, CloseUnread],
            lost,
        )
        .large(),
        row(
            "reset after the head of a large request",
            vec![Head, ResetUnread],
            lost,
        )
        .large(),
        row(
            "closed after the head of a large request",
            vec![Head, Close],
            lost,
        )
        .large(),
        row(
            "closed after the complete request",
            vec![Request, Close],
            lost,
        )
        .connections(1..=1)
        .cause("connection_closed"),
        row("cut after the complete request", vec![Request, Cut], lost).connections(1..=1),
        row(
            "closed unread after the complete request",
            vec![Request, CloseUnread],
            lost,
        )
        .connections(1..=1),
        row(
            "reset after the complete request",
            vec![Request, Reset],
            lost,
        )
        .connections(1..=1)
        .cause("connection_reset"),
        row(
            "closed a moment after the complete request",
            vec![Request, Wait(30), Close],
            lost,
        )
        .connections(1..=1),
        row(
            "reset a moment after the complete request",
            vec![Request, Wait(30), Reset],
            lost,
        )
        .connections(1..=1),
        row(
            "closed after the complete large request",
            vec![Request, Close],
            lost,
        )
        .large()
        .connections(1..=1),
        row("silence after the complete request", vec![], &[TIMEOUT])
            .cause("response_timed_out")
            .within(400)
            .connections(1..=1),
        row("silence, and nothing is read", vec![Wait(900)], &[TIMEOUT])
            .within(400)
            .connections(1..=1),
        row(
            "silence, and nothing of a large request is read",
            vec![Wait(900)],
            &[TIMEOUT],
        )
        .large()
        .within(400)
        .connections(1..=1),
        // The second attempt of Get Status fails before anything is sent, so the first attempt
        // decides.
        Row::new(
            "reset after the request, and the next handshake is cut",
            &[Way::Handshake],
            [Handshake(TlsSetup::Good), Request, Reset],
            lost,
        )
        .next([Close])
        .with("statusRetries", 1),
        row(
            "a large request is read a byte at a time",
            vec![ReadSlowly(20)],
            &[TIMEOUT],
        )
        .large()
        .within(400)
        .connections(1..=1),
    ]
}

/// Responses that end at different places, in each way.
fn responses() -> Vec<Row> {
    let body = success();
    let measured = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let until_the_end = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{body}");
    let head = measured.len() - body.len();
    let places = [
        ("only a line end", "\r\n"),
        ("the first byte", "H"),
        ("half a status line", "HTTP/1."),
        ("a status line without its end", "HTTP/1.1 200 OK"),
        ("a status line", "HTTP/1.1 200 OK\r\n"),
        ("half a header", &measured[..head - 20]),
        ("a head without its last line", &measured[..head - 2]),
        ("a head", &measured[..head]),
        ("half a body", &measured[..head + body.len() / 2]),
        ("all but the last byte", &measured[..measured.len() - 1]),
        (
            "half a body without a length",
            &until_the_end[..until_the_end.len() - body.len() / 2],
        ),
        (
            "all but the last byte of a body without a length",
            &until_the_end[..until_the_end.len() - 1],
        ),
        (
            "a head without a length",
            &until_the_end[..until_the_end.len() - body.len()],
        ),
    ];
    let mut rows = Vec::new();
    for (place, response) in places {
        let send = || Send(response.as_bytes().to_vec());
        let lost: &[i32] = &[CONNECTION_LOST, BAD_RESPONSE];
        let ends = [
            ("closed", vec![Request, send(), Close], lost),
            ("cut", vec![Request, send(), Cut], lost),
            ("reset", vec![Request, send(), Wait(30), Reset], lost),
            ("silence", vec![Request, send()], &[TIMEOUT]),
        ];
        for (end, script, results) in ends {
            let row =
                Row::new(format!("{place}, then {end}"), BOTH, script, results).connections(1..=1);
            rows.push(if end == "silence" {
                row.within(400)
            } else {
                row
            });
        }
    }
    for (name, response) in [("with", measured), ("without", until_the_end)] {
        let send = || Send(response.as_bytes().to_vec());
        for (end, step) in [("closed", Close), ("cut", Cut), ("reset", Reset)] {
            let name = format!("a complete response {name} a length, then {end}");
            rows.push(
                Row::new(name, BOTH, [Request, send(), Wait(30), step], &[DONE]).connections(1..=1),
            );
        }
    }
    rows.extend(refusals());
    let lengthless = Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec());
    rows.push(
        Row::new(
            "a complete response without a length, then silence",
            BOTH,
            [Request, lengthless, Send(success().into()), Wait(1500)],
            &[TIMEOUT],
        )
        .within(400),
    );
    rows
}

/// A refusal counts only if it is complete: a partial one could have continued in any way.
fn refusals() -> Vec<Row> {
    let half = r#"{"responseCode":"4"#;
    let measured = || Send(format!("HTTP/1.1 400 No\r\nContent-Length: 30\r\n\r\n{half}").into());
    let until_the_end = || Send(format!("HTTP/1.1 400 No\r\n\r\n{half}").into());
    let lost = &[CONNECTION_LOST];
    let row = |name: &str, ways, script: Vec<Step>, results: &[i32]| {
        Row::new(
            format!("half a refusal {name}"),
            ways,
            [vec![Request], script].concat(),
            results,
        )
        .connections(1..=1)
    };
    vec![
        row(
            "with a length, then closed",
            BOTH,
            vec![measured(), Close],
            lost,
        ),
        row("with a length, then cut", BOTH, vec![measured(), Cut], lost),
        row(
            "with a length, then reset",
            BOTH,
            vec![measured(), Wait(30), Reset],
            lost,
        ),
        // Such a body ends when the connection is closed properly. It is not one JSON object.
        row(
            "without a length, then closed",
            BOTH,
            vec![until_the_end(), Close],
            &[BAD_RESPONSE],
        )
        .create_only(),
        row(
            "without a length, then cut",
            &[Way::Tls],
            vec![until_the_end(), Cut],
            lost,
        ),
        row(
            "without a length, then reset",
            BOTH,
            vec![until_the_end(), Wait(30), Reset],
            lost,
        ),
    ]
}

/// Each byte arrives in time, but the complete response does not.
fn drips() -> Vec<Row> {
    let response = String::from_utf8(created()).unwrap();
    let body = response.find("\r\n\r\n").unwrap() + 4;
    let row = |place: &str, at_once: &str, drip: &str| {
        let script = [
            Request,
            Send(at_once.as_bytes().to_vec()),
            Drip(drip.as_bytes().to_vec(), 100),
        ];
        Row::new(
            format!("{place}, a byte at a time"),
            BOTH,
            script,
            &[TIMEOUT],
        )
        .within(500)
        .connections(1..=1)
    };
    vec![
        row("the complete response", "", &response),
        row("the headers", &response[..20], &response[20..]),
        row("the body", &response[..body], &response[body..]),
        row(
            "a body without a length",
            "HTTP/1.1 200 OK\r\n\r\n",
            &success(),
        ),
        row(
            "chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            &"1\r\n{\r\n".repeat(20),
        ),
        row(
            "interim responses",
            "",
            &"HTTP/1.1 100 Continue\r\n\r\n".repeat(20),
        ),
    ]
}

/// The service responds before it has read the request, or while it reads.
fn early() -> Vec<Row> {
    let row = |name: &str, script: Vec<Step>, results: &[i32]| {
        Row::new(name, BOTH, script, results)
            .large()
            .early()
            .connections(1..=1)
    };
    let large = || http(413, "{\"error\":\"too large\"}");
    vec![
        row(
            "413 after the head, then closed",
            vec![Head, Send(large()), Close],
            &[REJECTED],
        ),
        row(
            "413 after the head, then cut",
            vec![Head, Send(large()), Cut],
            &[REJECTED],
        ),
        row(
            "413 after the head, and read on",
            vec![Head, Send(large())],
            &[REJECTED],
        ),
        // The client is still sending, and its system keeps what has arrived.
        row(
            "413 after the head, then closed unread",
            vec![Head, Send(large()), Wait(100), CloseUnread],
            &[REJECTED],
        ),
        row(
            "413 after the head, then reset",
            vec![Head, Send(large()), Wait(100), Reset],
            &[REJECTED],
        ),
        row(
            "413 after the head, and reset at once",
            vec![Head, Send(large()), Reset],
            &[REJECTED, CONNECTION_LOST],
        ),
        row(
            "503 after the head, then closed",
            vec![Head, Send(response(503)), Close],
            &[SERVICE_FAILED],
        ),
        row(
            "half of a 413 after the head, then reset",
            vec![Head, Send(large()[..20].to_vec()), Reset],
            &[CONNECTION_LOST, BAD_RESPONSE],
        ),
        row(
            "success after the head, and read on",
            vec![Head, Send(created()), Request],
            &[DONE],
        ),
        row(
            "success after the head, then silence, unread",
            vec![Head, Send(created()), Wait(300)],
            &[DONE],
        ),
        Row::new(
            "408 before the request, then closed",
            BOTH,
            [Send(response(408)), Close],
            &[CONNECT_FAILED, CONNECTION_LOST, SERVICE_FAILED],
        )
        .early(),
        Row::new(
            "400 before the request, then reset",
            &[Way::Plain],
            [Send(response(400)), Reset],
            &[CONNECT_FAILED, CONNECTION_LOST, REJECTED],
        )
        .early(),
    ]
}
