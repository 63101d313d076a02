//! The C ABI. No logic: an export checks its arguments, makes one safe call, and hands the answer
//! out.
//!
//! The files with exports are the groups of the header, which `tests/header` makes of them in this
//! order: `about`, `cancellation`, `client`, `calls`, `further`, `journal`, `offline`, `access`. The
//! others: `handles` (keys instead of pointers), `strings` (in and out), `live_calls` (not cancelled
//! inside, and counted), `boundary` (what every export runs in, and where a panic ends).

// The comments are the C header's: `@param[in]` is not a link.
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

/// Memory that is freed is zeroed first, so that nothing secret outlives its use, wherever a layer
/// below kept a copy of it.
#[global_allocator]
static ALLOCATOR: zeroizing_alloc::ZeroAlloc<std::alloc::System> =
    zeroizing_alloc::ZeroAlloc(std::alloc::System);
