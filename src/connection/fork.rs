//! Noticing a fork, at no cost to a call: the child gets another generation number.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static GENERATION: AtomicU64 = AtomicU64::new(1);
static WATCHING: AtomicBool = AtomicBool::new(false);

extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// Counts forks from now on. To be called before there is anything that a fork could share.
pub(crate) fn watch() {
    if WATCHING.load(Ordering::Acquire) {
        return;
    }
    // Two threads may both come here first: two handlers count a fork twice, which is as good. A lock could be held at the fork itself.
    // SAFETY: `in_child` does nothing but an atomic addition, which is allowed in a forked child, and is never unmapped
    // (the library is linked with `-z nodelete`).
    unsafe {
        libc::pthread_atfork(None, None, Some(in_child));
    }
    WATCHING.store(true, Ordering::Release);
}

/// The number of this process's generation: another one than its parent's.
pub(crate) fn generation() -> u64 {
    GENERATION.load(Ordering::Relaxed)
}
