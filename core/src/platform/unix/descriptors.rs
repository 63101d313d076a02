//! Which file or socket a descriptor leads to. A host may close descriptors that are not its own, and
//! open files of its own, which then have the same numbers.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::RawFd;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
use libc::{fstat, stat};
#[cfg(any(target_os = "linux", target_os = "android"))]
use libc::{fstat64 as fstat, stat64 as stat};

#[cfg(feature = "journal")]
use super::super::FileId;

#[cfg(feature = "journal")]
pub(crate) type FileDescriptor = RawFd;

#[cfg(feature = "journal")]
#[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
pub(crate) fn file_id(descriptor: RawFd) -> io::Result<FileId> {
    let about = status(descriptor)?;
    Ok(FileId {
        device: about.st_dev as u64,
        number: about.st_ino as u64,
    })
}

/// The number of the socket that a descriptor leads to; 0 if it leads to no socket. Allowed in a
/// forked child. On Linux no two open sockets have the same number; elsewhere TCP sockets have.
#[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
pub(super) fn inode(descriptor: RawFd) -> u64 {
    match status(descriptor) {
        Ok(about) if about.st_mode as u32 & libc::S_IFMT as u32 == libc::S_IFSOCK as u32 => {
            (about.st_ino as u64).wrapping_add(1)
        }
        _ => 0,
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod number {
    use super::{RawFd, inode};

    /// The number of a new socket.
    pub(crate) fn socket_number(descriptor: RawFd) -> u64 {
        inode(descriptor)
    }

    /// The number of a socket from now on, since it is connected: the same one.
    pub(crate) fn connected_number(_: RawFd, number: u64) -> u64 {
        number
    }

    /// Whether a descriptor still leads to the socket with this number. Allowed in a forked child.
    pub(crate) fn is_socket(descriptor: RawFd, number: u64) -> bool {
        inode(descriptor) == number
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod number {
    use super::super::super::connection_number::{NEW, is_same, of_connection};
    use super::{RawFd, inode};
    use socket2::Socket;
    use std::mem::ManuallyDrop;
    use std::os::fd::FromRawFd;

    /// The number of a new socket; 0 if the system does not say what the descriptor is.
    pub(crate) fn socket_number(descriptor: RawFd) -> u64 {
        inode(descriptor).min(NEW)
    }

    /// The number of a socket from now on, since it is connected.
    pub(crate) fn connected_number(descriptor: RawFd, number: u64) -> u64 {
        match number {
            0 => 0,
            _ => now(descriptor).max(NEW),
        }
    }

    /// Whether a descriptor still leads to the socket with this number. Allowed in a forked child.
    pub(crate) fn is_socket(descriptor: RawFd, number: u64) -> bool {
        match (socket_number(descriptor), number) {
            (new, 0 | NEW) => new == number,
            (0, _) => false,
            _ => is_same(now(descriptor), number),
        }
    }

    fn now(descriptor: RawFd) -> u64 {
        // SAFETY: the socket is only asked about itself, which any number but -1 allows, and it is
        // not closed.
        let socket = ManuallyDrop::new(unsafe { Socket::from_raw_fd(descriptor) });
        of_connection(&socket, inode(descriptor))
    }
}

pub(crate) use number::{connected_number, is_socket, socket_number};

fn status(descriptor: RawFd) -> io::Result<stat> {
    let mut about = MaybeUninit::uninit();
    // SAFETY: the function accepts any number, and fills the structure in on success.
    match unsafe { fstat(descriptor, about.as_mut_ptr()) } {
        // SAFETY: it succeeded.
        0 => Ok(unsafe { about.assume_init() }),
        _ => Err(io::Error::last_os_error()),
    }
}
