//! A network between a client and a server: what passes is counted, and a connection can be cut
//! after any byte, stalled or slowed down.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::Duration;

use crate::service::{Cut, Ending, Side};

/// The ways from one address to another. It ends with the process.
pub struct Relay {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    server: u16,
    /// The next connection is cut there.
    cut: Mutex<Option<Cut>>,
    /// Nothing passes any more.
    is_stalled: AtomicBool,
    /// New connections end at once.
    is_refusing: AtomicBool,
    /// The server's next answer does not arrive, and its connection ends.
    is_losing: AtomicBool,
    /// How long each piece waits.
    delay: Mutex<Duration>,
    /// The pieces of each connection: whose, and how long.
    passed: Mutex<Vec<Vec<(Side, usize)>>>,
    /// Those of each connection, until it ends.
    sockets: Mutex<Vec<Weak<[TcpStream; 2]>>>,
}

impl Relay {
    /// To a port of this machine.
    pub fn to(server: u16) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared {
            server,
            cut: Mutex::default(),
            is_stalled: AtomicBool::new(false),
            is_refusing: AtomicBool::new(false),
            is_losing: AtomicBool::new(false),
            delay: Mutex::default(),
            passed: Mutex::default(),
            sockets: Mutex::default(),
        });
        let accepting = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.expect("a connection");
                if accepting.is_refusing.load(SeqCst) {
                    continue;
                }
                let Ok(server) = TcpStream::connect(("127.0.0.1", accepting.server)) else {
                    continue;
                };
                accepting.connect(client, server);
            }
        });
        Relay { port, shared }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Cuts the next connection there.
    pub fn cut_next(&self, cut: Cut) {
        *self.shared.cut.lock().unwrap() = Some(cut);
    }

    /// Ends all connections.
    pub fn cut_all(&self) {
        for sockets in self.shared.sockets.lock().unwrap().drain(..) {
            for socket in sockets.upgrade().iter().flat_map(|both| both.iter()) {
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
    }

    /// From now on nothing passes, and nothing ends.
    pub fn stall(&self, is_stalled: bool) {
        self.shared.is_stalled.store(is_stalled, SeqCst);
    }

    /// As a server that is down: new connections end at once.
    pub fn refuse(&self, refuses: bool) {
        self.shared.is_refusing.store(refuses, SeqCst);
    }

    pub fn lose_next_answer(&self) {
        self.shared.is_losing.store(true, SeqCst);
    }

    pub fn slow_down(&self, delay: Duration) {
        *self.shared.delay.lock().unwrap() = delay;
    }

    pub fn connections(&self) -> usize {
        self.shared.passed.lock().unwrap().len()
    }

    /// How many bytes of a side have passed, on all connections.
    pub fn bytes(&self, side: Side) -> usize {
        let passed = self.shared.passed.lock().unwrap();
        let pieces = passed.iter().flatten().filter(|(whose, _)| *whose == side);
        pieces.map(|(_, length)| length).sum()
    }

    /// How often the client sent something and got something back, on all connections.
    pub fn round_trips(&self) -> usize {
        let passed = self.shared.passed.lock().unwrap();
        let trips = passed.iter().map(|pieces| {
            let sides = pieces.iter().map(|(side, _)| *side);
            let mut sides: Vec<Side> = sides.collect();
            sides.dedup();
            sides.iter().filter(|side| **side == Side::Service).count()
        });
        trips.sum()
    }
}

impl Shared {
    fn connect(self: &Arc<Shared>, client: TcpStream, server: TcpStream) {
        let number = {
            let mut passed = self.passed.lock().unwrap();
            passed.push(Vec::new());
            passed.len() - 1
        };
        let cut = self.cut.lock().unwrap().take();
        let is_over = Arc::new(AtomicBool::new(false));
        let both = Arc::new([client, server]);
        for socket in both.iter() {
            let _ = socket.set_nodelay(true);
        }
        self.sockets.lock().unwrap().push(Arc::downgrade(&both));
        for (side, from, to) in [(Side::Client, 0, 1), (Side::Service, 1, 0)] {
            let (shared, is_over) = (Arc::clone(self), Arc::clone(&is_over));
            let both = Arc::clone(&both);
            thread::spawn(move || {
                let left = cut.filter(|cut| cut.side == side);
                shared.pass(number, side, &both[from], &both[to], left, &is_over);
                // The server of a silent connection does not wait for ever.
                for socket in both.iter() {
                    let _ = socket.shutdown(Shutdown::Both);
                }
            });
        }
    }

    /// Passes what comes from one side, up to the cut.
    fn pass(
        &self,
        number: usize,
        side: Side,
        mut from: &TcpStream,
        mut to: &TcpStream,
        cut: Option<Cut>,
        is_over: &AtomicBool,
    ) {
        let mut left = cut.map_or(usize::MAX, |cut| cut.position);
        let mut buffer = [0; 16 * 1024];
        loop {
            let most = left.min(buffer.len());
            if most == 0 {
                let ending = cut.expect("a cut").ending;
                is_over.store(true, SeqCst);
                return end([from, to], ending);
            }
            let Ok(count @ 1..) = from.read(&mut buffer[..most]) else {
                break;
            };
            thread::sleep(*self.delay.lock().unwrap());
            while self.is_stalled.load(SeqCst) {
                thread::sleep(Duration::from_millis(2));
            }
            if side == Side::Service && self.is_losing.swap(false, SeqCst) {
                return end([from, to], Ending::Close);
            }
            // After a stall of one side, the other one is silent too.
            if is_over.load(SeqCst) {
                continue;
            }
            self.passed.lock().unwrap()[number].push((side, count));
            left -= count;
            if to.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
    }
}

fn end(sockets: [&TcpStream; 2], ending: Ending) {
    for socket in sockets {
        match ending {
            Ending::Stall => {}
            Ending::Close => drop(socket.shutdown(Shutdown::Both)),
            Ending::Reset => {
                // SAFETY: zeros are an address without a family: it resets the connection.
                unsafe {
                    let nobody: libc::sockaddr = std::mem::zeroed();
                    let size = size_of::<libc::sockaddr>() as libc::socklen_t;
                    libc::connect(socket.as_raw_fd(), &raw const nobody, size);
                }
            }
        }
    }
    // A silent connection stays open until a side ends it.
    let mut from = sockets[0];
    while let (Ending::Stall, Ok(1..)) = (ending, from.read(&mut [0; 1024])) {}
}
