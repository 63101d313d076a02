//! Random numbers for keys, masks and waits, from the seeds that std takes from the operating
//! system for its hash maps.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// 64 bits that another process cannot guess.
pub(crate) fn random_u64() -> u64 {
    RandomState::new().build_hasher().finish()
}
