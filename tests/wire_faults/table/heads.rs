//! Status lines and headers: malformed, too many, too long, and those that do not mean success.

use crate::table::success;
use Step::*;
use support::fault_service::fault::{BOTH, Step, response};
use support::responses::{created, http, http_with};
use support::row::{
    BAD_RESPONSE, CONNECTION_LOST, DONE, RATE_LIMITED, REJECTED, Row, SERVICE_FAILED, TIMEOUT,
    UNAUTHORIZED,
};

pub fn rows(elsewhere: &str) -> Vec<Row> {
    [
        malformed(),
        sizes(),
        interim(),
        statuses(),
        redirects(elsewhere),
    ]
    .concat()
}

const UNUSABLE: &[i32] = &[BAD_RESPONSE, CONNECTION_LOST];

fn response_row(name: impl Into<String>, response: impl Into<Vec<u8>>, results: &[i32]) -> Row {
    Row::new(name, BOTH, [Request, Send(response.into()), Close], results).connections(1..=1)
}

fn malformed() -> Vec<Row> {
    let body = success();
    let with_line = |line: &str| format!("{line}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let with_header = |header: &[u8]| {
        [
            b"HTTP/1.1 200 OK\r\n",
            header,
            b"\r\nContent-Length: 2\r\n\r\n{}",
        ]
        .concat()
    };
    let mut rows: Vec<Row> = [
        ("a status line of another protocol", "ICY 200 OK"),
        ("HTTP/2 in a status line", "HTTP/2.0 200 OK"),
        ("HTTP in lower case", "http/1.1 200 OK"),
        ("a status of two digits", "HTTP/1.1 20 OK"),
        ("a status of four digits", "HTTP/1.1 2000 OK"),
        ("a status that is not a number", "HTTP/1.1 yes OK"),
        ("a negative status", "HTTP/1.1 -20 OK"),
        ("no status", "HTTP/1.1"),
        ("a status line with a zero byte", "HTTP/1.1 200 O\0K"),
        (
            "a request instead of a response",
            "POST /api/v1/Gateway/CreateOrder HTTP/1.1",
        ),
    ]
    .into_iter()
    .map(|(name, line)| response_row(name, with_line(line), UNUSABLE))
    .collect();
    rows.extend([
        response_row("a body and no head", body.as_bytes(), UNUSABLE),
        response_row(
            "a greeting of another protocol",
            b"SSH-2.0-OpenSSH_9.2\r\n",
            UNUSABLE,
        ),
        response_row("noise", vec![0xfe; 300], UNUSABLE),
        response_row(
            "a TLS alert where there is no TLS",
            [21, 3, 3, 0, 2, 2, 40],
            UNUSABLE,
        ),
        response_row(
            "a header without a colon",
            with_header(b"nothing"),
            UNUSABLE,
        ),
        response_row("a header without a name", with_header(b": x"), UNUSABLE),
        response_row(
            "a header with a zero byte",
            with_header(b"X: a\0b"),
            UNUSABLE,
        ),
        response_row(
            "a header with a space in its name",
            with_header(b"X Y: z"),
            UNUSABLE,
        ),
        response_row(
            "a header that is not UTF-8",
            with_header(b"X: \xff\xfe"),
            UNUSABLE,
        ),
    ]);
    rows
}

fn sizes() -> Vec<Row> {
    let many = |count: usize| {
        format!(
            "HTTP/1.1 200 OK\r\n{}Content-Length: 2\r\n\r\n{{}}",
            "X-Y: z\r\n".repeat(count)
        )
    };
    let long = |length: usize| {
        format!(
            "HTTP/1.1 200 OK\r\nX: {}\r\nContent-Length: 2\r\n\r\n{{}}",
            "y".repeat(length)
        )
    };
    let flood = |name: &str, begins: &str, goes_on: &str| {
        Row::new(
            name,
            BOTH,
            [Request, Send(begins.into()), Flood(goes_on.into())],
            &[BAD_RESPONSE],
        )
        .connections(1..=1)
    };
    vec![
        response_row("a thousand headers", many(1000), UNUSABLE),
        response_row("a header of 60 KB", long(60_000), UNUSABLE),
        response_row("a header of 100 KB", long(100_000), UNUSABLE),
        response_row("a header of 5 MB", long(5_000_000), UNUSABLE),
        flood("endless headers", "HTTP/1.1 200 OK\r\n", "X-Y: z\r\n"),
        flood("an endless header", "HTTP/1.1 200 OK\r\nX: ", "yyyyyyyy"),
        flood("an endless status line", "HTTP/1.1 200 ", "OK "),
        flood("endless line ends", "", "\r\n"),
    ]
}

fn interim() -> Vec<Row> {
    let go_on = b"HTTP/1.1 100 Continue\r\n\r\n".to_vec();
    let hints = b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n".to_vec();
    let many = [
        go_on.as_slice(),
        b"HTTP/1.1 102 Processing\r\n\r\n",
        hints.as_slice(),
    ]
    .concat();
    let row = |name: &str, script: Vec<Step>, results: &[i32]| {
        Row::new(name, BOTH, script, results).connections(1..=1)
    };
    // A client must skip interim responses, even if it did not ask for them.
    let done = &[DONE];
    vec![
        row(
            "100, then the response",
            vec![Request, Send(go_on.clone()), Send(created())],
            done,
        ),
        row(
            "100, then closed",
            vec![Request, Send(go_on.clone()), Close],
            UNUSABLE,
        ),
        row(
            "100, then silence",
            vec![Request, Send(go_on.clone())],
            &[TIMEOUT, BAD_RESPONSE],
        )
        .within(400),
        row(
            "103, then the response",
            vec![Request, Send(hints.clone()), Send(created())],
            done,
        ),
        row(
            "100, 102 and 103, then the response",
            vec![Request, Send(many), Send(created())],
            done,
        ),
        row(
            "102, then closed",
            vec![
                Request,
                Send(b"HTTP/1.1 102 Processing\r\n\r\n".to_vec()),
                Close,
            ],
            UNUSABLE,
        ),
        row(
            "endless 100",
            vec![Request, Flood(go_on)],
            &[TIMEOUT, BAD_RESPONSE, CONNECTION_LOST],
        )
        .within(700),
        row(
            "endless 103",
            vec![Request, Flood(hints)],
            &[TIMEOUT, BAD_RESPONSE, CONNECTION_LOST],
        )
        .within(700),
        row(
            "101",
            vec![
                Request,
                Send(
                    b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n".to_vec(),
                ),
                Close,
            ],
            UNUSABLE,
        ),
        row(
            "199 with a success",
            vec![Request, Send(http(199, &success())), Close],
            UNUSABLE,
        ),
    ]
}

fn statuses() -> Vec<Row> {
    let by_status = [
        (203, DONE),
        (400, REJECTED),
        (401, UNAUTHORIZED),
        (402, REJECTED),
        (403, UNAUTHORIZED),
        (404, REJECTED),
        (407, REJECTED),
        (408, SERVICE_FAILED),
        (409, SERVICE_FAILED),
        (422, REJECTED),
        (429, RATE_LIMITED),
        (451, REJECTED),
        (499, SERVICE_FAILED),
        (500, SERVICE_FAILED),
        (502, SERVICE_FAILED),
        (503, SERVICE_FAILED),
        (504, SERVICE_FAILED),
        (599, SERVICE_FAILED),
        (600, BAD_RESPONSE),
        (999, BAD_RESPONSE),
    ];
    let mut rows: Vec<Row> = by_status
        .into_iter()
        .map(|(status, result)| {
            let response = if status == 203 {
                http(203, &success())
            } else {
                response(status)
            };
            response_row(format!("HTTP {status}"), response, &[result])
        })
        .collect();
    rows.extend([
        response_row(
            "HTTP 400 with a success",
            http(400, &success()),
            &[BAD_RESPONSE],
        ),
        response_row(
            "HTTP 404 in HTML",
            http(404, "<html>not here</html>"),
            &[BAD_RESPONSE],
        )
        .create_only(),
        response_row(
            "HTTP 502 in HTML",
            http(502, "<html>bad gateway</html>"),
            &[SERVICE_FAILED],
        ),
        response_row(
            "HTTP 503 with a success",
            http(503, &success()),
            &[SERVICE_FAILED],
        ),
        response_row(
            "HTTP 503, retry at once",
            http_with(503, &[("Retry-After", "0")], ""),
            &[SERVICE_FAILED],
        ),
        response_row(
            "HTTP 429, retry at once",
            http_with(429, &[("Retry-After", "0")], ""),
            &[RATE_LIMITED],
        ),
        response_row(
            "HTTP 204",
            "HTTP/1.1 204 No Content\r\n\r\n",
            &[BAD_RESPONSE],
        ),
        response_row("HTTP 204 with a body", http(204, &success()), UNUSABLE),
        response_row(
            "HTTP 304",
            "HTTP/1.1 304 Not Modified\r\n\r\n",
            &[BAD_RESPONSE],
        ),
        response_row(
            "HTTP 304 with a length",
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
            UNUSABLE,
        ),
        response_row("HTTP 205", http(205, ""), &[BAD_RESPONSE]),
        response_row(
            "HTTP 200 that rejects in its body",
            http(200, r#"{"responseCode":"422"}"#),
            &[REJECTED],
        ),
        response_row(
            "HTTP 200 that fails in its body",
            http(200, r#"{"responseCode":"500"}"#),
            &[SERVICE_FAILED],
        ),
    ]);
    rows
}

/// No redirect is followed, and no header may reach another host.
fn redirects(elsewhere: &str) -> Vec<Row> {
    let to = |status, place: &str| http_with(status, &[("Location", place)], "");
    let mut rows: Vec<Row> = [300, 301, 302, 303, 307, 308]
        .into_iter()
        .map(|status| {
            response_row(
                format!("HTTP {status} to another host"),
                to(status, elsewhere),
                &[BAD_RESPONSE],
            )
        })
        .collect();
    rows.extend([
        response_row(
            "HTTP 307 to the same URL",
            to(307, "/api/v1/Gateway/CreateOrder"),
            &[BAD_RESPONSE],
        ),
        response_row(
            "HTTP 308 with a success",
            http_with(308, &[("Location", elsewhere)], &success()),
            &[BAD_RESPONSE],
        ),
        response_row(
            "HTTP 302 with an empty Location",
            to(302, ""),
            &[BAD_RESPONSE],
        ),
        response_row(
            "HTTP 302 without a Location",
            http(302, ""),
            &[BAD_RESPONSE],
        ),
        response_row(
            "HTTP 200 with a Location",
            http_with(
                200,
                &[("Location", elsewhere), ("Refresh", "0")],
                &success(),
            ),
            &[DONE],
        ),
    ]);
    rows
}
