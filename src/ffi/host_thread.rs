//! The host's thread while it is inside an export: it cannot be cancelled there, and it is counted.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::connection::generation;

/// Keeps the thread from being cancelled (`pthread_cancel`) inside the library, which it would leave
/// in the middle of its work. A cancel that comes meanwhile takes effect at the thread's next
/// cancellation point after the export.
pub(super) struct ThreadCancelGuard {
    #[cfg(all(unix, not(target_os = "android")))]
    before: std::ffi::c_int,
}

#[cfg(all(unix, not(target_os = "android")))]
mod system {
    use std::ffi::c_int;

    pub(super) const DISABLED: c_int = if cfg!(target_vendor = "apple") { 0 } else { 1 };

    unsafe extern "C" {
        pub(super) fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int;
    }
}

impl ThreadCancelGuard {
    pub(super) fn begin() -> ThreadCancelGuard {
        #[cfg(all(unix, not(target_os = "android")))]
        {
            let mut before = system::DISABLED;
            // SAFETY: it sets a flag of this thread and writes the old one to a place for it.
            unsafe { system::pthread_setcancelstate(system::DISABLED, &mut before) };
            ThreadCancelGuard { before }
        }
        #[cfg(not(all(unix, not(target_os = "android"))))]
        ThreadCancelGuard {}
    }
}

#[cfg(all(unix, not(target_os = "android")))]
impl Drop for ThreadCancelGuard {
    fn drop(&mut self) {
        if self.before != system::DISABLED {
            let mut ignored = 0;
            // SAFETY: as in `begin`. It is no cancellation point.
            unsafe { system::pthread_setcancelstate(self.before, &mut ignored) };
        }
    }
}

/// How many exports that take a client are running: the count, below the number of the process's
/// generation. A forked child has another generation, and only the call that forked runs in it.
static RUNNING: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// How many of them this thread is inside of.
    static OWN: Cell<u32> = const { Cell::new(0) };
}

/// An export that takes a client, from its beginning to its end.
pub(super) struct RunningCall(());

impl RunningCall {
    pub(super) fn begin() -> RunningCall {
        change(|count| count + 1);
        OWN.with(|own| own.set(own.get() + 1));
        RunningCall(())
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        change(|count| count.saturating_sub(1));
        OWN.with(|own| own.set(own.get() - 1));
    }
}

/// How many calls are running in this process.
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
        OWN.with(Cell::get)
    }
}
