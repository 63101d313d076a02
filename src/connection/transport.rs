//! The connection as ureq drives it: buffers, one write a request, and the count of what was sent.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;

use ureq::Error;
use ureq::unversioned::transport::{Buffers, NextTimeout, Transport};
use zeroize::Zeroize;

use super::delivery::{Delivery, Failure};
use super::fork;
use super::socket::{Socket, plain};
use super::tls::TlsStream;

/// The bytes' way: plain, in TLS, or in TLS through a tunnel that is in TLS itself.
pub(crate) enum Stream {
    Plain(Socket),
    Tls(Box<TlsStream<Socket>>),
    /// Plain, through a proxy that is reached by TLS.
    Tunnel(Box<TlsStream<Socket>>),
    TlsTunnel(Box<TlsStream<TlsStream<Socket>>>),
}

impl Stream {
    fn socket(&mut self) -> &mut Socket {
        match self {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) | Stream::Tunnel(tls) => &mut tls.inner,
            Stream::TlsTunnel(tls) => &mut tls.inner.inner,
        }
    }

    fn send(&mut self, mut bytes: &[u8], count: &dyn Fn(usize)) -> io::Result<()> {
        match self {
            Stream::Plain(socket) => {
                while !bytes.is_empty() {
                    let sent = socket.write(bytes)?;
                    count(sent);
                    bytes = bytes.get(sent..).unwrap_or_default();
                }
                Ok(())
            }
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.send(bytes, count),
            Stream::TlsTunnel(tls) => {
                // The outer TLS does not tell how much the kernel took of it, so handing over is what counts: the careful reading.
                count(bytes.len());
                tls.send(bytes, &|_| {})
            }
        }
    }

    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(socket) => socket.read(buffer),
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.read(buffer),
            Stream::TlsTunnel(tls) => tls.read(buffer),
        }
    }

    /// Whether the answer was followed by something that is no answer, or by the end. No system call.
    fn is_dirty(&mut self) -> bool {
        match self {
            Stream::Plain(_) => false,
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.is_dirty(),
            Stream::TlsTunnel(tls) => tls.is_dirty() || tls.inner.is_dirty(),
        }
    }

    /// Takes in what came while the connection was idle; false where that ends it.
    fn absorb(&mut self) -> bool {
        match self {
            Stream::Plain(_) => false,
            Stream::Tls(tls) => tls.absorb(),
            Stream::Tunnel(_) | Stream::TlsTunnel(_) => false,
        }
    }

    fn is_tls(&self) -> bool {
        matches!(self, Stream::Tls(_) | Stream::TlsTunnel(_))
    }
}

/// A connection to the service.
pub(crate) struct Connection {
    stream: Stream,
    host: Arc<str>,
    bytes: Bytes,
    /// The process that made it: a connection that two processes write to is broken for both.
    generation: u64,
    idle: bool,
}

impl Connection {
    pub(crate) fn new(stream: Stream, host: Arc<str>) -> Connection {
        Connection { stream, host, bytes: Bytes::default(), generation: fork::generation(), idle: false }
    }

    /// Hands the gathered request to the kernel, in one write where it takes it.
    fn flush(&mut self, delivery: &Delivery) -> Result<(), Error> {
        if self.bytes.gathered == 0 {
            return Ok(());
        }
        if self.generation != fork::generation() || !delivery.belongs_to_this_process() {
            return Err(fail(Failure::Forked));
        }
        if delivery.is_cancelled() {
            return Err(fail(Failure::Cancelled));
        }
        if delivery.is_over() {
            return Err(fail(Failure::TimedOut));
        }
        self.stream.socket().deadline = delivery.deadline();
        let result = self.stream.send(self.bytes.gathered_output(), &|sent| delivery.count_sent(sent));
        // The request holds credentials, and the buffer lives as long as the connection.
        self.bytes.wipe_output();
        match result {
            Ok(()) => Ok(()),
            // A service may answer and close before it has read the whole request: then the answer is there to be read.
            Err(error) if delivery.sent() > 0 && is_closed(&error) && !delivery.is_cancelled() && self.stream.socket().has_input() => {
                Ok(())
            }
            Err(error) => Err(fail(self.failure(&error, delivery))),
        }
    }

    fn failure(&self, error: &io::Error, delivery: &Delivery) -> Failure {
        if delivery.is_cancelled() {
            return Failure::Cancelled;
        }
        match error.kind() {
            io::ErrorKind::TimedOut => Failure::TimedOut,
            io::ErrorKind::InvalidData => Failure::Lost(format!("the TLS connection to {} broke: {}", self.host, plain(error))),
            io::ErrorKind::UnexpectedEof => Failure::Lost(format!("the TLS connection to {} was cut", self.host)),
            _ => Failure::Lost(format!("the connection to {} broke: {}", self.host, plain(error))),
        }
    }
}

fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted)
}

/// A failure on its way through ureq, which hands errors of this kind on as they are.
pub(crate) fn fail(failure: Failure) -> Error {
    Error::Other(Box::new(failure))
}

impl Transport for Connection {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.bytes
    }

    /// Gathers only: head and body leave together when an answer is awaited, in one packet and one TLS record.
    fn transmit_output(&mut self, amount: usize, _: NextTimeout) -> Result<(), Error> {
        self.bytes.gathered += amount;
        Ok(())
    }

    fn await_input(&mut self, _: NextTimeout) -> Result<bool, Error> {
        let delivery = Delivery::current().map_err(fail)?;
        self.flush(&delivery)?;
        if self.bytes.input().len() > Bytes::MOST_UNREAD {
            return Err(fail(Failure::Malformed(format!("{} answered a line without an end", self.host))));
        }
        self.stream.socket().deadline = delivery.deadline();
        match self.stream.receive(self.bytes.input_append_buf()) {
            Ok(0) if delivery.is_cancelled() => Err(fail(Failure::Cancelled)),
            Ok(received) => {
                self.bytes.input_appended(received);
                Ok(received > 0)
            }
            // ureq takes this kind for the end of a body that has no length, and the whole body decides whether that was its end.
            Err(error) if !delivery.is_cancelled() && (is_closed(&error) || error.kind() == io::ErrorKind::UnexpectedEof) => {
                delivery.end_was_unclean();
                Err(Error::Io(error))
            }
            Err(error) => Err(fail(self.failure(&error, &delivery))),
        }
    }

    /// ureq asks twice: when it puts a connection by, where everything there is to know is known already, and when it takes it up
    /// again, where one look at the socket tells whether the other side closed it or sent what nobody asked for.
    fn is_open(&mut self) -> bool {
        if !self.idle {
            self.idle = true;
            self.bytes.shrink();
            return self.bytes.gathered == 0 && !self.stream.is_dirty();
        }
        self.idle = false;
        let Ok(delivery) = Delivery::current() else { return false };
        if self.generation != fork::generation() {
            return false;
        }
        self.stream.socket().deadline = delivery.deadline();
        let alive = !self.stream.socket().has_input() || self.stream.absorb();
        alive && delivery.watch(self.stream.socket().wire()).is_ok()
    }

    fn is_tls(&self) -> bool {
        self.stream.is_tls()
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Connection").field("host", &self.host).finish_non_exhaustive()
    }
}

/// What has come and was not read yet, and what is gathered to go out.
#[derive(Default)]
struct Bytes {
    input: Vec<u8>,
    consumed: usize,
    filled: usize,
    /// How far the buffer has been filled since it was wiped.
    soiled: usize,
    /// The last look at the input found something to take.
    progress: bool,
    output: Vec<u8>,
    gathered: usize,
}

impl Bytes {
    const INPUT: usize = 4 * 1024;
    /// Beyond this a kept connection gives its buffers back.
    const KEPT: usize = 16 * 1024;
    /// More than any head or line of an answer: what nothing can be made of by then is no HTTP.
    const MOST_UNREAD: usize = 256 * 1024;
    /// What a request may have beside what was announced of it.
    const SLACK: usize = 1024;

    fn gathered_output(&self) -> &[u8] {
        self.output.get(..self.gathered).unwrap_or_default()
    }

    fn wipe_output(&mut self) {
        if let Some(output) = self.output.get_mut(..self.gathered) {
            output.zeroize();
        }
        self.gathered = 0;
    }

    fn shrink(&mut self) {
        if self.output.len() > Self::KEPT {
            self.output.zeroize();
            self.output = Vec::new();
        }
        // An answer holds the customer's data.
        if self.consumed == self.filled {
            if let Some(soiled) = self.input.get_mut(..self.soiled) {
                soiled.zeroize();
            }
            (self.consumed, self.filled, self.soiled) = (0, 0, 0);
            if self.input.len() > Self::KEPT {
                self.input = Vec::new();
            }
        }
    }
}

impl Buffers for Bytes {
    fn output(&mut self) -> &mut [u8] {
        let announced = Delivery::current().map_or(0, |delivery| delivery.size());
        let wanted = (announced + Self::SLACK).max(self.gathered + Self::SLACK);
        if self.output.len() < wanted {
            // A new buffer, not a longer one: growing could leave the credentials behind in the old place.
            let mut longer = vec![0; wanted];
            if let (Some(target), Some(gathered)) = (longer.get_mut(..self.gathered), self.output.get(..self.gathered)) {
                target.copy_from_slice(gathered);
            }
            self.output.zeroize();
            self.output = longer;
        }
        self.output.get_mut(self.gathered..).unwrap_or_default()
    }

    fn input(&self) -> &[u8] {
        self.input.get(self.consumed..self.filled).unwrap_or_default()
    }

    fn input_append_buf(&mut self) -> &mut [u8] {
        if self.consumed > 0 {
            self.input.copy_within(self.consumed..self.filled, 0);
            self.filled -= self.consumed;
            self.consumed = 0;
        }
        if self.filled == self.input.len() {
            // A new buffer, not a longer one, for the same reason as that of the output.
            let mut longer = vec![0; (self.input.len() * 2).max(Self::INPUT)];
            if let Some(target) = longer.get_mut(..self.filled) {
                target.copy_from_slice(&self.input);
            }
            self.input.zeroize();
            self.input = longer;
        }
        self.input.get_mut(self.filled..).unwrap_or_default()
    }

    fn input_appended(&mut self, amount: usize) {
        self.filled += amount;
        self.soiled = self.soiled.max(self.filled);
    }

    fn input_consume(&mut self, amount: usize) {
        self.progress = amount > 0;
        self.consumed = (self.consumed + amount).min(self.filled);
    }

    fn tmp_and_output(&mut self) -> (&mut [u8], &mut [u8]) {
        // The scratch space is for chunked bodies; the library's have a length.
        (&mut [], self.output())
    }

    fn can_use_input(&self) -> bool {
        self.progress && self.consumed < self.filled
    }
}
