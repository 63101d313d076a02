//! A host program with marked secrets, and the search of its memory for them.

pub mod host;
pub mod marked;
pub mod memory;
pub mod tls_proxy;
