//! Bodies that cannot be used: not JSON, not text, too long, or compressed.

use super::*;
use Step::*;
use serde_json::json;
use support::responses::http;
use support::service::BOTH;

pub fn rows() -> Vec<Row> {
    let bytes = |body: &[u8]| [Request, Send(http(200, body))];
    let sent = |body: &str| bytes(body.as_bytes());
    let code = r#""responseCode":"200""#;
    let data = |data: &str| sent(&format!("{{{code},\"data\":{data}}}"));
    let url = r#""data":{"url":"https://pay.example"}}"#;
    let (good, spaces) = (success(), " ".repeat(5000));
    let twice = format!(r#"{{{code},"responseCode":"400",{url}"#);
    let garbled = [b"{\"responseCode\":\"200\xff\",", url.as_bytes()].concat();
    let wide: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let flood = Flood(b"        ".to_vec());
    let mut rows = once(table! { "", BOTH;
        "an empty body", sent(""), BAD;
        "a body of white space", sent(" \r\n\t"), BAD;
        "HTML", sent("<html>"), BAD, .cause("response_not_json");
        "two byte-order marks before the JSON", sent(&format!("\u{feff}\u{feff}{good}")), BAD;
        "half of the JSON", sent(&good[..good.len() / 2]), BAD;
        "something after the JSON", sent(&format!("{good}x")), BAD;
        "the JSON twice", sent(&format!("{good}{good}")), BAD;
        "a list", sent(&format!("[{good}]")), BAD;
        "a number", sent("200"), BAD;
        "null", sent("null"), BAD;
        "a text", sent("\"Success\""), BAD;
        "zero bytes", sent(&"\0".repeat(64)), BAD;
        "a list nested ten thousand times", sent(&"[".repeat(10_000)), BAD;
        "objects nested ten thousand times", sent(&r#"{"data":"#.repeat(10_000)), BAD;
        "no responseCode", sent(&format!("{{{url}")), BAD;
        "an empty object", sent("{}"), BAD, .cause("response_code_missing");
        "two responseCodes", sent(&twice), BAD;
        "a body of 2 MB", sent(&"x".repeat(2_000_000)), BAD;
        "invalid UTF-8 in the responseCode", bytes(&garbled), BAD;
        "UTF-16", bytes(&wide), BAD;
        "no checkout URL", data("null"), BAD, .create_only(true).cause("checkout_url_missing");
        "a checkout URL that is not a web address", data(r#"{"url":"javascript:alert(1)"}"#), BAD,
            .create_only(true);
        "a checkout URL without a host", data(r#"{"url":"/checkout"}"#), BAD,
            .create_only(true).cause("checkout_url_unusable");
        "a checkout URL of another host", data(r#"{"url":"https://other.example.com/"}"#), BAD,
            .with("checkoutHosts", json!(["pay.example.com"])).create_only(true)
            .cause("checkout_host_not_allowed");
        "a body over maxResponseBytes", sent(&spaces), BAD,
            .with("maxResponseBytes", 4096).cause("response_too_large");
        "a success over maxResponseBytes", sent(&format!("{good}{spaces}")), BAD,
            .with("maxResponseBytes", 4096);
        "an endless body", [Request, text("HTTP/1.1 200 OK\r\n\r\n"), flood], BAD;
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
        rows.push(Row::new(name, BOTH, script, UNUSABLE).connections(1..=1));
    }
    rows
}

/// A success that gzip has compressed. The library reads no compressed body, and decompresses none.
const COMPRESSED: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03E\xcb1\n\x800\x10\x05\xd1\xbb\xfcZ\x12\xb1\t\xa4\
    \xb5\xb6\xf2\x04\xcb\xba(\x98\x98\xe0&\xa0\x88wW+\xcby0\x17&*\x04\x7f\xa1\xee\x01\x1eK)Y\xbd\xb5\x99N#\x07\xc5\
    \x1c\xc4p\x8a\x96\x17\xe15\xd5b\x9d\xc3\xdd`\x17\xcdiS\xe9\xd3$\xef\xd5\xb5-~\x1cD\x95\xe6\xcf\xc7\xca\xfc\x06\xee\
    \x07\xf5\xe9\xd8}g\x00\x00\x00";
