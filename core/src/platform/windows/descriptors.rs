//! Which file or socket a handle leads to. A host may close handles that are not its own, and open
//! files or connections of its own, which then have the same numbers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::ManuallyDrop;
use std::os::windows::io::FromRawSocket;

use socket2::{SockAddr, Socket};

use super::sockets::Descriptor;

#[cfg(feature = "journal")]
pub(crate) use files::{FileDescriptor, file_id};
#[cfg(feature = "journal")]
pub(super) use files::{about, id_in, wide};

/// The number of a socket without an address of its own: nothing distinguishes it from others.
const NEW: u64 = 1;
/// The part of a number that is made of the address of the other end; 0 if that is not known.
const OTHER_END: u64 = 0xffff_ffff;

/// A number made of the addresses of the two ends of a connection, which no other connection has;
/// 0 if the handle leads to no socket.
pub(crate) fn socket_number(descriptor: Descriptor) -> u64 {
    // SAFETY: the socket is only asked about itself, which any number allows, and it is not closed.
    let socket = ManuallyDrop::new(unsafe { Socket::from_raw_socket(descriptor as u32 as _) });
    let part = |address: SockAddr| {
        let mut hasher = DefaultHasher::new();
        address.as_socket().hash(&mut hasher);
        hasher.finish() | 1
    };
    match socket.local_addr() {
        Ok(own) => part(own) << 32 | socket.peer_addr().map_or(0, part) & OTHER_END,
        Err(_) if socket.r#type().is_ok() => NEW,
        Err(_) => 0,
    }
}

/// The number of a socket from now on, since it is connected.
pub(crate) fn connected_number(descriptor: Descriptor, _: u64) -> u64 {
    socket_number(descriptor)
}

/// Whether a descriptor still leads to the socket with this number. The system may forget the other
/// end of a connection that was reset.
pub(crate) fn is_socket(descriptor: Descriptor, number: u64) -> bool {
    match socket_number(descriptor) {
        0 => false,
        now if now & OTHER_END == 0 => now == number & !OTHER_END,
        now => now == number || number == NEW,
    }
}

#[cfg(feature = "journal")]
mod files {
    use std::io;
    use std::ptr::with_exposed_provenance_mut;

    use windows_sys::Win32::Foundation::HANDLE;
    use windows_sys::Win32::Storage::FileSystem::{
        BY_HANDLE_FILE_INFORMATION, GetFileInformationByHandle,
    };

    use super::super::super::FileId;

    pub(crate) type FileDescriptor = usize;

    pub(crate) fn file_id(descriptor: FileDescriptor) -> io::Result<FileId> {
        Ok(id_in(&about(with_exposed_provenance_mut(descriptor))?))
    }

    pub(in super::super) fn about(file: HANDLE) -> io::Result<BY_HANDLE_FILE_INFORMATION> {
        let mut about = BY_HANDLE_FILE_INFORMATION::default();
        // SAFETY: the function accepts any handle, and the structure is local.
        match unsafe { GetFileInformationByHandle(file, &mut about) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(about),
        }
    }

    pub(in super::super) fn id_in(about: &BY_HANDLE_FILE_INFORMATION) -> FileId {
        FileId {
            device: about.dwVolumeSerialNumber.into(),
            number: wide(about.nFileIndexHigh, about.nFileIndexLow),
        }
    }

    pub(in super::super) fn wide(high: u32, low: u32) -> u64 {
        u64::from(high) << 32 | u64::from(low)
    }
}
