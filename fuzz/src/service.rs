//! A service that reads complete requests, keeps every byte that it received, and sends what a
//! script says: on loopback, or on the [network](crate::network) in this process.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_int;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use socket2::SockRef;

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
    url: String,
    seen: Arc<Mutex<Vec<u8>>>,
}

/// What to do with each request, by its head and its body.
type Scripts = dyn Fn(&str, &str) -> Script + Send + Sync;

impl Service {
    /// Listens, and serves up to `workers` connections at the same time. `script` gets the head and
    /// the body of each request.
    pub fn start(
        workers: usize,
        script: impl Fn(&str, &str) -> Script + Send + Sync + 'static,
    ) -> Service {
        let listener = Arc::new(TcpListener::bind("127.0.0.1:0").expect("a port on loopback"));
        let address = listener.local_addr().expect("its address");
        let service = Service {
            url: format!("http://{address}"),
            seen: Arc::default(),
        };
        let script = Arc::new(script);
        for _ in 0..workers {
            let (listener, script) = (Arc::clone(&listener), Arc::clone(&script));
            let seen = Arc::clone(&service.seen);
            std::thread::spawn(move || {
                block_sigpipe();
                for stream in listener.incoming().flatten() {
                    // The client may close the connection.
                    let _ = serve(stream, &seen, &*script);
                }
            });
        }
        service
    }

    /// Serves every connection of this process, on the network in it.
    pub fn in_memory(script: impl Fn(&str, &str) -> Script + Send + Sync + 'static) -> Service {
        let service = Service {
            url: "http://127.0.0.1:9".to_owned(),
            seen: Arc::default(),
        };
        network::install(InMemory {
            script: Box::new(script),
            seen: Arc::clone(&service.seen),
            lines: HashMap::new(),
        });
        service
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Forgets what was received.
    pub fn forget(&self) {
        seen(&self.seen).clear();
    }

    /// How often each order id occurs in the requests.
    pub fn orders(&self) -> HashMap<String, usize> {
        let mut orders = HashMap::new();
        for rest in String::from_utf8_lossy(&seen(&self.seen))
            .split("\"orderId\":\"")
            .skip(1)
        {
            *orders
                .entry(rest.split('"').next().unwrap_or_default().to_owned())
                .or_default() += 1;
        }
        orders
    }

    /// How often a text occurs in the requests.
    pub fn saw(&self, text: &str) -> usize {
        String::from_utf8_lossy(&seen(&self.seen))
            .matches(text)
            .count()
    }
}

fn seen(seen: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A write to a connection that the client has closed raises SIGPIPE in this thread. The library's
/// own writes must not, so it is not ignored in the whole process.
fn block_sigpipe() {
    // SAFETY: the set is initialised before it is used, and changes this thread only.
    unsafe {
        let mut signals = std::mem::zeroed();
        libc::sigemptyset(&mut signals);
        libc::sigaddset(&mut signals, libc::SIGPIPE);
        libc::pthread_sigmask(libc::SIG_BLOCK, &signals, std::ptr::null_mut());
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<u8>>, script: &Scripts) -> io::Result<()> {
    stream.set_nodelay(true)?;
    match converse(&mut stream, seen, script)? {
        Ending::Reset => SockRef::from(&stream).set_linger(Some(Duration::ZERO)),
        _ => Ok(()),
    }
}

/// Serves a connection until it ends; returns how.
fn converse(stream: &mut TcpStream, seen: &Mutex<Vec<u8>>, script: &Scripts) -> io::Result<Ending> {
    while let Some((head, body)) = take_request(stream, seen)? {
        let Script {
            response,
            cut,
            ending,
        } = script(&head, &body);
        let (first, second) = response.split_at(cut.min(response.len()));
        stream.write_all(first)?;
        stream.write_all(second)?;
        if ending != Ending::Keep {
            return Ok(ending);
        }
    }
    Ok(Ending::Close)
}

/// The next complete request; `None` at the end of the connection.
fn take_request(
    stream: &mut TcpStream,
    all: &Mutex<Vec<u8>>,
) -> io::Result<Option<(String, String)>> {
    let mut request = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        if let Some(complete) = complete_request(&request) {
            return Ok(Some(complete));
        }
        match stream.read(&mut buffer)? {
            0 => return Ok(None),
            read => {
                request.extend_from_slice(&buffer[..read]);
                seen(all).extend_from_slice(&buffer[..read]);
            }
        }
    }
}

/// Head and body of a request, if it is complete.
pub fn complete_request(request: &[u8]) -> Option<(String, String)> {
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
    (body.len() == length).then(|| (head.to_owned(), body.to_owned()))
}

/// The service on the network in this process.
struct InMemory {
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

impl Peer for InMemory {
    fn connect(&mut self, connection: u64) -> Result<(), c_int> {
        self.lines.insert(connection, Line::default());
        Ok(())
    }

    fn send(&mut self, connection: u64, bytes: &[u8]) -> Result<usize, c_int> {
        let line = self.lines.get_mut(&connection).ok_or(libc::ENOTCONN)?;
        if line.ending != Ending::Keep {
            return Err(libc::EPIPE);
        }
        seen(&self.seen).extend_from_slice(bytes);
        line.request.extend_from_slice(bytes);
        if let Some((head, body)) = complete_request(&line.request) {
            line.request.clear();
            let mut script = (self.script)(&head, &body);
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
        network::receive_from(&mut line.pieces, buffer, peek).map_or_else(
            || match line.ending {
                Ending::Keep => Err(libc::EAGAIN),
                Ending::Close => Ok(0),
                Ending::Reset => Err(libc::ECONNRESET),
            },
            Ok,
        )
    }

    fn close(&mut self, connection: u64) {
        self.lines.remove(&connection);
    }
}
