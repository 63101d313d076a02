//! Counts the running calls.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use payorder_core::platform::generation;

/// How many exports with a client are running. The low half is the count, the high half the
/// process's generation: in a forked child, with its new generation, only the call that forked is
/// running.
static RUNNING: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// How many of them run on this thread.
    static OWN: Cell<u32> = const { Cell::new(0) };
}

pub(super) struct RunningCall(());

impl RunningCall {
    pub(super) fn begin() -> RunningCall {
        change(|count| count + 1);
        OWN.with(|own| own.set(own.get() + 1));
        RunningCall(())
    }
}

/// Counts a started call, which may move from thread to thread.
pub(super) struct StartedCall(());

impl StartedCall {
    pub(super) fn begin() -> StartedCall {
        change(|count| count + 1);
        StartedCall(())
    }

    /// The rest of the call is on this thread.
    pub(super) fn ends_here(self) -> RunningCall {
        std::mem::forget(self);
        OWN.with(|own| own.set(own.get() + 1));
        RunningCall(())
    }
}

impl Drop for StartedCall {
    fn drop(&mut self) {
        change(|count| count.saturating_sub(1));
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        change(|count| count.saturating_sub(1));
        // The thread may be ending.
        let _ = OWN.try_with(|own| own.set(own.get() - 1));
    }
}

pub(super) fn running() -> usize {
    count(RUNNING.load(Ordering::SeqCst)) as usize
}

fn change(by: impl Fn(u32) -> u32) {
    // The closure always gives a value, so the update cannot fail.
    let _ = RUNNING.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |seen| {
        Some(u64::from(generation() as u32) << 32 | u64::from(by(count(seen))))
    });
}

fn count(seen: u64) -> u32 {
    if (seen >> 32) as u32 == generation() as u32 {
        seen as u32
    } else {
        OWN.try_with(Cell::get).unwrap_or_default()
    }
}
