//! Sockets. Every operation has a deadline.

use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};

pub(crate) type Descriptor = RawFd;
/// Not the number of any socket.
pub(crate) const NO_DESCRIPTOR: Descriptor = -1;

/// Sends never raise SIGPIPE and never block. [`wait_until_writable`] waits instead, since it can
/// have a deadline without another system call. On Apple systems a socket option prevents SIGPIPE.
#[cfg(target_vendor = "apple")]
const SEND_FLAGS: libc::c_int = libc::MSG_DONTWAIT;
#[cfg(not(target_vendor = "apple"))]
const SEND_FLAGS: libc::c_int = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;

/// The lowest descriptor that the library keeps. If the host has closed its standard streams, the
/// system reuses their numbers, and what the host prints could go into a connection.
const LOWEST_DESCRIPTOR: RawFd = 3;

/// A TCP socket that is not connected yet and does not block.
pub(crate) fn tcp_socket(address: &SocketAddr) -> io::Result<Socket> {
    let domain = Domain::for_address(*address);
    let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
    let socket = Socket::from(above_standard_streams(socket.into())?);
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// The same file under a descriptor above those of the standard streams.
pub(crate) fn above_standard_streams(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    if descriptor.as_raw_fd() >= LOWEST_DESCRIPTOR {
        return Ok(descriptor);
    }
    duplicate_above(descriptor.as_fd())
}

fn duplicate_above(descriptor: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let command = libc::F_DUPFD_CLOEXEC;
    // SAFETY: the descriptor is open for as long as it is borrowed.
    let copy = unsafe { libc::fcntl(descriptor.as_raw_fd(), command, LOWEST_DESCRIPTOR) };
    if copy == -1 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system has just made it, and nobody else has its number.
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

pub(crate) fn descriptor(socket: &Socket) -> Descriptor {
    socket.as_raw_fd()
}

/// Closes a forked child's copy of a socket that nothing else in this process closes.
pub(crate) fn close_copy(descriptor: Descriptor) {
    // SAFETY: the caller's promise. Closing is allowed in a forked child.
    unsafe { libc::close(descriptor) };
}

/// Whether a read blocks, which saves system calls. A send on the same socket does not block where
/// the system obeys `MSG_DONTWAIT`. macOS ignores it in `send`, so there, and where nobody has tried
/// it, sockets stay non-blocking.
const READS_BLOCK: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// For how long [`receive`] blocks at most. Longer waits use [`wait_until_readable`], which can wait
/// for any time without another system call.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_millis(if READS_BLOCK { 30 } else { 0 });

/// Prepares a connected socket.
pub(crate) fn connected(socket: &Socket) -> io::Result<()> {
    if READS_BLOCK {
        socket.set_nonblocking(false)?;
        socket.set_read_timeout(Some(READ_TIMEOUT))?;
    }
    socket.set_tcp_nodelay(true)
}

/// Whether a connect continues in the background.
pub(crate) fn is_in_progress(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EINPROGRESS) || error.kind() == io::ErrorKind::Interrupted
}

/// Peeks at one byte without waiting; 0 at the end of the stream.
pub(crate) fn peek(socket: &Socket) -> io::Result<usize> {
    let mut byte = [MaybeUninit::uninit()];
    socket.recv_with_flags(&mut byte, libc::MSG_PEEK | libc::MSG_DONTWAIT)
}

pub(crate) fn send(socket: &Socket, bytes: &[u8]) -> io::Result<usize> {
    socket.send_with_flags(bytes, SEND_FLAGS)
}

/// Receives bytes, and waits for them at most for [`READ_TIMEOUT`].
pub(crate) fn receive(mut socket: &Socket, buffer: &mut [u8]) -> io::Result<usize> {
    socket.read(buffer)
}

/// Waits until one of the sockets accepts bytes, or a connect of it has ended, and returns its place
/// in the list; `None` if the time is over or a signal arrived first. Looks at [`MOST_POLLED`].
pub(crate) fn wait_until_writable(
    sockets: &[&Socket],
    time: Duration,
) -> io::Result<Option<usize>> {
    poll(sockets, libc::POLLOUT, time)
}

/// Waits until there is something to read, or the end of the stream; false if the time is over or a
/// signal arrived first.
pub(crate) fn wait_until_readable(socket: &Socket, time: Duration) -> io::Result<bool> {
    Ok(poll(&[socket], libc::POLLIN, time)?.is_some())
}

/// As many as Windows can look at.
const MOST_POLLED: usize = 64;

fn poll(sockets: &[&Socket], events: libc::c_short, time: Duration) -> io::Result<Option<usize>> {
    let none = libc::pollfd {
        fd: NO_DESCRIPTOR,
        events,
        revents: 0,
    };
    let mut entries = [none; MOST_POLLED];
    for (entry, socket) in entries.iter_mut().zip(sockets) {
        entry.fd = socket.as_raw_fd();
    }
    let count = sockets.len().min(MOST_POLLED) as libc::nfds_t;
    let milliseconds = time.as_micros().div_ceil(1000).min(60_000) as libc::c_int;
    // SAFETY: so many entries, of sockets that stay open while they are borrowed.
    match unsafe { libc::poll(entries.as_mut_ptr(), count, milliseconds) } {
        0 => Ok(None),
        1.. => Ok(entries.iter().position(|entry| entry.revents != 0)),
        _ => {
            let error = io::Error::last_os_error();
            if error.kind() == io::ErrorKind::Interrupted {
                Ok(None)
            } else {
                Err(error)
            }
        }
    }
}
