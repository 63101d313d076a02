//! One layer of a connection, and how to detect data that arrived before a request.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

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
