//! Windows 7 and later.

pub(super) mod clock;
#[cfg(feature = "journal")]
mod database;
pub(super) mod descriptors;
#[cfg(feature = "journal")]
pub(crate) mod files;
pub(super) mod names;
pub(super) mod process;
pub(super) mod ready;
pub(super) mod roots;
pub(super) mod sockets;
