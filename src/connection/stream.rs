//! The layers of a connection, and what has come through them before it was asked for.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use super::socket::Socket;
use super::tls::TlsStream;

/// What there is to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peeked {
    Nothing,
    /// A part of a TLS record, whose rest has not come: it may be data or not.
    PartialRecord,
    Data,
    /// The other side has closed.
    End,
}

/// How long a new connection waits for the rest of a TLS record. A session ticket may come in two
/// segments, and the second one may have to be sent again.
const PARTIAL_RECORD_TIMEOUT: Duration = Duration::from_secs(1);

/// One layer of a connection.
pub(crate) trait TransportLayer: Read + Write {
    /// What has been received and was not read. No system call.
    fn buffered(&mut self) -> io::Result<Peeked>;

    /// What has come, without waiting. TLS's own messages are taken in: a session ticket that comes
    /// late is no data. One system call where nothing has come.
    fn peek(&mut self) -> io::Result<Peeked>;

    /// Waits until more has come or the time is over.
    fn wait_readable(&mut self, time: Duration) -> io::Result<()>;

    /// What has come before anything was asked. The rest of a record that has come in part is
    /// waited for, until the deadline at most.
    fn peek_before_request(&mut self, deadline: Instant) -> io::Result<Peeked> {
        let end = deadline.min(Instant::now() + PARTIAL_RECORD_TIMEOUT);
        loop {
            let look = self.peek()?;
            let left = end.saturating_duration_since(Instant::now());
            if look != Peeked::PartialRecord || left.is_zero() {
                return Ok(look);
            }
            self.wait_readable(left)?;
        }
    }
}

/// The bytes' way: plain, in TLS, or in TLS through a tunnel that is in TLS itself.
pub(crate) enum Stream {
    Plain(Socket),
    Tls(Box<TlsStream<Socket>>),
    /// Plain, through a proxy that is reached by TLS.
    Tunnel(Box<TlsStream<Socket>>),
    TlsTunnel(Box<TlsStream<TlsStream<Socket>>>),
}

impl Stream {
    pub(super) fn socket(&mut self) -> &mut Socket {
        match self {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) | Stream::Tunnel(tls) => &mut tls.inner,
            Stream::TlsTunnel(tls) => &mut tls.inner.inner,
        }
    }

    pub(super) fn send(&mut self, mut bytes: &[u8], count: &dyn Fn(usize)) -> io::Result<()> {
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
                // The outer TLS does not tell how much the kernel took of it, so handing over is
                // what counts: the careful reading.
                count(bytes.len());
                tls.send(bytes, &|_| {})
            }
        }
    }

    pub(super) fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(socket) => socket.read(buffer),
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.read(buffer),
            Stream::TlsTunnel(tls) => tls.read(buffer),
        }
    }

    /// The uppermost layer.
    pub(super) fn top_layer(&mut self) -> &mut dyn TransportLayer {
        match self {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.as_mut(),
            Stream::TlsTunnel(tls) => tls.as_mut(),
        }
    }
}
