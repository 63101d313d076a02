//! Writes a response, and says what it means. This follows `docs/abi.md`, "How a response is read",
//! and not the library's code.

use crate::http::is_refusal;
use crate::input::{Answer, Asked, Body, Data, Ending, Framing, Interim};

/// The largest response that the clients accept.
pub const MOST: usize = 1024;

/// The results of a call whose response can be anything.
const RESULTS: [i32; 8] = [0, 100, 101, 102, 200, 201, 202, 203];

const STATUSES: [u16; 22] = [
    200, 201, 202, 204, 299, 101, 301, 304, 307, 400, 401, 403, 404, 408, 409, 429, 499, 500, 503,
    599, 600, 999,
];
/// "-" stands for none.
const CODES: [&str; 14] = [
    "200", "-", "", "400", "401", "403", "408", "409", "429", "499", "500", "0200", "4000", "201",
];

/// A response as it is sent.
pub struct Written {
    answer: Answer,
    asked: Asked,
    /// Where the head ends.
    head: usize,
    /// Its bytes can be anything.
    pub is_raw: bool,
    /// Something may follow it.
    pub is_followed: bool,
    pub bytes: Vec<u8>,
}

/// A text that no other response has.
pub fn mark(serial: u64) -> String {
    format!("mark-{serial}-end")
}

impl Written {
    /// These bytes as the response.
    pub fn raw(bytes: &[u8], asked: Asked) -> Written {
        Written {
            answer: Answer::default(),
            asked,
            head: 0,
            is_raw: true,
            is_followed: false,
            bytes: bytes.to_vec(),
        }
    }
}

/// Writes the response to `asked`.
pub fn write(answer: &Answer, asked: Asked, serial: u64) -> Written {
    let version = if answer.http_10 { "1.0" } else { "1.1" };
    let status = answer.status();
    let mut text = match answer.interim {
        Interim::None => String::new(),
        Interim::Continue => "HTTP/1.1 100 Continue\r\nDate: now\r\n\r\n".to_owned(),
        Interim::EarlyHints => "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".to_owned(),
    };
    text += &format!("HTTP/{version} {status} Text\r\n");
    if answer.close {
        text += "Connection: close\r\n";
    }
    if let Some(seconds) = answer.retry_after {
        text += &format!("Retry-After: {seconds}\r\n");
    }
    let body = answer.body(asked, serial);
    let mut rest = String::new();
    match answer.framing {
        _ if !answer.has_body() => {}
        Framing::Length => {
            text += &format!("Content-Length: {}\r\n", body.len());
            rest = body;
        }
        Framing::Chunks(size) => {
            text += "Transfer-Encoding: chunked\r\n";
            for chunk in body.as_bytes().chunks(usize::from(size).max(1)) {
                let chunk = std::str::from_utf8(chunk).expect("ASCII");
                rest += &format!("{:x}\r\n{chunk}\r\n", chunk.len());
            }
            rest += "0\r\n\r\n";
        }
        Framing::UntilClose => rest = body,
    }
    text += "\r\n";
    Written {
        answer: answer.clone(),
        asked,
        head: text.len(),
        is_raw: false,
        is_followed: false,
        bytes: (text + &rest).into_bytes(),
    }
}

/// How the client came to its result: how many bytes of the response it received, and how it ended.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub bytes: usize,
    /// `None` if nothing ended: the client stopped reading.
    pub ending: Option<Ending>,
}

impl Written {
    /// Whether a success has the mark in it.
    pub fn shows_mark(&self) -> bool {
        !self.is_raw && !matches!(self.answer.data, Data::Empty | Data::Missing)
    }

    /// The allowed results of a client that received this.
    pub fn allowed(&self, seen: Seen) -> Vec<i32> {
        if self.is_raw {
            return RESULTS.to_vec();
        }
        let whole = seen.bytes >= self.bytes.len();
        // Without an announced end, another response is a part of the body.
        let exact = seen.bytes == self.bytes.len();
        // Without a complete response: the connection ended, or the time.
        let incomplete = match seen.ending {
            Some(Ending::Keep) => vec![200],
            Some(_) => vec![201],
            None => vec![],
        };
        if seen.bytes < self.head {
            return incomplete;
        }
        let meaning = self.answer.meaning(self.asked, whole);
        if !self.answer.has_body() {
            return meaning;
        }
        // Whatever its body, a redirect cannot be used.
        let redirect = (300..=399).contains(&self.answer.status());
        let too_long = self.answer.body == Body::Long;
        match self.answer.framing {
            // HTTP/1.0 has no chunks.
            Framing::Chunks(_) if self.answer.http_10 => vec![202],
            // A refused order is unclear if more has arrived behind the refusal.
            Framing::Length | Framing::Chunks(_) if whole && self.is_unclear(&meaning) => {
                match exact {
                    true => [meaning, vec![202]].concat(),
                    false => vec![202],
                }
            }
            Framing::Length | Framing::Chunks(_) if whole => meaning,
            // A client need not receive the rest of a response that is too long.
            _ if (redirect || too_long) && seen.ending.is_none() => {
                self.answer.meaning(self.asked, false)
            }
            Framing::Length => incomplete,
            // Only the empty line after the last chunk is missing.
            Framing::Chunks(_) if seen.bytes + 2 >= self.bytes.len() => self.cut(incomplete),
            Framing::Chunks(_) => incomplete,
            Framing::UntilClose => match seen.ending {
                // Only the end of the connection says where the body ends.
                Some(Ending::Close) => self.answer.meaning(self.asked, exact),
                // A body that is JSON is complete.
                Some(Ending::Reset) if exact && self.answer.body == Body::Envelope => {
                    self.cut(incomplete)
                }
                _ => incomplete,
            },
        }
    }
}

impl Written {
    /// The results if the content is all there, but not its end: nothing of that refuses an order.
    fn cut(&self, incomplete: Vec<i32>) -> Vec<i32> {
        let [whole, part] = [true, false].map(|whole| self.answer.meaning(self.asked, whole));
        let mut all = [whole, part, incomplete].concat();
        all.retain(|result| self.asked != Asked::Order || !(100..=199).contains(result));
        all
    }

    fn is_unclear(&self, meaning: &[i32]) -> bool {
        let refuses = meaning.iter().any(|result| (100..=199).contains(result))
            || is_refusal(self.answer.status());
        // An order that exists already is a person's case, not an unclear refusal.
        let exists = self.answer.code() == Some("409") && meaning == [203];
        self.is_followed && self.asked == Asked::Order && refuses && !exists
    }
}

impl Answer {
    fn status(&self) -> u16 {
        STATUSES[usize::from(self.status) % STATUSES.len()]
    }

    fn code(&self) -> Option<&'static str> {
        let code = CODES[usize::from(self.code) % CODES.len()];
        (code != "-").then_some(code)
    }

    fn has_body(&self) -> bool {
        !matches!(self.status(), 101 | 204 | 304)
    }

    /// How many seconds the client is asked to wait.
    pub fn pause(&self) -> u64 {
        self.retry_after.unwrap_or_default().into()
    }

    fn body(&self, asked: Asked, serial: u64) -> String {
        let mark = mark(serial);
        let (name, own, other) = match asked {
            Asked::Order | Asked::Status => ("orderId", "O-1", "O-2"),
            Asked::Transaction => ("transactionId", "X-1", "X-2"),
        };
        let data = match (asked, self.data) {
            (_, Data::Missing) => None,
            (_, Data::Text) => Some(format!(r#""{mark}""#)),
            (_, Data::Empty) => Some("{}".to_owned()),
            (Asked::Order, Data::Good) => {
                Some(format!(r#"{{"url":"https://pay.example.com/{mark}"}}"#))
            }
            (Asked::Order, Data::Wrong) => {
                Some(format!(r#"{{"url":"http://pay.example.com/{mark}"}}"#))
            }
            (Asked::Order, Data::Odd) => Some(format!(
                r#"{{"url":"https://till@pay.example.com/{mark}"}}"#
            )),
            (_, Data::Good) => Some(format!(
                r#"{{"{name}":"{own}","transactionStatus":"{mark}"}}"#
            )),
            (_, Data::Wrong) => Some(format!(
                r#"{{"{name}":"{other}","transactionStatus":"{mark}"}}"#
            )),
            (_, Data::Odd) => Some(format!(r#"{{"transactionStatus":"{mark}"}}"#)),
        };
        let code = self
            .code()
            .map(|code| format!(r#""responseCode":"{code}","#));
        let data = data.map(|data| format!(r#","data":{data}"#));
        let long = if self.body == Body::Long { MOST } else { 0 };
        match self.body {
            Body::Nothing => String::new(),
            Body::NotJson => format!("<p>{mark}</p>"),
            Body::Envelope | Body::Long => format!(
                r#"{{{}"responseMessage":"Text","more":"{}"{}}}"#,
                code.unwrap_or_default(),
                "x".repeat(long),
                data.unwrap_or_default()
            ),
        }
    }

    /// The results that a response has. `whole`: the body was not cut.
    fn meaning(&self, asked: Asked, whole: bool) -> Vec<i32> {
        let json = whole && self.body == Body::Envelope && self.has_body();
        let code = self.code().filter(|_| json).unwrap_or_default();
        let status = self.status();
        match status {
            _ if asked == Asked::Order && code == "409" => vec![203],
            _ if is_refusal(status) && asked == Asked::Order && !self.is_clear(whole) => vec![202],
            _ if is_refusal(status) => match code {
                "" => vec![refusal(status)],
                "200" => vec![202],
                code => match refusing(code) {
                    // Either of the two may name the reason.
                    Some(number) if refusal(number) == refusal(status) => vec![refusal(status)],
                    Some(number) => {
                        let named = [refusal(status), refusal(number)];
                        named.into_iter().filter(|result| *result != 100).collect()
                    }
                    None => vec![203],
                },
            },
            400..=599 => vec![203],
            200..=299 => match code {
                "" => vec![202],
                "200" if self.succeeds(asked) => vec![0],
                "200" => vec![202],
                code => match refusing(code) {
                    Some(_) if asked == Asked::Order && !self.is_clear(whole) => vec![202],
                    Some(number) => vec![refusal(number)],
                    None => vec![203],
                },
            },
            _ => vec![202],
        }
    }

    /// Whether the body of a refused order is empty, with a known length, or one object without a
    /// checkout URL.
    fn is_clear(&self, whole: bool) -> bool {
        match self.body {
            Body::Nothing => self.framing != Framing::UntilClose,
            Body::Envelope => {
                let has_url = matches!(self.data, Data::Good | Data::Wrong | Data::Odd);
                whole && !has_url
            }
            Body::NotJson | Body::Long => false,
        }
    }

    fn succeeds(&self, asked: Asked) -> bool {
        match asked {
            Asked::Order => self.data == Data::Good,
            // The requested identifier, or none.
            _ => !matches!(self.data, Data::Wrong | Data::Text),
        }
    }
}

/// The number of a code that is a refusal.
fn refusing(code: &str) -> Option<u16> {
    let number = code.parse().ok().filter(|_| code.len() == 3)?;
    is_refusal(number).then_some(number)
}

fn refusal(number: u16) -> i32 {
    match number {
        401 | 403 => 101,
        429 => 102,
        _ => 100,
    }
}
