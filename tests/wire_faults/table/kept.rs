//! A connection that is kept between calls, and its faults.

use super::*;
use Before::*;
use Step::*;
use support::responses::{created, http, http_with};
use support::service::{BOTH, PROXIES, Script, Way, response};

pub fn rows() -> Vec<Row> {
    [
        ended(),
        unsolicited(),
        responses_before_the_request(),
        at_the_same_moment(),
        responses_that_end_it(),
        connections_that_go_on(),
    ]
    .concat()
}

/// A first response, and these steps.
fn after(response: Vec<u8>, then: &[Step]) -> Script {
    [&[Request, Send(response)], then].concat()
}

/// The second call begins when the script says so, and needs a new connection.
fn on_a_second_connection(rows: Vec<Row>, requests: usize) -> Vec<Row> {
    let rows = rows.into_iter().map(|row| {
        let row = row.next(no_fault(requests)).connections(2..=2);
        row.then(ScriptSays, OK)
    });
    rows.collect()
}

/// Data that arrived before the call is noticed before anything is sent.
fn ended() -> Vec<Row> {
    let then = |steps: &[Step]| after(created(), &[steps, &[StartNextCall]].concat());
    let again = || after(created(), &[Request, Send(response(400))]);
    let mut rows = on_a_second_connection(
        table! { "kept, then ", BOTH;
            "closed", then(&[Close]), OK;
            "cut", then(&[Cut]), OK;
            "reset", then(&[Reset]), OK;
            "closed unread", then(&[CloseUnread]), OK;
            "closed after the call", then(&[WaitForReturn, Close]), OK;
            "reset after the call", then(&[WaitForReturn, Reset]), OK;
        },
        4,
    );
    rows.extend(on_a_second_connection(
        table! { "", BOTH;
            "closed in the response's last segment",
                [Request, SendAndClose(created()), StartNextCall], OK;
        },
        1,
    ));
    rows.extend(table! { "", BOTH;
        "kept, without a fault", no_fault(3), OK,
            .then(Nothing, OK).then(Nothing, OK).connections(1..=1);
        "kept for longer than maxIdleMs", again(), OK,
            .next(no_fault(4)).with("maxIdleMs", 20).then(Pause(80), OK).connections(2..=2);
        "not kept at all", again(), OK,
            .next(no_fault(4)).with("maxIdleMs", 0).then(Nothing, OK).connections(2..=2);
    });
    rows
}

/// Unsolicited data, here a refusal, is never used as the next call's response.
fn unsolicited() -> Vec<Row> {
    let refusal = || Send(response(400));
    let (half, rest) = (response(400)[..30].to_vec(), response(400)[30..].to_vec());
    let two = |second: &[u8]| [&created(), second].concat();
    let (length, body) = (success().len(), success());
    let junk = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}x").into_bytes();
    let between = |step: Step| after(created(), &[WaitForReturn, step, StartNextCall, Request]);
    let closing = [WaitForReturn, Send(response(408)), Close, StartNextCall];
    on_a_second_connection(
        table! { "", BOTH;
            "two responses in one", after(two(&response(400)), &[StartNextCall, Request]), OK;
            "one and a half responses",
                after(two(&half), &[StartNextCall, Request, Send(rest)]), OK;
            "a byte after the response", after(junk, &[StartNextCall, Request]), OK;
            "a line end after the response",
                after(two(b"\r\n"), &[StartNextCall, Request, refusal()]), OK;
            "a second response after the call", between(refusal()), OK;
            "408 after the call, then closed", after(created(), &closing), OK;
            "an interim response between calls", between(text("HTTP/1.1 100 Continue\r\n\r\n")), OK;
            "garbage between calls", between(Send(vec![7; 50])), OK;
            "a response after its call timed out",
                [Request, WaitForReturn, refusal(), StartNextCall, Request], LATE, .within(400);
        },
        1,
    )
}

/// Data that came before the request is not a response to it, not even a part of a TLS record.
fn responses_before_the_request() -> Vec<Row> {
    let both = |percent| SendInOneSegment(vec![created(), response(400)], percent);
    let part = |percent| SendInOneSegment(vec![response(400)], percent);
    let late = |step: Step| [Send(created()), WaitForReturn, step, StartNextCall];
    let rest = [WaitForData, Rest, Request];
    // After the response to the first call.
    let scripts: [(&str, Script); 5] = [
        (
            "a second response in a segment of its own",
            [&late(Send(response(400))), &[Request][..]].concat(),
        ),
        (
            "a second response in a second record of the same segment",
            vec![both(100), StartNextCall, Request],
        ),
        (
            "half a second response in the same segment, the rest with the next request",
            [&[both(50), StartNextCall], &rest[..]].concat(),
        ),
        (
            "half a second response after the call, the rest with the next request",
            [&late(part(50)), &rest[..]].concat(),
        ),
        (
            "a byte of a second response after the call, the rest with the next request",
            [&late(part(1)), &rest[..]].concat(),
        ),
    ];
    // A TLS control message is not a response, but half of one could be.
    let message = |percent| SendInOneSegment(vec![Vec::new()], percent);
    let whole = [&late(message(100)), &no_fault(1)[..]].concat();
    let half = [&late(message(50))[..], &[Wait(200), Rest], &no_fault(1)].concat();
    let request = |then: &[Step]| [&[Request], then].concat();
    let mut rows = table! { "", &[Way::Tls];
        "a TLS message after the call", request(&whole), OK,
            .then(ScriptSays, OK).connections(1..=1);
        "half a TLS message after the call", request(&half), OK,
            .next(no_fault(1)).then(ScriptSays, OK).connections(2..=2);
    };
    for (ways, opening) in [(BOTH, &[][..]), (PROXIES, &[Connect, Open])] {
        for (name, script) in &scripts {
            let script = [opening, &[Request], script].concat();
            let row = Row::new(format!("{name}, {}", ways.len()), ways, script, OK);
            let row = row.next([opening, &no_fault(1)].concat());
            rows.push(row.then(ScriptSays, OK).connections(2..=2));
        }
    }
    rows
}

/// The connection ends while the request is sent: it is sent once, and its outcome is unknown.
fn at_the_same_moment() -> Vec<Row> {
    let half = Send(created()[..60].to_vec());
    // What happens after the first response, and the result of the second call.
    let rows = table! { "kept, ", BOTH;
        "and closed as the next request comes", [WaitForData, Close], LOST;
        "and cut as the next request comes", [WaitForData, Cut], LOST;
        "and closed unread as the next request comes", [WaitForData, CloseUnread], LOST;
        "and reset as the next request comes", [WaitForData, Reset], LOST;
        "and closed after the next head", [Head, Close], LOST;
        "and reset after the next request", [Request, Reset], LOST;
        "and half a response to the next request", [Request, half, Close], LOST;
        "and silent from then on", [], LATE, .within(400);
        "but silent, and nothing is read", [Wait(900)], LATE, .within(400);
        "and the next response is not HTTP", [Request, text("what?\r\n\r\n"), Close], UNUSABLE;
    };
    let then = |row: Row| {
        let mut calls = row.calls.clone();
        calls[0].results = OK.to_vec();
        let scripts = vec![after(created(), &row.scripts[0])];
        let results = row.calls[0].results.clone();
        let row = Row {
            calls,
            scripts,
            ..row
        };
        row.next(no_fault(4)).then(Nothing, &results)
    };
    let mut rows: Vec<Row> = once(rows.into_iter().map(then).collect());
    for (end, step) in [("closes", Close), ("resets", Reset), ("slams", CloseUnread)] {
        for delay in [0, 5, 10, 20, 40, 80, 160] {
            let name =
                format!("a service that {end} its connections {delay} us after each response");
            let script = after(created(), &[Microseconds(delay), step.clone()]);
            let row = Row::new(name, BOTH, script, OK);
            let any = &[DONE, CONNECTION_LOST, CONNECT_FAILED];
            rows.push((0..20).fold(row, |row, _| row.then(Nothing, any)));
        }
    }
    rows
}

/// After some responses a connection must not be used again.
fn responses_that_end_it() -> Vec<Row> {
    let (length, body) = (success().len(), success());
    let old = format!("HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
    let close = [("Connection", "close")];
    let redirect = [close[0], ("Location", "/")];
    let first =
        |response: Vec<u8>| after(response, &[Request, Send(support::service::response(400))]);
    let rows = table! { "", BOTH;
        "a response that says close, and does not",
            first(http_with(200, &close, &body)), OK;
        "a response in HTTP/1.0", first(old.into()), OK;
        "a response without a body that says close",
            first(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_vec()), BAD;
        "a redirect that says close", first(http_with(302, &redirect, "moved")), BAD;
        "a redirect without a body that says close", first(http_with(302, &redirect, "")), BAD;
        "a response over maxResponseBytes", first(http(200, " ".repeat(5000))), BAD,
            .with("maxResponseBytes", 4096).cause("response_too_large");
        "a response that is not HTTP", first(b"what?\r\n\r\n".to_vec()), BAD,
            .cause("response_not_http");
    };
    let rows = rows.into_iter().map(|row| {
        let row = row.next(no_fault(1)).then(Nothing, OK);
        row.connections(2..=2)
    });
    rows.collect()
}

fn connections_that_go_on() -> Vec<Row> {
    let then = |response: Vec<u8>| after(response, &no_fault(1));
    let mut rows = once(table! { "", BOTH;
        "a response without a body, and the connection is kept",
            then(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()), BAD, .then(Nothing, OK);
        "a refusal, and the connection is kept", then(response(400)), REFUSED, .then(Nothing, OK);
        "a failure, and the connection is kept", then(response(503)), FAILED, .then(Nothing, OK);
    });
    rows.extend(table! { "", BOTH;
        "restarted between calls", no_fault(9), OK,
            .then(Restart, OK).then(Restart, OK).connections(3..=3);
        "stopped between calls", no_fault(9), OK, .then(Stop, NEVER).connections(1..=1);
        "stopped, and started again", no_fault(9), OK,
            .then(Stop, NEVER).then(Start, OK).connections(2..=2);
    });
    rows
}
