//! A scripted service on a socket of its own. It records every request byte for byte, and responds,
//! closes, resets or stalls as the test says.

use super::patience::patience;
use super::request::{Query, Request, data_segments};
use rustls::{HandshakeKind, ServerConfig, ServerConnection, StreamOwned};
use socket2::{Domain, SockRef, Socket, Type};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub use super::reaction::Reaction;

type Decide = dyn Fn(&Query) -> Reaction + Send + Sync;

/// How a service reacts: one reaction after another, or as a function decides for each request.
struct Script {
    reactions: Mutex<VecDeque<Reaction>>,
    decide: Option<Box<Decide>>,
}

#[derive(Default)]
struct Seen {
    connections: AtomicUsize,
    resumed: AtomicUsize,
    bytes: AtomicUsize,
    requests: Mutex<Vec<Request>>,
    stop: AtomicBool,
    closed: AtomicBool,
}

pub struct Service {
    address: SocketAddr,
    tls: bool,
    script: Arc<Script>,
    seen: Arc<Seen>,
    accepting: Mutex<Option<JoinHandle<()>>>,
}

impl Service {
    pub fn start(script: impl Into<VecDeque<Reaction>>) -> Service {
        Service::listen("127.0.0.1:0", script.into(), None)
    }

    pub fn responding(response: Vec<u8>) -> Service {
        Service::start([Reaction::Respond(response)])
    }

    /// A service whose reaction to each request is what `decide` returns.
    pub fn deciding(decide: impl Fn(&Query) -> Reaction + Send + Sync + 'static) -> Service {
        let script = Script {
            reactions: Mutex::default(),
            decide: Some(Box::new(decide)),
        };
        Service::run(TcpListener::bind("127.0.0.1:0").unwrap(), script, None)
    }

    pub fn start_tls(config: ServerConfig, script: impl Into<VecDeque<Reaction>>) -> Service {
        Service::listen("127.0.0.1:0", script.into(), Some(Arc::new(config)))
    }

    fn listen(
        address: &str,
        script: VecDeque<Reaction>,
        tls: Option<Arc<ServerConfig>>,
    ) -> Service {
        let listener = TcpListener::bind(address).unwrap();
        Service::on(listener, script, tls)
    }

    pub fn on(
        listener: TcpListener,
        script: VecDeque<Reaction>,
        tls: Option<Arc<ServerConfig>>,
    ) -> Service {
        let script = Script {
            reactions: Mutex::new(script),
            decide: None,
        };
        Service::run(listener, script, tls)
    }

    fn run(listener: TcpListener, script: Script, tls: Option<Arc<ServerConfig>>) -> Service {
        let address = listener.local_addr().unwrap();
        let script = Arc::new(script);
        let seen = Arc::new(Seen::default());
        let is_tls = tls.is_some();
        let accepting = thread::spawn({
            let (script, seen) = (script.clone(), seen.clone());
            move || accept(&listener, &script, &seen, tls.as_ref())
        });
        Service {
            address,
            tls: is_tls,
            script,
            seen,
            accepting: Mutex::new(Some(accepting)),
        }
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// With the address, or for TLS with the name in the certificates.
    pub fn url(&self) -> String {
        if self.tls {
            format!("https://localhost:{}", self.port())
        } else {
            format!("http://{}", self.address)
        }
    }

    /// Replaces the script.
    pub fn set_script(&self, script: impl Into<VecDeque<Reaction>>) {
        *self.script.reactions.lock().unwrap() = script.into();
    }

    pub fn connections(&self) -> usize {
        self.seen.connections.load(SeqCst)
    }

    /// TLS handshakes that resumed an earlier session.
    pub fn resumed(&self) -> usize {
        self.seen.resumed.load(SeqCst)
    }

    /// Bytes that were read, of complete requests or not (with TLS, after decryption).
    pub fn bytes(&self) -> usize {
        self.seen.bytes.load(SeqCst)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.seen.requests.lock().unwrap().clone()
    }

    pub fn request_count(&self) -> usize {
        self.seen.requests.lock().unwrap().len()
    }

    /// The time and order of each request, sorted by time.
    pub fn asked(&self) -> Vec<(Instant, String)> {
        let mut asked: Vec<_> = self
            .requests()
            .iter()
            .map(|request| (request.at, Query::of(&request.body, 0).order_id))
            .collect();
        asked.sort();
        asked
    }

    pub fn last_request(&self) -> Request {
        self.requests().pop().expect("a request")
    }

    #[track_caller]
    pub fn wait_for_requests(&self, count: usize) {
        let began = Instant::now();
        while self.request_count() < count {
            assert!(
                began.elapsed() < patience(Duration::from_secs(20)),
                "no request came"
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Stops accepting connections: new ones are refused, open ones continue.
    pub fn stop_listening(&self) {
        self.seen.closed.store(true, SeqCst);
        if let Some(accepting) = self.accepting.lock().unwrap().take() {
            let _ = TcpStream::connect(self.address);
            accepting.join().unwrap();
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.seen.stop.store(true, SeqCst);
        self.stop_listening();
    }
}

/// An address of 127.0.0.1 that refuses connections.
pub fn refusing_url() -> String {
    // Bound, so that nothing else gets the port, and never listening.
    static BOUND: LazyLock<Socket> = LazyLock::new(|| {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        socket.bind(&any_port.into()).unwrap();
        socket
    });
    let address = BOUND.local_addr().unwrap().as_socket().unwrap();
    format!("http://{address}")
}

/// Wine gives accepted connections to every process that is started: one that another test starts
/// would keep this connection open.
#[cfg(windows)]
pub fn keep_from_children(accepted: &TcpStream) {
    use std::os::windows::io::AsRawSocket;
    use windows_sys::Win32::Foundation::{HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation};
    let handle = accepted.as_raw_socket() as HANDLE;
    // SAFETY: the handle is open.
    let done = unsafe { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) };
    assert_ne!(done, 0, "{}", std::io::Error::last_os_error());
}

fn accept(
    listener: &TcpListener,
    script: &Arc<Script>,
    seen: &Arc<Seen>,
    tls: Option<&Arc<ServerConfig>>,
) {
    for tcp in listener.incoming() {
        if seen.closed.load(SeqCst) {
            return;
        }
        let Ok(tcp) = tcp else { continue };
        #[cfg(windows)]
        keep_from_children(&tcp);
        let number = seen.connections.fetch_add(1, SeqCst);
        let (script, seen, tls) = (script.clone(), seen.clone(), tls.cloned());
        thread::spawn(move || {
            tcp.set_nodelay(true).unwrap();
            // Reads time out, so that the connection notices the end of the test.
            tcp.set_read_timeout(Some(Duration::from_millis(20)))
                .unwrap();
            let mut connection = Connection {
                stream: Stream::Plain(tcp),
                number,
                segments: 0,
                script,
                seen,
            };
            if tls.is_none_or(|tls| connection.handshake(tls)) {
                connection.serve();
            }
        });
    }
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
    Gone,
}

impl Stream {
    fn tcp(&self) -> &TcpStream {
        match self {
            Stream::Plain(tcp) => tcp,
            Stream::Tls(tls) => &tls.sock,
            Stream::Gone => unreachable!("a closed connection is not used"),
        }
    }
}

struct Connection {
    stream: Stream,
    number: usize,
    segments: u32,
    script: Arc<Script>,
    seen: Arc<Seen>,
}

impl Connection {
    fn handshake(&mut self, config: Arc<ServerConfig>) -> bool {
        let Stream::Plain(mut tcp) = std::mem::replace(&mut self.stream, Stream::Gone) else {
            unreachable!("a connection starts without TLS")
        };
        let mut tls = ServerConnection::new(config).unwrap();
        while tls.is_handshaking() {
            match tls.complete_io(&mut tcp) {
                Ok(_) => {}
                Err(error) if is_timeout(&error) && !self.stopped() => {}
                Err(_) => {
                    // Send the alert that says why.
                    let _ = tls.write_tls(&mut tcp);
                    return false;
                }
            }
        }
        if tls.handshake_kind() == Some(HandshakeKind::Resumed) {
            self.seen.resumed.fetch_add(1, SeqCst);
        }
        self.stream = Stream::Tls(Box::new(StreamOwned::new(tls, tcp)));
        true
    }

    fn stopped(&self) -> bool {
        self.seen.stop.load(SeqCst)
    }

    fn serve(mut self) {
        let first = self.script.reactions.lock().unwrap().front().cloned();
        if first.is_some_and(|reaction| reaction.is_unread()) {
            match self.next_reaction().expect("a script") {
                Reaction::ResetUnread => self.reset(),
                Reaction::StallUnread => {
                    while !self.stopped() {
                        thread::sleep(Duration::from_millis(5));
                    }
                }
                Reaction::RespondUnread(bytes) => {
                    let mut first = [0; 4096];
                    if self.read(&mut first) > 0 {
                        self.write(&bytes);
                        self.close();
                        self.drain();
                    }
                }
                _ => self.close(),
            }
            return;
        }
        while self.exchange() {}
    }

    /// Reads one request and reacts to it. Returns false when the connection has ended.
    fn exchange(&mut self) -> bool {
        let mut bytes = Vec::new();
        let head_end = loop {
            if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            if !self.read_into(&mut bytes) {
                return false;
            }
        };
        let head = String::from_utf8(bytes[..head_end].to_vec()).expect("a head is ASCII");
        let reaction = self.next_reaction();
        match reaction {
            Some(Reaction::CloseAfterHead) => {
                self.close();
                return false;
            }
            Some(Reaction::ResetAfterHead) => {
                self.reset();
                return false;
            }
            _ => {}
        }
        let length = head.to_ascii_lowercase().lines().find_map(|line| {
            let value = line.strip_prefix("content-length:")?;
            Some(value.trim().parse::<usize>().expect("a length"))
        });
        let whole = head_end + length.expect("a request has a length");
        while bytes.len() < whole {
            if !self.read_into(&mut bytes) {
                return false;
            }
        }
        assert_eq!(bytes.len(), whole, "nothing follows a request");
        let segments = data_segments(self.stream.tcp());
        let body = String::from_utf8(bytes.split_off(head_end)).expect("a body is UTF-8");
        let request = Request {
            head,
            body: body.clone(),
            connection: self.number,
            segments: segments.map(|segments| segments - self.segments),
            at: Instant::now(),
        };
        self.segments = segments.unwrap_or(0);
        let number = {
            let mut requests = self.seen.requests.lock().unwrap();
            requests.push(request);
            requests.len() - 1
        };
        let reaction = match &self.script.decide {
            Some(decide) => decide(&Query::of(&body, number)),
            None => reaction.expect("a script"),
        };
        self.react(reaction)
    }

    fn react(&mut self, reaction: Reaction) -> bool {
        match reaction {
            Reaction::Respond(bytes) => self.write(&bytes),
            Reaction::RespondAfter(pause, bytes) => {
                thread::sleep(pause);
                self.write(&bytes)
            }
            Reaction::RespondInParts(parts) => parts.iter().all(|part| {
                thread::sleep(Duration::from_millis(20));
                self.write(part)
            }),
            Reaction::RespondThenClose(bytes) => {
                self.write(&bytes);
                self.close();
                self.drain();
                false
            }
            Reaction::RespondThenReset(bytes) => {
                self.write(&bytes);
                // Time for the client to read the bytes: a reset discards unread ones.
                thread::sleep(Duration::from_millis(100));
                self.reset();
                false
            }
            Reaction::RespondThenStall(bytes) => {
                self.write(&bytes);
                self.drain();
                false
            }
            Reaction::RespondThenCut(bytes) => {
                self.write(&bytes);
                false
            }
            Reaction::Drip(bytes, pause) => {
                for byte in bytes {
                    if self.stopped() || !self.write(&[byte]) {
                        return false;
                    }
                    thread::sleep(pause);
                }
                true
            }
            Reaction::Stall => {
                self.drain();
                false
            }
            Reaction::Reset => {
                self.reset();
                false
            }
            _ => {
                self.close();
                false
            }
        }
    }

    /// The next one of the list, of which the last is repeated.
    fn next_reaction(&self) -> Option<Reaction> {
        let mut reactions = self.script.reactions.lock().unwrap();
        if reactions.len() > 1 {
            reactions.pop_front()
        } else {
            reactions.front().cloned()
        }
    }

    /// Returns 0 at the end of the connection or of the test.
    fn read(&mut self, into: &mut [u8]) -> usize {
        loop {
            let read = match &mut self.stream {
                Stream::Plain(tcp) => tcp.read(into),
                Stream::Tls(tls) => tls.read(into),
                Stream::Gone => return 0,
            };
            match read {
                Ok(count) => {
                    self.seen.bytes.fetch_add(count, SeqCst);
                    return count;
                }
                Err(error) if is_timeout(&error) && !self.stopped() => {}
                Err(_) => return 0,
            }
        }
    }

    fn read_into(&mut self, bytes: &mut Vec<u8>) -> bool {
        let mut some = [0; 65536];
        let count = self.read(&mut some);
        bytes.extend_from_slice(&some[..count]);
        count > 0
    }

    fn write(&mut self, bytes: &[u8]) -> bool {
        let written = match &mut self.stream {
            Stream::Plain(tcp) => tcp.write_all(bytes),
            Stream::Tls(tls) => tls.write_all(bytes).and_then(|()| tls.flush()),
            Stream::Gone => return false,
        };
        written.is_ok()
    }

    /// Reads until the client or the test ends the connection.
    fn drain(&mut self) {
        let mut some = [0; 4096];
        while self.read(&mut some) > 0 {}
    }

    fn close(&mut self) {
        if let Stream::Tls(tls) = &mut self.stream {
            tls.conn.send_close_notify();
            let _ = tls.flush();
        }
        let _ = self.stream.tcp().shutdown(std::net::Shutdown::Write);
    }

    fn reset(&mut self) {
        SockRef::from(self.stream.tcp())
            .set_linger(Some(Duration::ZERO))
            .unwrap();
        self.stream = Stream::Gone;
    }
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}
