//! The C library: the C ABI around `payorder-core`. It has no logic: an export checks its arguments,
//! makes one safe call, and returns the result. Rust programs use `payorder-core` instead.
//!
//! Each file with exports is a group of the header, which `tests/header` generates in this order:
//! `about`, `cancellation`, `idle`, `client`, `calls`, `start`, `payments`, `journal`, `recover`,
//! `check`, `offline`, `json`. The other files: `handles` and `handle_map` (keys instead of
//! pointers), `tokens` (cancellation tokens by text), `json_pointer` and `json_edit`, `strings`
//! (arguments and results), `live_calls` (protects and counts the threads inside exports),
//! `boundary` (runs every export and catches panics).
//!
//! # Safety
//! Every export relies on these promises of its caller:
//! - A text is NULL, or a NUL-terminated string that stays unchanged until the export returns.
//!   `pairs` is NULL or ends with NULL.
//! - An `out_` pointer is NULL or a place for one value. A buffer is NULL or has as many bytes as
//!   its size says, and does not overlap a text.
//! - A callback is NULL, or may be called with its user_data, on the threads and for as long as its
//!   comment says.
//! - A string to be freed is NULL, or came from this library and was not freed before.
//!
//! Any number may be a client.

#![deny(
    missing_docs,
    unsafe_op_in_unsafe_fn,
    clippy::undocumented_unsafe_blocks
)]
// The library never exits the host process or prints in it. Tests may.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::exit,
        clippy::print_stdout,
        clippy::print_stderr,
        clippy::dbg_macro
    )
)]
// The promise of every caller is above, once.
#![allow(clippy::missing_safety_doc)]
// The comments become the C header: `@param[in]` is not a link.
#![allow(rustdoc::broken_intra_doc_links)]

pub mod about;
mod boundary;
pub mod calls;
pub mod cancellation;
pub mod check;
pub mod client;
mod handle_map;
mod handles;
pub mod idle;
pub mod journal;
pub mod json;
mod json_edit;
mod json_pointer;
mod live_calls;
pub mod offline;
pub mod payments;
pub mod recover;
pub mod start;
mod strings;
mod tokens;

pub use about::*;
pub use calls::*;
pub use cancellation::*;
pub use check::*;
pub use client::*;
pub use idle::*;
pub use journal::*;
pub use json::*;
pub use offline::*;
pub use payments::*;
pub use recover::*;
pub use start::*;

/// Zeroes memory before it is freed, so that no copy of a secret remains, also in lower layers.
#[global_allocator]
static ALLOCATOR: zeroizing_alloc::ZeroAlloc<std::alloc::System> =
    zeroizing_alloc::ZeroAlloc(std::alloc::System);
