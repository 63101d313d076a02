//! A client's key is never used again. The conformance suite and `tests/programs/misuse.c` use it
//! after the client was freed, and `tests/sanitized/lifecycle.c` frees clients during the calls of
//! other threads.

use std::collections::HashSet;
use support::abi::{self, Client};
use support::orders::config;
use support::result::INVALID_HANDLE;
use support::trials::trials;

/// The key of a client that is not freed at the end of the test.
fn new_key(config: &serde_json::Value) -> usize {
    let client = Client::new(config);
    let key = client.key();
    std::mem::forget(client);
    key
}

/// The pointer types of some languages hold 47 bits (31 on 32-bit systems), and some use the low
/// four bits.
#[test]
fn a_key_fits_in_every_languages_pointer_and_is_never_used_again() {
    let bits = if usize::BITS == 64 { 47 } else { 31 };
    let config = config("http://127.0.0.1:1");
    let first = new_key(&config);
    abi::free(first);
    let mut given = HashSet::from([first]);
    for _ in 0..trials(2_000, 20_000) {
        let key = new_key(&config);
        assert!(given.insert(key), "{key:#x} was used twice");
        assert!(key.is_multiple_of(16) && key < 1 << bits, "{key:#x}");
        assert_eq!(abi::free(key), 0);
        assert_eq!(abi::cancel(first), INVALID_HANDLE);
    }
}
