//! A connection that is kept between calls, and what may become of it.

use crate::fault::{BOTH, Step};
use crate::row::Before::{Nothing, Pause, Restart, Start, Stop};
use crate::row::{BAD_RESPONSE, CONNECT_FAILED, CONNECTION_LOST, DONE, REJECTED, Row, SERVICE_FAILED, TIMEOUT};
use crate::support::answers::{created, http, http_with};
use crate::table::{refusal, success};
use Step::*;

/// The first connection answers a call and then does this; all others are well.
fn after_an_answer(name: &str, then: &[Step]) -> Row {
    let script: Vec<Step> = [Request, Send(created())].into_iter().chain(then.iter().cloned()).collect();
    Row::new(name, BOTH, script, &[DONE]).next(well(4))
}

fn well(requests: usize) -> Vec<Step> {
    (0..requests).flat_map(|_| [Request, Send(created())]).collect()
}

pub fn rows() -> Vec<Row> {
    [ended(), unsolicited(), at_the_same_moment(), answers_that_end_it(), restarts()].concat()
}

/// What has come before the call is noticed before anything is sent.
fn ended() -> Vec<Row> {
    let done = &[DONE];
    let row = |name: &str, then: &[Step]| after_an_answer(name, then).then(Pause(60), done).connections(2..=2);
    let answer_and_close = [Request, SendAndClose(created())];
    vec![
        Row::new("kept, and all is well", BOTH, well(3), done).then(Nothing, done).then(Pause(60), done).connections(1..=1),
        row("kept, then closed", &[Close]),
        row("kept, then cut", &[Cut]),
        row("kept, then reset", &[Reset]),
        row("kept, then slammed", &[Slam]),
        row("kept, then closed a moment later", &[Wait(20), Close]),
        Row::new("closed in the answer's last segment", BOTH, answer_and_close, done)
            .next(well(1))
            .then(Pause(60), done)
            .connections(2..=2),
        after_an_answer("kept for longer than maxIdleMs", &[Request, Send(refusal(400))])
            .with("maxIdleMs", 20)
            .then(Pause(80), done)
            .connections(2..=2),
        after_an_answer("not kept at all", &[Request, Send(refusal(400))]).with("maxIdleMs", 0).then(Nothing, done).connections(2..=2),
    ]
}

/// What nobody asked for is never taken for the next call's answer: it would be a refusal.
fn unsolicited() -> Vec<Row> {
    let row = |name: &str, first: Vec<u8>, later: &[Step]| {
        let script: Vec<Step> = [Request, Send(first)].into_iter().chain(later.iter().cloned()).collect();
        Row::new(name, BOTH, script, &[DONE]).next(well(1)).then(Pause(60), &[DONE]).connections(2..=2)
    };
    let twice = |second: Vec<u8>| [created(), second].concat();
    let length = success().len();
    let junk = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{}x", success()).into_bytes();
    vec![
        row("two answers in one", twice(refusal(400)), &[Request]),
        row("one and a half answers", twice(refusal(400)[..30].to_vec()), &[Request, Send(refusal(400)[30..].to_vec())]),
        row("a byte after the answer", junk, &[Request]),
        row("a line's end after the answer", twice(b"\r\n".to_vec()), &[Request, Send(refusal(400))]),
        row("a second answer a moment later", created(), &[Wait(20), Send(refusal(400)), Request]),
        row("408 a moment later, then closed", created(), &[Wait(20), Send(refusal(408)), Close]),
        row("an interim answer between calls", created(), &[Wait(20), Send(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()), Request]),
        row("noise between calls", created(), &[Wait(20), Send(vec![7; 50]), Request]),
        Row::new("an answer after its call gave up", BOTH, [Request, Wait(700), Send(refusal(400)), Request], &[TIMEOUT])
            .next(well(1))
            .within(400)
            .then(Pause(600), &[DONE])
            .connections(2..=2),
    ]
}

/// The request is on its way when the connection ends: it is sent once, and its outcome unknown.
fn at_the_same_moment() -> Vec<Row> {
    let lost = &[CONNECTION_LOST];
    let row = |name: &str, then: &[Step], results: &[i32]| after_an_answer(name, then).then(Nothing, results).connections(1..=1);
    let mut rows = vec![
        row("kept, and closed as the next request comes", &[Something, Close], lost),
        row("kept, and cut as the next request comes", &[Something, Cut], lost),
        row("kept, and slammed as the next request comes", &[Something, Slam], lost),
        row("kept, and reset as the next request comes", &[Something, Reset], lost),
        row("kept, and closed after the next head", &[Head, Close], lost),
        row("kept, and reset after the next request", &[Request, Reset], lost),
        row("kept, and half an answer to the next request", &[Request, Send(created()[..60].to_vec()), Close], lost),
        row("kept, and silent from then on", &[], &[TIMEOUT]).within(400),
        row("kept, silent, and nothing is read", &[Wait(900)], &[TIMEOUT]).within(400),
        row("kept, and the next answer is no HTTP", &[Request, Send(b"what?\r\n\r\n".to_vec()), Close], &[BAD_RESPONSE, CONNECTION_LOST]),
    ];
    for (end, step) in [("closes", Close), ("resets", Reset), ("slams", Slam)] {
        for delay in [0, 5, 10, 20, 40, 80, 160] {
            let script = [Request, Send(created()), Microseconds(delay), step.clone()];
            let mut row = Row::new(format!("a service that {end} its connections {delay} us after each answer"), BOTH, script, &[DONE]);
            for _ in 0..20 {
                row = row.then(Nothing, &[DONE, CONNECTION_LOST, CONNECT_FAILED]);
            }
            rows.push(row);
        }
    }
    rows
}

/// After some answers a connection is not to be used again.
fn answers_that_end_it() -> Vec<Row> {
    let row = |name: &str, answer: Vec<u8>, first: i32| {
        Row::new(name, BOTH, [Request, Send(answer), Request, Send(refusal(400))], &[first])
            .next(well(1))
            .then(Pause(30), &[DONE])
            .connections(2..=2)
    };
    let old = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{}", success().len(), success());
    vec![
        row("an answer that says close, and does not", http_with(200, &[("Connection", "close")], &success()), DONE),
        row("an answer by HTTP/1.0", old.into_bytes(), DONE),
        row("an answer longer than is taken", http(200, &" ".repeat(5000)), BAD_RESPONSE).with("maxResponseBytes", 4096),
        row("an answer that is no HTTP", b"what?\r\n\r\n".to_vec(), BAD_RESPONSE),
        Row::new("a refusal, and the connection goes on", BOTH, [vec![Request, Send(refusal(400))], well(1)].concat(), &[REJECTED])
            .then(Nothing, &[DONE])
            .connections(1..=1),
        Row::new("a failure, and the connection goes on", BOTH, [vec![Request, Send(refusal(503))], well(1)].concat(), &[SERVICE_FAILED])
            .then(Nothing, &[DONE])
            .connections(1..=1),
    ]
}

fn restarts() -> Vec<Row> {
    let done = &[DONE];
    vec![
        Row::new("restarted between calls", BOTH, well(9), done).then(Restart, done).then(Restart, done).connections(3..=3),
        Row::new("stopped between calls", BOTH, well(9), done).then(Stop, &[CONNECT_FAILED]).connections(1..=1),
        Row::new("stopped, and started again", BOTH, well(9), done).then(Stop, &[CONNECT_FAILED]).then(Start, done).connections(2..=2),
    ]
}
