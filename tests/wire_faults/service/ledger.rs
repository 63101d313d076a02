//! What a service received, by order.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Bytes of requests, whole or not; of TLS those inside.
    pub bytes: usize,
    /// Whole requests.
    pub complete: usize,
    /// The status of the last whole response.
    pub answered: Option<u16>,
}

#[derive(Default)]
pub struct Ledger {
    orders: Mutex<HashMap<String, Seen>>,
    connections: AtomicUsize,
}

/// What comes on one connection, until it is known whose it is.
#[derive(Default)]
pub struct Arriving {
    bytes: Vec<u8>,
    has_head: bool,
    /// Heads and whole requests that have come on this connection.
    pub heads: usize,
    pub requests: usize,
    /// Whose the last whole request was.
    pub latest: String,
}

/// What came without enough of a head, or without the credentials, to tell whose it is.
const UNNAMED: &str = "";

impl Ledger {
    /// Of an order, and of no order that could be told: a service of its own has only its caller's
    /// bytes.
    pub fn seen(&self, order_id: &str) -> Seen {
        let orders = self.orders.lock().unwrap();
        let of = |name| orders.get(name).copied().unwrap_or_default();
        let (own, unnamed) = (of(order_id), of(UNNAMED));
        Seen {
            bytes: own.bytes + unnamed.bytes,
            complete: own.complete + unnamed.complete,
            ..own
        }
    }

    pub fn connected(&self) -> usize {
        self.connections.fetch_add(1, SeqCst)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(SeqCst)
    }

    pub fn response(&self, order_id: &str, status: u16) {
        self.orders
            .lock()
            .unwrap()
            .entry(order_id.to_owned())
            .or_default()
            .answered = Some(status);
    }

    pub fn part(&self, bytes: &[u8]) {
        self.enter(&whose(bytes), bytes.len(), 0);
    }

    fn enter(&self, order_id: &str, bytes: usize, complete: usize) {
        let mut orders = self.orders.lock().unwrap();
        let seen = orders.entry(order_id.to_owned()).or_default();
        seen.bytes += bytes;
        seen.complete += complete;
    }
}

impl Arriving {
    pub fn take(&mut self, bytes: &[u8], ledger: &Ledger) {
        self.bytes.extend_from_slice(bytes);
        while let Some(head) = self.bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            if !std::mem::replace(&mut self.has_head, true) {
                self.heads += 1;
            }
            let length = header(&self.bytes[..head + 2], "content-length")
                .map_or(0, |text| text.parse().expect("a length"));
            let whole = head + 4 + length;
            if self.bytes.len() < whole {
                return;
            }
            let rest = self.bytes.split_off(whole);
            let request = std::mem::replace(&mut self.bytes, rest);
            let order_id = whose(&request);
            // Without a body it is what a client makes of a redirect that it follows.
            if length > 0 {
                let body: serde_json::Value =
                    serde_json::from_slice(&request[head + 4..]).expect("a body is JSON");
                assert_eq!(body["orderId"], order_id, "head and body are of one order");
            }
            ledger.enter(&order_id, request.len(), 1);
            self.latest = order_id;
            self.has_head = false;
            self.requests += 1;
        }
    }

    /// The connection is over: what is left is a part of a request.
    pub fn end(&mut self, ledger: &Ledger) {
        let left = std::mem::take(&mut self.bytes);
        if !left.is_empty() {
            ledger.part(&left);
        }
    }
}

/// Every call's credentials are its order's identifier, so that a part of a request has a name too.
fn whose(request: &[u8]) -> String {
    let named = header(request, "access-token").or_else(|| header(request, "x-client-key"));
    named.unwrap_or_else(|| UNNAMED.to_owned())
}

/// Only lines that have their end: what is cut off could be a part of another name.
fn header(head: &[u8], name: &str) -> Option<String> {
    let head = String::from_utf8_lossy(head);
    let (whole, _) = head.rsplit_once("\r\n")?;
    whole.split("\r\n").find_map(|line| {
        let (given, value) = line.split_once(':')?;
        given
            .eq_ignore_ascii_case(name)
            .then(|| value.trim().to_owned())
    })
}
