//! A service in foul weather: what it does to a connection is chosen by a seed, and it keeps what it received by order.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use socket2::SockRef;

use crate::scramble;

/// What the service saw of one order, and what it said to it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    pub bytes: usize,
    pub complete: usize,
    pub answered: Option<u16>,
}

#[derive(Default)]
struct State {
    orders: Mutex<HashMap<String, Seen>>,
    faults: Mutex<BTreeMap<&'static str, usize>>,
    connections: AtomicU64,
    stopping: AtomicBool,
    seed: u64,
}

pub struct Service {
    state: Arc<State>,
    address: std::net::SocketAddr,
    accepting: Option<JoinHandle<()>>,
}

/// What may happen to a request. `Calm` comes as often as all others together.
const FAULTS: [&str; 12] = [
    "reset unread",
    "close unread",
    "reset after the request",
    "close after the request",
    "half an answer, then close",
    "half an answer, then reset",
    "no answer",
    "no HTTP",
    "not JSON",
    "HTTP 503",
    "answer, then close",
    "refuse",
];

const DONE: &str = r#"{"responseCode":"200","responseMessage":"Success","data":{"url":"https://pay.example/c"}}"#;
const REFUSED: &str = r#"{"responseCode":"400","responseMessage":"no"}"#;

impl Service {
    pub fn start(seed: u64) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        let state = Arc::new(State { seed, ..State::default() });
        let accepting = std::thread::spawn({
            let state = Arc::clone(&state);
            move || {
                for stream in listener.incoming().flatten() {
                    if state.stopping.load(Ordering::Acquire) {
                        return;
                    }
                    let state = Arc::clone(&state);
                    std::thread::Builder::new().stack_size(128 * 1024).spawn(move || serve(stream, &state)).expect("a thread");
                }
            }
        });
        Service { state, address, accepting: Some(accepting) }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn seen(&self, order_id: &str) -> Seen {
        self.state.orders.lock().expect("no panic").get(order_id).copied().unwrap_or_default()
    }

    pub fn faults(&self) -> BTreeMap<&'static str, usize> {
        self.state.faults.lock().expect("no panic").clone()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.state.stopping.store(true, Ordering::Release);
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

/// One connection, until a fault ends it.
fn serve(mut stream: TcpStream, state: &State) {
    let number = state.connections.fetch_add(1, Ordering::Relaxed);
    for turn in 0_u64.. {
        let chance = scramble(state.seed, number << 16 | turn);
        let fault = FAULTS.get(usize::try_from(chance % 24).expect("small")).copied().unwrap_or("calm");
        if turn == 0 && fault.ends_with("unread") || turn > 0 && fault == "close unread" {
            count(state, fault);
            return end(stream, fault);
        }
        let Some(order_id) = receive(&mut stream, state) else { return };
        count(state, fault);
        let (status, body) = match fault {
            "refuse" => (400, REFUSED),
            "HTTP 503" => (503, "busy"),
            "not JSON" => (200, "<html>"),
            _ => (200, DONE),
        };
        let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let sent = match fault {
            "reset unread" | "reset after the request" | "close after the request" => "",
            "half an answer, then close" | "half an answer, then reset" => &answer[..answer.len() / 2],
            "no HTTP" => "what?\r\n\r\n",
            "no answer" => {
                // Until the client gives up, or for longer than it waits.
                let _ = stream.set_read_timeout(Some(Duration::from_secs(3)));
                let _ = stream.read(&mut [0; 64]);
                return;
            }
            whole => {
                let _ = whole;
                state.orders.lock().expect("no panic").entry(order_id).or_default().answered = Some(status);
                &answer
            }
        };
        if stream.write_all(sent.as_bytes()).is_err() || (sent != answer || fault == "answer, then close") {
            return end(stream, fault);
        }
    }
}

/// Ends a connection as the fault says: by a reset, or in order.
fn end(stream: TcpStream, fault: &str) {
    if fault.contains("reset") {
        let _ = SockRef::from(&stream).set_linger(Some(Duration::ZERO));
    } else {
        let _ = stream.shutdown(Shutdown::Both);
    }
}

fn count(state: &State, fault: &'static str) {
    *state.faults.lock().expect("no panic").entry(fault).or_default() += 1;
}

/// Reads one request, and keeps what came of it under its order: the access token is the order's identifier, so that a part is known too.
fn receive(stream: &mut TcpStream, state: &State) -> Option<String> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer).unwrap_or(0);
        request.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&request);
        let after = |name: &str| text.split(name).nth(1).and_then(|rest| rest.split("\r\n").next()).map(str::to_owned);
        let order_id = after("access-token: ");
        if read == 0 {
            if !request.is_empty() {
                let unnamed = format!("a part of {} bytes", request.len());
                let mut orders = state.orders.lock().expect("no panic");
                orders.entry(order_id.unwrap_or(unnamed)).or_default().bytes += request.len();
            }
            return None;
        }
        let length = after("content-length: ").and_then(|text| text.parse::<usize>().ok());
        let head = text.find("\r\n\r\n").map(|at| at + 4);
        if let (Some(order_id), Some(length), Some(head)) = (order_id, length, head)
            && request.len() >= head + length
        {
            let mut orders = state.orders.lock().expect("no panic");
            let seen = orders.entry(order_id.clone()).or_default();
            seen.bytes += request.len();
            seen.complete += 1;
            return Some(order_id);
        }
    }
}
