//! A TCP socket. Every operation has a deadline.

use std::io::{self, Read};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::context::CallContext;
use super::failure::ConnectionProblem;
use super::scope::CancelScope;
use super::shared_socket::SharedSocket;
use crate::error::Cause;
use crate::platform;

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

/// A connected socket. Every read and write ends at `deadline` at the latest.
pub(crate) struct Socket {
    shared: Arc<SharedSocket>,
    pub(crate) deadline: Instant,
    /// Of the call that uses the socket, or used it last.
    scope: Arc<CancelScope>,
}

/// A connect that has begun.
pub(super) struct Connecting {
    pub(super) address: SocketAddr,
    pub(super) shared: Arc<SharedSocket>,
}

impl Connecting {
    pub(super) fn start(
        address: SocketAddr,
        scope: &CancelScope,
    ) -> Result<Connecting, ConnectionProblem> {
        let socket = platform::tcp_socket(&address).map_err(connect_problem)?;
        let shared = Arc::new(SharedSocket::new(socket));
        // If the call is cancelled already, its wait ends.
        let _ = scope.attach_socket(&shared);
        let begun = shared
            .socket()
            .and_then(|socket| socket.connect(&address.into()));
        match begun {
            Err(error) if !platform::is_in_progress(&error) => Err(connect_problem(error)),
            _ => Ok(Connecting { address, shared }),
        }
    }

    /// The socket, after the connect has ended.
    pub(super) fn finish(
        self,
        deadline: Instant,
        scope: &Arc<CancelScope>,
    ) -> Result<Socket, ConnectionProblem> {
        self.shared.connected().map_err(connect_problem)?;
        Ok(Socket {
            scope: Arc::clone(scope),
            shared: self.shared,
            deadline,
        })
    }
}

impl Socket {
    /// Sends as many bytes as the system accepts, and returns how many.
    pub(super) fn send_some(&self, bytes: &[u8]) -> io::Result<usize> {
        let send = |socket| accepted(platform::send(socket, bytes));
        match send(self.shared.socket()?)? {
            Some(sent) => Ok(sent),
            None => self.scope.wait(self.deadline, |time| {
                let socket = self.shared.socket()?;
                match platform::wait_until_writable(&[socket], time)? {
                    Some(_) => send(socket),
                    None => Ok(None),
                }
            }),
        }
    }

    /// From here on, the connection belongs to an attempt of this call.
    pub(super) fn use_for(&mut self, context: CallContext<'_>) {
        self.deadline = context.attempt.deadline();
        if !Arc::ptr_eq(&self.scope, context.scope) {
            self.scope = Arc::clone(context.scope);
        }
    }

    /// What a `CancelScope` shuts down when the call is cancelled.
    pub(super) fn shared(&self) -> &Arc<SharedSocket> {
        &self.shared
    }

    /// Whether bytes have arrived, of whatever layer.
    pub(super) fn has_arrived(&self) -> bool {
        matches!(self.look(), Ok(Peeked::Data))
    }

    /// What has arrived, without waiting.
    pub(super) fn look(&self) -> io::Result<Peeked> {
        loop {
            match self.shared.socket().and_then(platform::peek) {
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

    /// Waits until more arrives or the time is over.
    pub(super) fn wait_readable(&self, time: Duration) -> io::Result<()> {
        let readable = self.scope.wait(Instant::now() + time, |time| {
            let readable = platform::wait_until_readable(self.shared.socket()?, time)?;
            Ok::<_, io::Error>(readable.then_some(()))
        });
        match readable {
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Ok(()),
            other => other,
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut is_first = true;
        self.scope.wait(self.deadline, |time| {
            let socket = self.shared.socket()?;
            // Most responses arrive soon. Then a read that blocks is the only system call.
            let block = std::mem::take(&mut is_first) && time >= platform::READ_TIMEOUT;
            match block || platform::wait_until_readable(socket, time)? {
                true => accepted(platform::receive(socket, buffer)),
                false => Ok(None),
            }
        })
    }
}

/// What the system did; `None` if it asks to wait and try again.
fn accepted(result: io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(None),
            _ => Err(error),
        },
        Ok(count) => Ok(Some(count)),
    }
}

pub(super) fn connect_problem(error: io::Error) -> ConnectionProblem {
    let cause = match error.kind() {
        _ if platform::is_out_of_descriptors(&error) => Cause::NoDescriptors,
        _ if platform::is_out_of_memory(&error) => Cause::NoResources,
        io::ErrorKind::ConnectionRefused => Cause::ConnectionRefused,
        io::ErrorKind::TimedOut => Cause::ConnectTimedOut,
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => Cause::ConnectionReset,
        // No route, a firewall, or this machine has no address of that family.
        _ => Cause::NetworkUnreachable,
    };
    ConnectionProblem::new(cause, platform::describe_error(&error)).with_source(error)
}

/// Whether the other side has closed the connection.
pub(super) fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
    )
}

pub(super) fn disconnect_cause(error: &io::Error) -> Cause {
    match is_closed(error) {
        true => Cause::ConnectionReset,
        false => Cause::ConnectionClosed,
    }
}
