//! A service on the [network](crate::network) in this process. It reads complete requests, and keeps
//! every byte that it received.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_int;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::network::{self, Peer};

/// A service for every connection of this process, until the process ends. It responds that the order
/// was created.
#[derive(Clone)]
pub struct Service(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    seen: Vec<u8>,
    /// By the number of the connection.
    lines: HashMap<u64, Line>,
}

impl Service {
    pub const URL: &str = "http://127.0.0.1:9";

    pub fn start() -> Service {
        let service = Service(Arc::default());
        network::install(service.clone());
        service
    }

    /// Forgets what was received.
    pub fn forget(&self) {
        self.state().seen.clear();
    }

    /// How often a text occurs in the requests.
    pub fn saw(&self, text: &str) -> usize {
        String::from_utf8_lossy(&self.state().seen)
            .matches(text)
            .count()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a request is complete.
pub fn complete_request(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
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
    body.len() == length
}

#[derive(Default)]
struct Line {
    request: Vec<u8>,
    /// What was sent and not received yet.
    pieces: VecDeque<Vec<u8>>,
}

fn created() -> Vec<u8> {
    let url = r#"{"url":"https://pay.example.com/c/1"}"#;
    let body = format!(r#"{{"responseCode":"200","responseMessage":"Success","data":{url}}}"#);
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
    (head + &body).into_bytes()
}

impl Peer for Service {
    fn connect(&mut self, connection: u64) -> Result<(), c_int> {
        self.state().lines.insert(connection, Line::default());
        Ok(())
    }

    fn send(&mut self, connection: u64, bytes: &[u8]) -> Result<usize, c_int> {
        let mut state = self.state();
        state.seen.extend_from_slice(bytes);
        let line = state.lines.get_mut(&connection).ok_or(libc::ENOTCONN)?;
        line.request.extend_from_slice(bytes);
        if complete_request(&line.request) {
            line.request.clear();
            line.pieces.push_back(created());
        }
        Ok(bytes.len())
    }

    fn receive(&mut self, connection: u64, buffer: &mut [u8], peek: bool) -> Result<usize, c_int> {
        let mut state = self.state();
        let line = state.lines.get_mut(&connection).ok_or(libc::ENOTCONN)?;
        network::receive_from(&mut line.pieces, buffer, peek).ok_or(libc::EAGAIN)
    }

    fn close(&mut self, connection: u64) {
        self.state().lines.remove(&connection);
    }
}
