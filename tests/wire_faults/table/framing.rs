//! Lengths and chunks: truncated, malformed, overflowing, contradictory, endless.

use crate::table::success;
use Step::*;
use support::fault_service::fault::{BOTH, Step};
use support::row::{BAD_RESPONSE, CONNECTION_LOST, DONE, Row, TIMEOUT};

/// Parsers disagree about where its body ends.
const REFUSED: &[i32] = &[BAD_RESPONSE];
const UNUSABLE: &[i32] = &[BAD_RESPONSE, CONNECTION_LOST];
/// Slightly wrong, but every byte of the body is in its place: accepting and refusing it are both
/// right.
const OR_WHOLE: &[i32] = &[DONE, BAD_RESPONSE, CONNECTION_LOST];

pub fn rows() -> Vec<Row> {
    [lengths(), chunks(), encodings()].concat()
}

fn response(name: &str, head: &str, body: &str, results: &[i32]) -> Row {
    let response = format!("HTTP/1.1 200 OK\r\n{head}\r\n{body}");
    Row::new(name, BOTH, [Request, Send(response.into()), Close], results).connections(1..=1)
}

fn lengths() -> Vec<Row> {
    let body = success();
    let length = body.len();
    let row = |name: &str, head: String, results: &[i32]| response(name, &head, &body, results);
    // With two different lengths, two parsers see different bodies, so it is not a success.
    vec![
        row(
            "two lengths, the first is right",
            format!(
                "Content-Length: {length}\r\n\
             Content-Length: 500\r\n"
            ),
            UNUSABLE,
        ),
        row(
            "two lengths, the second is right",
            format!(
                "Content-Length: 5\r\n\
             Content-Length: {length}\r\n"
            ),
            UNUSABLE,
        ),
        row(
            "the same length twice",
            format!(
                "Content-Length: {length}\r\n\
             Content-Length: {length}\r\n"
            ),
            OR_WHOLE,
        ),
        row(
            "two lengths in one header",
            format!("Content-Length: {length}, 5\r\n"),
            UNUSABLE,
        ),
        row(
            "a negative length",
            "Content-Length: -5\r\n".into(),
            UNUSABLE,
        ),
        row(
            "a length with a sign",
            format!("Content-Length: +{length}\r\n"),
            UNUSABLE,
        ),
        row(
            "a length that is not a number",
            "Content-Length: many\r\n".into(),
            UNUSABLE,
        ),
        row("an empty length", "Content-Length: \r\n".into(), UNUSABLE),
        row(
            "a length in hexadecimal",
            format!("Content-Length: 0x{length:x}\r\n"),
            UNUSABLE,
        ),
        row(
            "a length over 64 bits",
            "Content-Length: 18446744073709551616\r\n".into(),
            UNUSABLE,
        ),
        row(
            "a length of 64 bits",
            "Content-Length: 18446744073709551615\r\n".into(),
            UNUSABLE,
        ),
        row(
            "a length of 10 GB",
            "Content-Length: 10000000000\r\n".into(),
            UNUSABLE,
        ),
        row(
            "a length too long by one",
            format!("Content-Length: {}\r\n", length + 1),
            UNUSABLE,
        ),
        row(
            "a length too short by one",
            format!("Content-Length: {}\r\n", length - 1),
            UNUSABLE,
        ),
        row(
            "a length of nothing",
            "Content-Length: 0\r\n".into(),
            UNUSABLE,
        ),
        row(
            "a length and chunked, but the body is not chunked",
            format!(
                "Content-Length: {length}\r\n\
             Transfer-Encoding: chunked\r\n"
            ),
            UNUSABLE,
        ),
        row(
            "an unknown encoding",
            "Transfer-Encoding: rot13\r\n".into(),
            REFUSED,
        ),
        row(
            "an unknown encoding, and a length",
            format!(
                "Transfer-Encoding: rot13\r\n\
             Content-Length: {length}\r\n"
            ),
            REFUSED,
        ),
        Row::new(
            "chunked in HTTP/1.0, but the body is not chunked",
            BOTH,
            [
                Request,
                Send(format!("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}").into()),
                Close,
            ],
            UNUSABLE,
        ),
        Row::new(
            "chunked and a length in HTTP/1.0",
            BOTH,
            [
                Request,
                Send(
                    format!(
                        "HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\
             Transfer-Encoding: chunked\r\n\r\n{body}"
                    )
                    .into(),
                ),
                Close,
            ],
            UNUSABLE,
        ),
        Row::new(
            "a length too long by one, then silence",
            BOTH,
            [
                Request,
                Send(
                    format!(
                        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
                        length + 1
                    )
                    .into(),
                ),
            ],
            &[TIMEOUT],
        )
        .within(400),
    ]
}

/// With another encoding before or after chunked, the content is unknown.
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
    let row = |header: &str| response(header, &format!("{header}\r\n"), &chunked, REFUSED);
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
    let row = |name: &str, body: String, results: &[i32]| response(name, head, &body, results);
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
            "chunks without a fault",
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
            "a chunk size that is not a number",
            format!("zz\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a negative chunk size",
            format!("-5\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk without a size",
            format!("\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk size over 64 bits",
            format!("1{length:016x}\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk size of 64 bits",
            format!("ffffffffffffffff\r\n{body}\r\n0\r\n\r\n"),
            UNUSABLE,
        ),
        row(
            "a chunk longer than its size",
            format!("{:x}\r\n{body}\r\n0\r\n\r\n", length - 1),
            UNUSABLE,
        ),
        row(
            "a chunk shorter than its size",
            format!("{:x}\r\n{body}\r\n0\r\n\r\n", length + 1),
            UNUSABLE,
        ),
        row(
            "chunk data without the final line end",
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
        flood("endless chunks", "", "4\r\n    \r\n", &[BAD_RESPONSE]),
        // Refused before the deadline: an endless line would fill the memory.
        flood("an endless chunk size", "", "00000000", &[BAD_RESPONSE]),
        flood(
            "an endless chunk extension",
            "5;x=",
            "yyyyyyyy",
            &[BAD_RESPONSE],
        ),
        flood("endless trailers", "0\r\n", "X: y\r\n", &[BAD_RESPONSE]),
        flood(
            "a chunk of 2 GB",
            "7fffffff\r\n",
            "        ",
            &[BAD_RESPONSE],
        ),
    ]
}
