//! What a service received.

use std::collections::HashMap;
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use serde_json::Value;

#[derive(Default)]
pub struct Record {
    pub(super) requests: Mutex<Vec<Request>>,
    pub(super) heads: Mutex<Vec<String>>,
    pub(super) connections: AtomicUsize,
    pub(super) resumed: AtomicUsize,
    pub(super) bytes: AtomicUsize,
    orders: Mutex<HashMap<String, Seen>>,
}

/// What was received for one order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Bytes of requests, complete or not (with TLS, after decryption).
    pub bytes: usize,
    /// Complete requests.
    pub complete: usize,
    /// The status of the last complete response.
    pub answered: Option<u16>,
}

/// For bytes whose order is unknown: the head is cut off, or has no credentials.
const UNNAMED: &str = "";

impl Record {
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

    pub(super) fn responded(&self, order_id: &str, status: u16) {
        let mut orders = self.orders.lock().unwrap();
        orders.entry(order_id.to_owned()).or_default().answered = Some(status);
    }

    /// Counts a part of a request, or a complete one. Returns the order's identifier.
    pub(super) fn count(&self, bytes: &[u8], complete: bool) -> String {
        let order_id = order_of(bytes);
        let mut orders = self.orders.lock().unwrap();
        let seen = orders.entry(order_id.clone()).or_default();
        seen.bytes += bytes.len();
        seen.complete += usize::from(complete);
        order_id
    }
}

/// Every call to such a service uses its order's identifier as its credentials, so that a partial
/// request can be assigned to its order.
fn order_of(request: &[u8]) -> String {
    let head = String::from_utf8_lossy(request);
    // Only complete lines: one that is cut off could be the start of another name.
    let (whole, _) = head.rsplit_once("\r\n").unwrap_or_default();
    let named = header(whole, "access-token").or_else(|| header(whole, "x-client-key"));
    named.unwrap_or(UNNAMED).to_owned()
}

/// A header's value, by its name in lower case.
pub fn header<'head>(head: &'head str, name: &str) -> Option<&'head str> {
    head.split("\r\n").find_map(|line| {
        let (given, value) = line.split_once(':')?;
        given.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// A query, or an order, that decides what the service does.
pub struct Query {
    /// The number of requests before it.
    pub number: usize,
    pub order_id: String,
    /// It is a Create Order, not a query.
    pub is_order: bool,
}

impl Query {
    pub fn of(body: &str, number: usize) -> Query {
        let body: Value = serde_json::from_str(body).expect("a body is JSON");
        let order_id = body["orderId"].as_str().expect("an order id");
        Query {
            number,
            order_id: order_id.to_owned(),
            is_order: body.get("amount").is_some(),
        }
    }
}

/// One complete request.
#[derive(Clone, Debug)]
pub struct Request {
    pub head: String,
    pub body: String,
    /// The number of its connection, counted from 0.
    pub connection: usize,
    /// The number of TCP segments that carried it, if the system reports it.
    pub segments: Option<u32>,
    pub at: Instant,
}

impl Request {
    pub fn line(&self) -> &str {
        self.head.split("\r\n").next().unwrap()
    }

    /// The name (in lower case) and value of each header, in order.
    pub fn headers(&self) -> Vec<(String, String)> {
        let lines = self.head.trim_end().split("\r\n").skip(1);
        lines
            .map(|line| {
                let (name, value) = line.split_once(':').expect("a header has a colon");
                (name.to_ascii_lowercase(), value.trim().to_owned())
            })
            .collect()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        let headers = self.headers();
        let mut values = headers.into_iter().filter(|(given, _)| given == name);
        let first = values.next().map(|(_, value)| value);
        assert!(values.next().is_none(), "{name} came twice");
        first
    }
}

/// The number of segments with data that were received on a connection.
#[cfg(target_os = "linux")]
pub(super) fn data_segments(tcp: &TcpStream) -> Option<u32> {
    use std::os::fd::AsRawFd;
    // `tcpi_data_segs_in` of the kernel's `struct tcp_info`, which the libc crate's type does not include.
    const OFFSET: usize = 152;
    let mut info = [0u8; 256];
    let mut length = info.len() as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes into `info`.
    let done = unsafe {
        libc::getsockopt(
            tcp.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            info.as_mut_ptr().cast(),
            &mut length,
        )
    };
    (done == 0 && length as usize >= OFFSET + 4)
        .then(|| u32::from_ne_bytes(info[OFFSET..OFFSET + 4].try_into().unwrap()))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn data_segments(_: &TcpStream) -> Option<u32> {
    None
}
