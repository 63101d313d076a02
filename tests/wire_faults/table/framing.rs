//! Lengths and chunks: truncated, malformed, overflowing, contradicting, endless.

use crate::row::{BAD_RESPONSE, CONNECTION_LOST, DONE, Row, TIMEOUT};
use crate::service::fault::{BOTH, Step};
use crate::table::success;
use Step::*;

/// Where its end is, depends on who reads it.
const REFUSED: &[i32] = &[BAD_RESPONSE];
const UNUSABLE: &[i32] = &[BAD_RESPONSE, CONNECTION_LOST];
/// Slightly off, but with every byte of the body where it belongs: to read it is as right as not
/// to.
const OR_WHOLE: &[i32] = &[DONE, BAD_RESPONSE, CONNECTION_LOST];

pub fn rows() -> Vec<Row> {
    [lengths(), chunks(), encodings()].concat()
}

fn answered(name: &str, head: &str, body: &str, results: &[i32]) -> Row {
    let response = format!("HTTP/1.1 200 OK\r\n{head}\r\n{body}");
    Row::new(name, BOTH, [Request, Send(response.into()), Close], results).connections(1..=1)
}

fn lengths() -> Vec<Row> {
    let body = success();
    let length = body.len();
    let row = |name: &str, head: String, results: &[i32]| answered(name, &head, &body, results);
    // A success whose end two lengths put at different places is none: one of the two readers is
    // misled.
    vec![
        row("two lengths, the first one right", format!("Content-Length: {length}\r\nContent-Length: 500\r\n"), UNUSABLE),
        row("two lengths, the second one right", format!("Content-Length: 5\r\nContent-Length: {length}\r\n"), UNUSABLE),
        row("one length twice", format!("Content-Length: {length}\r\nContent-Length: {length}\r\n"), OR_WHOLE),
        row("two lengths in one header", format!("Content-Length: {length}, 5\r\n"), UNUSABLE),
        row("a length below zero", "Content-Length: -5\r\n".into(), UNUSABLE),
        row("a length with a sign", format!("Content-Length: +{length}\r\n"), UNUSABLE),
        row("a length in words", "Content-Length: many\r\n".into(), UNUSABLE),
        row("an empty length", "Content-Length: \r\n".into(), UNUSABLE),
        row("a length in hexadecimal", format!("Content-Length: 0x{length:x}\r\n"), UNUSABLE),
        row("a length over 64 bits", "Content-Length: 18446744073709551616\r\n".into(), UNUSABLE),
        row("a length of 64 bits", "Content-Length: 18446744073709551615\r\n".into(), UNUSABLE),
        row("a length of 10 GB", "Content-Length: 10000000000\r\n".into(), UNUSABLE),
        row("a length too long by one", format!("Content-Length: {}\r\n", length + 1), UNUSABLE),
        row("a length too short by one", format!("Content-Length: {}\r\n", length - 1), UNUSABLE),
        row("a length of nothing", "Content-Length: 0\r\n".into(), UNUSABLE),
        row("a length and chunks, and it is no chunks", format!("Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n"), UNUSABLE),
        row("an encoding that nobody knows", "Transfer-Encoding: rot13\r\n".into(), REFUSED),
        row("an encoding that nobody knows, and a length", format!("Transfer-Encoding: rot13\r\nContent-Length: {length}\r\n"), REFUSED),
        Row::new(
            "chunks in HTTP/1.0, which has none, and it is no chunks",
            BOTH,
            [Request, Send(format!("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}").into()), Close],
            UNUSABLE,
        ),
        Row::new(
            "chunks and a length in HTTP/1.0",
            BOTH,
            [
                Request,
                Send(format!("HTTP/1.0 200 OK\r\nContent-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n{body}").into()),
                Close,
            ],
            UNUSABLE,
        ),
        Row::new(
            "a length too long by one, then silence",
            BOTH,
            [Request, Send(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", length + 1).into())],
            &[TIMEOUT],
        )
        .within(400),
    ]
}

/// Of chunks with another encoding before, behind or around them nobody knows what they hold.
fn encodings() -> Vec<Row> {
    let body = success();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let headers = [
        "Transfer-Encoding: chunked, deflate",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity",
    ];
    let row = |header: &str| answered(header, &format!("{header}\r\n"), &chunked, REFUSED);
    headers.map(row).to_vec()
}

fn chunks() -> Vec<Row> {
    let body = success();
    let length = body.len();
    let (half, rest) = body.split_at(length / 2);
    let (first, second) = (
        format!("{:x}\r\n{half}\r\n", half.len()),
        format!("{:x}\r\n{rest}\r\n", rest.len()),
    );
    let head = "Transfer-Encoding: chunked\r\n";
    let row = |name: &str, body: String, results: &[i32]| answered(name, head, &body, results);
    let flood = |name: &str, begins: &str, goes_on: &str, results: &[i32]| {
        let begins = format!("HTTP/1.1 200 OK\r\n{head}\r\n{begins}");
        Row::new(
            name,
            BOTH,
            [Request, Send(begins.into()), Flood(goes_on.into())],
            results,
        )
        .connections(1..=1)
        .within(2000)
    };
    vec![
        row(
            "chunks, and all is well",
            format!("{first}{second}0\r\n\r\n"),
            &[DONE],
        ),
        row(
            "chunks with a trailer",
            format!("{first}{second}0\r\nX: y\r\n\r\n"),
            &[DONE],
        ),
        row(
            "a chunk with a long extension",
            format!("{length:x};name=a-long-value\r\n{body}\r\n0\r\n\r\n"),
            &[DONE],
        ),
        row(
            "chunks with extensions of 1000 bytes",
            format!(
                "{length:x};a={0}\r\n{body}\r\n0;b={0}\r\n\r\n",
                "x".repeat(1000)
            ),
            &[DONE],
        ),
        row(
            "chunks, closed in the middle of one",
            format!("{first}{}", &second[..second.len() / 2]),
            UNUSABLE,
        ),
        row("chunks, closed between two", first.clone(), UNUSABLE),
        row(
            "chunks, closed in a size",
            format!("{first}{}", &second[..1]),
            UNUSABLE,
        ),
        row(
            "chunks, closed before the last one",
            format!("{first}{second}"),
            UNUSABLE,
        ),
        row(
            "chunks, closed before the empty line after the last one",
            format!("{first}{second}0\r\n"),
            &[DONE],
        ),
        row("no chunk", String::new(), UNUSABLE),
        row("only the last chunk", "0\r\n\r\n".into(), &[BAD_RESPONSE]),
        row(
            "a chunk whose size is no number",
            format!("zz\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk whose size is below zero",
            format!("-5\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk without a size",
            format!("\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk whose size is over 64 bits",
            format!("1{length:016x}\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk whose size is of 64 bits",
            format!("ffffffffffffffff\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk longer than it says",
            format!("{:x}\r\n{body}\r\n0\r\n\r\n", length - 1),
            UNUSABLE,
        ),
        row(
            "a chunk shorter than it says",
            format!("{:x}\r\n{body}\r\n0\r\n\r\n", length + 1),
            UNUSABLE,
        ),
        row(
            "a chunk's data without their end",
            format!("{length:x}\r\n{body}0\r\n\r\n"),
            UNUSABLE,
        ),
        Row::new(
            "chunks, then silence",
            BOTH,
            [
                Request,
                Send(format!("HTTP/1.1 200 OK\r\n{head}\r\n{first}{second}").into()),
            ],
            &[TIMEOUT],
        )
        .within(400),
        flood("chunks without end", "", "4\r\n    \r\n", &[BAD_RESPONSE]),
        // Not kept until the deadline: whatever is read of a line that has no end is memory.
        flood(
            "a chunk's size without end",
            "",
            "00000000",
            &[BAD_RESPONSE],
        ),
        flood(
            "a chunk's extension without end",
            "5;x=",
            "yyyyyyyy",
            &[BAD_RESPONSE],
        ),
        flood("trailers without end", "0\r\n", "X: y\r\n", &[BAD_RESPONSE]),
        flood(
            "a chunk of 2 GB",
            "7fffffff\r\n",
            "        ",
            &[BAD_RESPONSE],
        ),
    ]
}
