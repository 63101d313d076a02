//! The limits that are in neither the configuration nor the options, and those that several of its
//! keys have in common.

use std::time::Duration;

/// The longest call, and the longest pause that a service can ask for. A journal takes an entry with
/// a later deadline as a sign that the clock was changed.
pub const LONGEST_CALL: Duration = Duration::from_secs(600);

/// The longest credential, in bytes.
pub const LONGEST_CREDENTIAL: usize = 4096;

/// The longest JSON text that a request, a configuration or options may have, in bytes.
pub const LONGEST_REQUEST: usize = 256 * 1024;

/// The longest array of queries or sales, in bytes.
pub const LONGEST_ARRAY: usize = 64 * 1024 * 1024;

/// The longest JSON text that is read or written without the network, in bytes.
pub const LONGEST_OFFLINE: usize = 16 * 1024 * 1024;

/// How deep arrays and objects may be nested, since each takes a part of the host's stack.
pub const DEEPEST_JSON: usize = 127;
