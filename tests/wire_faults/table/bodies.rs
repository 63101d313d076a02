//! Bodies that cannot be used: not JSON, not text, too long, or compressed.

use crate::table::success;
use Step::*;
use support::fault_service::fault::{BOTH, Step};
use support::responses::http;
use support::row::{BAD_RESPONSE, CONNECTION_LOST, Row};

pub fn rows() -> Vec<Row> {
    let bad = &[BAD_RESPONSE];
    let row = |name: &str, body: &[u8]| {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        Row::new(
            name,
            BOTH,
            [Request, Send([head.as_bytes(), body].concat())],
            bad,
        )
        .connections(1..=1)
    };
    let good = success();
    let wide: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut rows = vec![
        row("an empty body", b""),
        row("a body of white space", b" \r\n\t"),
        row(
            "HTML",
            b"<!DOCTYPE html><html><body>Payment successful</body></html>",
        ),
        row(
            "a byte order mark before the JSON",
            &[b"\xef\xbb\xbf", good.as_bytes()].concat(),
        ),
        row(
            "invalid UTF-8 in a string",
            b"{\"responseCode\":\"200\",\"responseMessage\":\"\xff\xfe\",\
              \"data\":{\"url\":\"https://pay.example\"}}",
        ),
        row("UTF-16", &wide),
        row("half of the JSON", &good.as_bytes()[..good.len() / 2]),
        row("something after the JSON", format!("{good}x").as_bytes()),
        row("the JSON twice", format!("{good}{good}").as_bytes()),
        row("a list", format!("[{good}]").as_bytes()),
        row("a number", b"200"),
        row("null", b"null"),
        row("a text", b"\"Success\""),
        row("zero bytes", &[0; 64]),
        row(
            "a list nested ten thousand times",
            "[".repeat(10_000).as_bytes(),
        ),
        row(
            "objects nested ten thousand times",
            r#"{"data":"#.repeat(10_000).as_bytes(),
        ),
        row(
            "no responseCode",
            b"{\"responseMessage\":\"Success\",\
              \"data\":{\"url\":\"https://pay.example\"}}",
        ),
        row(
            "two responseCodes",
            b"{\"responseCode\":\"200\",\"responseCode\":\"400\",\
              \"data\":{\"url\":\"https://pay.example\"}}",
        ),
        row("no checkout URL", b"{\"responseCode\":\"200\",\"data\":{}}").create_only(),
        row(
            "a checkout URL that is not a web address",
            b"{\"responseCode\":\"200\",\
              \"data\":{\"url\":\"javascript:alert(1)\"}}",
        )
        .create_only(),
        row("a body over maxResponseBytes", " ".repeat(5000).as_bytes())
            .with("maxResponseBytes", 4096),
        row(
            "a success over maxResponseBytes",
            format!("{good}{}", " ".repeat(5000)).as_bytes(),
        )
        .with("maxResponseBytes", 4096),
        row("a body of 2 MB", "x".repeat(2_000_000).as_bytes()),
    ];
    let endless = [
        Request,
        Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec()),
        Flood(b"        ".to_vec()),
    ];
    rows.push(Row::new("an endless body", BOTH, endless, bad).connections(1..=1));
    for (name, body) in [
        ("a compressed success", gzip(0, &good)),
        ("a decompression bomb", gzip(15_000_000, &good)),
    ] {
        for encoding in [
            "Content-Encoding: gzip",
            "Transfer-Encoding: gzip, chunked",
            "Content-Encoding: gzip, gzip",
        ] {
            let head = format!(
                "HTTP/1.1 200 OK\r\n{encoding}\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let script = [Request, Send([head.as_bytes(), &body].concat()), Close];
            // Decompressed, it would be a success within the size limit.
            rows.push(
                Row::new(
                    format!("{name}, {encoding}"),
                    BOTH,
                    script,
                    &[BAD_RESPONSE, CONNECTION_LOST],
                )
                .with("maxResponseBytes", 16_777_216)
                .connections(1..=1),
            );
        }
    }
    rows.push(Row::new(
        "a success that is declared compressed but is not",
        BOTH,
        [Request, Send(http(200, "gzip"))],
        bad,
    ));
    rows
}

/// This many spaces and a text, compressed: each 258 spaces take 13 bits.
fn gzip(spaces: usize, text: &str) -> Vec<u8> {
    let mut bits = Bits::default();
    let repeats = spaces / 258;
    if repeats > 0 {
        // One block with the fixed code: a space, then its repetition.
        bits.push(0b010, 3);
        bits.push_code(0x30 + u32::from(b' '), 8);
        for _ in 0..repeats {
            bits.push_code(0b1100_0101, 8);
            bits.push(0, 5);
        }
        bits.push_code(0, 7);
    }
    // The last block, stored.
    bits.push(0b001, 3);
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    packed.extend(bits.to_bytes());
    let length = u16::try_from(text.len()).expect("a short text");
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(text.as_bytes());
    let spaces = if repeats > 0 { repeats * 258 + 1 } else { 0 };
    let crc = std::iter::repeat_n(b' ', spaces)
        .chain(text.bytes())
        .fold(!0, crc32_step);
    packed.extend((!crc).to_le_bytes());
    packed.extend(
        u32::try_from(spaces + text.len())
            .expect("below 4 GB")
            .to_le_bytes(),
    );
    packed
}

fn crc32_step(crc: u32, byte: u8) -> u32 {
    (0..8).fold(crc ^ u32::from(byte), |crc, _| {
        if crc & 1 == 1 {
            crc >> 1 ^ 0xEDB8_8320
        } else {
            crc >> 1
        }
    })
}

#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    /// Lowest bit first, as this format stores numbers.
    fn push(&mut self, value: u32, count: u32) {
        self.0.extend((0..count).map(|bit| value >> bit & 1 == 1));
    }

    /// Highest bit first, as this format stores codes.
    fn push_code(&mut self, code: u32, count: u32) {
        self.0
            .extend((0..count).rev().map(|bit| code >> bit & 1 == 1));
    }

    fn to_bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| {
            bits.iter()
                .rev()
                .fold(0, |byte, bit| byte << 1 | u8::from(*bit))
        };
        self.0.chunks(8).map(byte).collect()
    }
}
