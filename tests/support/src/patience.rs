//! Time limits of tests, and the time of the CPU.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// A time limit. On a system that is emulated, it is longer by the factor in the environment, which
/// tests/systems/runner sets.
pub fn patience(limit: Duration) -> Duration {
    let factor = std::env::var("PAYORDER_TEST_PATIENCE").ok();
    limit * factor.map_or(1, |factor| factor.parse().expect("a factor"))
}

/// Waits for something that another thread does.
#[track_caller]
pub fn until(done: impl Fn() -> bool) {
    let began = Instant::now();
    while !done() {
        let is_soon = began.elapsed() < patience(Duration::from_secs(60));
        assert!(is_soon, "it did not happen");
        sleep(Duration::from_millis(2));
    }
}

/// The CPU time of this thread: other work on the machine does not count.
#[cfg(unix)]
pub fn worked() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is valid for the call.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
