//! The faults of a service after the connect, and the results that each may have.

use super::{BAD_RESPONSE, CONNECTION_LOST, TIMEOUT};
use support::responses::created;
use support::service::Reaction;

pub fn faults() -> Vec<(&'static str, Reaction, &'static [i32])> {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n".to_vec();
    let lost: &[i32] = &[CONNECTION_LOST];
    let lost_or_bad: &[i32] = &[CONNECTION_LOST, BAD_RESPONSE];
    let part = |length: usize| created()[..length].to_vec();
    let chunks = |text: &str| {
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{text}").into_bytes()
    };
    vec![
        ("closed after the head", Reaction::CloseAfterHead, lost),
        ("reset after the head", Reaction::ResetAfterHead, lost),
        ("closed after the request", Reaction::Close, lost),
        ("reset after the request", Reaction::Reset, lost),
        ("silence", Reaction::Stall, &[TIMEOUT]),
        (
            "one byte, then closed",
            Reaction::RespondThenClose(part(1)),
            lost_or_bad,
        ),
        (
            "half a head, then closed",
            Reaction::RespondThenClose(part(30)),
            lost_or_bad,
        ),
        (
            "half a head, then reset",
            Reaction::RespondThenReset(part(30)),
            lost_or_bad,
        ),
        (
            "half a head, then silence",
            Reaction::RespondThenStall(part(30)),
            &[TIMEOUT],
        ),
        (
            "a head, then closed",
            Reaction::RespondThenClose(head.clone()),
            lost_or_bad,
        ),
        (
            "a head, then reset",
            Reaction::RespondThenReset(head.clone()),
            lost_or_bad,
        ),
        (
            "a head, then silence",
            Reaction::RespondThenStall(head),
            &[TIMEOUT],
        ),
        (
            "a body cut short, then closed",
            Reaction::RespondThenClose(part(created().len() - 1)),
            lost_or_bad,
        ),
        (
            "a body cut short, then reset",
            Reaction::RespondThenReset(part(created().len() - 1)),
            lost_or_bad,
        ),
        (
            "a body cut short, then silence",
            Reaction::RespondThenStall(part(created().len() - 1)),
            &[TIMEOUT],
        ),
        (
            "a body without a length, then reset",
            Reaction::RespondThenReset(
                b"HTTP/1.1 200 OK\r\n\r\n{\"responseCode\":\"200\",\"data\":{".to_vec(),
            ),
            lost_or_bad,
        ),
        (
            "a chunk that ends early",
            Reaction::RespondThenClose(chunks("80\r\n{\"responseCode\"")),
            lost_or_bad,
        ),
        (
            "no last chunk",
            Reaction::RespondThenClose(chunks("2\r\n{}\r\n")),
            lost_or_bad,
        ),
        (
            "chunks without sizes",
            Reaction::RespondThenClose(chunks("zz\r\n{}\r\n0\r\n\r\n")),
            lost_or_bad,
        ),
        (
            "a chunk of size minus one",
            Reaction::RespondThenClose(chunks("-1\r\n{}\r\n0\r\n\r\n")),
            lost_or_bad,
        ),
        (
            "a chunk size over 64 bits",
            Reaction::RespondThenClose(chunks("fffffffffffffffffffff\r\n{}\r\n0\r\n\r\n")),
            lost_or_bad,
        ),
        (
            "another protocol",
            Reaction::RespondThenClose(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()),
            lost_or_bad,
        ),
        (
            "zeros",
            Reaction::RespondThenClose(vec![0; 4096]),
            lost_or_bad,
        ),
        (
            "a status that is not a number",
            Reaction::RespondThenClose(b"HTTP/1.1 2x0 OK\r\n\r\n".to_vec()),
            lost_or_bad,
        ),
        (
            "a length that is not a number",
            Reaction::RespondThenClose(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}".to_vec()),
            lost_or_bad,
        ),
        (
            "two lengths",
            Reaction::RespondThenClose(
                b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}".to_vec(),
            ),
            lost_or_bad,
        ),
        (
            "an endless head",
            Reaction::RespondThenClose(
                [b"HTTP/1.1 200 OK\r\n".to_vec(), b"X: y\r\n".repeat(50_000)].concat(),
            ),
            lost_or_bad,
        ),
    ]
}
