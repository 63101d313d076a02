//! The responses: status lines, fields, lengths, chunks and ends, in all useful combinations.

use crate::framings::framings;

const MESSAGE: &str = "Read me";
const URL: &str = "https://pay.example.com/checkout/77";

#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub number: usize,
    pub bytes: Vec<u8>,
    pub end: End,
}

#[derive(Clone, Copy, PartialEq)]
pub enum End {
    /// The connection is closed after the response.
    Close,
    /// It stays open, so that the response itself must say where it ends.
    Open,
}

pub fn all() -> Vec<Case> {
    let mut cases = Cases(Vec::new());
    for (name, line) in STATUS_LINES {
        for framing in [Framing::Length, Framing::Chunked, Framing::UntilClose] {
            let head = format!("{line}{}", framing.fields(&body(200)));
            let bytes = [head.as_bytes(), b"\r\n", &framing.wrap(&body(200))].concat();
            cases.add(
                format!("status line: {name}, {framing:?}"),
                bytes,
                End::Close,
            );
        }
    }
    for status in STATUSES {
        let body = body(*status);
        for framing in [Framing::Length, Framing::Chunked, Framing::UntilClose] {
            let head = format!("HTTP/1.1 {status} Any\r\n{}", framing.fields(&body));
            let bytes = [head.as_bytes(), b"\r\n", &framing.wrap(&body)].concat();
            cases.add(format!("status {status}, {framing:?}"), bytes, End::Close);
        }
    }
    for (name, fields) in fields() {
        for framing in [Framing::Length, Framing::Chunked, Framing::UntilClose] {
            let own = framing.fields(&body(200));
            for (place, fields) in [
                ("first", [&fields[..], own.as_bytes()].concat()),
                ("last", [own.as_bytes(), &fields].concat()),
            ] {
                let bytes = [
                    b"HTTP/1.1 200 OK\r\n",
                    &fields[..],
                    b"\r\n",
                    &framing.wrap(&body(200)),
                ]
                .concat();
                let name = format!("field: {name} {place}, {framing:?}");
                cases.add(name, bytes, End::Close);
            }
        }
    }
    for (name, fields, wire) in framings() {
        for version in ["1.1", "1.0"] {
            let head = format!("HTTP/{version} 200 OK\r\n{fields}\r\n");
            let bytes = [head.as_bytes(), &wire].concat();
            cases.add(format!("framing: {name}, {version}"), bytes, End::Close);
        }
    }
    for (name, start) in INTERIM {
        for framing in [Framing::Length, Framing::Chunked, Framing::UntilClose] {
            let head = format!(
                "{start}HTTP/1.1 200 OK\r\n{}\r\n",
                framing.fields(&body(200))
            );
            let bytes = [head.as_bytes(), &framing.wrap(&body(200))].concat();
            cases.add(format!("interim: {name}, {framing:?}"), bytes, End::Close);
        }
    }
    // Cut at every place of the head, and in steps in the body.
    for framing in [Framing::Length, Framing::Chunked] {
        let head = format!("HTTP/1.1 200 OK\r\n{}\r\n", framing.fields(&body(200)));
        let whole = [head.as_bytes(), &framing.wrap(&body(200))].concat();
        for length in (0..whole.len()).step_by(3) {
            let name = format!("cut: after {length} bytes, {framing:?}");
            cases.add(name, whole[..length].to_vec(), End::Close);
        }
        // A response can end without the connection being closed.
        cases.add(format!("open: {framing:?}"), whole, End::Open);
    }
    cases.0
}

struct Cases(Vec<Case>);

impl Cases {
    fn add(&mut self, name: String, bytes: Vec<u8>, end: End) {
        let number = self.0.len();
        self.0.push(Case {
            name,
            number,
            bytes,
            end,
        });
    }
}

/// A success if the status is one, otherwise a failure with the same number.
pub fn body(status: u16) -> String {
    if status / 100 == 2 {
        format!(
            r#"{{"responseCode":"200","responseMessage":"{MESSAGE}","data":{{"url":"{URL}"}}}}"#
        )
    } else {
        format!(r#"{{"responseCode":"{status}","responseMessage":"{MESSAGE} {status}"}}"#)
    }
}

/// How a well-formed response says where its body ends.
#[derive(Clone, Copy, Debug)]
enum Framing {
    Length,
    Chunked,
    UntilClose,
}

impl Framing {
    fn fields(self, body: &str) -> String {
        match self {
            Self::Length => format!("Content-Length: {}\r\n", body.len()),
            Self::Chunked => "Transfer-Encoding: chunked\r\n".to_owned(),
            Self::UntilClose => String::new(),
        }
    }

    fn wrap(self, body: &str) -> Vec<u8> {
        match self {
            Self::Chunked => [chunk(body), "0\r\n\r\n".to_owned()].concat().into_bytes(),
            _ => body.as_bytes().to_vec(),
        }
    }
}

pub fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

const STATUS_LINES: &[(&str, &str)] = &[
    ("usual", "HTTP/1.1 200 OK\r\n"),
    ("no reason", "HTTP/1.1 200 \r\n"),
    ("no reason and no space", "HTTP/1.1 200\r\n"),
    ("reason of many words", "HTTP/1.1 200 Many words here\r\n"),
    ("reason with a tab", "HTTP/1.1 200 O\tK\r\n"),
    ("reason beyond ASCII", "HTTP/1.1 200 Größe\r\n"),
    (
        "reason with a control character",
        "HTTP/1.1 200 O\u{1}K\r\n",
    ),
    ("version 1.0", "HTTP/1.0 200 OK\r\n"),
    ("version 1.2", "HTTP/1.2 200 OK\r\n"),
    ("version 2.0", "HTTP/2.0 200 OK\r\n"),
    ("version 2", "HTTP/2 200 OK\r\n"),
    ("version 0.9", "HTTP/0.9 200 OK\r\n"),
    ("version without a dot", "HTTP/11 200 OK\r\n"),
    ("no version", "HTTP 200 OK\r\n"),
    ("lower case", "http/1.1 200 OK\r\n"),
    ("another protocol", "ICY 200 OK\r\n"),
    ("two spaces before the status", "HTTP/1.1  200 OK\r\n"),
    ("a tab before the status", "HTTP/1.1\t200 OK\r\n"),
    ("a space at the start", " HTTP/1.1 200 OK\r\n"),
    ("an empty line before", "\r\nHTTP/1.1 200 OK\r\n"),
    ("two empty lines before", "\r\n\r\nHTTP/1.1 200 OK\r\n"),
    ("LF alone", "HTTP/1.1 200 OK\n"),
    ("CR alone", "HTTP/1.1 200 OK\r"),
    ("status of two digits", "HTTP/1.1 20 OK\r\n"),
    ("status of four digits", "HTTP/1.1 2000 OK\r\n"),
    ("status of letters", "HTTP/1.1 abc OK\r\n"),
    ("status 000", "HTTP/1.1 000 OK\r\n"),
    ("status 099", "HTTP/1.1 099 OK\r\n"),
    ("status with a sign", "HTTP/1.1 +20 OK\r\n"),
    ("status in hexadecimal", "HTTP/1.1 0xC8 OK\r\n"),
    ("no status", "HTTP/1.1 OK\r\n"),
    ("only the version", "HTTP/1.1\r\n"),
    ("a page instead", "<html><body>502</body></html>\r\n"),
    ("nothing", ""),
];

const STATUSES: &[u16] = &[
    100, 101, 102, 103, 199, 201, 202, 204, 205, 206, 299, 300, 301, 302, 303, 304, 307, 308, 399,
    400, 401, 403, 404, 408, 409, 429, 451, 499, 500, 502, 503, 599, 600, 999,
];

/// Fields other than those that say where the body ends.
fn fields() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let many = |count: usize| {
        (0..count)
            .map(|n| format!("X-{n}: v\r\n"))
            .collect::<String>()
    };
    vec![
        ("none", text("")),
        ("usual", text("Content-Type: application/json\r\n")),
        ("no space after the colon", text("X:v\r\n")),
        ("many spaces", text("X:    v   \r\n")),
        ("tabs", text("X:\tv\t\r\n")),
        ("empty value", text("X:\r\n")),
        ("value beyond ASCII", text("X: Größe\r\n")),
        ("value of Latin-1", b"X: Gr\xf6\xdfe\r\n".to_vec()),
        ("value with NUL", b"X: a\0b\r\n".to_vec()),
        ("value with CR", text("X: a\rb\r\n")),
        ("value with a control character", text("X: a\u{1}b\r\n")),
        ("value with DEL", text("X: a\u{7f}b\r\n")),
        ("folded", text("X: a\r\n b\r\n")),
        ("folded with a tab", text("X: a\r\n\tb\r\n")),
        ("folded to nothing", text("X: a\r\n \r\n")),
        ("space before the colon", text("X : v\r\n")),
        ("space before the name", text(" X: v\r\n")),
        ("name with a space", text("X Y: v\r\n")),
        ("name with a bracket", text("X(: v\r\n")),
        ("name beyond ASCII", text("Größe: v\r\n")),
        ("no name", text(": v\r\n")),
        ("no colon", text("X\r\n")),
        ("LF alone", text("X: v\n")),
        ("CR alone", text("X: v\r")),
        ("twice", text("X: a\r\nX: b\r\n")),
        ("long name", text(&format!("{}: v\r\n", "X".repeat(5_000)))),
        (
            "long value",
            text(&format!("X: {}\r\n", "v".repeat(20_000))),
        ),
        ("40 fields", text(&many(40))),
        ("100 fields", text(&many(100))),
        ("200 fields", text(&many(200))),
        ("Connection: close", text("Connection: close\r\n")),
        ("Connection: keep-alive", text("Connection: keep-alive\r\n")),
        (
            "Connection: upgrade",
            text("Connection: upgrade\r\nUpgrade: h2c\r\n"),
        ),
        ("Content-Encoding: gzip", text("Content-Encoding: gzip\r\n")),
        (
            "Content-Encoding: identity",
            text("Content-Encoding: identity\r\n"),
        ),
        ("Content-Range", text("Content-Range: bytes 0-4/9\r\n")),
        ("Trailer", text("Trailer: X\r\n")),
        ("Location", text("Location: /elsewhere\r\n")),
        ("Set-Cookie", text("Set-Cookie: a=b\r\nSet-Cookie: c=d\r\n")),
        ("Date", text("Date: Sun, 22 Nov 2026 10:00:00 GMT\r\n")),
    ]
}

const INTERIM: &[(&str, &str)] = &[
    ("100", "HTTP/1.1 100 Continue\r\n\r\n"),
    ("100 with a field", "HTTP/1.1 100 Continue\r\nX: v\r\n\r\n"),
    (
        "100 with a length of 0",
        "HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n",
    ),
    (
        "100 with a length",
        "HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\n",
    ),
    (
        "100 in chunks",
        "HTTP/1.1 100 Continue\r\nTransfer-Encoding: chunked\r\n\r\n",
    ),
    ("100 of version 1.0", "HTTP/1.0 100 Continue\r\n\r\n"),
    (
        "100 twice",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
    ),
    ("102", "HTTP/1.1 102 Processing\r\n\r\n"),
    ("103", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    (
        "103, then 100",
        "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
    ),
    (
        "100, then 103",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n",
    ),
    (
        "101",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ),
    ("199", "HTTP/1.1 199 Wait\r\n\r\n"),
    ("204", "HTTP/1.1 204 No Content\r\n\r\n"),
    ("100 not ended", "HTTP/1.1 100 Continue\r\n"),
    ("a page", "<html></html>\r\n\r\n"),
];
