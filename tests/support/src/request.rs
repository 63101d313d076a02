//! A request as a service received it.

use serde_json::Value;
use std::net::TcpStream;
use std::time::Instant;

/// A query, or an order, that decides how the service reacts.
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
pub fn data_segments(tcp: &TcpStream) -> Option<u32> {
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
pub fn data_segments(_: &TcpStream) -> Option<u32> {
    None
}
