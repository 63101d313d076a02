//! System calls: the same small set of functions for each operating system. Nothing else in the
//! crate depends on the operating system.

use std::io;

mod registers;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as platform;
#[cfg(windows)]
use windows as platform;

pub(crate) use platform::*;
pub(crate) use registers::wipe as wipe_registers;

/// Why the system found no address for a name.
#[derive(Debug)]
pub(crate) enum LookupError {
    /// The name does not exist, or has no address.
    NotFound(String),
    NoMemory(String),
    /// A system call in the lookup failed. Only Unix systems report which error it was.
    #[cfg_attr(windows, expect(dead_code))]
    System(io::Error),
    Failed(String),
}
