//! A clock that continues while the machine sleeps.

use std::mem::MaybeUninit;
use std::time::Duration;

/// A point in time of a clock that continues while the machine sleeps. On Linux and macOS, std's
/// clock does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BootInstant(Option<Duration>);

#[cfg(any(target_os = "linux", target_os = "android"))]
const CLOCK: libc::clockid_t = libc::CLOCK_BOOTTIME;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;

impl BootInstant {
    pub(crate) fn now() -> BootInstant {
        let mut time = MaybeUninit::<libc::timespec>::uninit();
        // SAFETY: the function has written the time if it reports success.
        let time = unsafe {
            if libc::clock_gettime(CLOCK, time.as_mut_ptr()) != 0 {
                return BootInstant(None);
            }
            time.assume_init()
        };
        let seconds = Duration::from_secs(time.tv_sec as u64);
        BootInstant(Some(seconds + Duration::from_nanos(time.tv_nsec as u64)))
    }

    /// The time since then. If the clock cannot be read, it is very long, so that no idle
    /// connection is used.
    pub(crate) fn elapsed(self) -> Duration {
        match (self.0, BootInstant::now().0) {
            (Some(then), Some(now)) => now.saturating_sub(then),
            _ => Duration::MAX,
        }
    }
}
