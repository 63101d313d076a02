//! What all test files share: the C ABI as a C program sees it, and scripted services, proxies and
//! certificates.
//!
//! Each test file is a crate of its own and uses a part of this module.
#![allow(dead_code)]

pub mod abi;
pub mod full_queue;
pub mod log;
pub mod orders;
pub mod paths;
pub mod patience;
pub mod proxy;
pub mod random;
pub mod reaction;
pub mod request;
pub mod responses;
pub mod rows;
pub mod service;
pub mod tls;
pub mod tls_service;
pub mod trials;
