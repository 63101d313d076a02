//! Locks that can still be used after a thread has panicked with them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until the condition is notified, and no longer than this.
pub(crate) fn wait_for<'m, T>(
    condition: &Condvar,
    locked: MutexGuard<'m, T>,
    longest: Duration,
) -> MutexGuard<'m, T> {
    let woken = condition.wait_timeout(locked, longest);
    woken.unwrap_or_else(PoisonError::into_inner).0
}
