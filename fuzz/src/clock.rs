//! A clock that skips waits. For a thread that called [`skip_waits`], time passes only when it looks
//! at the clock or waits, and no wait takes time. So the same input always takes the same time, and
//! inputs with deadlines and pauses cost nothing. These functions replace the system's.

use std::cell::Cell;
use std::ffi::{c_int, c_long};
use std::time::Duration;

use libc::{clockid_t, timespec};

use crate::system::{failed, replaces};

/// How long it takes to look at the clock.
const LOOK: Duration = Duration::from_micros(1);

thread_local! {
    /// The time, for a thread that skips waits.
    static NOW: Cell<Option<Duration>> = const { Cell::new(None) };
}

/// From now on, this thread skips waits. Nothing else may end them earlier: no other thread, and no
/// real socket.
pub fn skip_waits() {
    let mut now = timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is valid for the call.
    assert_eq!(unsafe { clock_gettime(libc::CLOCK_MONOTONIC, &mut now) }, 0);
    NOW.set(Some(since_start(&now)));
}

/// Lets this time pass at once. False if this thread does not skip waits.
pub(crate) fn skip(time: Duration) -> bool {
    let Some(now) = NOW.get() else { return false };
    NOW.set(Some(now + time));
    true
}

fn since_start(time: &timespec) -> Duration {
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

replaces! {
    /// Reads a clock.
    fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
        let skips = matches!(clock, libc::CLOCK_MONOTONIC | libc::CLOCK_BOOTTIME);
        let now = NOW.get().filter(|_| skips)? + LOOK;
        NOW.set(Some(now));
        // SAFETY: the caller guarantees that the time can be written.
        unsafe {
            *time = timespec {
                tv_sec: now.as_secs() as _,
                tv_nsec: now.subsec_nanos().into(),
            }
        };
        Some(0)
    }

    /// Makes a system call. A thread waits with one, through std's condition variables: such a wait
    /// with an end is over at once. It may read more arguments than were passed, which does no harm:
    /// they are in registers.
    fn syscall(
        number: c_long,
        first: usize,
        second: usize,
        third: usize,
        fourth: usize,
        fifth: usize,
        sixth: usize
    ) -> c_long {
        const WAIT: usize = (libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG) as usize;
        let end = std::ptr::with_exposed_provenance::<timespec>(fourth);
        if number != libc::SYS_futex || second != WAIT || end.is_null() {
            return None;
        }
        let now = NOW.get()?;
        // SAFETY: this argument of the system call is a valid time.
        let end = since_start(unsafe { &*end });
        NOW.set(Some(end.max(now)));
        Some(failed(libc::ETIMEDOUT).into())
    }
}
