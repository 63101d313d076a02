//! A network in this process. After [`install`], every TCP socket leads to one [`Peer`], and no
//! system call is made for it: these functions replace the system's. Everything above the system
//! calls is the code that ships.

use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use libc::{iovec, msghdr, nfds_t, pollfd, size_t, sockaddr, socklen_t, ssize_t, timeval};

use crate::clock;
use crate::loopback::{self, refuse};
use crate::system::{SystemFunction, failed};

/// The other side of every connection. An error is an `errno`; `EAGAIN` means "not now".
pub trait Peer: Send {
    /// A new connection to a port. Each has a larger number than all before. `EAGAIN`: nobody
    /// answers.
    fn connect(&mut self, connection: u64, port: u16) -> Result<(), c_int>;
    /// Bytes are sent. Returns how many of them the system accepts.
    fn send(&mut self, connection: u64, bytes: &[u8]) -> Result<usize, c_int>;
    /// What can be read, or be looked at. 0 is the end of the connection.
    fn receive(&mut self, connection: u64, buffer: &mut [u8], peek: bool) -> Result<usize, c_int>;
    /// The client closes its end.
    fn close(&mut self, connection: u64);
}

/// The number of the first socket; the system has no descriptor with such a number.
const FIRST: c_int = 1 << 28;

static NETWORK: Mutex<Option<Network>> = Mutex::new(None);

struct Network {
    peer: Box<dyn Peer>,
    /// By their number.
    sockets: Vec<Option<Socket>>,
    connections: u64,
}

struct Socket {
    connection: u64,
    shut_down: bool,
    /// How long a read waits.
    timeout: Duration,
}

/// Connects every socket that is created from now on to this peer.
pub fn install(peer: impl Peer + 'static) {
    *lock() = Some(Network {
        peer: Box::new(peer),
        sockets: Vec::new(),
        connections: 0,
    });
}

/// Moves bytes from the first piece into the buffer, or copies them if they are only looked at;
/// `None` without a piece. No piece may be empty.
pub fn receive_from(
    pieces: &mut VecDeque<Vec<u8>>,
    buffer: &mut [u8],
    peek: bool,
) -> Option<usize> {
    let piece = pieces.front_mut()?;
    let length = piece.len().min(buffer.len());
    buffer[..length].copy_from_slice(&piece[..length]);
    if !peek {
        piece.drain(..length);
        pieces.pop_front_if(|piece| piece.is_empty());
    }
    Some(length)
}

fn lock() -> MutexGuard<'static, Option<Network>> {
    NETWORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of an operation on a socket of the network; `None` for the system's own descriptors.
fn with_socket<T>(
    descriptor: c_int,
    act: impl FnOnce(&mut dyn Peer, &mut Socket) -> T,
) -> Option<T> {
    let index = usize::try_from(descriptor.checked_sub(FIRST)?).ok()?;
    let mut network = lock();
    let Network { peer, sockets, .. } = network.as_mut()?;
    match sockets.get_mut(index).and_then(Option::as_mut) {
        Some(socket) => Some(act(peer.as_mut(), socket)),
        None => refuse("a socket that was closed, or never was one"),
    }
}

fn count(result: Result<usize, c_int>) -> ssize_t {
    result.map_or_else(|error| failed(error) as ssize_t, |count| count as ssize_t)
}

/// Creates a socket.
#[unsafe(no_mangle)]
extern "C" fn socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"socket");
    type Function = unsafe extern "C" fn(c_int, c_int, c_int) -> c_int;
    let internet = domain == libc::AF_INET || domain == libc::AF_INET6;
    if let Some(network) = lock().as_mut().filter(|_| internet) {
        network.connections += 1;
        let socket = Some(Socket {
            connection: network.connections,
            shut_down: false,
            timeout: Duration::ZERO,
        });
        let free = network.sockets.iter().position(Option::is_none);
        let index = free.unwrap_or(network.sockets.len());
        match free {
            Some(index) => network.sockets[index] = socket,
            None => network.sockets.push(socket),
        }
        return FIRST + index as c_int;
    }
    // SAFETY: the type of the function; any numbers may be passed.
    unsafe { SYSTEMS.get::<Function>()(domain, kind, protocol) }
}

/// Connects, to loopback only.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn connect(socket: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"connect");
    type Function = unsafe extern "C" fn(c_int, *const sockaddr, socklen_t) -> c_int;
    // SAFETY: the caller guarantees a valid address.
    let port = unsafe { loopback::port(address) };
    match with_socket(socket, |peer, socket| peer.connect(socket.connection, port)) {
        Some(Ok(())) => 0,
        Some(Err(libc::EAGAIN)) => failed(libc::EINPROGRESS),
        Some(Err(error)) => failed(error),
        // SAFETY: the type of the function; the caller guarantees valid arguments.
        None => unsafe { SYSTEMS.get::<Function>()(socket, address, length) },
    }
}

/// Sends bytes.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn send(
    socket: c_int,
    bytes: *const c_void,
    length: size_t,
    flags: c_int,
) -> ssize_t {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"send");
    type Function = unsafe extern "C" fn(c_int, *const c_void, size_t, c_int) -> ssize_t;
    // SAFETY: the caller guarantees that the bytes can be read.
    let given = || unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), length) };
    match with_socket(socket, |peer, socket| socket.send(peer, given())) {
        Some(result) => count(result),
        // SAFETY: the type of the function; the caller guarantees valid arguments.
        None => unsafe { SYSTEMS.get::<Function>()(socket, bytes, length, flags) },
    }
}

/// Sends the bytes of several buffers.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn sendmsg(socket: c_int, message: *const msghdr, flags: c_int) -> ssize_t {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"sendmsg");
    type Function = unsafe extern "C" fn(c_int, *const msghdr, c_int) -> ssize_t;
    // SAFETY: the caller guarantees that the buffers can be read.
    let given = || unsafe {
        std::slice::from_raw_parts((*message).msg_iov, (*message).msg_iovlen as usize)
            .iter()
            .flat_map(|&iovec { iov_base, iov_len }| {
                std::slice::from_raw_parts(iov_base.cast::<u8>(), iov_len)
            })
            .copied()
            .collect::<Vec<u8>>()
    };
    match with_socket(socket, |peer, socket| socket.send(peer, &given())) {
        Some(result) => count(result),
        // SAFETY: the type of the function; the caller guarantees valid arguments.
        None => unsafe { SYSTEMS.get::<Function>()(socket, message, flags) },
    }
}

/// Receives bytes, or looks at them.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn recv(
    socket: c_int,
    buffer: *mut c_void,
    length: size_t,
    flags: c_int,
) -> ssize_t {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"recv");
    type Function = unsafe extern "C" fn(c_int, *mut c_void, size_t, c_int) -> ssize_t;
    // The buffer may be uninitialised, and a reference needs initialised memory.
    let cleared = || unsafe {
        // SAFETY: the caller guarantees that the buffer can be written.
        std::ptr::write_bytes(buffer.cast::<u8>(), 0, length);
        std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length)
    };
    let received = with_socket(socket, |peer, socket| {
        if socket.shut_down {
            return (Ok(0), Duration::ZERO);
        }
        let peek = flags & libc::MSG_PEEK != 0;
        let result = peer.receive(socket.connection, cleared(), peek);
        (result, socket.timeout)
    });
    match received {
        Some((result, timeout)) => {
            if result == Err(libc::EAGAIN) && flags & libc::MSG_DONTWAIT == 0 {
                wait(timeout);
            }
            count(result)
        }
        // SAFETY: the type of the function; the caller guarantees valid arguments.
        None => unsafe { SYSTEMS.get::<Function>()(socket, buffer, length, flags) },
    }
}

/// Waits. A peer acts only when something is done to it, so every wait lasts to its end.
fn wait(time: Duration) {
    if !clock::skip(time) {
        std::thread::sleep(time);
    }
}

impl Socket {
    fn send(&self, peer: &mut dyn Peer, bytes: &[u8]) -> Result<usize, c_int> {
        if self.shut_down {
            return Err(libc::EPIPE);
        }
        peer.send(self.connection, bytes)
    }
}

/// Waits for a socket.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn poll(descriptors: *mut pollfd, length: nfds_t, milliseconds: c_int) -> c_int {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"poll");
    type Function = unsafe extern "C" fn(*mut pollfd, nfds_t, c_int) -> c_int;
    if length == 1 {
        // SAFETY: the caller guarantees that the list can be read.
        let socket = unsafe { (*descriptors).fd };
        if with_socket(socket, |_, _| ()).is_some() {
            wait(Duration::from_millis(milliseconds.max(0) as u64));
            return 0;
        }
    }
    // SAFETY: the type of the function; the caller guarantees valid arguments.
    unsafe { SYSTEMS.get::<Function>()(descriptors, length, milliseconds) }
}

/// Sets an option. Only the read timeout has an effect.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn setsockopt(
    socket: c_int,
    level: c_int,
    name: c_int,
    value: *const c_void,
    length: socklen_t,
) -> c_int {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"setsockopt");
    type Function = unsafe extern "C" fn(c_int, c_int, c_int, *const c_void, socklen_t) -> c_int;
    let set = with_socket(socket, |_, socket| {
        if level == libc::SOL_SOCKET && name == libc::SO_RCVTIMEO {
            // SAFETY: the type of this option's value.
            let time = unsafe { value.cast::<timeval>().read_unaligned() };
            socket.timeout = Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
        }
    });
    match set {
        Some(()) => 0,
        // SAFETY: the type of the function; the caller guarantees valid arguments.
        None => unsafe { SYSTEMS.get::<Function>()(socket, level, name, value, length) },
    }
}

/// Reads an option: 0 for all of them, which is no error for `SO_ERROR`.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn getsockopt(
    socket: c_int,
    level: c_int,
    name: c_int,
    value: *mut c_void,
    length: *mut socklen_t,
) -> c_int {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"getsockopt");
    type Function = unsafe extern "C" fn(c_int, c_int, c_int, *mut c_void, *mut socklen_t) -> c_int;
    match with_socket(socket, |_, _| ()) {
        Some(()) => {
            // SAFETY: the caller guarantees that so many bytes can be written.
            unsafe { std::ptr::write_bytes(value.cast::<u8>(), 0, *length as usize) };
            0
        }
        // SAFETY: the type of the function; the caller guarantees valid arguments.
        None => unsafe { SYSTEMS.get::<Function>()(socket, level, name, value, length) },
    }
}

/// Reads or sets flags, none of which has an effect here.
///
/// # Safety
/// The same as for the system's function. It may read an argument that was not passed, which does
/// no harm: it is in a register.
#[unsafe(no_mangle)]
unsafe extern "C" fn fcntl(descriptor: c_int, command: c_int, argument: usize) -> c_int {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"fcntl");
    type Function = unsafe extern "C" fn(c_int, c_int, usize) -> c_int;
    match with_socket(descriptor, |_, _| ()) {
        Some(()) => match command {
            libc::F_GETFL | libc::F_SETFL | libc::F_GETFD | libc::F_SETFD => 0,
            _ => refuse("a command for a socket that the network does not know"),
        },
        // SAFETY: the type of the function as far as registers are concerned; the caller guarantees
        // valid arguments.
        None => unsafe { SYSTEMS.get::<Function>()(descriptor, command, argument) },
    }
}

/// Ends the use of a socket.
#[unsafe(no_mangle)]
extern "C" fn shutdown(socket: c_int, how: c_int) -> c_int {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"shutdown");
    type Function = unsafe extern "C" fn(c_int, c_int) -> c_int;
    match with_socket(socket, |_, socket| socket.shut_down = true) {
        Some(()) => 0,
        // SAFETY: the type of the function; any numbers may be passed.
        None => unsafe { SYSTEMS.get::<Function>()(socket, how) },
    }
}

/// Closes a descriptor.
#[unsafe(no_mangle)]
extern "C" fn close(descriptor: c_int) -> c_int {
    static SYSTEMS: SystemFunction = SystemFunction::new(c"close");
    type Function = unsafe extern "C" fn(c_int) -> c_int;
    let index = descriptor.checked_sub(FIRST).map(usize::try_from);
    if let Some(Ok(index)) = index {
        let mut network = lock();
        let closed = network.as_mut().and_then(|Network { peer, sockets, .. }| {
            let socket = sockets.get_mut(index)?.take()?;
            Some(peer.close(socket.connection))
        });
        match closed {
            Some(()) => return 0,
            None => refuse("a socket that was closed twice"),
        }
    }
    // SAFETY: the type of the function; the caller guarantees an open descriptor.
    unsafe { SYSTEMS.get::<Function>()(descriptor) }
}
