//! What the test programs share: the C ABI as a C program sees it, scripted services, proxies and
//! certificates, and what cargo built.

// For tests only: `new` starts what a default should not, and the pointers come from the library.
#![allow(clippy::new_without_default, clippy::not_unsafe_ptr_arg_deref)]

pub use abi;

pub mod built;
pub mod calls;
pub mod certificates;
#[cfg(unix)]
pub mod disk;
pub mod log;
pub mod orders;
pub mod paths;
pub mod patience;
#[cfg(unix)]
pub mod postgres;
pub mod random;
#[cfg(unix)]
pub mod relay;
pub mod responses;
pub mod result;
pub mod row;
pub mod rows;
pub mod service;
pub mod shop;
pub mod tls;
pub mod tls_service;
pub mod trial;
pub mod trials;
pub mod unreachable;
