//! Values by key. A program in another language holds a key instead of a pointer. The map knows
//! which keys are live, so a stale or forged key is detected.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwapOption;

/// Live values by key.
pub(super) struct HandleMap<T> {
    /// A map is replaced, never changed. So no thread waits for another, and no lock can stay locked
    /// in a forked child. With many of them each is small, and its copy costs little.
    maps: [Map<T>; MAPS],
    given: AtomicU64,
    /// Random bits of this process, mixed into every key.
    salt: AtomicU64,
}

/// Holds a value until its key is removed. Other threads may still have an old map then, and with it
/// the slot, but no longer the value.
type Slot<T> = ArcSwapOption<T>;

type Map<T> = ArcSwapOption<HashMap<usize, Arc<Slot<T>>>>;

const MAPS: usize = 64;

/// Some languages can store only 47 bits in a pointer (31 bits on 32-bit systems), and some use the
/// low four bits themselves.
const KEY_BITS: u32 = if usize::BITS == 64 { 47 } else { 31 };
const FREE_BITS: u32 = 4;
const NUMBER_BITS: u32 = KEY_BITS - FREE_BITS;

/// Smaller keys could be confused with small integers that a program stores in a pointer.
const SMALLEST: usize = 0x1_0000;

impl<T> HandleMap<T> {
    /// A map without values.
    pub(super) const fn new() -> HandleMap<T> {
        HandleMap {
            maps: [const { ArcSwapOption::const_empty() }; MAPS],
            given: AtomicU64::new(0),
            salt: AtomicU64::new(0),
        }
    }

    /// Keeps the value that `make` makes from its key, and returns both.
    pub(super) fn insert(&self, make: impl FnOnce(usize) -> T) -> (usize, Arc<T>) {
        let key = self.next_key();
        let value = Arc::new(make(key));
        let slot = Arc::new(Slot::new(Some(Arc::clone(&value))));
        self.map(key).rcu(|live| {
            let mut live = live.as_deref().cloned().unwrap_or_default();
            live.insert(key, Arc::clone(&slot));
            Some(Arc::new(live))
        });
        (key, value)
    }

    /// The value of a key.
    pub(super) fn get(&self, key: usize) -> Option<Arc<T>> {
        self.map(key).load().as_ref()?.get(&key)?.load_full()
    }

    /// Removes a key and returns its value; `None` if the key is not live.
    pub(super) fn remove(&self, key: usize) -> Option<Arc<T>> {
        let map = self.map(key);
        let slot = map.load().as_ref().and_then(|live| live.get(&key).cloned());
        // If two threads remove the same key, only one gets the value.
        let value = slot.and_then(|slot| slot.swap(None))?;
        map.rcu(|live| {
            let mut live = HashMap::clone(live.as_ref().filter(|live| live.len() > 1)?);
            live.remove(&key);
            Some(Arc::new(live))
        });
        Some(value)
    }

    /// How many keys are live.
    pub(super) fn count(&self) -> usize {
        let live = |map: &Map<T>| map.load().as_ref().map_or(0, |live| live.len());
        self.maps.iter().map(live).sum()
    }

    /// The map of a key. The lowest bits of all keys are the same.
    fn map(&self, key: usize) -> &Map<T> {
        let [first, ..] = &self.maps;
        self.maps.get((key >> FREE_BITS) % MAPS).unwrap_or(first)
    }

    /// A key that was not used before. There are 2^43 keys, or 2^27 on 32-bit systems. Only after
    /// all of them is a key used again, and never one that is live.
    fn next_key(&self) -> usize {
        loop {
            let number = self.given.fetch_add(1, Ordering::Relaxed);
            let key = (scatter(number, self.salt(), NUMBER_BITS) as usize) << FREE_BITS;
            let is_live = |live: &Arc<HashMap<_, _>>| live.contains_key(&key);
            if key >= SMALLEST && !self.map(key).load().as_ref().is_some_and(is_live) {
                return key;
            }
        }
    }

    fn salt(&self) -> u64 {
        if self.salt.load(Ordering::Relaxed) == 0 {
            // std's hash maps get their seeds from the system. If two threads come first, one of
            // them sets it.
            let random = RandomState::new().build_hasher().finish() | 1;
            let order = Ordering::Relaxed;
            let _ = self.salt.compare_exchange(0, random, order, order);
        }
        self.salt.load(Ordering::Relaxed)
    }
}

/// Maps the numbers with this many bits one to one onto themselves: the factor is odd. The keys of
/// successive numbers are far apart, so none is found by counting from another one.
fn scatter(number: u64, salt: u64, bits: u32) -> u64 {
    const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;
    (number.wrapping_mul(GOLDEN_RATIO) ^ salt) & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::{HandleMap, scatter};
    use std::collections::HashSet;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn no_two_numbers_have_the_same_key_and_none_is_next_to_another() {
        let keys = |count: u64, bits| -> HashSet<u64> {
            let numbers = 0..count;
            numbers
                .map(|number| scatter(number, 0x1234_5678_9abc_def1, bits))
                .collect()
        };
        assert_eq!(keys(1 << 16, 16).len(), 1 << 16);
        for bits in [43, 27] {
            let keys = keys(1 << 18, bits);
            assert!(keys.iter().all(|key| *key < 1 << bits));
            assert!(!keys.iter().any(|key| keys.contains(&(key + 1))));
        }
    }

    /// Freeing a client must close its journal before it returns, whatever other threads do with
    /// other clients at that moment.
    #[test]
    fn a_removed_value_is_dropped_at_once() {
        let (keys, value) = (HandleMap::new(), Arc::new(()));
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_done.load(Ordering::Relaxed) {
                        let key = keys.insert(|_| Arc::new(())).0;
                        assert!(keys.get(key).is_some() && keys.remove(key).is_some());
                    }
                });
            }
            let kept = (0..20_000)
                .filter(|_| {
                    let key = keys.insert(|_| Arc::clone(&value)).0;
                    assert!(keys.remove(key).is_some());
                    Arc::strong_count(&value) > 1
                })
                .count();
            is_done.store(true, Ordering::Relaxed);
            assert_eq!(kept, 0);
        });
    }
}
