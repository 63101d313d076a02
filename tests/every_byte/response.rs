//! What the service answers.

use serde_json::json;

use crate::case::Answer;
use support::responses::http;

/// How many bytes of the response are in one TLS record, so that there are several.
pub const RECORD: usize = 64;

/// After how many bytes the body begins.
pub fn head_end(message: &[u8]) -> Option<usize> {
    Some(message.windows(4).position(|four| four == b"\r\n\r\n")? + 4)
}

/// Each order has a checkout URL of its own, so that no call can get another call's.
pub fn checkout(order_id: &str) -> String {
    format!("https://pay.example.com/checkout/{order_id}")
}

pub fn response(answer: Answer, order_id: &str) -> Vec<u8> {
    let body = json!({
        "responseCode": "200",
        "responseMessage": "Success",
        "data": {"url": checkout(order_id)},
    })
    .to_string();
    match answer {
        Answer::Length => http(200, &body),
        Answer::Refusal => http(
            400,
            r#"{"responseCode":"400","responseMessage":"no","data":{}}"#,
        ),
        Answer::UntilClose => format!("HTTP/1.1 200 OK\r\n\r\n{body}").into_bytes(),
        Answer::Chunks => {
            let mut text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned();
            let (first, second) = body.split_at(body.len() / 2);
            for chunk in [first, second, ""] {
                text += &format!("{:x}\r\n{chunk}\r\n", chunk.len());
            }
            text.into_bytes()
        }
    }
}
