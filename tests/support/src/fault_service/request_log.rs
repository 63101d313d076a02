//! What a service received, by order.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Bytes of requests, complete or not (with TLS, after decryption).
    pub bytes: usize,
    /// Complete requests.
    pub complete: usize,
    /// The status of the last complete response.
    pub answered: Option<u16>,
}

#[derive(Default)]
pub struct RequestLog {
    orders: Mutex<HashMap<String, Seen>>,
    connections: AtomicUsize,
}

/// What arrives on one connection, until its order is known.
#[derive(Default)]
pub struct Incoming {
    bytes: Vec<u8>,
    has_head: bool,
    /// Heads and complete requests that have arrived on this connection.
    pub heads: usize,
    pub requests: usize,
    /// The order of the last complete request.
    pub latest: String,
}

/// For bytes whose order is unknown: the head is cut off, or has no credentials.
const UNNAMED: &str = "";

impl RequestLog {
    /// What was received for this order or for an unknown one. Where this matters, a service has
    /// one caller only, so these bytes are that caller's.
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
        self.enter(&order_of(bytes), bytes.len(), 0);
    }

    fn enter(&self, order_id: &str, bytes: usize, complete: usize) {
        let mut orders = self.orders.lock().unwrap();
        let seen = orders.entry(order_id.to_owned()).or_default();
        seen.bytes += bytes;
        seen.complete += complete;
    }
}

impl Incoming {
    pub fn take(&mut self, bytes: &[u8], request_log: &RequestLog) {
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
            let order_id = order_of(&request);
            // A request without a body is one that follows a redirect.
            if length > 0 {
                let body: serde_json::Value =
                    serde_json::from_slice(&request[head + 4..]).expect("a body is JSON");
                assert_eq!(
                    body["orderId"], order_id,
                    "head and body name the same order"
                );
            }
            request_log.enter(&order_id, request.len(), 1);
            self.latest = order_id;
            self.has_head = false;
            self.requests += 1;
        }
    }

    /// Call at the end of the connection: what is left is a partial request.
    pub fn end(&mut self, request_log: &RequestLog) {
        let left = std::mem::take(&mut self.bytes);
        if !left.is_empty() {
            request_log.part(&left);
        }
    }
}

/// Every call uses its order's identifier as its credentials, so that a partial request can be
/// assigned to its order.
fn order_of(request: &[u8]) -> String {
    let named = header(request, "access-token").or_else(|| header(request, "x-client-key"));
    named.unwrap_or_else(|| UNNAMED.to_owned())
}

/// Reads only complete lines: one that is cut off could be the start of another name.
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
