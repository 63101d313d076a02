//! A connection that is kept between calls, and its faults.

use crate::table::success;
use Step::*;
use support::fault_service::fault::{BOTH, PROXIES, Step, Way, response};
use support::responses::{created, http, http_with};
use support::row::Before::{Nothing, Pause, Restart, ScriptSays, Start, Stop};
use support::row::{
    BAD_RESPONSE, CONNECT_FAILED, CONNECTION_LOST, DONE, REJECTED, Row, SERVICE_FAILED, TIMEOUT,
};

/// The first connection responds to a call and then runs these steps. Others have no fault.
fn after_a_response(name: &str, then: &[Step]) -> Row {
    Row::new(
        name,
        BOTH,
        [&[Request, Send(created())], then].concat(),
        &[DONE],
    )
    .next(no_fault(4))
}

fn no_fault(requests: usize) -> Vec<Step> {
    (0..requests)
        .flat_map(|_| [Request, Send(created())])
        .collect()
}

pub fn rows() -> Vec<Row> {
    [
        ended(),
        unsolicited(),
        responses_before_the_request(),
        at_the_same_moment(),
        responses_that_end_it(),
        restarts(),
    ]
    .concat()
}

/// Data that arrived before the call is noticed before anything is sent.
fn ended() -> Vec<Row> {
    let done = &[DONE];
    let row = |name: &str, then: &[Step]| {
        after_a_response(name, &[then, &[StartNextCall]].concat())
            .then(ScriptSays, done)
            .connections(2..=2)
    };
    let respond_and_close = [Request, SendAndClose(created()), StartNextCall];
    vec![
        Row::new("kept, without a fault", BOTH, no_fault(3), done)
            .then(Nothing, done)
            .then(Nothing, done)
            .connections(1..=1),
        row("kept, then closed", &[Close]),
        row("kept, then cut", &[Cut]),
        row("kept, then reset", &[Reset]),
        row("kept, then closed unread", &[CloseUnread]),
        row("kept, then closed after the call", &[WaitForReturn, Close]),
        row("kept, then reset after the call", &[WaitForReturn, Reset]),
        Row::new(
            "closed in the response's last segment",
            BOTH,
            respond_and_close,
            done,
        )
        .next(no_fault(1))
        .then(ScriptSays, done)
        .connections(2..=2),
        after_a_response(
            "kept for longer than maxIdleMs",
            &[Request, Send(response(400))],
        )
        .with("maxIdleMs", 20)
        .then(Pause(80), done)
        .connections(2..=2),
        after_a_response("not kept at all", &[Request, Send(response(400))])
            .with("maxIdleMs", 0)
            .then(Nothing, done)
            .connections(2..=2),
    ]
}

/// Unsolicited data, here a refusal, is never used as the next call's response.
fn unsolicited() -> Vec<Row> {
    let row = |name: &str, first: Vec<u8>, later: &[Step]| {
        let script = [&[Request, Send(first)], later].concat();
        Row::new(name, BOTH, script, &[DONE])
            .next(no_fault(1))
            .then(ScriptSays, &[DONE])
            .connections(2..=2)
    };
    let twice = |second: Vec<u8>| [created(), second].concat();
    let length = success().len();
    let junk = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{}x",
        success()
    )
    .into_bytes();
    vec![
        row(
            "two responses in one",
            twice(response(400)),
            &[StartNextCall, Request],
        ),
        row(
            "one and a half responses",
            twice(response(400)[..30].to_vec()),
            &[StartNextCall, Request, Send(response(400)[30..].to_vec())],
        ),
        row("a byte after the response", junk, &[StartNextCall, Request]),
        row(
            "a line end after the response",
            twice(b"\r\n".to_vec()),
            &[StartNextCall, Request, Send(response(400))],
        ),
        row(
            "a second response after the call",
            created(),
            &[WaitForReturn, Send(response(400)), StartNextCall, Request],
        ),
        row(
            "408 after the call, then closed",
            created(),
            &[WaitForReturn, Send(response(408)), Close, StartNextCall],
        ),
        row(
            "an interim response between calls",
            created(),
            &[
                WaitForReturn,
                Send(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
                StartNextCall,
                Request,
            ],
        ),
        row(
            "garbage between calls",
            created(),
            &[WaitForReturn, Send(vec![7; 50]), StartNextCall, Request],
        ),
        Row::new(
            "a response after its call timed out",
            BOTH,
            [
                Request,
                WaitForReturn,
                Send(response(400)),
                StartNextCall,
                Request,
            ],
            &[TIMEOUT],
        )
        .next(no_fault(1))
        .within(400)
        .then(ScriptSays, &[DONE])
        .connections(2..=2),
    ]
}

/// Data that came before the request is not a response to it, not even a part of a TLS record.
fn responses_before_the_request() -> Vec<Row> {
    let half = [
        WaitForReturn,
        SendInOneSegment(vec![response(400)], 50),
        StartNextCall,
    ];
    let half_a_record = [&half[..], &[WaitForData, Rest, Request]].concat();
    // After the response to the first call.
    let scripts: [(&str, Vec<Step>); 5] = [
        (
            "a second response in a segment of its own",
            vec![
                Send(created()),
                WaitForReturn,
                Send(response(400)),
                StartNextCall,
                Request,
            ],
        ),
        (
            "a second response in a second record of the same segment",
            vec![
                SendInOneSegment(vec![created(), response(400)], 100),
                StartNextCall,
                Request,
            ],
        ),
        (
            "half a second response in the same segment, the rest with the next request",
            vec![
                SendInOneSegment(vec![created(), response(400)], 50),
                StartNextCall,
                WaitForData,
                Rest,
                Request,
            ],
        ),
        (
            "half a second response after the call, the rest with the next request",
            [vec![Send(created())], half_a_record].concat(),
        ),
        (
            "a byte of a second response after the call, the rest with the next request",
            vec![
                Send(created()),
                WaitForReturn,
                SendInOneSegment(vec![response(400)], 1),
                StartNextCall,
                WaitForData,
                Rest,
                Request,
            ],
        ),
    ];
    // A TLS control message is not a response, but half of one could be.
    let own_messages = |then: &[Step]| {
        [
            &[Request, Send(created()), WaitForReturn],
            then,
            &[Request, Send(created())],
        ]
        .concat()
    };
    let late_messages = [
        Row::new(
            "a TLS message after the call",
            &[Way::Tls],
            own_messages(&[SendInOneSegment(vec![Vec::new()], 100), StartNextCall]),
            &[DONE],
        )
        .then(ScriptSays, &[DONE])
        .connections(1..=1),
        Row::new(
            "half a TLS message after the call",
            &[Way::Tls],
            own_messages(&[
                SendInOneSegment(vec![Vec::new()], 50),
                StartNextCall,
                Wait(200),
                Rest,
            ]),
            &[DONE],
        )
        .next(no_fault(1))
        .then(ScriptSays, &[DONE])
        .connections(2..=2),
    ];
    let rows = |ways: &'static [Way], opening: &[Step]| {
        let rows = scripts.iter().map(|(name, script)| {
            let script = [opening, &[Request], script].concat();
            Row::new(format!("{name}, {}", ways.len()), ways, script, &[DONE])
                .next([opening, &no_fault(1)].concat())
                .then(ScriptSays, &[DONE])
                .connections(2..=2)
        });
        rows.collect::<Vec<Row>>()
    };
    [
        late_messages.to_vec(),
        rows(BOTH, &[]),
        rows(PROXIES, &[Connect, Open]),
    ]
    .concat()
}

/// The connection ends while the request is sent: it is sent once, and its outcome is unknown.
fn at_the_same_moment() -> Vec<Row> {
    let lost = &[CONNECTION_LOST];
    let row = |name: &str, then: &[Step], results: &[i32]| {
        after_a_response(name, then)
            .then(Nothing, results)
            .connections(1..=1)
    };
    let mut rows = vec![
        row(
            "kept, and closed as the next request comes",
            &[WaitForData, Close],
            lost,
        ),
        row(
            "kept, and cut as the next request comes",
            &[WaitForData, Cut],
            lost,
        ),
        row(
            "kept, and closed unread as the next request comes",
            &[WaitForData, CloseUnread],
            lost,
        ),
        row(
            "kept, and reset as the next request comes",
            &[WaitForData, Reset],
            lost,
        ),
        row("kept, and closed after the next head", &[Head, Close], lost),
        row(
            "kept, and reset after the next request",
            &[Request, Reset],
            lost,
        ),
        row(
            "kept, and half a response to the next request",
            &[Request, Send(created()[..60].to_vec()), Close],
            lost,
        ),
        row("kept, and silent from then on", &[], &[TIMEOUT]).within(400),
        row(
            "kept, but silent, and nothing is read",
            &[Wait(900)],
            &[TIMEOUT],
        )
        .within(400),
        row(
            "kept, and the next response is not HTTP",
            &[Request, Send(b"what?\r\n\r\n".to_vec()), Close],
            &[BAD_RESPONSE, CONNECTION_LOST],
        ),
    ];
    for (end, step) in [("closes", Close), ("resets", Reset), ("slams", CloseUnread)] {
        for delay in [0, 5, 10, 20, 40, 80, 160] {
            let script = [Request, Send(created()), Microseconds(delay), step.clone()];
            let mut row = Row::new(
                format!("a service that {end} its connections {delay} us after each response"),
                BOTH,
                script,
                &[DONE],
            );
            for _ in 0..20 {
                row = row.then(Nothing, &[DONE, CONNECTION_LOST, CONNECT_FAILED]);
            }
            rows.push(row);
        }
    }
    rows
}

/// After some responses a connection must not be used again.
fn responses_that_end_it() -> Vec<Row> {
    let row = |name: &str, first_response: Vec<u8>, first: i32| {
        Row::new(
            name,
            BOTH,
            [Request, Send(first_response), Request, Send(response(400))],
            &[first],
        )
        .next(no_fault(1))
        .then(Nothing, &[DONE])
        .connections(2..=2)
    };
    let old = format!(
        "HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{}",
        success().len(),
        success()
    );
    vec![
        row(
            "a response that says close, and does not",
            http_with(200, &[("Connection", "close")], &success()),
            DONE,
        ),
        row("a response in HTTP/1.0", old.into_bytes(), DONE),
        row(
            "a response without a body that says close",
            b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_vec(),
            BAD_RESPONSE,
        ),
        row(
            "a redirect that says close",
            http_with(302, &[("Connection", "close"), ("Location", "/")], "moved"),
            BAD_RESPONSE,
        ),
        row(
            "a redirect without a body that says close",
            http_with(302, &[("Connection", "close"), ("Location", "/")], ""),
            BAD_RESPONSE,
        ),
        Row::new(
            "a response without a body, and the connection is kept",
            BOTH,
            [
                vec![Request, Send(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec())],
                no_fault(1),
            ]
            .concat(),
            &[BAD_RESPONSE],
        )
        .then(Nothing, &[DONE])
        .connections(1..=1),
        row(
            "a response over maxResponseBytes",
            http(200, &" ".repeat(5000)),
            BAD_RESPONSE,
        )
        .with("maxResponseBytes", 4096)
        .cause("response_too_large"),
        row(
            "a response that is not HTTP",
            b"what?\r\n\r\n".to_vec(),
            BAD_RESPONSE,
        )
        .cause("response_not_http"),
        Row::new(
            "a refusal, and the connection is kept",
            BOTH,
            [vec![Request, Send(response(400))], no_fault(1)].concat(),
            &[REJECTED],
        )
        .then(Nothing, &[DONE])
        .connections(1..=1),
        Row::new(
            "a failure, and the connection is kept",
            BOTH,
            [vec![Request, Send(response(503))], no_fault(1)].concat(),
            &[SERVICE_FAILED],
        )
        .then(Nothing, &[DONE])
        .connections(1..=1),
    ]
}

fn restarts() -> Vec<Row> {
    let done = &[DONE];
    vec![
        Row::new("restarted between calls", BOTH, no_fault(9), done)
            .then(Restart, done)
            .then(Restart, done)
            .connections(3..=3),
        Row::new("stopped between calls", BOTH, no_fault(9), done)
            .then(Stop, &[CONNECT_FAILED])
            .connections(1..=1),
        Row::new("stopped, and started again", BOTH, no_fault(9), done)
            .then(Stop, &[CONNECT_FAILED])
            .then(Start, done)
            .connections(2..=2),
    ]
}
