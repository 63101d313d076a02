//! Clients by key. A `payorder_client *` is never dereferenced: it is a number that a map knows, or
//! does not.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use arc_swap::ArcSwapOption;

use crate::client::Client;
use crate::error::{Cause, Code, Error};
use crate::random::random_u64;

/// The live clients. The map is replaced, never changed, so that no thread waits for another, and
/// none for a lock that a fork left behind.
static CLIENTS: ArcSwapOption<HashMap<usize, Client>> = ArcSwapOption::const_empty();

/// How many keys were given out.
static GIVEN: AtomicUsize = AtomicUsize::new(0);
/// The process's own random bits in every key.
static SALT: AtomicUsize = AtomicUsize::new(0);

/// Keys below this could be mistaken for small integers that a program put into a pointer.
const SMALLEST: usize = 0x1_0000;

/// Keeps a client, and gives the key to it.
pub(super) fn insert(client: &Client) -> usize {
    let key = next_key();
    CLIENTS.rcu(|clients| {
        let mut clients = clients.as_deref().cloned().unwrap_or_default();
        clients.insert(key, client.clone());
        Some(std::sync::Arc::new(clients))
    });
    key
}

/// The client of a key.
pub(super) fn get(key: usize) -> Result<Client, Error> {
    CLIENTS
        .load()
        .as_ref()
        .and_then(|clients| clients.get(&key))
        .cloned()
        .ok_or_else(|| {
            let (cause, problem) = if key == 0 {
                (
                    Cause::Null,
                    "the client is NULL: make one with payorder_client_new",
                )
            } else {
                (
                    Cause::ClientFreed,
                    "the client was freed or never created: make another one",
                )
            };
            Error::new(Code::InvalidHandle, cause, problem)
        })
}

/// Forgets a client. Calls in flight hold it until they end.
pub(super) fn remove(key: usize) -> Result<(), Error> {
    let before = CLIENTS.rcu(|clients| {
        let mut clients = clients.as_deref().cloned().unwrap_or_default();
        clients.remove(&key);
        (!clients.is_empty()).then(|| std::sync::Arc::new(clients))
    });
    // Of two threads that free the same client, one finds it in the map that it replaced.
    match before
        .as_deref()
        .is_some_and(|clients| clients.contains_key(&key))
    {
        true => Ok(()),
        false => get(key).map(|_| ()),
    }
}

/// How many clients are live.
pub(super) fn count() -> usize {
    CLIENTS.load().as_ref().map_or(0, |clients| clients.len())
}

/// A key that this process never gave out before: a running number, scrambled by a mapping that is
/// one to one and depends on the salt, so that nobody comes from one key to another by counting.
fn next_key() -> usize {
    loop {
        let key = scramble(GIVEN.fetch_add(1, Ordering::Relaxed), salt());
        if key >= SMALLEST {
            return key;
        }
    }
}

fn salt() -> usize {
    match SALT.load(Ordering::Relaxed) {
        0 => {
            let fresh = random_u64() as usize | 1;
            SALT.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed)
                .map_or_else(|kept| kept, |_| fresh)
        }
        kept => kept,
    }
}

/// Each step can be undone (exclusive or with a constant or with own higher bits, product with an
/// odd number), so no two numbers meet.
fn scramble(number: usize, salt: usize) -> usize {
    const HALF: u32 = usize::BITS / 2;
    let mut key = number ^ salt;
    for factor in [
        0x9E37_79B9_7F4A_7C15_u64,
        0xBF58_476D_1CE4_E5B9,
        0x94D0_49BB_1331_11EB,
    ] {
        key = key.wrapping_mul(factor as usize);
        key ^= key >> HALF;
        key ^= salt.rotate_left(HALF);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::scramble;
    use std::collections::HashSet;

    #[test]
    fn no_two_numbers_have_the_same_key_and_none_is_next_to_another() {
        let keys: HashSet<usize> = (0..200_000)
            .map(|number| scramble(number, 0x1234_5678_9abc_def1))
            .collect();
        assert_eq!(keys.len(), 200_000);
        assert!(!keys.iter().any(|key| keys.contains(&key.wrapping_add(1))));
    }
}
