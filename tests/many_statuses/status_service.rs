//! A service for many status queries at once: a thread for each connection, and the test decides
//! how it reacts to each query.
#![allow(dead_code, reason = "each test uses what it needs")]

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A query that the service received.
pub struct ReceivedQuery {
    /// The number of queries before it.
    pub number: usize,
    pub order_id: String,
    /// It is a Create Order, not a query.
    pub is_order: bool,
}

pub enum StatusReaction {
    RespondAfter(Duration, Vec<u8>),
    /// Closes the connection without a response.
    Close,
}

type Say = dyn Fn(&ReceivedQuery) -> StatusReaction + Send + Sync;

pub struct StatusService {
    listener: TcpListener,
    asked: Arc<Mutex<Vec<(Instant, String)>>>,
}

impl StatusService {
    pub fn start(
        say: impl Fn(&ReceivedQuery) -> StatusReaction + Send + Sync + 'static,
    ) -> StatusService {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let asked = Arc::<Mutex<Vec<_>>>::default();
        let (accepting, seen, say) = (
            listener
                .try_clone()
                .expect("a second handle of the listener"),
            Arc::clone(&asked),
            Arc::<Say>::from(Box::new(say) as Box<Say>),
        );
        // The thread ends with the test process.
        thread::spawn(move || {
            for tcp in accepting.incoming() {
                let Ok(tcp) = tcp else { return };
                let (seen, say) = (Arc::clone(&seen), Arc::clone(&say));
                thread::spawn(move || serve(tcp, &seen, &*say));
            }
        });
        StatusService { listener, asked }
    }

    pub fn url(&self) -> String {
        format!(
            "http://{}",
            self.listener.local_addr().expect("its address")
        )
    }

    /// The time and order of each query, sorted by time.
    pub fn asked(&self) -> Vec<(Instant, String)> {
        let mut asked = self.asked.lock().expect("no connection panicked").clone();
        asked.sort();
        asked
    }

    pub fn count(&self) -> usize {
        self.asked.lock().expect("no connection panicked").len()
    }
}

fn serve(mut tcp: TcpStream, asked: &Mutex<Vec<(Instant, String)>>, say: &Say) {
    tcp.set_nodelay(true).expect("a socket takes options");
    let mut bytes = Vec::new();
    loop {
        let Some(body) = request(&mut tcp, &mut bytes) else {
            return;
        };
        let at = Instant::now();
        let body: Value = serde_json::from_slice(&body).expect("a query is JSON");
        let order_id = body["orderId"]
            .as_str()
            .expect("a query has an order id")
            .to_owned();
        let is_order = body.get("amount").is_some();
        let number = {
            let mut asked = asked.lock().expect("no connection panicked");
            asked.push((at, order_id.clone()));
            asked.len() - 1
        };
        let StatusReaction::RespondAfter(delay, response) = say(&ReceivedQuery {
            number,
            order_id,
            is_order,
        }) else {
            return;
        };
        thread::sleep(delay);
        if tcp.write_all(&response).is_err() {
            return;
        }
    }
}

/// The body of the next request; `None` at the end of the connection.
fn request(tcp: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<Vec<u8>> {
    loop {
        if let Some(head) = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .map(|at| at + 4)
        {
            let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
            let length = text
                .lines()
                .find_map(|line| {
                    line.strip_prefix("content-length:")?
                        .trim()
                        .parse::<usize>()
                        .ok()
                })
                .expect("a length");
            if bytes.len() >= head + length {
                let rest = bytes.split_off(head + length);
                let body = std::mem::replace(bytes, rest).split_off(head);
                return Some(body);
            }
        }
        let mut some = [0; 4096];
        match tcp.read(&mut some) {
            Ok(count) if count > 0 => bytes.extend_from_slice(&some[..count]),
            _ => return None,
        }
    }
}
