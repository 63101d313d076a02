//! A connection as layers: a socket, TLS over it, and TLS again within the tunnel of a proxy that
//! itself uses TLS. Also how to detect data that arrived before a request.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use super::socket::{Peeked, Socket};

/// How long a new connection waits for the rest of a TLS record. A session ticket may arrive in two
/// segments, and the second one may need a retransmission.
const PARTIAL_RECORD_TIMEOUT: Duration = Duration::from_secs(1);

/// A connection of one layer or more.
pub(crate) type Stream = Box<dyn TransportLayer>;

/// A layer, with those below it.
pub(crate) trait TransportLayer: Read + Send {
    /// Sends all bytes, and counts those that the kernel accepted; with TLS, the bytes of the
    /// records that carry them.
    fn send(&mut self, bytes: &[u8], count: &dyn Fn(usize)) -> io::Result<()>;

    /// The lowest layer.
    fn socket(&mut self) -> &mut Socket;

    /// The certificate of the other side of the top layer, in its DER form. A resumed session has
    /// the first one's.
    fn certificate(&self) -> Option<&[u8]> {
        None
    }

    /// The version of TLS of the top layer.
    fn tls_version(&self) -> &'static str {
        "no TLS"
    }

    /// Whether the connection still leads to the other side. With TLS, nobody else can read or
    /// answer what is sent.
    fn is_intact(&self) -> bool {
        true
    }

    /// Whether it has received bytes that nobody has read, of whatever kind. No system call.
    fn has_unread(&self) -> bool {
        false
    }

    /// What has arrived, without waiting. Processes messages of TLS itself: a late session ticket
    /// is not data. One system call if nothing has arrived.
    fn peek(&mut self) -> io::Result<Peeked>;

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
            self.socket().wait_readable(left)?;
        }
    }
}

impl TransportLayer for Socket {
    fn send(&mut self, mut bytes: &[u8], count: &dyn Fn(usize)) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.send_some(bytes)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                sent => {
                    count(sent);
                    bytes = bytes.get(sent..).unwrap_or_default();
                }
            }
        }
        Ok(())
    }

    fn socket(&mut self) -> &mut Socket {
        self
    }

    fn is_intact(&self) -> bool {
        self.shared().is_intact()
    }

    fn peek(&mut self) -> io::Result<Peeked> {
        self.look()
    }
}
