//! Sockets. They never block: each wait is a `select` of at most [`SLICE`], after which the
//! operation is tried again. On Windows, shutting down a socket from another thread does not wake a
//! waiting thread, but the next try fails.

use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::windows::io::AsRawSocket;
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};
use windows_sys::Win32::Networking::WinSock::{
    FD_SET, MSG_PEEK, POLLERR, POLLRDNORM, SOCKET_ERROR, TIMEVAL, WSAPOLLFD, WSAPoll, select,
};

/// How long a wait lasts at most before the cancellation of the call is noticed.
const SLICE: Duration = Duration::from_millis(20);

/// A socket's handle, of which Windows uses 32 bits.
pub(crate) type Descriptor = i32;
pub(crate) const NO_DESCRIPTOR: Descriptor = -1;

pub(crate) fn descriptor(socket: &Socket) -> Descriptor {
    socket.as_raw_socket() as _
}

pub(crate) fn close_copy(_: Descriptor) {}

/// A TCP socket that is not connected yet and does not block. No child process inherits it.
pub(crate) fn tcp_socket(address: &SocketAddr) -> io::Result<Socket> {
    let domain = Domain::for_address(*address);
    let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// Prepares a connected socket.
pub(crate) fn connected(socket: &Socket) -> io::Result<()> {
    socket.set_tcp_nodelay(true)
}

pub(crate) fn is_in_progress(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}

pub(crate) fn peek(socket: &Socket) -> io::Result<usize> {
    let mut byte = [MaybeUninit::uninit()];
    socket.recv_with_flags(&mut byte, MSG_PEEK)
}

pub(crate) fn send(socket: &Socket, bytes: &[u8]) -> io::Result<usize> {
    socket.send(bytes)
}

/// A read never blocks.
pub(crate) const READ_TIMEOUT: Duration = Duration::ZERO;

pub(crate) fn receive(mut socket: &Socket, buffer: &mut [u8]) -> io::Result<usize> {
    match socket.read(buffer) {
        Ok(0) if was_reset(socket) => Err(io::ErrorKind::ConnectionReset.into()),
        other => other,
    }
}

/// Whether what looks like the end of the stream is a reset. In Wine, `recv` reports a reset only
/// if it arrives during the call.
fn was_reset(socket: &Socket) -> bool {
    let mut entry = WSAPOLLFD {
        fd: socket.as_raw_socket() as _,
        events: POLLRDNORM,
        revents: 0,
    };
    // SAFETY: one entry, of a socket that stays open while it is borrowed.
    unsafe { WSAPoll(&mut entry, 1, 0) == 1 && entry.revents & POLLERR != 0 }
}

/// Waits until one of the sockets accepts bytes, or a connect of it has ended, and returns its place
/// in the list; `None` if the time, or a slice of it, is over. Looks at 64 sockets, which is the size
/// of a set.
pub(crate) fn wait_until_writable(
    sockets: &[&Socket],
    time: Duration,
) -> io::Result<Option<usize>> {
    wait(sockets, Event::Write, time)
}

/// Waits until there is something to read, or the end of the stream; false if the time, or a slice
/// of it, is over.
pub(crate) fn wait_until_readable(socket: &Socket, time: Duration) -> io::Result<bool> {
    Ok(wait(&[socket], Event::Read, time)?.is_some())
}

enum Event {
    Read,
    Write,
}

fn wait(sockets: &[&Socket], event: Event, time: Duration) -> io::Result<Option<usize>> {
    let time = time.min(SLICE);
    let mut all = FD_SET::default();
    for (place, socket) in all.fd_array.iter_mut().zip(sockets) {
        *place = socket.as_raw_socket() as _;
        all.fd_count += 1;
    }
    let (mut read, mut write, mut failed) = (FD_SET::default(), FD_SET::default(), all);
    match event {
        Event::Read => read = all,
        Event::Write => write = all,
    }
    let time = TIMEVAL {
        tv_sec: 0,
        tv_usec: time.as_micros().max(1) as i32,
    };
    // SAFETY: the sets and the time are local, and the sockets stay open while they are borrowed.
    // The system ignores the first argument.
    match unsafe { select(0, &mut read, &mut write, &mut failed, &time) } {
        SOCKET_ERROR => Err(io::Error::last_os_error()),
        _ => Ok(all.fd_array.iter().zip(sockets).position(|(one, _)| {
            // The system leaves those in a set that something happened to.
            let has = |set: &FD_SET| {
                set.fd_array
                    .iter()
                    .take(set.fd_count as usize)
                    .any(|in_it| in_it == one)
            };
            has(&read) || has(&write) || has(&failed)
        })),
    }
}
