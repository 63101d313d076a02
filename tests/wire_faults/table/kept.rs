//! A connection that is kept between calls, and what may become of it.

use crate::row::Before::{Nothing, Pause, Restart, Start, Stop, Told};
use crate::row::{
    BAD_RESPONSE, CONNECT_FAILED, CONNECTION_LOST, DONE, REJECTED, Row, SERVICE_FAILED, TIMEOUT,
};
use crate::service::fault::{BOTH, PROXIES, Step, Way, response};
use crate::support::responses::{created, http, http_with};
use crate::table::success;
use Step::*;

/// The first connection answers a call and then does this; all others are well.
fn after_a_response(name: &str, then: &[Step]) -> Row {
    Row::new(
        name,
        BOTH,
        [&[Request, Send(created())], then].concat(),
        &[DONE],
    )
    .next(well(4))
}

fn well(requests: usize) -> Vec<Step> {
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

/// What has come before the call is noticed before anything is sent.
fn ended() -> Vec<Row> {
    let done = &[DONE];
    let row = |name: &str, then: &[Step]| {
        after_a_response(name, &[then, &[Tell]].concat())
            .then(Told, done)
            .connections(2..=2)
    };
    let respond_and_close = [Request, SendAndClose(created()), Tell];
    vec![
        Row::new("kept, and all is well", BOTH, well(3), done)
            .then(Nothing, done)
            .then(Nothing, done)
            .connections(1..=1),
        row("kept, then closed", &[Close]),
        row("kept, then cut", &[Cut]),
        row("kept, then reset", &[Reset]),
        row("kept, then slammed", &[Slam]),
        row("kept, then closed after the call", &[Returned, Close]),
        row("kept, then reset after the call", &[Returned, Reset]),
        Row::new(
            "closed in the response's last segment",
            BOTH,
            respond_and_close,
            done,
        )
        .next(well(1))
        .then(Told, done)
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

/// What nobody asked for is never taken for the next call's response: it would be a refusal.
fn unsolicited() -> Vec<Row> {
    let row = |name: &str, first: Vec<u8>, later: &[Step]| {
        let script = [&[Request, Send(first)], later].concat();
        Row::new(name, BOTH, script, &[DONE])
            .next(well(1))
            .then(Told, &[DONE])
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
            &[Tell, Request],
        ),
        row(
            "one and a half answers",
            twice(response(400)[..30].to_vec()),
            &[Tell, Request, Send(response(400)[30..].to_vec())],
        ),
        row("a byte after the response", junk, &[Tell, Request]),
        row(
            "a line's end after the response",
            twice(b"\r\n".to_vec()),
            &[Tell, Request, Send(response(400))],
        ),
        row(
            "a second response after the call",
            created(),
            &[Returned, Send(response(400)), Tell, Request],
        ),
        row(
            "408 after the call, then closed",
            created(),
            &[Returned, Send(response(408)), Close, Tell],
        ),
        row(
            "an interim response between calls",
            created(),
            &[
                Returned,
                Send(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
                Tell,
                Request,
            ],
        ),
        row(
            "noise between calls",
            created(),
            &[Returned, Send(vec![7; 50]), Tell, Request],
        ),
        Row::new(
            "a response after its call gave up",
            BOTH,
            [Request, Returned, Send(response(400)), Tell, Request],
            &[TIMEOUT],
        )
        .next(well(1))
        .within(400)
        .then(Told, &[DONE])
        .connections(2..=2),
    ]
}

/// What came before the request is no response to it, be it a part of a TLS record.
fn responses_before_the_request() -> Vec<Row> {
    let half = [Returned, Together(vec![response(400)], 50), Tell];
    let half_a_record = [&half[..], &[Something, Rest, Request]].concat();
    // After the response to the first call.
    let scripts: [(&str, Vec<Step>); 5] = [
        (
            "a second response in a segment of its own",
            vec![
                Send(created()),
                Returned,
                Send(response(400)),
                Tell,
                Request,
            ],
        ),
        (
            "a second response in a second record of the same segment",
            vec![Together(vec![created(), response(400)], 100), Tell, Request],
        ),
        (
            "half a second response in the same segment, the rest with the next request",
            vec![
                Together(vec![created(), response(400)], 50),
                Tell,
                Something,
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
                Returned,
                Together(vec![response(400)], 1),
                Tell,
                Something,
                Rest,
                Request,
            ],
        ),
    ];
    // A message of TLS's own is no response; half of one may be.
    let own_messages = |then: &[Step]| {
        [
            &[Request, Send(created()), Returned],
            then,
            &[Request, Send(created())],
        ]
        .concat()
    };
    let late_messages = [
        Row::new(
            "a message of TLS after the call",
            &[Way::Tls],
            own_messages(&[Together(vec![Vec::new()], 100), Tell]),
            &[DONE],
        )
        .then(Told, &[DONE])
        .connections(1..=1),
        Row::new(
            "half a message of TLS after the call",
            &[Way::Tls],
            own_messages(&[Together(vec![Vec::new()], 50), Tell, Wait(200), Rest]),
            &[DONE],
        )
        .next(well(1))
        .then(Told, &[DONE])
        .connections(2..=2),
    ];
    let rows = |ways: &'static [Way], opening: &[Step]| {
        let rows = scripts.iter().map(|(name, script)| {
            let script = [opening, &[Request], script].concat();
            Row::new(format!("{name}, {}", ways.len()), ways, script, &[DONE])
                .next([opening, &well(1)].concat())
                .then(Told, &[DONE])
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

/// The request is on its way when the connection ends: it is sent once, and its outcome unknown.
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
            &[Something, Close],
            lost,
        ),
        row(
            "kept, and cut as the next request comes",
            &[Something, Cut],
            lost,
        ),
        row(
            "kept, and slammed as the next request comes",
            &[Something, Slam],
            lost,
        ),
        row(
            "kept, and reset as the next request comes",
            &[Something, Reset],
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
            "kept, silent, and nothing is read",
            &[Wait(900)],
            &[TIMEOUT],
        )
        .within(400),
        row(
            "kept, and the next response is no HTTP",
            &[Request, Send(b"what?\r\n\r\n".to_vec()), Close],
            &[BAD_RESPONSE, CONNECTION_LOST],
        ),
    ];
    for (end, step) in [("closes", Close), ("resets", Reset), ("slams", Slam)] {
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

/// After some responses a connection is not to be used again.
fn responses_that_end_it() -> Vec<Row> {
    let row = |name: &str, first_response: Vec<u8>, first: i32| {
        Row::new(
            name,
            BOTH,
            [Request, Send(first_response), Request, Send(response(400))],
            &[first],
        )
        .next(well(1))
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
        row("a response by HTTP/1.0", old.into_bytes(), DONE),
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
            "a response without a body, and the connection goes on",
            BOTH,
            [
                vec![Request, Send(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec())],
                well(1),
            ]
            .concat(),
            &[BAD_RESPONSE],
        )
        .then(Nothing, &[DONE])
        .connections(1..=1),
        row(
            "a response longer than is taken",
            http(200, &" ".repeat(5000)),
            BAD_RESPONSE,
        )
        .with("maxResponseBytes", 4096)
        .cause("response_too_large"),
        row(
            "a response that is no HTTP",
            b"what?\r\n\r\n".to_vec(),
            BAD_RESPONSE,
        )
        .cause("response_not_http"),
        Row::new(
            "a refusal, and the connection goes on",
            BOTH,
            [vec![Request, Send(response(400))], well(1)].concat(),
            &[REJECTED],
        )
        .then(Nothing, &[DONE])
        .connections(1..=1),
        Row::new(
            "a failure, and the connection goes on",
            BOTH,
            [vec![Request, Send(response(503))], well(1)].concat(),
            &[SERVICE_FAILED],
        )
        .then(Nothing, &[DONE])
        .connections(1..=1),
    ]
}

fn restarts() -> Vec<Row> {
    let done = &[DONE];
    vec![
        Row::new("restarted between calls", BOTH, well(9), done)
            .then(Restart, done)
            .then(Restart, done)
            .connections(3..=3),
        Row::new("stopped between calls", BOTH, well(9), done)
            .then(Stop, &[CONNECT_FAILED])
            .connections(1..=1),
        Row::new("stopped, and started again", BOTH, well(9), done)
            .then(Stop, &[CONNECT_FAILED])
            .then(Start, done)
            .connections(2..=2),
    ]
}
