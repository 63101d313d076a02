//! A network in this process. After [`install`], every TCP socket leads to one [`Peer`], and no
//! system call is made for it: these functions replace the system's. Everything above the system
//! calls is the code that ships.

use std::collections::VecDeque;
use std::ffi::{c_char, c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use libc::{addrinfo, nfds_t, pollfd, size_t, sockaddr, socklen_t, ssize_t, timeval};

use crate::clock;
use crate::system::{failed, refuse, replaces};

/// The other side of every connection. An error is an `errno`; `EAGAIN` means "not now".
pub trait Peer: Send {
    /// A new connection. Each has a larger number than all before. `EAGAIN`: nobody answers.
    fn connect(&mut self, connection: u64) -> Result<(), c_int>;
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
    /// It is connected, and nobody has waited for that yet.
    is_news: bool,
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

/// Replaces the system's name lookup, and aborts: no input may reach another machine.
#[unsafe(no_mangle)]
extern "C" fn getaddrinfo(
    _: *const c_char,
    _: *const c_char,
    _: *const addrinfo,
    _: *mut *mut addrinfo,
) -> c_int {
    refuse("a name that was looked up")
}

replaces! {
    /// Creates a socket.
    fn socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int {
        let internet = domain == libc::AF_INET || domain == libc::AF_INET6;
        let mut network = lock();
        let network = network.as_mut().filter(|_| internet)?;
        network.connections += 1;
        let socket = Some(Socket {
            connection: network.connections,
            shut_down: false,
            is_news: false,
            timeout: Duration::ZERO,
        });
        let free = network.sockets.iter().position(Option::is_none);
        let index = free.unwrap_or(network.sockets.len());
        match free {
            Some(index) => network.sockets[index] = socket,
            None => network.sockets.push(socket),
        }
        Some(FIRST + index as c_int)
    }

    /// Connects.
    fn connect(socket: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
        let result = with_socket(socket, |peer, socket| {
            let result = peer.connect(socket.connection);
            socket.is_news = result.is_ok();
            result
        });
        result.map(|result| match result {
            Ok(()) => 0,
            Err(libc::EAGAIN) => failed(libc::EINPROGRESS),
            Err(error) => failed(error),
        })
    }

    /// Sends bytes.
    fn send(socket: c_int, bytes: *const c_void, length: size_t, flags: c_int) -> ssize_t {
        // SAFETY: the caller guarantees that the bytes can be read.
        let given = || unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), length) };
        with_socket(socket, |peer, socket| socket.send(peer, given())).map(count)
    }

    /// Receives bytes, or looks at them.
    fn recv(socket: c_int, buffer: *mut c_void, length: size_t, flags: c_int) -> ssize_t {
        // The buffer may be uninitialised, and a reference needs initialised memory.
        let cleared = || unsafe {
            // SAFETY: the caller guarantees that the buffer can be written.
            std::ptr::write_bytes(buffer.cast::<u8>(), 0, length);
            std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length)
        };
        let (result, timeout) = with_socket(socket, |peer, socket| {
            if socket.shut_down {
                return (Ok(0), Duration::ZERO);
            }
            let peek = flags & libc::MSG_PEEK != 0;
            let result = peer.receive(socket.connection, cleared(), peek);
            (result, socket.timeout)
        })?;
        if result == Err(libc::EAGAIN) && flags & libc::MSG_DONTWAIT == 0 {
            wait(timeout);
        }
        Some(count(result))
    }

    /// Waits for a socket: until its connection was made, or something can be read. A thread that
    /// skips waits reads without asking.
    fn poll(descriptors: *mut pollfd, length: nfds_t, milliseconds: c_int) -> c_int {
        if length != 1 {
            return None;
        }
        // SAFETY: the caller guarantees that the list can be read and written.
        let entry = unsafe { &mut *descriptors };
        let asks_to_read = entry.events & libc::POLLIN != 0 && !clock::skip(Duration::ZERO);
        let is_ready = with_socket(entry.fd, |peer, socket| {
            let mut byte = [0];
            std::mem::take(&mut socket.is_news)
                || asks_to_read
                    && peer.receive(socket.connection, &mut byte, true) != Err(libc::EAGAIN)
        });
        if is_ready? {
            entry.revents = entry.events;
            return Some(1);
        }
        wait(Duration::from_millis(milliseconds.max(0) as u64));
        Some(0)
    }

    /// Sets an option. Only the read timeout has an effect.
    fn setsockopt(
        socket: c_int,
        level: c_int,
        name: c_int,
        value: *const c_void,
        length: socklen_t
    ) -> c_int {
        with_socket(socket, |_, socket| {
            if level == libc::SOL_SOCKET && name == libc::SO_RCVTIMEO {
                // SAFETY: the type of this option's value.
                let time = unsafe { value.cast::<timeval>().read_unaligned() };
                socket.timeout = Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
            }
            0
        })
    }

    /// Reads an option: 0 for all of them, which is no error for `SO_ERROR`.
    fn getsockopt(
        socket: c_int,
        level: c_int,
        name: c_int,
        value: *mut c_void,
        length: *mut socklen_t
    ) -> c_int {
        with_socket(socket, |_, _| {
            // SAFETY: the caller guarantees that so many bytes can be written.
            unsafe { std::ptr::write_bytes(value.cast::<u8>(), 0, *length as usize) };
            0
        })
    }

    /// Reads or sets flags, none of which has an effect here. It may read an argument that was not
    /// passed, which does no harm: it is in a register.
    fn fcntl(descriptor: c_int, command: c_int, argument: usize) -> c_int {
        with_socket(descriptor, |_, _| match command {
            libc::F_GETFL | libc::F_SETFL | libc::F_GETFD | libc::F_SETFD => 0,
            _ => refuse("a command for a socket that the network does not know"),
        })
    }

    /// Ends the use of a socket.
    fn shutdown(socket: c_int, how: c_int) -> c_int {
        with_socket(socket, |_, socket| {
            socket.shut_down = true;
            0
        })
    }

    /// Closes a descriptor.
    fn close(descriptor: c_int) -> c_int {
        with_socket(descriptor, |peer, socket| peer.close(socket.connection))?;
        let index = (descriptor - FIRST) as usize;
        if let Some(network) = lock().as_mut() {
            network.sockets[index] = None;
        }
        Some(0)
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
