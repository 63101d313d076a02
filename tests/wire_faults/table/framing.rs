//! Lengths and chunks: truncated, malformed, overflowing, contradictory, endless.

use super::*;
use Step::*;
use support::service::BOTH;

/// Slightly wrong, but every byte of the body is in its place: accepting and refusing it are both
/// right.
const OR_WHOLE: &[i32] = &[DONE, BAD_RESPONSE, CONNECTION_LOST];

pub fn rows() -> Vec<Row> {
    [lengths(), chunks(), encodings()].concat()
}

/// A response with these headers and this body, and then the end of the connection.
fn closed(headers: &str, body: &str) -> [Step; 3] {
    let response = format!("HTTP/1.1 200 OK\r\n{headers}\r\n{body}");
    [Request, text(response), Close]
}

fn lengths() -> Vec<Row> {
    let body = success();
    let length = body.len();
    let said = |length: &str| closed(&format!("Content-Length: {length}\r\n"), &body);
    let headers = |headers: &str| {
        let right = length.to_string();
        closed(&(headers.replace("RIGHT", &right) + "\r\n"), &body)
    };
    let old = |headers: &str| {
        let response = format!("HTTP/1.0 200 OK\r\n{headers}\r\n\r\n{body}");
        [Request, text(response), Close]
    };
    let both_in_old = format!("Content-Length: {length}\r\nTransfer-Encoding: chunked");
    let too_long = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
        length + 1
    );
    // With two different lengths, two parsers see different bodies, so it is not a success.
    let mut rows = once(table! { "", BOTH;
        "two lengths, the first is right",
            headers("Content-Length: RIGHT\r\nContent-Length: 500"), UNUSABLE;
        "two lengths, the second is right",
            headers("Content-Length: 5\r\nContent-Length: RIGHT"), UNUSABLE;
        "the same length twice", headers("Content-Length: RIGHT\r\nContent-Length: RIGHT"), OR_WHOLE;
        "two lengths in one header", headers("Content-Length: RIGHT, 5"), UNUSABLE;
        "a negative length", said("-5"), UNUSABLE;
        "a length with a sign", headers("Content-Length: +RIGHT"), UNUSABLE;
        "a length that is not a number", said("many"), UNUSABLE;
        "an empty length", said(""), UNUSABLE;
        "a length in hexadecimal", said(&format!("0x{length:x}")), UNUSABLE;
        "a length over 64 bits", said("18446744073709551616"), UNUSABLE;
        "a length of 64 bits", said("18446744073709551615"), UNUSABLE;
        "a length of 10 GB", said("10000000000"), UNUSABLE;
        "a length too long by one", said(&(length + 1).to_string()), UNUSABLE;
        "a length too short by one", said(&(length - 1).to_string()), UNUSABLE;
        "a length of nothing", said("0"), UNUSABLE;
        "a length and chunked, but the body is not chunked",
            headers("Content-Length: RIGHT\r\nTransfer-Encoding: chunked"), UNUSABLE;
        "an unknown encoding", headers("Transfer-Encoding: rot13"), BAD;
        "an unknown encoding, and a length",
            headers("Transfer-Encoding: rot13\r\nContent-Length: RIGHT"), BAD;
    });
    rows.extend(table! { "", BOTH;
        "chunked in HTTP/1.0, but the body is not chunked", old("Transfer-Encoding: chunked"),
            UNUSABLE;
        "chunked and a length in HTTP/1.0", old(&both_in_old), UNUSABLE;
        "a length too long by one, then silence", [Request, text(too_long)], LATE, .within(400);
    });
    rows
}

/// With another encoding before or after chunked, the content is unknown.
fn encodings() -> Vec<Row> {
    let body = success();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let rows = [
        "Transfer-Encoding: chunked, deflate",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity",
    ]
    .map(|header| {
        Row::new(
            header,
            BOTH,
            closed(&format!("{header}\r\n"), &chunked),
            BAD,
        )
    });
    once(rows.to_vec())
}

fn chunks() -> Vec<Row> {
    let body = success();
    let length = body.len();
    let (half, rest) = body.split_at(length / 2);
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    let (first, second) = (chunk(half), chunk(rest));
    let head = "Transfer-Encoding: chunked\r\n";
    let sent = |body: &str| closed(head, body);
    // One chunk with this size line, and the last one.
    let sized = |size: &str| sent(&format!("{size}\r\n{body}\r\n0\r\n\r\n"));
    let fits = 8192 - format!("{length:x};").len();
    let (long, long_too) = ("x".repeat(1000), "x".repeat(1000));
    let begun = |body: &str| text(format!("HTTP/1.1 200 OK\r\n{head}\r\n{body}"));
    let endless = |begins: &str, goes_on: &str| [Request, begun(begins), Flood(goes_on.into())];
    let mut rows = table! { "", BOTH;
        "chunks without a fault", sent(&format!("{first}{second}0\r\n\r\n")), OK;
        "chunks of an encoding in capitals",
            closed("TRANSFER-ENCODING:  CHUNKED \r\n", &format!("{first}{second}0\r\n\r\n")), OK;
        "chunks with a trailer", sent(&format!("{first}{second}0\r\nX: y\r\n\r\n")), OK;
        "a chunk with a long extension", sized(&format!("{length:x};name=a-long-value")), OK;
        "a chunk with a line of 8192 bytes", sized(&format!("{length:x};{:x<1$}", "", fits)), OK;
        "a chunk with a line of 8193 bytes",
            sized(&format!("{length:x};{:x<1$}", "", fits + 1)), UNUSABLE;
        "chunks with extensions of 1000 bytes",
            sent(&format!("{length:x};a={long}\r\n{body}\r\n0;b={long_too}\r\n\r\n")), OK;
        "chunks, closed in the middle of one",
            sent(&format!("{first}{}", &second[..second.len() / 2])), UNUSABLE;
        "chunks, closed between two", sent(&first), UNUSABLE;
        "chunks, closed in a size", sent(&format!("{first}{}", &second[..1])), UNUSABLE;
        "chunks, closed before the last one", sent(&format!("{first}{second}")), UNUSABLE;
        "chunks, closed before the empty line after the last one",
            sent(&format!("{first}{second}0\r\n")), OK;
        "no chunk", sent(""), UNUSABLE;
        "only the last chunk", sent("0\r\n\r\n"), BAD;
        "a chunk size with zeros, a tab and an extension",
            sized(&format!("{}{length:x}\t;a=\"b c\"", "0".repeat(30))), OK;
        "a chunk size after a space", sized(&format!(" {length:x}")), UNUSABLE;
        "a chunk size with a sign", sized(&format!("+{length:x}")), UNUSABLE;
        "a chunk size with a prefix", sized(&format!("0x{length:x}")), UNUSABLE;
        "a chunk size that ends in another letter", sized(&format!("{length:x}g")), UNUSABLE;
        "a line feed in a chunk extension", sized(&format!("{length:x};x\ny")), UNUSABLE;
        "a line feed alone after a chunk size",
            sent(&format!("{length:x}\n{body}\r\n0\r\n\r\n")), UNUSABLE;
        "a line feed alone after a chunk",
            sent(&format!("{length:x}\r\n{body}\n0\r\n\r\n")), UNUSABLE;
        "a chunk size that is not a number", sized("zz"), UNUSABLE;
        "a negative chunk size", sized("-5"), UNUSABLE;
        "a chunk without a size", sized(""), UNUSABLE;
        "a chunk size over 64 bits", sized(&format!("1{length:016x}")), UNUSABLE;
        "a chunk size of 64 bits", sized("ffffffffffffffff"), UNUSABLE;
        "a chunk longer than its size", sized(&format!("{:x}", length - 1)), UNUSABLE;
        "a chunk shorter than its size", sized(&format!("{:x}", length + 1)), UNUSABLE;
        "chunk data without the final line end",
            sent(&format!("{length:x}\r\n{body}0\r\n\r\n")), UNUSABLE;
        // Refused before the deadline: an endless line would fill the memory.
        "endless chunks", endless("", "4\r\n    \r\n"), BAD, .within(2000);
        "an endless chunk size", endless("", "00000000"), BAD, .within(2000);
        "an endless chunk extension", endless("5;x=", "yyyyyyyy"), BAD, .within(2000);
        "endless trailers", endless("0\r\n", "X: y\r\n"), BAD, .within(2000);
        "a chunk of 2 GB", endless("7fffffff\r\n", "        "), BAD, .within(2000);
    };
    rows = once(rows);
    let unfinished = begun(&format!("{first}{second}"));
    rows.extend(table! { "", BOTH;
        "chunks, then silence", [Request, unfinished], LATE, .within(400);
    });
    rows
}
