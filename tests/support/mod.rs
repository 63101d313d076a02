//! What the test files stand on: the C ABI as a C program sees it, and services, proxies and
//! certificates to hold against it.
//!
//! Every test file is a crate of its own and uses a part of this one.
#![allow(dead_code)]

pub mod abi;
pub mod log;
pub mod orders;
pub mod proxy;
pub mod reaction;
pub mod request;
pub mod responses;
pub mod rows;
pub mod service;
pub mod tls;
