//! The same small set of functions for each operating system: sockets, files, forks, clocks,
//! threads. Nothing else in the crate depends on the operating system. Public is what a library
//! around this one needs.

use std::io;
use std::net::SocketAddr;

use socket2::SockAddr;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod connection_number;
#[cfg(feature = "journal")]
mod database;
pub(crate) mod fork;
#[cfg(feature = "journal")]
pub(crate) mod libpq;
pub(crate) mod threads;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

#[cfg(feature = "journal")]
pub(crate) use database::DatabaseDescriptors;
pub use fork::generation;
pub(crate) use system::clock::BootInstant;
pub(crate) use system::descriptors::{connected_number, is_socket, socket_number};
#[cfg(feature = "journal")]
pub(crate) use system::files;
pub(crate) use system::names::look_up;
pub use system::process::{ThreadCancelGuard, is_exiting, stay_loaded};
pub(crate) use system::process::{
    at_each_fork, describe_error, has_exit_begun, is_open_to_others, is_out_of_descriptors,
    is_out_of_memory, watch_for_exit, with_signals_blocked,
};
pub(crate) use system::ready::ReadySignal;
pub(crate) use system::roots::system_roots;
pub(crate) use system::sockets::{
    Descriptor, NO_DESCRIPTOR, READ_TIMEOUT, close_copy, connected, descriptor, is_in_progress,
    peek, receive, send, tcp_socket, wait_until_readable, wait_until_writable,
};
pub use threads::{HostFunction, is_own_thread};

/// Identifies a file: two names of the same file have the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    number: u64,
}

pub(crate) struct FileStatus {
    pub(crate) id: FileId,
    pub(crate) length: u64,
    /// The number of its names (hard links).
    pub(crate) links: u64,
}

/// Why the system found no address for a name.
#[derive(Debug)]
pub(crate) enum LookupError {
    /// The name does not exist, or has no address.
    NotFound(String),
    NoMemory(String),
    /// The system reported this error.
    System(io::Error),
    /// Only Unix systems have errors of lookups that are not errors of the system.
    #[cfg_attr(windows, expect(dead_code))]
    Failed(String),
}

/// Copies an address from a list that the system made, and sets its port. `None` if it is not an
/// internet address.
///
/// # Safety
/// `length` bytes can be read at `address`.
unsafe fn copy_address(address: *const u8, length: usize, port: u16) -> Option<SocketAddr> {
    // SAFETY: no more is copied than there is and than fits, and the length is set to that.
    let copy = unsafe {
        SockAddr::try_init(|storage, copied| {
            let size = length.min(size_of_val(&*storage));
            std::ptr::copy_nonoverlapping(address, storage.cast(), size);
            *copied = size as _;
            Ok(())
        })
    };
    let mut address = copy.ok()?.1.as_socket()?;
    address.set_port(port);
    Some(address)
}
