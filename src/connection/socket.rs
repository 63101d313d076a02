//! A TCP socket. Every operation has a deadline.

use std::io::{self, IoSlice, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::context::{CallContext, Failure, Problem};
use super::shared_socket::SharedSocket;
use super::sys::{self, Receiver};
use super::transport::{Peeked, TransportLayer};
use crate::error::Cause;

/// A connected socket. Every read and write ends at `deadline` at the latest.
#[derive(Debug)]
pub(crate) struct Socket {
    shared: Arc<SharedSocket>,
    pub(crate) deadline: Instant,
    receiver: Receiver,
}

/// How often a connect checks whether it was cancelled. Shutting down a socket that is not
/// connected yet wakes the waiting thread on Linux only.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

impl Socket {
    /// Connects to one address, until the deadline.
    pub(crate) fn connect(
        address: SocketAddr,
        deadline: Instant,
        context: &CallContext,
    ) -> Result<Socket, Failure> {
        let failed = |error: io::Error| {
            let problem = Problem::new(connect_cause(&error), sys::describe_error(&error));
            Failure::Connect(problem.with_source(error))
        };
        let socket = sys::tcp_socket(&address).map_err(failed)?;
        let shared = Arc::new(SharedSocket::new(socket));
        context.attach_socket(&shared)?;
        let socket = shared.socket().map_err(failed)?;
        match socket.connect(&address.into()) {
            Ok(()) => {}
            Err(error) if sys::is_in_progress(&error) => loop {
                if context.is_cancelled() {
                    return Err(Failure::Cancelled);
                }
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(Failure::TimedOut);
                }
                let wait = left.min(CANCEL_CHECK);
                if sys::wait_until_connected(socket, wait).map_err(failed)? {
                    break;
                }
            },
            Err(error) => return Err(failed(error)),
        }
        if context.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        if let Some(error) = socket.take_error().map_err(failed)? {
            return Err(failed(error));
        }
        sys::connected(socket).map_err(failed)?;
        Ok(Socket {
            shared,
            deadline,
            receiver: Receiver::default(),
        })
    }

    /// The socket that a [`CallContext`] shuts down when the call is cancelled.
    pub(crate) fn shared(&self) -> &Arc<SharedSocket> {
        &self.shared
    }

    fn time_left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            Err(io::ErrorKind::TimedOut.into())
        } else {
            Ok(left)
        }
    }

    fn send(&mut self, send: impl Fn(&socket2::Socket) -> io::Result<usize>) -> io::Result<usize> {
        let socket = self.shared.socket()?;
        loop {
            match send(socket) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let left = self.time_left()?;
                    sys::wait_until_writable(socket, left)?;
                }
                other => return other,
            }
        }
    }
}

impl TransportLayer for Socket {
    fn peek(&mut self) -> io::Result<Peeked> {
        loop {
            match self.shared.socket().and_then(sys::peek) {
                Ok(0) => return Ok(Peeked::End),
                Ok(_) => return Ok(Peeked::Data),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(Peeked::Nothing);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn wait_readable(&mut self, time: Duration) -> io::Result<()> {
        sys::wait_until_readable(self.shared.socket()?, time).map(drop)
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.time_left()?;
            let socket = self.shared.socket()?;
            match self.receiver.receive(socket, buffer, left) {
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) => {}
                other => return other,
            }
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(|socket| sys::send(socket, bytes))
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        self.send(|socket| sys::send_vectored(socket, slices))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The cause of a failed connect.
fn connect_cause(error: &io::Error) -> Cause {
    match error.kind() {
        _ if sys::is_out_of_descriptors(error) => Cause::NoDescriptors,
        _ if sys::is_out_of_memory(error) => Cause::NoResources,
        io::ErrorKind::ConnectionRefused => Cause::ConnectionRefused,
        io::ErrorKind::TimedOut => Cause::ConnectTimedOut,
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => Cause::ConnectionReset,
        // No route, a firewall, or this machine has no address of that family.
        _ => Cause::NetworkUnreachable,
    }
}

/// The cause of a broken connection.
pub(crate) fn disconnect_cause(error: &io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => Cause::ConnectionReset,
        _ => Cause::ConnectionClosed,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::connect_cause;
    use crate::error::Cause;

    #[test]
    fn the_cause_of_a_failed_connect_is_the_systems_error() {
        for (kind, cause) in [
            (ErrorKind::ConnectionRefused, Cause::ConnectionRefused),
            (ErrorKind::TimedOut, Cause::ConnectTimedOut),
            (ErrorKind::NetworkUnreachable, Cause::NetworkUnreachable),
            (ErrorKind::HostUnreachable, Cause::NetworkUnreachable),
            (ErrorKind::ConnectionReset, Cause::ConnectionReset),
        ] {
            assert_eq!(connect_cause(&Error::from(kind)), cause, "{kind:?}");
        }
    }
}
