//! A TCP socket whose every operation ends by a deadline.

use std::io::{self, IoSlice, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::context::{CallContext, Failure, Problem};
use super::shared_socket::SharedSocket;
use super::stream::{Peeked, TransportLayer};
use super::sys;
use crate::error::Cause;

/// A connected socket. `deadline` bounds every read and write.
#[derive(Debug)]
pub(crate) struct Socket {
    shared: Arc<SharedSocket>,
    pub(crate) deadline: Instant,
    /// What the kernel was last told to wait at most for a read.
    read_timeout: Option<Duration>,
}

/// How long a connect waits before it looks whether it was cancelled: shutting down a socket that
/// is not connected yet wakes it on Linux only.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

impl Socket {
    /// Connects to one address by the deadline.
    pub(crate) fn connect(
        address: SocketAddr,
        deadline: Instant,
        context: &CallContext,
    ) -> Result<Socket, Failure> {
        let failed = |error: io::Error| {
            Failure::Connect(Problem::new(connect_cause(&error), os_message(&error)))
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
                if sys::wait_until_writable(socket, wait).map_err(failed)? {
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
        socket.set_nonblocking(false).map_err(failed)?;
        socket.set_tcp_nodelay(true).map_err(failed)?;
        Ok(Socket {
            shared,
            deadline,
            read_timeout: None,
        })
    }

    /// The socket, for a context to watch.
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

    /// Tells the kernel how long a read may wait: never longer than is left. Since the time left is
    /// a little less at every call, the kernel is told less than that by a sixteenth, and told
    /// again only when its number is too high, or too low by more than an eighth.
    fn set_read_timeout(&mut self, exactly: bool) -> io::Result<()> {
        let left = self.time_left()?;
        let near = |told: Duration| told <= left && (told >= left - left / 8);
        if exactly || !self.read_timeout.is_some_and(near) {
            let bound = if exactly { left } else { left - left / 16 };
            let bound = bound.max(Duration::from_millis(1));
            self.shared.socket()?.set_read_timeout(Some(bound))?;
            self.read_timeout = Some(bound);
        }
        Ok(())
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
    fn buffered(&mut self) -> io::Result<Peeked> {
        Ok(Peeked::Nothing)
    }

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
        let mut exactly = false;
        loop {
            self.set_read_timeout(exactly)?;
            let mut socket = self.shared.socket()?;
            match socket.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The kernel's bound was the shorter one; what is left is waited for exactly.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => exactly = true,
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

/// Why there is no connection.
fn connect_cause(error: &io::Error) -> Cause {
    match error.kind() {
        _ if sys::is_out_of_descriptors(error) => Cause::NoDescriptors,
        _ if sys::is_out_of_memory(error) => Cause::NoResources,
        io::ErrorKind::ConnectionRefused => Cause::ConnectionRefused,
        io::ErrorKind::TimedOut => Cause::ConnectTimedOut,
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => Cause::ConnectionReset,
        // No route, a firewall, or no address of that family on this machine.
        _ => Cause::NetworkUnreachable,
    }
}

/// Why a connection is no more.
pub(crate) fn disconnect_cause(error: &io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => Cause::ConnectionReset,
        _ => Cause::ConnectionClosed,
    }
}

/// An error of the operating system in its own words, without Rust's `(os error 111)`.
pub(crate) fn os_message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use super::connect_cause;
    use crate::error::Cause;

    #[test]
    fn the_cause_of_a_failed_connect_is_the_systems_error() {
        for (number, cause) in [
            (libc::ECONNREFUSED, Cause::ConnectionRefused),
            (libc::ETIMEDOUT, Cause::ConnectTimedOut),
            (libc::ENETUNREACH, Cause::NetworkUnreachable),
            (libc::EHOSTUNREACH, Cause::NetworkUnreachable),
            (libc::ECONNRESET, Cause::ConnectionReset),
            (libc::EMFILE, Cause::NoDescriptors),
            (libc::ENFILE, Cause::NoDescriptors),
            (libc::ENOBUFS, Cause::NoResources),
        ] {
            assert_eq!(
                connect_cause(&Error::from_raw_os_error(number)),
                cause,
                "{number}"
            );
        }
    }
}
