//! Linux, macOS and the BSDs.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};

/// The number of a socket.
pub(crate) type Descriptor = RawFd;
/// A number that no socket has.
pub(crate) const NO_DESCRIPTOR: Descriptor = -1;

/// Sends never raise SIGPIPE and never block: [`wait_until_writable`] waits, since it takes a
/// deadline without a system call to set one. On Apple systems a socket option does the first.
#[cfg(target_vendor = "apple")]
const SEND_FLAGS: libc::c_int = libc::MSG_DONTWAIT;
#[cfg(not(target_vendor = "apple"))]
const SEND_FLAGS: libc::c_int = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;

/// The lowest descriptor that the library keeps. Where the host has closed its standard streams,
/// the system hands their numbers out again, and what the host prints would go into a connection.
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

/// Closes a forked child's copy of a socket. The caller knows that the number is of a socket that
/// nobody else in this process closes.
pub(crate) fn close_copy(descriptor: Descriptor) {
    // SAFETY: by the caller's knowledge. Closing is allowed in a forked child.
    unsafe { libc::close(descriptor) };
}

/// Whether a connect goes on in the background.
pub(crate) fn is_in_progress(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EINPROGRESS) || error.kind() == io::ErrorKind::Interrupted
}

pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

pub(crate) fn is_out_of_memory(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOMEM | libc::ENOBUFS))
}

/// Looks for one byte without taking it or waiting for it: 0 at the end of the stream.
pub(crate) fn peek(socket: &Socket) -> io::Result<usize> {
    let mut byte = [MaybeUninit::uninit()];
    socket.recv_with_flags(&mut byte, libc::MSG_PEEK | libc::MSG_DONTWAIT)
}

pub(crate) fn send(socket: &Socket, bytes: &[u8]) -> io::Result<usize> {
    socket.send_with_flags(bytes, SEND_FLAGS)
}

pub(crate) fn send_vectored(socket: &Socket, slices: &[IoSlice<'_>]) -> io::Result<usize> {
    socket.send_vectored_with_flags(slices, SEND_FLAGS)
}

/// Waits until the socket takes bytes; false where the time is over or a signal came first.
pub(crate) fn wait_until_writable(socket: &Socket, time: Duration) -> io::Result<bool> {
    poll(socket, libc::POLLOUT, time)
}

/// Waits until there is something to read, be it the end; false where the time is over or a signal
/// came first.
pub(crate) fn wait_until_readable(socket: &Socket, time: Duration) -> io::Result<bool> {
    poll(socket, libc::POLLIN, time)
}

fn poll(socket: &Socket, events: libc::c_short, time: Duration) -> io::Result<bool> {
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

/// Why the system found no address of a name.
#[derive(Debug)]
pub(crate) enum LookupError {
    /// There is no such name, or it has no address.
    NotFound(String),
    NoMemory(String),
    System(io::Error),
    Failed(String),
}

/// Asks the system for the addresses of a host. The error of std's lookup does not tell a name
/// that does not exist from a name server that does not answer.
pub(crate) fn look_up(host: &str, port: u16) -> Result<Vec<SocketAddr>, LookupError> {
    let Ok(name) = std::ffi::CString::new(host) else {
        return Err(LookupError::NotFound("it contains a zero byte".into()));
    };
    // SAFETY: all zeros is what the function takes for "no wishes".
    let mut hints: libc::addrinfo = unsafe { std::mem::zeroed() };
    hints.ai_socktype = libc::SOCK_STREAM;
    let mut first = std::ptr::null_mut();
    // SAFETY: the name ends with a NUL, and both structures live here.
    let error = unsafe { libc::getaddrinfo(name.as_ptr(), std::ptr::null(), &hints, &mut first) };
    if error != 0 {
        // The system's own error is lost with the next call.
        let system = io::Error::last_os_error();
        // SAFETY: a static text for any number.
        let words = unsafe { std::ffi::CStr::from_ptr(libc::gai_strerror(error)) };
        let words = words.to_string_lossy().to_lowercase();
        return Err(match error {
            libc::EAI_NONAME => LookupError::NotFound(words),
            #[cfg(any(target_os = "linux", target_vendor = "apple"))]
            libc::EAI_NODATA => LookupError::NotFound(words),
            libc::EAI_MEMORY => LookupError::NoMemory(words),
            libc::EAI_SYSTEM => LookupError::System(system),
            _ => LookupError::Failed(words),
        });
    }
    let mut addresses = Vec::new();
    let mut entry = first;
    // SAFETY: the list is as the system made it, and each address has the size that is told.
    unsafe {
        while let Some(found) = entry.as_ref() {
            let copy = socket2::SockAddr::try_init(|storage, length| {
                let size = (found.ai_addrlen as usize).min(size_of_val(&*storage));
                std::ptr::copy_nonoverlapping(found.ai_addr.cast::<u8>(), storage.cast(), size);
                *length = found.ai_addrlen;
                Ok(())
            });
            if let Ok(((), address)) = copy
                && let Some(mut address) = address.as_socket()
            {
                address.set_port(port);
                addresses.push(address);
            }
            entry = found.ai_next;
        }
        libc::freeaddrinfo(first);
    }
    Ok(addresses)
}

/// A moment by a clock that goes on while the machine sleeps, as std's does not on Linux and macOS.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BootInstant(Option<Duration>);

#[cfg(any(target_os = "linux", target_os = "android"))]
const CLOCK: libc::clockid_t = libc::CLOCK_BOOTTIME;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;

impl BootInstant {
    pub(crate) fn now() -> BootInstant {
        let mut time = MaybeUninit::<libc::timespec>::uninit();
        // SAFETY: the time is written where the function says that it succeeded.
        let time = unsafe {
            if libc::clock_gettime(CLOCK, time.as_mut_ptr()) != 0 {
                return BootInstant(None);
            }
            time.assume_init()
        };
        let seconds = Duration::from_secs(time.tv_sec as u64);
        BootInstant(Some(seconds + Duration::from_nanos(time.tv_nsec as u64)))
    }

    /// The time since then. Where the system cannot tell, nothing is young enough to be used.
    pub(crate) fn elapsed(self) -> Duration {
        match (self.0, BootInstant::now().0) {
            (Some(then), Some(now)) => now.saturating_sub(then),
            _ => Duration::MAX,
        }
    }
}

/// Runs `start` with all signals blocked on this thread, so that the threads it starts have them
/// blocked: the host's signals are for the host's threads.
pub(crate) fn with_signals_blocked<T>(start: impl FnOnce() -> T) -> T {
    // SAFETY: both sets live here and are written before they are read; a thread's signal mask is
    // that thread's own, and is inherited.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let result = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        result
    }
}

/// Has functions called at every fork from now on. `in_child` does only what is allowed in a forked
/// child, and none of them is ever unmapped (the library is linked with `-z nodelete`).
pub(crate) fn at_each_fork(
    before: extern "C" fn(),
    in_parent: extern "C" fn(),
    in_child: extern "C" fn(),
) {
    // SAFETY: by what the caller promises. It fails only where there is no memory.
    unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
}

#[cfg(test)]
mod tests {
    use std::os::fd::{AsFd, AsRawFd};

    use super::{BootInstant, duplicate_above};

    #[test]
    fn a_descriptor_moves_above_the_standard_streams() {
        let file = std::fs::File::open("/proc/self/exe").or_else(|_| std::fs::File::open("/"));
        let file = file.expect("a file that can be opened");
        let copy = duplicate_above(file.as_fd()).expect("a copy");
        assert!(copy.as_raw_fd() > 2 && copy.as_raw_fd() != file.as_raw_fd());
    }

    #[test]
    fn a_moment_tells_the_time_since() {
        let moment = BootInstant::now();
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert!((5..60_000).contains(&moment.elapsed().as_millis()));
        assert!(BootInstant(None).elapsed() > std::time::Duration::from_secs(1 << 40));
    }
}
