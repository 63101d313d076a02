//! The scripted service, on a socket of its own: plain or TLS, or a proxy. It records what it
//! receives, and does what its script says.

mod connection;
mod meter;
mod record;
mod step;
mod stream;
mod way;

use std::collections::VecDeque;
#[cfg(windows)]
use std::net::TcpStream;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use connection::Connection;
use rustls::ServerConfig;
use socket2::{Domain, Socket, Type};

pub use self::meter::{Cut, Ending, Meter, Passed, Side};
pub use self::record::{Query, Record, Request, Seen, header};
pub use self::step::*;
pub use self::way::*;
use crate::certificates::Certificates;
pub use crate::certificates::TlsSetup;
use crate::patience::until;

/// The script of the n-th connection, counted from 0.
pub type Scripts = Box<dyn Fn(usize) -> Script + Send + Sync>;

/// Where the scripts come from.
enum Plan {
    /// One for each connection. What arrived is counted by its order.
    Connections(Scripts, Arc<Certificates>),
    /// One for each request, or for a connection if it does not begin with a request. The last one
    /// is repeated.
    Requests(Mutex<VecDeque<Script>>),
    /// One for each request, from its query.
    Decided(Box<dyn Fn(&Query) -> Script + Send + Sync>),
}

/// What all connections of a service share.
struct Shared {
    plan: Plan,
    way: Way,
    tls: Option<Arc<ServerConfig>>,
    record: Record,
    /// Counts and cuts its connections.
    meter: Option<Meter>,
    /// All waiting times are multiplied by this.
    patience: u64,
    /// A connection ends after this time, so that a client that ignores its deadline is reported
    /// instead of blocking the test.
    longest: Option<Duration>,
    /// Calls that have returned.
    returned: AtomicUsize,
    /// A script has reached the step at which the next call may begin.
    script_says: AtomicBool,
}

pub struct Service {
    shared: Arc<Shared>,
    address: SocketAddr,
    /// Keeps the port reserved while nobody listens, so that no other service gets it.
    _reserved: Option<Socket>,
    running: Mutex<Running>,
}

struct Running {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    /// The port that the last connection to accept comes from.
    waker: Arc<Mutex<Option<u16>>>,
    accepting: Option<JoinHandle<Vec<JoinHandle<()>>>>,
}

impl Service {
    pub fn start(scripts: impl Into<VecDeque<Script>>) -> Service {
        Service::on(local_listener(), scripts, None)
    }

    pub fn responding(response: Vec<u8>) -> Service {
        Service::start([respond(response)])
    }

    pub fn start_tls(config: ServerConfig, scripts: impl Into<VecDeque<Script>>) -> Service {
        Service::on(local_listener(), scripts, Some(Arc::new(config)))
    }

    pub fn on(
        listener: TcpListener,
        scripts: impl Into<VecDeque<Script>>,
        tls: Option<Arc<ServerConfig>>,
    ) -> Service {
        let plan = Plan::Requests(Mutex::new(scripts.into()));
        Service::with_plan(listener, plan, tls, None)
    }

    /// A service whose script for each request is what `decide` returns.
    pub fn deciding(decide: impl Fn(&Query) -> Script + Send + Sync + 'static) -> Service {
        let plan = Plan::Decided(Box::new(decide));
        Service::with_plan(local_listener(), plan, None, None)
    }

    /// The same, with connections that are counted and cut.
    pub fn metered(
        meter: Meter,
        tls: Option<Arc<ServerConfig>>,
        decide: impl Fn(&Query) -> Script + Send + Sync + 'static,
    ) -> Service {
        let plan = Plan::Decided(Box::new(decide));
        Service::with_plan(local_listener(), plan, tls, Some(meter))
    }

    fn with_plan(
        listener: TcpListener,
        plan: Plan,
        tls: Option<Arc<ServerConfig>>,
        meter: Option<Meter>,
    ) -> Service {
        let shared = Arc::new(Shared {
            plan,
            way: Way::Plain,
            tls,
            record: Record::default(),
            meter,
            patience: 1,
            longest: None,
            returned: AtomicUsize::new(0),
            script_says: AtomicBool::new(false),
        });
        Service {
            address: listener.local_addr().unwrap(),
            _reserved: None,
            running: Mutex::new(Running::start(listener, &shared)),
            shared,
        }
    }

    /// A service, with the proxy in front of it, whose script plays a whole connection.
    pub fn scripted(
        scripts: Scripts,
        way: Way,
        certificates: &Arc<Certificates>,
        patience: u64,
    ) -> Service {
        let reserved = bound(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let address = reserved.local_addr().unwrap().as_socket().unwrap();
        let shared = Arc::new(Shared {
            plan: Plan::Connections(scripts, Arc::clone(certificates)),
            way,
            tls: None,
            record: Record::default(),
            meter: None,
            patience,
            longest: Some(Duration::from_secs(12 * patience)),
            returned: AtomicUsize::new(0),
            script_says: AtomicBool::new(false),
        });
        Service {
            address,
            _reserved: Some(reserved),
            running: Mutex::new(Running::start(small_listener(address), &shared)),
            shared,
        }
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// With the address, or for TLS with the name in the certificates.
    pub fn url(&self) -> String {
        let (scheme, host) = self.place();
        format!("{scheme}://{host}:{}", self.port())
    }

    /// The URL of a proxy, with a name and a password.
    pub fn url_with(&self, userinfo: &str) -> String {
        let (scheme, host) = self.place();
        format!("{scheme}://{userinfo}@{host}:{}", self.port())
    }

    fn place(&self) -> (&'static str, String) {
        match self.shared.tls {
            Some(_) => ("https", "localhost".to_owned()),
            None => ("http", self.address.ip().to_string()),
        }
    }

    /// Replaces the scripts for requests.
    pub fn set_script(&self, scripts: impl Into<VecDeque<Script>>) {
        match &self.shared.plan {
            Plan::Requests(queue) => *queue.lock().unwrap() = scripts.into(),
            _ => panic!("the service has no script for each request"),
        }
    }

    /// Of a service whose connections are counted.
    pub fn meter(&self) -> &Meter {
        self.shared.meter.as_ref().expect("a meter")
    }

    pub fn record(&self) -> &Record {
        &self.shared.record
    }

    pub fn connections(&self) -> usize {
        self.record().connections.load(SeqCst)
    }

    /// TLS handshakes that resumed an earlier session.
    pub fn resumed(&self) -> usize {
        self.record().resumed.load(SeqCst)
    }

    /// Bytes that were read, of complete requests or not (with TLS, after decryption).
    pub fn bytes(&self) -> usize {
        self.record().bytes.load(SeqCst)
    }

    /// What a proxy received before its tunnels, byte for byte.
    pub fn heads(&self) -> Vec<String> {
        self.record().heads.lock().unwrap().clone()
    }

    pub fn requests(&self) -> Vec<Request> {
        self.record().requests.lock().unwrap().clone()
    }

    pub fn request_count(&self) -> usize {
        self.record().requests.lock().unwrap().len()
    }

    /// The time and order of each request, sorted by time.
    pub fn asked(&self) -> Vec<(Instant, String)> {
        let requests = self.requests();
        let mut asked: Vec<_> = requests
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
        until(|| self.request_count() >= count);
    }

    pub fn call_returned(&self) {
        self.shared.returned.fetch_add(1, SeqCst);
    }

    /// Whether a script has come to [`Step::StartNextCall`], or its connection has ended.
    pub fn script_says(&self) -> bool {
        self.shared.script_says.load(SeqCst)
    }

    /// Returns when a script allows the next call, or its connection has ended.
    pub fn wait_for_script(&self) {
        let end = Instant::now() + self.shared.longest.unwrap_or_default();
        while !self.script_says() && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Stops accepting connections: new ones are refused, open ones continue.
    pub fn stop_listening(&self) {
        self.running.lock().unwrap().stop_listening();
    }

    /// Reads what has arrived, ends every connection, and refuses new ones.
    pub fn stop(&self) {
        let mut running = self.running.lock().unwrap();
        running.stop.store(true, SeqCst);
        join(running.stop_listening());
    }

    pub fn start_again(&self) {
        let listener = small_listener(self.address);
        *self.running.lock().unwrap() = Running::start(listener, &self.shared);
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let running = self.running.get_mut().unwrap();
        running.stop.store(true, SeqCst);
        running.stop_listening();
    }
}

impl Running {
    fn start(listener: TcpListener, shared: &Arc<Shared>) -> Running {
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let waker = Arc::new(Mutex::new(None));
        let accepting = {
            let (shared, stop, waker) = (Arc::clone(shared), Arc::clone(&stop), Arc::clone(&waker));
            thread::spawn(move || accept(&listener, &shared, &stop, &waker))
        };
        Running {
            address,
            stop,
            waker,
            accepting: Some(accepting),
        }
    }

    /// Accepts the connections that are waiting, and no others. Returns the threads of all.
    fn stop_listening(&mut self) -> Vec<JoinHandle<()>> {
        let Some(accepting) = self.accepting.take() else {
            return Vec::new();
        };
        let waker = Socket::new(Domain::for_address(self.address), Type::STREAM, None).unwrap();
        waker
            .bind(&SocketAddr::new(self.address.ip(), 0).into())
            .unwrap();
        let from = waker.local_addr().unwrap().as_socket().unwrap();
        *self.waker.lock().unwrap() = Some(from.port());
        let _ = waker.connect(&self.address.into());
        accepting
            .join()
            .expect("the service's thread does not panic")
    }
}

fn local_listener() -> TcpListener {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()
}

/// Several sockets may be bound to the address; one of them listens.
fn bound(address: SocketAddr) -> Socket {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_reuse_address(true).unwrap();
    socket.bind(&address.into()).expect("the address is free");
    socket
}

/// A listener with a small buffer, so that a large request stays with the client until it is read.
fn small_listener(address: SocketAddr) -> TcpListener {
    let socket = bound(address);
    socket.set_recv_buffer_size(8 * 1024).unwrap();
    socket.listen(1024).unwrap();
    TcpListener::from(socket)
}

fn accept(
    listener: &TcpListener,
    shared: &Arc<Shared>,
    stop: &Arc<AtomicBool>,
    waker: &Mutex<Option<u16>>,
) -> Vec<JoinHandle<()>> {
    let mut serving: Vec<JoinHandle<()>> = Vec::new();
    loop {
        let Ok((tcp, from)) = listener.accept() else {
            continue;
        };
        if *waker.lock().unwrap() == Some(from.port()) {
            return serving;
        }
        #[cfg(windows)]
        keep_from_children(&tcp);
        let number = shared.record.connections.fetch_add(1, SeqCst);
        let (shared, stop) = (Arc::clone(shared), Arc::clone(stop));
        let serve = move || {
            Connection::new(tcp, number, &shared, &stop).run();
            shared.script_says.store(true, SeqCst);
        };
        let thread = thread::Builder::new().stack_size(512 * 1024).spawn(serve);
        serving.push(thread.expect("a thread"));
        if serving.len().is_multiple_of(256) {
            let (over, going_on) = serving.into_iter().partition(JoinHandle::is_finished);
            serving = going_on;
            join(over);
        }
    }
}

fn join(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        thread
            .join()
            .expect("the connection's thread does not panic");
    }
}

/// Wine gives accepted connections to every process that is started: one that another test starts
/// would keep this connection open.
#[cfg(windows)]
fn keep_from_children(accepted: &TcpStream) {
    use std::os::windows::io::AsRawSocket;
    use windows_sys::Win32::Foundation::{HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation};
    let handle = accepted.as_raw_socket() as HANDLE;
    // SAFETY: the handle is open.
    let done = unsafe { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) };
    assert_ne!(done, 0, "{}", std::io::Error::last_os_error());
}
