//! A service on the [network](crate::network) in this process. It reads complete requests, keeps
//! every byte that it received, and sends what a script says.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_int;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::network::{self, Peer};

/// What to send, and what to do then.
#[derive(Clone, Default)]
pub struct Script {
    pub response: Vec<u8>,
    /// Where the response is split into two writes.
    pub cut: usize,
    pub ending: Ending,
}

impl Script {
    /// Sends nothing, and keeps the connection.
    pub const fn nothing() -> Script {
        Script {
            response: Vec::new(),
            cut: 0,
            ending: Ending::Keep,
        }
    }

    /// Responds that the order was created.
    pub fn created() -> Script {
        let url = r#"{"url":"https://pay.example.com/c/1"}"#;
        let body = format!(r#"{{"responseCode":"200","responseMessage":"Success","data":{url}}}"#);
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        Script {
            response: (head + &body).into_bytes(),
            ..Script::default()
        }
    }
}

/// What happens to the connection after a response.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Ending {
    #[default]
    Keep,
    Close,
    Reset,
}

/// A service, which runs until the process ends.
pub struct Service {
    seen: Arc<Mutex<Vec<u8>>>,
}

/// What to do with each request, by its head.
type Scripts = dyn Fn(&str) -> Script + Send;

impl Service {
    pub const URL: &str = "http://127.0.0.1:9";
    /// Nobody listens there.
    pub const REFUSING_URL: &str = "http://127.0.0.1:1";

    /// Serves every connection of this process.
    pub fn start(script: impl Fn(&str) -> Script + Send + 'static) -> Service {
        let seen = Arc::<Mutex<Vec<u8>>>::default();
        network::install(OnNetwork {
            script: Box::new(script),
            seen: Arc::clone(&seen),
            lines: HashMap::new(),
        });
        Service { seen }
    }

    /// Forgets what was received.
    pub fn forget(&self) {
        lock(&self.seen).clear();
    }

    /// How often each order id occurs in the requests.
    pub fn orders(&self) -> HashMap<String, usize> {
        let seen = lock(&self.seen);
        let text = String::from_utf8_lossy(&seen);
        let mut orders = HashMap::new();
        for rest in text.split("\"orderId\":\"").skip(1) {
            let id = rest.split('"').next().unwrap_or_default();
            *orders.entry(id.to_owned()).or_default() += 1;
        }
        orders
    }

    /// How often a text occurs in the requests.
    pub fn saw(&self, text: &str) -> usize {
        let seen = lock(&self.seen);
        String::from_utf8_lossy(&seen).matches(text).count()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The head of a request, if it is complete.
pub fn complete_request(request: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(request);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok())?
    });
    let length = length.expect("a request has a length");
    assert!(
        body.len() <= length,
        "more than one request was sent at once: {text}"
    );
    (body.len() == length).then(|| head.to_owned())
}

struct OnNetwork {
    script: Box<Scripts>,
    seen: Arc<Mutex<Vec<u8>>>,
    /// By the number of the connection.
    lines: HashMap<u64, Line>,
}

#[derive(Default)]
struct Line {
    request: Vec<u8>,
    /// What was sent and not received yet, in the pieces in which it arrives.
    pieces: VecDeque<Vec<u8>>,
    ending: Ending,
}

impl Peer for OnNetwork {
    fn connect(&mut self, connection: u64, port: u16) -> Result<(), c_int> {
        if !Service::URL.ends_with(&format!(":{port}")) {
            return Err(libc::ECONNREFUSED);
        }
        self.lines.insert(connection, Line::default());
        Ok(())
    }

    fn send(&mut self, connection: u64, bytes: &[u8]) -> Result<usize, c_int> {
        let line = self.lines.get_mut(&connection).ok_or(libc::ENOTCONN)?;
        if line.ending != Ending::Keep {
            return Err(libc::EPIPE);
        }
        lock(&self.seen).extend_from_slice(bytes);
        line.request.extend_from_slice(bytes);
        if let Some(head) = complete_request(&line.request) {
            line.request.clear();
            let mut script = (self.script)(&head);
            let rest = script
                .response
                .split_off(script.cut.min(script.response.len()));
            let pieces = [script.response, rest].into_iter();
            line.pieces.extend(pieces.filter(|piece| !piece.is_empty()));
            line.ending = script.ending;
        }
        Ok(bytes.len())
    }

    fn receive(&mut self, connection: u64, buffer: &mut [u8], peek: bool) -> Result<usize, c_int> {
        let line = self.lines.get_mut(&connection).ok_or(libc::ENOTCONN)?;
        match (
            network::receive_from(&mut line.pieces, buffer, peek),
            line.ending,
        ) {
            (Some(received), _) => Ok(received),
            (None, Ending::Keep) => Err(libc::EAGAIN),
            (None, Ending::Close) => Ok(0),
            (None, Ending::Reset) => Err(libc::ECONNRESET),
        }
    }

    fn close(&mut self, connection: u64) {
        self.lines.remove(&connection);
    }
}
