//! The service without its socket: it takes the client's bytes and returns its own. So it receives
//! exactly the bytes that it is given.

use std::io::{Read, Write};

use rustls::{HandshakeKind, ServerConnection};
use serde_json::{Value, json};

use crate::case::Answer;
use support::responses::http;

/// How many bytes of the response are in one TLS record, so that there are several.
const RECORD: usize = 64;

pub struct Service {
    tls: Option<Box<ServerConnection>>,
    /// Received, decrypted, and not handled yet.
    received: Vec<u8>,
    output: Vec<u8>,
    /// How many bytes of output there were.
    produced: usize,
    pub answer: Answer,
    /// It ends the connection after its output.
    pub closes: bool,
    pub exchanges: Vec<Exchange>,
}

/// A request that arrived completely, and its response.
pub struct Exchange {
    pub order_id: String,
    pub response: usize,
    /// After how many bytes of output the response and its parts begin.
    pub borders: Vec<usize>,
    /// After how many bytes of output the client can read how many bytes of the response.
    readable: Vec<(usize, usize)>,
}

impl Exchange {
    /// How many bytes of the response the client can read after this many bytes of output.
    pub fn readable_after(&self, sent: usize) -> usize {
        let reached = self.readable.iter().rev().find(|(after, _)| *after <= sent);
        reached.map_or(0, |(_, readable)| *readable)
    }
}

impl Service {
    pub fn new(tls: Option<ServerConnection>, answer: Answer) -> Service {
        Service {
            tls: tls.map(Box::new),
            received: Vec::new(),
            output: Vec::new(),
            produced: 0,
            answer,
            closes: false,
            exchanges: Vec::new(),
        }
    }

    /// Once it is known.
    pub fn handshake(&self) -> Option<HandshakeKind> {
        self.tls.as_ref()?.handshake_kind()
    }

    /// Forgets what happened until now.
    pub fn start_again(&mut self) {
        self.produced = 0;
        self.exchanges.clear();
    }

    pub fn produced(&self) -> usize {
        self.produced
    }

    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    pub fn receive(&mut self, mut bytes: &[u8]) {
        match &mut self.tls {
            None => self.received.extend_from_slice(bytes),
            Some(tls) => {
                while !bytes.is_empty() {
                    tls.read_tls(&mut bytes).expect("space for records");
                    if tls.process_new_packets().is_err() {
                        self.closes = true;
                        break;
                    }
                    // The end is an error: more may follow.
                    let _ = tls.reader().read_to_end(&mut self.received);
                }
            }
        }
        self.collect_output();
        while let Some(order_id) = self.next_order() {
            self.respond(order_id);
        }
    }

    fn collect_output(&mut self) {
        if let Some(tls) = &mut self.tls {
            let before = self.output.len();
            while tls.wants_write() {
                tls.write_tls(&mut self.output).expect("a buffer takes all");
            }
            self.produced += self.output.len() - before;
        }
    }

    /// The `orderId` of the next request, if it is complete.
    fn next_order(&mut self) -> Option<String> {
        let head = head_end(&self.received)?;
        let text = String::from_utf8(self.received[..head].to_vec()).expect("a head is a text");
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .expect("a length");
        let end = head + length.trim().parse::<usize>().expect("a number");
        let body: Vec<u8> = self.received.get(head..end)?.to_vec();
        self.received.drain(..end);
        let order: Value = serde_json::from_slice(&body).expect("a complete body is JSON");
        Some(order["orderId"].as_str().expect("an orderId").to_owned())
    }

    fn respond(&mut self, order_id: String) {
        let response = response(self.answer, &order_id);
        let mut exchange = Exchange {
            order_id,
            response: response.len(),
            borders: vec![self.produced],
            readable: Vec::new(),
        };
        let size = if self.tls.is_some() { RECORD } else { 1 };
        let mut readable = 0;
        for piece in response.chunks(size) {
            match &mut self.tls {
                None => {
                    self.output.extend_from_slice(piece);
                    self.produced += piece.len();
                }
                Some(tls) => {
                    tls.writer().write_all(piece).expect("a buffer takes all");
                    self.collect_output();
                }
            }
            readable += piece.len();
            exchange.readable.push((self.produced, readable));
            let rest = &response[readable..];
            // The end of a TLS record or of the head, or near the end of the response.
            if self.tls.is_some() || head_end(&response) == Some(readable) || rest.len() < 8 {
                exchange.borders.push(self.produced);
            }
        }
        self.exchanges.push(exchange);
        if self.answer == Answer::UntilClose {
            self.closes = true;
            if let Some(tls) = &mut self.tls {
                tls.send_close_notify();
            }
            self.collect_output();
        }
    }
}

/// After how many bytes the body begins.
pub fn head_end(message: &[u8]) -> Option<usize> {
    Some(message.windows(4).position(|four| four == b"\r\n\r\n")? + 4)
}

/// Each order has a checkout URL of its own, so that no call can get another call's.
pub fn checkout(order_id: &str) -> String {
    format!("https://pay.example.com/checkout/{order_id}")
}

fn response(answer: Answer, order_id: &str) -> Vec<u8> {
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
