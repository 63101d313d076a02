//! Which file or socket a handle leads to. A host may close handles that are not its own, and open
//! files or connections of its own, which then have the same numbers.

use std::mem::ManuallyDrop;
use std::os::windows::io::FromRawSocket;

use socket2::Socket;

use super::super::connection_number::{NEW, is_same, of_connection};
use super::sockets::Descriptor;

#[cfg(feature = "journal")]
pub(crate) use files::{FileDescriptor, file_id};
#[cfg(feature = "journal")]
pub(super) use files::{about, id_in, wide};

/// The number of a new socket.
pub(crate) fn socket_number(_: Descriptor) -> u64 {
    NEW
}

/// The number of a socket from now on, since it is connected.
pub(crate) fn connected_number(descriptor: Descriptor, _: u64) -> u64 {
    of_connection(&socket(descriptor), 0).max(NEW)
}

/// Whether a descriptor still leads to the socket with this number.
pub(crate) fn is_socket(descriptor: Descriptor, number: u64) -> bool {
    let socket = socket(descriptor);
    socket.r#type().is_ok() && (number == NEW || is_same(of_connection(&socket, 0), number))
}

fn socket(descriptor: Descriptor) -> ManuallyDrop<Socket> {
    // SAFETY: the socket is only asked about itself, which any number allows, and it is not closed.
    ManuallyDrop::new(unsafe { Socket::from_raw_socket(descriptor as u32 as _) })
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
