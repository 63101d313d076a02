//! What the library asks of the operating system: the same small set of functions for each system.
//! Nothing else in the crate depends on the system.

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

/// Why the system found no address of a name.
#[derive(Debug)]
pub(crate) enum LookupError {
    /// There is no such name, or it has no address.
    NotFound(String),
    NoMemory(String),
    /// The lookup needed something of the system that failed. Only Unix systems tell what.
    #[cfg_attr(windows, expect(dead_code))]
    System(io::Error),
    Failed(String),
}
