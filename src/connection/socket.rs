//! A TCP socket whose every operation ends by a deadline.

use std::io::{self, IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use socket2::{Domain, Protocol, Type};

use super::delivery::{Delivery, Failure};
use super::wire::Wire;

/// A connected socket. `deadline` bounds every read and write.
#[derive(Debug)]
pub(crate) struct Socket {
    wire: Arc<Wire>,
    pub(crate) deadline: Instant,
    /// What the kernel was last told to wait at most for a read.
    read_timeout: Option<Duration>,
}

/// Sends never raise SIGPIPE and never block: waiting is done where a deadline can be given,
/// without a system call to set one.
#[cfg(target_vendor = "apple")]
const SEND_FLAGS: libc::c_int = libc::MSG_DONTWAIT;
#[cfg(not(target_vendor = "apple"))]
const SEND_FLAGS: libc::c_int = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;

/// How long a connect waits before it looks whether it was cancelled: shutting down a socket that
/// is not connected yet wakes it on Linux only.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

impl Socket {
    /// Connects to one address by the deadline.
    pub(crate) fn connect(
        address: SocketAddr,
        deadline: Instant,
        delivery: &Delivery,
    ) -> Result<Socket, Failure> {
        let failed = |error: io::Error| Failure::Connect(plain(&error));
        let socket = socket2::Socket::new(
            Domain::for_address(address),
            Type::STREAM,
            Some(Protocol::TCP),
        )
        .map_err(failed)?;
        socket.set_nonblocking(true).map_err(failed)?;
        let wire = Arc::new(Wire::new(socket));
        delivery.watch(&wire)?;
        let socket = wire.socket().map_err(failed)?;
        match socket.connect(&address.into()) {
            Ok(()) => {}
            Err(error)
                if error.raw_os_error() == Some(libc::EINPROGRESS)
                    || error.kind() == io::ErrorKind::Interrupted =>
            {
                loop {
                    if delivery.is_cancelled() {
                        return Err(Failure::Cancelled);
                    }
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(Failure::TimedOut);
                    }
                    if poll(socket, libc::POLLOUT, left.min(CANCEL_CHECK)).map_err(failed)? {
                        break;
                    }
                }
            }
            Err(error) => return Err(failed(error)),
        }
        if delivery.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        if let Some(error) = socket.take_error().map_err(failed)? {
            return Err(failed(error));
        }
        socket.set_nonblocking(false).map_err(failed)?;
        socket.set_tcp_nodelay(true).map_err(failed)?;
        Ok(Socket {
            wire,
            deadline,
            read_timeout: None,
        })
    }

    /// The socket, for a delivery to watch.
    pub(crate) fn wire(&self) -> &Arc<Wire> {
        &self.wire
    }

    /// Whether something, be it the end, can be read without waiting. One system call.
    pub(crate) fn has_input(&self) -> bool {
        let mut byte = [MaybeUninit::uninit()];
        let look = |socket: &socket2::Socket| {
            socket.recv_with_flags(&mut byte, libc::MSG_PEEK | libc::MSG_DONTWAIT)
        };
        match self.wire.socket().and_then(look) {
            Ok(_) => true,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        }
    }

    fn left(&self) -> io::Result<Duration> {
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
    fn bound_read(&mut self, exactly: bool) -> io::Result<()> {
        let left = self.left()?;
        let near = |told: Duration| told <= left && (told >= left - left / 8);
        if exactly || !self.read_timeout.is_some_and(near) {
            let bound = if exactly { left } else { left - left / 16 };
            let bound = bound.max(Duration::from_millis(1));
            self.wire.socket()?.set_read_timeout(Some(bound))?;
            self.read_timeout = Some(bound);
        }
        Ok(())
    }

    fn send(&mut self, send: impl Fn(&socket2::Socket) -> io::Result<usize>) -> io::Result<usize> {
        let socket = self.wire.socket()?;
        loop {
            match send(socket) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let left = self.left()?;
                    poll(socket, libc::POLLOUT, left)?;
                }
                other => return other,
            }
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut exactly = false;
        loop {
            self.bound_read(exactly)?;
            let mut socket = self.wire.socket()?;
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
        self.send(|socket| socket.send_with_flags(bytes, SEND_FLAGS))
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        self.send(|socket| socket.send_vectored_with_flags(slices, SEND_FLAGS))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until the socket is ready; false when the time is over or a signal came first.
fn poll(socket: &socket2::Socket, events: libc::c_short, time: Duration) -> io::Result<bool> {
    let mut descriptor = libc::pollfd {
        fd: socket.as_raw_fd(),
        events,
        revents: 0,
    };
    let milliseconds = time.as_micros().div_ceil(1000).min(60_000) as libc::c_int;
    // SAFETY: one descriptor, of a socket that is open for as long as it is borrowed here.
    let ready = unsafe { libc::poll(&mut descriptor, 1, milliseconds) };
    match ready {
        0 => Ok(false),
        1.. => Ok(true),
        _ => {
            let error = io::Error::last_os_error();
            if error.kind() == io::ErrorKind::Interrupted {
                Ok(false)
            } else {
                Err(error)
            }
        }
    }
}

/// An error of the operating system in its own words, without Rust's `(os error 111)`.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}
