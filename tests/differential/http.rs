//! HTTP responses are read as ureq, another client, reads them. Where the two differ, the table
//! says why.

use serde_json::Value;
use support::abi::Client;
use support::orders::{config, order};
use support::service::{Service, respond_then_close};

const RESPONSES: &str = include_str!("responses.txt");
const BODY: &str = r#"{"responseCode":"200","responseMessage":"Read me","data":{"url":"https://pay.example.com/checkout/77"}}"#;

#[test]
fn ureq_and_the_library_take_the_same_responses_as_complete() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for line in RESPONSES.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (who, response) = line.split_once(' ').expect("who reads it, and a response");
        let service = Service::start([respond_then_close(bytes(response))]);
        let (ours, theirs) = (by_the_library(&service.url()), by_ureq(&service.url()));
        let right = match who {
            "both" => ours.is_some() && ours == theirs,
            "neither" => ours.is_none() && theirs.is_none(),
            "payorder" => ours.is_some() && theirs.is_none(),
            "ureq" => ours.is_none() && theirs.is_some(),
            _ => panic!("{who} reads nothing"),
        };
        checked += 1;
        if !right {
            wrong.push(format!("{line}\n    payorder: {ours:?}, ureq: {theirs:?}"));
        }
    }
    assert!(checked > 150, "only {checked} responses");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The bytes that a line of the table stands for.
fn bytes(escaped: &str) -> Vec<u8> {
    let (length, hex) = (BODY.len().to_string(), format!("{:x}", BODY.len()));
    let text = escaped
        .replace("{body}", BODY)
        .replace("{length}", &length)
        .replace("{hex}", &hex);
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let (byte, used) = match (byte, after) {
            (b'\\', [b'r', ..]) => (b'\r', 1),
            (b'\\', [b'n', ..]) => (b'\n', 1),
            (b'\\', [b't', ..]) => (b'\t', 1),
            (b'\\', [b'x', high, low, ..]) => {
                let digits = [*high, *low];
                let digits = str::from_utf8(&digits).expect("two digits");
                (u8::from_str_radix(digits, 16).expect("hexadecimal"), 3)
            }
            (byte, _) => (byte, 0),
        };
        bytes.push(byte);
        rest = &after[used..];
    }
    bytes
}

/// The status of a complete response, and what both clients return of a success.
type Read = Option<(u64, Option<Value>)>;

fn by_the_library(url: &str) -> Read {
    let reply = Client::new(&config(url)).create(&order());
    match reply.code {
        0 => Some((200, Some(reply.json))),
        _ => Some((reply.error()["httpStatus"].as_u64()?, None)),
    }
}

fn by_ureq(url: &str) -> Read {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .build()
        .into();
    let mut response = agent.post(url).send("{}").ok()?;
    let body = response.body_mut().read_to_vec().ok()?;
    let success = serde_json::from_slice::<Value>(&body)
        .ok()
        .filter(|object| object["responseCode"] == "200");
    Some((response.status().as_u16().into(), success))
}
