//! A connection as layers: a socket, TLS over it, and TLS again within the tunnel of a proxy that
//! itself uses TLS. Also how to detect data that arrived before a request.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::context::CallContext;
use super::shared_socket::SharedSocket;

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

/// A connection of one layer or more.
pub(crate) type Stream = Box<dyn TransportLayer>;

/// A layer, with those below it.
pub(crate) trait TransportLayer: Read + Send {
    /// Sends all bytes, and counts those that the kernel accepted; with TLS, the bytes of the
    /// records that carry them.
    fn send(&mut self, bytes: &[u8], count: &dyn Fn(usize)) -> io::Result<()>;

    /// From here on, the connection belongs to an attempt of this call.
    fn use_for(&mut self, context: CallContext<'_>);

    /// The socket that a `CancelScope` shuts down when the call is cancelled.
    fn shared(&self) -> &Arc<SharedSocket>;

    /// Whether bytes have arrived at the socket, of whatever layer.
    fn has_arrived(&mut self) -> bool;

    /// The certificate of the other side of the top layer, in its DER form. A resumed session has
    /// the first one's.
    fn certificate(&self) -> Option<&[u8]> {
        None
    }

    /// Whether the connection still leads to the other side. With TLS, nobody else can read or
    /// answer what is sent.
    fn is_intact(&self) -> bool {
        true
    }

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
