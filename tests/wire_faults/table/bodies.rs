//! Bodies that cannot be used: not JSON, not text, too long, or compressed.

use super::*;
use Step::*;
use support::responses::http;
use support::service::BOTH;

pub fn rows() -> Vec<Row> {
    let row = |name: &str, body: &[u8]| {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        let response = [head.as_bytes(), body].concat();
        Row::new(name, BOTH, [Request, Send(response)], BAD)
    };
    let (good, padding) = (success(), " ".repeat(5000));
    let wide: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let url = r#""data":{"url":"https://pay.example"}}"#;
    let html = "<!DOCTYPE html><html><body>Payment successful</body></html>";
    let (message, code) = (r#"{"responseMessage":"Success""#, r#""responseCode":"200""#);
    let texts = support::table! {
        "an empty body", "";
        "a body of white space", " \r\n\t";
        "HTML", html;
        "two byte-order marks before the JSON", &format!("\u{feff}\u{feff}{good}");
        "half of the JSON", &good[..good.len() / 2];
        "something after the JSON", &format!("{good}x");
        "the JSON twice", &format!("{good}{good}");
        "a list", &format!("[{good}]");
        "a number", "200";
        "null", "null";
        "a text", "\"Success\"";
        "zero bytes", &"\0".repeat(64);
        "a list nested ten thousand times", &"[".repeat(10_000);
        "objects nested ten thousand times", &r#"{"data":"#.repeat(10_000);
        "no responseCode", &format!("{message},{url}");
        "two responseCodes", &format!(r#"{{{code},"responseCode":"400",{url}"#);
        "a body of 2 MB", &"x".repeat(2_000_000);
    };
    let mut rows: Vec<Row> = texts
        .iter()
        .map(|(name, body)| row(name, body.as_bytes()))
        .collect();
    let garbled = b"{\"responseCode\":\"200\xff\",";
    rows.extend([
        row(
            "invalid UTF-8 in the responseCode",
            &[garbled, url.as_bytes()].concat(),
        ),
        row("UTF-16", &wide),
        row("no checkout URL", b"{\"responseCode\":\"200\",\"data\":{}}").create_only(true),
        row(
            "a checkout URL that is not a web address",
            br#"{"responseCode":"200","data":{"url":"javascript:alert(1)"}}"#,
        )
        .create_only(true),
        row("a body over maxResponseBytes", padding.as_bytes()).with("maxResponseBytes", 4096),
        row(
            "a success over maxResponseBytes",
            format!("{good}{padding}").as_bytes(),
        )
        .with("maxResponseBytes", 4096),
    ]);
    let spaces = Flood(b"        ".to_vec());
    rows.extend(table! { "", BOTH;
        "an endless body", [Request, text("HTTP/1.1 200 OK\r\n\r\n"), spaces], BAD;
    });
    for (name, body) in [
        ("a compressed success", gzip(0, &good)),
        ("a decompression bomb", gzip(15_000_000, &good)),
    ] {
        for encoding in [
            "Content-Encoding: gzip",
            "Transfer-Encoding: gzip, chunked",
            "Content-Encoding: gzip, gzip",
        ] {
            let length = body.len();
            let head = format!("HTTP/1.1 200 OK\r\n{encoding}\r\nContent-Length: {length}\r\n\r\n");
            let script = [Request, Send([head.as_bytes(), &body].concat()), Close];
            // Decompressed, it would be a success within the size limit.
            let row = Row::new(format!("{name}, {encoding}"), BOTH, script, UNUSABLE);
            rows.push(row.with("maxResponseBytes", 16_777_216));
        }
    }
    let mut rows = once(rows);
    rows.extend(table! { "", BOTH;
        "a success that is declared compressed but is not", [Request, Send(http(200, "gzip"))], BAD;
    });
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
