//! What the library asks of the operating system: the same small set of functions for each system.
//! Nothing else in the crate depends on the system.

#[cfg(all(unix, feature = "journal"))]
pub(crate) mod files;
mod registers;
#[cfg(unix)]
mod unix;

pub(crate) use registers::wipe as wipe_registers;
#[cfg(unix)]
pub(crate) use unix::*;
