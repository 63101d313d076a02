//! The C ABI. It has no logic: an export checks its arguments, makes one safe call, and returns the
//! result.
//!
//! Each file with exports is a group of the header, which `tests/header` generates in this order:
//! `about`, `cancellation`, `client`, `calls`, `further`, `journal`, `offline`, `access`. The other
//! files: `handles` (keys instead of pointers), `strings` (arguments and results), `live_calls`
//! (protects and counts the threads inside exports), `boundary` (runs every export and catches
//! panics).

// The comments become the C header: `@param[in]` is not a link.
#![allow(rustdoc::broken_intra_doc_links)]

pub mod about;
pub mod access;
mod boundary;
pub mod calls;
pub mod cancellation;
pub mod client;
pub mod further;
mod handles;
pub mod journal;
mod live_calls;
pub mod offline;
mod strings;

pub use about::*;
pub use access::*;
pub use calls::*;
pub use cancellation::*;
pub use client::*;
pub use further::*;
pub use journal::*;
pub use offline::*;

/// Zeroes memory before it is freed, so that no copy of a secret remains, also in lower layers.
#[global_allocator]
static ALLOCATOR: zeroizing_alloc::ZeroAlloc<std::alloc::System> =
    zeroizing_alloc::ZeroAlloc(std::alloc::System);
