//! A service of raw sockets, plain and TLS, that plays a script on each connection and counts what
//! it receives, by order. What lies on the way to it, a proxy above all, it plays as well.
//!
//! Two suites stand on it, and neither uses all of it.
#![allow(dead_code)]

pub mod certificates;
mod connection;
pub mod fault;
pub mod ledger;
mod stream;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use certificates::Certificates;
use connection::Connection;
use fault::{Step, Way};
use ledger::Ledger;
use socket2::{Domain, Socket, Type};

/// What the n-th connection meets, counted from 0.
pub type Script = Box<dyn Fn(usize) -> Vec<Step> + Send + Sync>;

/// What all connections of a service have in common.
struct Play {
    script: Script,
    way: Way,
    certificates: Arc<Certificates>,
    ledger: Ledger,
    /// All waits are longer by this factor.
    patience: u64,
    /// Calls that are over.
    returned: AtomicUsize,
    /// A script came to where the next call may begin.
    told: AtomicBool,
}

impl Play {
    /// A client that does not keep its deadline is let go after this time, so that it is told and
    /// not waited for.
    fn longest(&self) -> Duration {
        Duration::from_secs(12 * self.patience)
    }
}

pub struct Service {
    play: Arc<Play>,
    address: SocketAddr,
    /// Keeps the port while nobody listens there: another's service must not come to be at it.
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
        let play = Play {
            script,
            way,
            certificates: Arc::clone(certificates),
            ledger: Ledger::default(),
            patience,
            returned: AtomicUsize::new(0),
            told: AtomicBool::new(false),
        };
        let mut service = Service {
            play: Arc::new(play),
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

    pub fn ledger(&self) -> &Ledger {
        &self.play.ledger
    }

    pub fn call_returned(&self) {
        self.play.returned.fetch_add(1, SeqCst);
    }

    /// Until a script says so, or its connection is over.
    pub fn wait_until_told(&self) {
        let end = Instant::now() + self.play.longest();
        while !self.play.told.load(SeqCst) && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends every connection, having read what has come, and refuses new ones.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.store(true, SeqCst);
            running
                .accepting
                .join()
                .expect("the service went through its scripts");
        }
    }

    pub fn start_again(&mut self) {
        let socket = bound(self.address);
        // What is not read stays with the client: a large request does not fit into two buffers.
        socket.set_recv_buffer_size(8 * 1024).unwrap();
        socket.listen(1024).unwrap();
        let listener = TcpListener::from(socket);
        let stop = Arc::new(AtomicBool::new(false));
        let (play, stopping) = (Arc::clone(&self.play), Arc::clone(&stop));
        self.running = Some(Running {
            stop,
            accepting: thread::spawn(move || accept(&listener, &play, &stopping)),
        });
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
    }
}

/// By more than one socket, of which one listens.
fn bound(address: SocketAddr) -> Socket {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_reuse_address(true).unwrap();
    socket.bind(&address.into()).expect("a port of its own");
    socket
}

fn accept(listener: &TcpListener, play: &Arc<Play>, stop: &Arc<AtomicBool>) {
    listener.set_nonblocking(true).unwrap();
    let mut serving: Vec<JoinHandle<()>> = Vec::new();
    loop {
        // Looked at first: what is in the queue when the stop comes was there before it, and
        // counts.
        let last = stop.load(SeqCst);
        match listener.accept() {
            Ok((tcp, _)) => {
                let (play, stop) = (Arc::clone(play), Arc::clone(stop));
                let serve = move || {
                    Connection::new(tcp, &play, &stop).play();
                    play.told.store(true, SeqCst);
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
        thread.join().expect("the service went through its script");
    }
}
