//! Where a body ends: lengths, encodings and chunks, well-formed and not.

use crate::cases::{body, chunk};

/// Everything that can describe the end of the body: the fields, and what follows the head.
pub fn framings() -> Vec<(String, String, Vec<u8>)> {
    let body = body(200);
    let length = body.len();
    let mut all: Vec<(String, String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, fields: String, wire: String| {
        all.push((name.to_owned(), fields, wire.into_bytes()));
    };

    for (name, value) in [
        ("usual", format!("{length}")),
        ("one too short", format!("{}", length - 1)),
        ("one too long", format!("{}", length + 1)),
        ("0", "0".to_owned()),
        ("with leading zeros", format!("000{length}")),
        ("with a plus", format!("+{length}")),
        ("with a minus", format!("-{length}")),
        ("with spaces", format!("  {length}  ")),
        ("with a tab", format!("\t{length}")),
        (
            "with a space inside",
            format!("{} {}", length / 10, length % 10),
        ),
        ("with a letter", format!("{length}a")),
        ("with a fraction", format!("{length}.0")),
        ("in hexadecimal", format!("0x{length:x}")),
        ("in quotes", format!("\"{length}\"")),
        ("empty", String::new()),
        ("a word", "all".to_owned()),
        ("a list of the same", format!("{length}, {length}")),
        ("a list of two", format!("{length}, {}", length + 1)),
        ("a list with an empty end", format!("{length},")),
        ("of 2^63", "9223372036854775808".to_owned()),
        ("of 2^64", "18446744073709551616".to_owned()),
        ("of 40 digits", "9".repeat(40)),
        ("of Arabic digits", "١٢".to_owned()),
    ] {
        add(
            &format!("Content-Length {name}"),
            format!("Content-Length: {value}\r\n"),
            body.clone(),
        );
    }
    for (name, second) in [("the same", length), ("another", length + 1), ("0", 0)] {
        add(
            &format!("two Content-Length, the second {name}"),
            format!("Content-Length: {length}\r\nContent-Length: {second}\r\n"),
            body.clone(),
        );
    }
    add(
        "Content-Length, and data after the body",
        format!("Content-Length: {length}\r\n"),
        format!("{body}HTTP/1.1 200 OK\r\n\r\n"),
    );
    add(
        "Content-Length folded",
        format!("Content-Length:\r\n {length}\r\n"),
        body.clone(),
    );

    let chunked = |body: &str| format!("{}0\r\n\r\n", chunk(body));
    for value in [
        "chunked",
        "Chunked",
        "CHUNKED",
        " chunked ",
        "chunked, chunked",
        "chunked,",
        ", chunked",
        "gzip, chunked",
        "chunked, gzip",
        "gzip",
        "identity",
        "identity, chunked",
        "xchunked",
        "chunkedx",
        "chunked;q=1",
        "\"chunked\"",
        "",
    ] {
        let fields = format!("Transfer-Encoding: {value}\r\n");
        add(
            &format!("Transfer-Encoding {value:?}, chunks"),
            fields.clone(),
            chunked(&body),
        );
        add(
            &format!("Transfer-Encoding {value:?}, plain"),
            fields,
            body.clone(),
        );
    }
    for (name, fields) in [
        (
            "chunked twice",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        ),
        (
            "gzip, then chunked",
            "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
        ),
        (
            "chunked, then gzip",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n",
        ),
        ("folded", "Transfer-Encoding:\r\n chunked\r\n"),
    ] {
        add(
            &format!("Transfer-Encoding fields: {name}"),
            fields.to_owned(),
            chunked(&body),
        );
    }
    let both = |length: usize| {
        [
            format!("Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n"),
            format!("Transfer-Encoding: chunked\r\nContent-Length: {length}\r\n"),
        ]
    };
    for (place, (fields, others)) in both(length).into_iter().zip(both(5)).enumerate() {
        add(
            &format!("both, chunks {place}"),
            fields.clone(),
            chunked(&body),
        );
        add(&format!("both, plain {place}"), fields, body.clone());
        add(
            &format!("both, wrong length {place}"),
            others,
            chunked(&body),
        );
    }

    let (half, rest) = body.split_at(length / 2);
    for (name, wire) in [
        ("one", chunked(&body)),
        ("two", format!("{}{}", chunk(half), chunked(rest))),
        (
            "of one byte each",
            format!(
                "{}0\r\n\r\n",
                body.chars()
                    .map(|c| chunk(&c.to_string()))
                    .collect::<String>()
            ),
        ),
        (
            "size in upper case",
            chunked(&body).replacen(&format!("{length:x}"), &format!("{length:X}"), 1),
        ),
        ("size with leading zeros", format!("000{}", chunked(&body))),
        (
            "size with 20 leading zeros",
            format!("{}{}", "0".repeat(20), chunked(&body)),
        ),
        ("size with a leading space", format!(" {}", chunked(&body))),
        (
            "size with a trailing space",
            format!("{length:x} \r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "size with a trailing tab",
            format!("{length:x}\t\r\n{body}\r\n0\r\n\r\n"),
        ),
        ("size with 0x", format!("0x{}", chunked(&body))),
        ("size with a plus", format!("+{}", chunked(&body))),
        ("size with a minus", format!("-{}", chunked(&body))),
        ("size empty", format!("\r\n{body}\r\n0\r\n\r\n")),
        ("size that is a word", format!("all\r\n{body}\r\n0\r\n\r\n")),
        (
            "size of 2^64",
            format!("10000000000000000\r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "size of 2^63",
            format!("8000000000000000\r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "size one too short",
            format!("{:x}\r\n{body}\r\n0\r\n\r\n", length - 1),
        ),
        (
            "size one too long",
            format!("{:x}\r\n{body}\r\n0\r\n\r\n", length + 1),
        ),
        (
            "size behind LF alone",
            format!("{length:x}\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "data behind LF alone",
            format!("{length:x}\r\n{body}\n0\r\n\r\n"),
        ),
        (
            "no line end after the data",
            format!("{length:x}\r\n{body}0\r\n\r\n"),
        ),
        (
            "extension",
            format!("{length:x};a=b\r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "extension in quotes",
            format!("{length:x};a=\"b c\"\r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "extension with a space",
            format!("{length:x} ;a=b\r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "extension without a name",
            format!("{length:x};\r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            "extension at the last chunk",
            format!("{}0;a=b\r\n\r\n", chunk(&body)),
        ),
        (
            "long extension",
            format!("{length:x};a={}\r\n{body}\r\n0\r\n\r\n", "b".repeat(9_000)),
        ),
        (
            "last chunk of many zeros",
            format!("{}00000\r\n\r\n", chunk(&body)),
        ),
        ("no last chunk", chunk(&body)),
        (
            "no line end after the last chunk",
            format!("{}0", chunk(&body)),
        ),
        ("no empty line at the end", format!("{}0\r\n", chunk(&body))),
        (
            "half an empty line at the end",
            format!("{}0\r\n\r", chunk(&body)),
        ),
        ("LF alone at the end", format!("{}0\r\n\n", chunk(&body))),
        ("trailer", format!("{}0\r\nX: v\r\n\r\n", chunk(&body))),
        (
            "two trailers",
            format!("{}0\r\nX: v\r\nY: v\r\n\r\n", chunk(&body)),
        ),
        (
            "trailer Content-Length",
            format!("{}0\r\nContent-Length: 5\r\n\r\n", chunk(&body)),
        ),
        (
            "trailer without a colon",
            format!("{}0\r\nX\r\n\r\n", chunk(&body)),
        ),
        (
            "trailer without an empty line",
            format!("{}0\r\nX: v\r\n", chunk(&body)),
        ),
        (
            "data after the end",
            format!("{}HTTP/1.1 200 OK\r\n\r\n", chunked(&body)),
        ),
        ("no chunk but the last", "0\r\n\r\n".to_owned()),
        ("nothing at all", String::new()),
    ] {
        add(
            &format!("chunks: {name}"),
            "Transfer-Encoding: chunked\r\n".to_owned(),
            wire,
        );
    }

    for (name, wire) in [
        ("whole", body.clone()),
        ("one byte short", body[..length - 1].to_owned()),
        ("half", half.to_owned()),
        ("empty", String::new()),
        ("with trailing white space", format!("{body}\r\n")),
        ("with trailing data", format!("{body}{body}")),
    ] {
        add(&format!("until the close: {name}"), String::new(), wire);
    }
    all
}
