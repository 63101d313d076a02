//! A service on raw sockets, plain and TLS, that runs a script on each connection and counts what
//! it receives for each order. It also plays the proxy in front of it.

pub mod certificates;
mod connection;
pub mod fault;
pub mod request_log;
mod stream;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use certificates::Certificates;
use connection::Connection;
use fault::{Step, Way};
use request_log::RequestLog;
use socket2::{Domain, Socket, Type};

/// The script of the n-th connection, counted from 0.
pub type Script = Box<dyn Fn(usize) -> Vec<Step> + Send + Sync>;

/// What all connections of a service share.
struct Shared {
    script: Script,
    way: Way,
    certificates: Arc<Certificates>,
    request_log: RequestLog,
    /// All waiting times are multiplied by this.
    patience: u64,
    /// Calls that have returned.
    returned: AtomicUsize,
    /// A script has reached the step at which the next call may begin.
    script_says: AtomicBool,
}

impl Shared {
    /// A connection ends after this time, so that a client that ignores its deadline is reported
    /// instead of blocking the test.
    fn longest(&self) -> Duration {
        Duration::from_secs(12 * self.patience)
    }
}

pub struct Service {
    shared: Arc<Shared>,
    address: SocketAddr,
    /// Keeps the port reserved while nobody listens, so that no other service gets it.
    _reserved: Socket,
    running: Option<Running>,
}

struct Running {
    stop: Arc<AtomicBool>,
    accepting: JoinHandle<()>,
}

impl Service {
    pub fn start(
        script: Script,
        way: Way,
        certificates: &Arc<Certificates>,
        patience: u64,
    ) -> Service {
        let reserved = bound(SocketAddr::from(([127, 0, 0, 1], 0)));
        let address = reserved.local_addr().unwrap().as_socket().unwrap();
        let shared = Shared {
            script,
            way,
            certificates: Arc::clone(certificates),
            request_log: RequestLog::default(),
            patience,
            returned: AtomicUsize::new(0),
            script_says: AtomicBool::new(false),
        };
        let mut service = Service {
            shared: Arc::new(shared),
            address,
            _reserved: reserved,
            running: None,
        };
        service.start_again();
        service
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    pub fn request_log(&self) -> &RequestLog {
        &self.shared.request_log
    }

    pub fn call_returned(&self) {
        self.shared.returned.fetch_add(1, SeqCst);
    }

    /// Returns when a script allows the next call, or its connection has ended.
    pub fn wait_for_script(&self) {
        let end = Instant::now() + self.shared.longest();
        while !self.shared.script_says.load(SeqCst) && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Reads what has arrived, ends every connection, and refuses new ones.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.store(true, SeqCst);
            running
                .accepting
                .join()
                .expect("the service's thread does not panic");
        }
    }

    pub fn start_again(&mut self) {
        let socket = bound(self.address);
        // A small buffer, so that a large request stays with the client until it is read.
        socket.set_recv_buffer_size(8 * 1024).unwrap();
        socket.listen(1024).unwrap();
        let listener = TcpListener::from(socket);
        let stop = Arc::new(AtomicBool::new(false));
        let (shared, stopping) = (Arc::clone(&self.shared), Arc::clone(&stop));
        self.running = Some(Running {
            stop,
            accepting: thread::spawn(move || accept(&listener, &shared, &stopping)),
        });
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Several sockets may be bound to the address; one of them listens.
fn bound(address: SocketAddr) -> Socket {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_reuse_address(true).unwrap();
    socket.bind(&address.into()).expect("the address is free");
    socket
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>, stop: &Arc<AtomicBool>) {
    listener.set_nonblocking(true).unwrap();
    let mut serving: Vec<JoinHandle<()>> = Vec::new();
    loop {
        // Checked before accept: connections that were in the queue at the stop still count.
        let last = stop.load(SeqCst);
        match listener.accept() {
            Ok((tcp, _)) => {
                let (shared, stop) = (Arc::clone(shared), Arc::clone(stop));
                let serve = move || {
                    Connection::new(tcp, &shared, &stop).shared();
                    shared.script_says.store(true, SeqCst);
                };
                serving.push(
                    thread::Builder::new()
                        .stack_size(512 * 1024)
                        .spawn(serve)
                        .expect("a thread"),
                );
            }
            Err(_) if last => break,
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
        if serving.len().is_multiple_of(256) {
            let (over, going_on) = serving.into_iter().partition(JoinHandle::is_finished);
            serving = going_on;
            join(over);
        }
    }
    join(serving);
}

fn join(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        thread
            .join()
            .expect("the connection's thread does not panic");
    }
}
