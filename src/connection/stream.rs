//! The layers of a connection, and how to detect data that arrived before a request.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use super::socket::Socket;
use super::tls::TlsStream;

/// What can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peeked {
    Nothing,
    /// A part of a TLS record. Whether it is data is not known until the rest arrives.
    PartialRecord,
    Data,
    /// The other side has closed the connection.
    End,
}

/// How long a new connection waits for the rest of a TLS record. A session ticket may arrive in two
/// segments, and the second one may need a retransmission.
const PARTIAL_RECORD_TIMEOUT: Duration = Duration::from_secs(1);

/// One layer of a connection.
pub(crate) trait TransportLayer: Read + Write {
    /// What has arrived, without waiting. Processes messages of TLS itself: a late session ticket
    /// is not data. One system call if nothing has arrived.
    fn peek(&mut self) -> io::Result<Peeked>;

    /// Waits until more arrives or the time is over.
    fn wait_readable(&mut self, time: Duration) -> io::Result<()>;

    /// What has arrived before the request. Waits for the rest of a partial record, until the
    /// deadline at most.
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

/// A connection: plain, with TLS, or with TLS through a tunnel that itself uses TLS.
pub(crate) enum Stream {
    Plain(Socket),
    Tls(Box<TlsStream<Socket>>),
    /// Plain, through a proxy that is reached over TLS.
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
                // The outer TLS connection does not report how much the kernel accepted. To be
                // safe, everything that is written to it counts as sent.
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

    /// The top layer.
    pub(super) fn top_layer(&mut self) -> &mut dyn TransportLayer {
        match self {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.as_mut(),
            Stream::TlsTunnel(tls) => tls.as_mut(),
        }
    }
}
