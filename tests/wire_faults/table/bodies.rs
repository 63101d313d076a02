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
    for encoding in [
        "Content-Encoding: gzip",
        "Transfer-Encoding: gzip, chunked",
        "Content-Encoding: gzip, gzip",
    ] {
        let length = COMPRESSED.len();
        let head = format!("HTTP/1.1 200 OK\r\n{encoding}\r\nContent-Length: {length}\r\n\r\n");
        let script = [Request, Send([head.as_bytes(), COMPRESSED].concat()), Close];
        let name = format!("a compressed success, {encoding}");
        rows.push(Row::new(name, BOTH, script, UNUSABLE));
    }
    let mut rows = once(rows);
    rows.extend(table! { "", BOTH;
        "a success that is declared compressed but is not", [Request, Send(http(200, "gzip"))], BAD;
    });
    rows
}

/// A success that gzip has compressed. The library reads no compressed body, and decompresses none.
const COMPRESSED: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03E\xcb1\n\x800\x10\x05\xd1\xbb\xfcZ\x12\xb1\t\xa4\
    \xb5\xb6\xf2\x04\xcb\xba(\x98\x98\xe0&\xa0\x88wW+\xcby0\x17&*\x04\x7f\xa1\xee\x01\x1eK)Y\xbd\xb5\x99N#\x07\xc5\
    \x1c\xc4p\x8a\x96\x17\xe15\xd5b\x9d\xc3\xdd`\x17\xcdiS\xe9\xd3$\xef\xd5\xb5-~\x1cD\x95\xe6\xcf\xc7\xca\xfc\x06\xee\
    \x07\xf5\xe9\xd8}g\x00\x00\x00";
