//! Counts the bytes of each connection below TLS, and cuts one connection after exactly as many as a
//! test says.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rustls::HandshakeKind;
use socket2::SockRef;

use super::connection::is_timeout;

/// Whose bytes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Client,
    Service,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    Close,
    Reset,
    Stall,
}

/// The end of a connection after exactly `position` bytes of that side have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    pub side: Side,
    pub position: usize,
    pub ending: Ending,
}

/// What passed on a connection since it began to count.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    /// What the client's system sent, also what the service did not get.
    pub arrived: Vec<u8>,
    /// How many bytes the service got.
    pub received: usize,
    pub sent: Vec<u8>,
    /// How many requests the service got completely.
    pub requests: usize,
    pub was_cut: bool,
    /// It had been used before.
    pub was_kept: bool,
    pub handshake: Option<HandshakeKind>,
    cut: Option<Cut>,
}

impl Passed {
    /// How many bytes may still pass.
    fn left(&self, side: Side) -> usize {
        let passed = match side {
            Side::Client => self.received,
            Side::Service => self.sent.len(),
        };
        let cut = self.cut.filter(|cut| cut.side == side);
        cut.map_or(usize::MAX, |cut| cut.position - passed)
    }
}

/// The connections of a service, in the order in which they came.
pub struct Meter {
    /// The number of the connection that is cut, and where.
    cut: Option<(usize, Cut)>,
    connections: Mutex<Vec<Arc<Mutex<Passed>>>>,
}

impl Meter {
    pub fn new(cut: Option<(usize, Cut)>) -> Meter {
        Meter {
            cut,
            connections: Mutex::default(),
        }
    }

    /// Forgets what passed on the open connection, and cuts it instead of the chosen one. Returns
    /// once a cut that is due has happened.
    pub fn start_again(&self) {
        let first = Arc::clone(&self.connections.lock().unwrap()[0]);
        let cut = self.cut.map(|(_, cut)| cut);
        *first.lock().unwrap() = Passed {
            cut,
            was_kept: true,
            ..Passed::default()
        };
        let is_due = cut.is_some_and(|cut| cut.side == Side::Client && cut.position == 0);
        while is_due && !first.lock().unwrap().was_cut {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn passed(&self) -> Vec<Passed> {
        let connections = self.connections.lock().unwrap();
        let passed = connections.iter().map(|one| one.lock().unwrap().clone());
        passed.collect()
    }

    pub(super) fn connection(&self, number: usize, tcp: TcpStream) -> Metered {
        let cut = self.cut.filter(|(chosen, _)| *chosen == number);
        let passed = Arc::new(Mutex::new(Passed {
            cut: cut.map(|(_, cut)| cut),
            ..Passed::default()
        }));
        self.connections.lock().unwrap().push(Arc::clone(&passed));
        Metered { tcp, passed }
    }
}

/// A connection whose bytes are counted.
pub struct Metered {
    tcp: TcpStream,
    passed: Arc<Mutex<Passed>>,
}

impl Metered {
    pub(super) fn passed(&self) -> MutexGuard<'_, Passed> {
        self.passed.lock().unwrap()
    }

    fn is_due(&self) -> bool {
        let passed = self.passed();
        passed.was_cut || passed.left(Side::Client) == 0
    }

    /// Cuts the connection. What the service does not get was sent all the same.
    fn end(&self) -> Error {
        let mut passed = self.passed();
        let Some(cut) = passed.cut.filter(|_| !passed.was_cut) else {
            return ErrorKind::ConnectionAborted.into();
        };
        passed.was_cut = true;
        drop(passed);
        match cut.ending {
            Ending::Close => drop(self.tcp.shutdown(Shutdown::Write)),
            Ending::Stall => {}
            Ending::Reset => self.tcp.set_nonblocking(true).expect("nonblocking mode"),
        }
        let mut buffer = vec![0; 16 * 1024];
        loop {
            match (&self.tcp).read(&mut buffer) {
                Ok(count @ 1..) => self.passed().arrived.extend(&buffer[..count]),
                Err(error) if is_timeout(&error) && cut.ending != Ending::Reset => {}
                Ok(0) | Err(_) => break,
            }
        }
        if cut.ending == Ending::Reset {
            let now = Some(Duration::ZERO);
            SockRef::from(&self.tcp)
                .set_linger(now)
                .expect("a linger time");
        }
        ErrorKind::ConnectionAborted.into()
    }
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.is_due() {
            return Err(self.end());
        }
        // The cut can be chosen while this waits.
        self.tcp.peek(&mut [0])?;
        let most = self.passed().left(Side::Client).min(buffer.len());
        if most == 0 {
            return Err(self.end());
        }
        let count = self.tcp.read(&mut buffer[..most])?;
        let mut passed = self.passed();
        passed.arrived.extend_from_slice(&buffer[..count]);
        passed.received += count;
        Ok(count)
    }
}

impl Write for Metered {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        // If the service gets the complete request just before the cut, its response is lost.
        if self.is_due() && self.passed().requests > 0 {
            return Err(self.end());
        }
        // Locked until the bytes are counted: the client may have them and start again.
        let mut passed = self.passed();
        let count = bytes.len().min(passed.left(Side::Service));
        // The client may be gone.
        let _ = (&self.tcp).write_all(&bytes[..count]);
        passed.sent.extend_from_slice(&bytes[..count]);
        if passed.left(Side::Service) == 0 {
            drop(passed);
            return Err(self.end());
        }
        Ok(count)
    }

    fn flush(&mut self) -> Result<()> {
        self.tcp.flush()
    }
}
