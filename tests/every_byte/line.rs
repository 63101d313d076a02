//! A connection from the client. It passes the bytes of both sides, until it is cut.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use rustls::HandshakeKind;
use socket2::SockRef;

use crate::case::{Answer, Cut, Ending, Side, Way};
use crate::service::{Exchange, Service};

pub struct Line {
    tcp: TcpStream,
    service: Service,
    plan: Plan,
    /// The bytes count.
    counting: bool,
    due: bool,
    seen: Seen,
}

/// What happens on a connection.
pub struct Plan {
    pub cut: Option<Cut>,
    pub answer: Answer,
    /// Bytes count only after the first exchange.
    pub after_an_exchange: bool,
}

/// What happened on a connection, as far as the bytes count.
#[derive(Default)]
pub struct Seen {
    /// What the client's system sent, also what the service did not get.
    pub arrived: Vec<u8>,
    /// How many bytes the service got.
    pub received: usize,
    /// How many bytes the service gave for the client, and how many of them were sent.
    pub produced: usize,
    pub sent: usize,
    /// The requests that the service got completely.
    pub exchanges: Vec<Exchange>,
    pub was_cut: bool,
    pub handshake: Option<HandshakeKind>,
    /// The connection had been used before.
    pub was_kept: bool,
}

impl Seen {
    /// After how many bytes from the client the request begins.
    pub fn request_start(&self, way: Way) -> usize {
        const APPLICATION_DATA: u8 = 23;
        if self.was_kept || way == Way::Plain {
            return 0;
        }
        let mut start = 0;
        while let Some(header) = self.arrived.get(start..start + 5) {
            let end = start + 5 + usize::from(u16::from_be_bytes([header[3], header[4]]));
            match (header[0], way) {
                // In TLS 1.3 the first one has the end of the handshake.
                (APPLICATION_DATA, Way::Tls13) => return end.min(self.arrived.len()),
                (APPLICATION_DATA, _) => return start,
                _ => start = end,
            }
        }
        self.arrived.len()
    }

    /// How many bytes of a request left the client.
    pub fn request_arrived(&self, way: Way) -> usize {
        self.arrived.len() - self.request_start(way)
    }

    /// How many bytes of a request the service got.
    pub fn request_received(&self, way: Way) -> usize {
        self.received.saturating_sub(self.request_start(way))
    }
}

impl Line {
    pub fn new(tcp: TcpStream, service: Service, plan: Plan) -> Line {
        tcp.set_nodelay(true).expect("no delay");
        let counting = !plan.after_an_exchange;
        Line {
            tcp,
            service,
            counting,
            due: false,
            plan,
            seen: Seen::default(),
        }
    }

    /// Runs until the client closes the connection, or until it is reset.
    pub fn run(mut self) -> Seen {
        if self.counting {
            self.start_counting();
        }
        let mut buffer = vec![0; 16 * 1024];
        while !self.due {
            match self.tcp.read(&mut buffer) {
                Ok(0) | Err(_) => break,
                Ok(count) => self.pass(&buffer[..count]),
            }
        }
        if let (true, Some(cut)) = (self.due, self.plan.cut) {
            self.seen.was_cut = true;
            self.end(cut.ending);
        }
        self.seen.produced = self.service.produced();
        self.seen.handshake = self.service.handshake();
        self.seen.exchanges = self.service.exchanges;
        self.seen
    }

    fn start_counting(&mut self) {
        self.counting = true;
        self.service.start_again();
        self.service.answer = self.plan.answer;
        self.seen = Seen {
            was_kept: self.plan.after_an_exchange,
            ..Seen::default()
        };
        self.due = self.position(Side::Client) == Some(0);
    }

    /// Where this side is cut.
    fn position(&self, side: Side) -> Option<usize> {
        let cut = self
            .plan
            .cut
            .filter(|cut| cut.side == side && self.counting)?;
        Some(cut.position)
    }

    /// Passes bytes of the client, and what the service says to them.
    fn pass(&mut self, bytes: &[u8]) {
        self.seen.arrived.extend_from_slice(bytes);
        let position = self.position(Side::Client);
        let most = position.map_or(usize::MAX, |position| position - self.seen.received);
        let passed = bytes.len().min(most);
        self.service.receive(&bytes[..passed]);
        self.seen.received += passed;
        // If the service gets the complete request just before the cut, its response is lost.
        let answered = !self.service.exchanges.is_empty();
        self.due = position == Some(self.seen.received);
        if !(self.due && answered) {
            self.send_output();
        }
        if !self.counting && answered {
            self.start_counting();
        }
    }

    fn send_output(&mut self) {
        let output = self.service.take_output();
        let position = self.position(Side::Service);
        let most = position.map_or(usize::MAX, |position| position - self.seen.sent);
        let count = output.len().min(most);
        // The client may be gone.
        let _ = self.tcp.write_all(&output[..count]);
        self.seen.sent += count;
        let said_anything = !output.is_empty() || self.seen.sent > 0;
        self.due |= said_anything && position == Some(self.seen.sent);
        if self.service.closes && !self.due {
            let _ = self.tcp.shutdown(Shutdown::Write);
        }
    }

    fn end(&mut self, ending: Ending) {
        match ending {
            Ending::Close => {
                let _ = self.tcp.shutdown(Shutdown::Write);
            }
            Ending::Stall => {}
            Ending::Reset => {
                self.tcp.set_nonblocking(true).expect("nonblocking mode");
            }
        }
        // What the service does not get was sent all the same.
        let mut buffer = vec![0; 16 * 1024];
        loop {
            match self.tcp.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(count) => self.seen.arrived.extend_from_slice(&buffer[..count]),
            }
        }
        if ending == Ending::Reset {
            let now = Some(Duration::ZERO);
            SockRef::from(&self.tcp)
                .set_linger(now)
                .expect("a linger time");
        }
    }
}
