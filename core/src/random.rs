//! Random numbers for keys, masks and pauses. They come from the seeds of std's hash maps, which
//! the operating system provides.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// 64 bits that another process cannot guess.
pub(crate) fn random_u64() -> u64 {
    RandomState::new().build_hasher().finish()
}
