//! What the calls of a batch share: the rate limit, a pause that the service asked for, and one
//! place to cancel them all.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::connection::{CancelScope, Registration};

/// A batch of calls.
pub(crate) struct Batch {
    /// The call that the batch is: its calls are part of it.
    pub(crate) whole: Arc<CancelScope>,
    /// Cancelled when no more requests should be sent.
    pub(crate) end: Arc<CancelScope>,
    _end_with_the_whole: Registration<CancelScope>,
    rate: Option<Rate>,
    /// Whether the service has asked for a pause.
    paused: AtomicBool,
    permits: Mutex<Permits>,
}

struct Rate {
    interval: Duration,
    /// The limit for any one second.
    per_second: usize,
}

struct Permits {
    /// The earliest time that no caller has reserved.
    next_free: Instant,
    /// No permits until then, because the service asked for a pause.
    paused_until: Instant,
    /// When permits were granted in the last second.
    granted: VecDeque<Instant>,
}

/// How waiting for a permit ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Permit {
    Granted,
    /// The next permit is after the caller's deadline.
    TooLate,
    Cancelled,
}

const SECOND: Duration = Duration::from_secs(1);
/// Permits are 2 % further apart than the rate requires. A request that leaves a little late then
/// does not put too many into the next second.
const SPACING: f64 = 1.02;
/// A pause is never longer than the longest call.
const MAX_PAUSE: Duration = Duration::from_secs(600);

impl Batch {
    /// A batch with at most `rate_per_second` attempts in any second.
    pub(crate) fn new(whole: &Arc<CancelScope>, rate_per_second: Option<f64>) -> Batch {
        let now = Instant::now();
        let end = Arc::new(CancelScope::new());
        let end_with_the_whole = Registration::new(Arc::clone(whole), &end);
        if whole.is_cancelled() {
            end.cancel();
        }
        let rate = rate_per_second.map(|rate| Rate {
            // A clock cannot express a longer time.
            interval: Duration::try_from_secs_f64(SPACING / rate)
                .unwrap_or(Duration::MAX)
                .min(Duration::from_secs(u32::MAX.into())),
            per_second: rate.ceil() as usize,
        });
        Batch {
            whole: Arc::clone(whole),
            end,
            _end_with_the_whole: end_with_the_whole,
            rate,
            paused: AtomicBool::new(false),
            permits: Mutex::new(Permits {
                next_free: now,
                paused_until: now,
                granted: VecDeque::new(),
            }),
        }
    }

    /// Whether the batch was cancelled.
    pub(crate) fn is_over(&self) -> bool {
        self.end.is_cancelled()
    }

    /// Grants no permits for some time, because the service asked for a pause.
    pub(crate) fn pause_for(&self, time: Duration) {
        let mut permits = self.permits();
        permits.paused_until = permits
            .paused_until
            .max(Instant::now() + time.min(MAX_PAUSE));
        self.paused.store(true, Ordering::Release);
    }

    /// Waits for a permit to make an attempt. Gives up at `latest`, if given, or when the batch is
    /// cancelled.
    pub(crate) fn acquire(&self, latest: Option<Instant>) -> Permit {
        // Without a limit there is nothing to wait for, and the threads need not meet at a lock.
        if latest.is_none() && self.rate.is_none() && !self.paused.load(Ordering::Acquire) {
            return match self.is_over() {
                true => Permit::Cancelled,
                false => Permit::Granted,
            };
        }
        let Some(mut at) = self.reserve(latest) else {
            return Permit::TooLate;
        };
        loop {
            if !self.end.sleep(at.saturating_duration_since(Instant::now())) {
                return Permit::Cancelled;
            }
            at = match self.take(at) {
                Reserved::Granted => return Permit::Granted,
                Reserved::NotBefore(later) => later,
                Reserved::Lapsed => match self.reserve(latest) {
                    Some(another) => another,
                    None => return Permit::TooLate,
                },
            };
        }
    }

    /// Reserves the next free time, unless that is too late.
    fn reserve(&self, latest: Option<Instant>) -> Option<Instant> {
        let mut permits = self.permits();
        let at = permits
            .next_free
            .max(permits.paused_until)
            .max(Instant::now());
        if latest.is_some_and(|latest| latest <= at) {
            return None;
        }
        if let Some(rate) = &self.rate {
            permits.next_free = at + rate.interval;
        }
        Some(at)
    }

    /// Takes a permit at its reserved time.
    fn take(&self, reserved: Instant) -> Reserved {
        let mut permits = self.permits();
        let now = Instant::now();
        if permits.paused_until > now.max(reserved) {
            return Reserved::Lapsed;
        }
        let Some(rate) = &self.rate else {
            return Reserved::Granted;
        };
        while permits
            .granted
            .front()
            .is_some_and(|granted| now.duration_since(*granted) > SECOND)
        {
            permits.granted.pop_front();
        }
        // A permit that was granted late delays those of the next second.
        let before = permits
            .granted
            .len()
            .checked_sub(rate.per_second)
            .and_then(|index| permits.granted.get(index))
            .copied();
        match before {
            Some(before) => Reserved::NotBefore(before + SECOND + Duration::from_micros(1)),
            None => {
                permits.granted.push_back(now);
                Reserved::Granted
            }
        }
    }

    fn permits(&self) -> MutexGuard<'_, Permits> {
        self.permits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Reserved {
    Granted,
    NotBefore(Instant),
    /// A pause began in the meantime: reserve again.
    Lapsed,
}

#[cfg(test)]
mod tests {
    use super::{Batch, Permit};
    use crate::connection::CancelScope;
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::{Duration, Instant};

    fn batch(rate: Option<f64>) -> Batch {
        Batch::new(&Arc::new(CancelScope::new()), rate)
    }

    #[test]
    fn no_second_has_more_permits_than_the_rate() {
        let batch = batch(Some(200.0));
        let granted = Mutex::new(Vec::new());
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    while start.elapsed() < Duration::from_millis(2500) {
                        assert_eq!(batch.acquire(None), Permit::Granted);
                        granted
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(Instant::now());
                    }
                });
            }
        });
        let mut granted = granted.into_inner().unwrap_or_default();
        granted.sort_unstable();
        let crowded = granted
            .windows(201)
            .filter(|permits| permits[200] - permits[0] < Duration::from_millis(995))
            .count();
        assert_eq!(crowded, 0, "a second has more than 200");
        assert!(
            granted.len() > 400,
            "{} permits in 2.5 seconds",
            granted.len()
        );
    }

    #[test]
    fn a_pause_holds_back_every_caller_and_they_resume_one_by_one() {
        let batch = batch(Some(50.0));
        let start = Instant::now();
        std::thread::scope(|scope| {
            let waiting: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (batch.acquire(None), start.elapsed())))
                .collect();
            batch.pause_for(Duration::from_millis(300));
            let mut came: Vec<Duration> = waiting
                .into_iter()
                .filter_map(|thread| Some(thread.join().ok()?.1))
                .collect();
            came.sort_unstable();
            // Permits granted before the pause do not count.
            let late: Vec<Duration> = came
                .into_iter()
                .filter(|came| *came >= Duration::from_millis(290))
                .collect();
            assert!(late.len() >= 2, "{late:?}");
            assert!(
                late.windows(2)
                    .all(|pair| pair[1] - pair[0] > Duration::from_millis(5)),
                "{late:?}"
            );
        });
    }

    #[test]
    fn a_pause_also_holds_back_where_there_is_no_limit() {
        let batch = batch(None);
        assert_eq!(batch.acquire(None), Permit::Granted);
        let start = Instant::now();
        batch.pause_for(Duration::from_millis(50));
        assert_eq!(batch.acquire(None), Permit::Granted);
        assert!(start.elapsed() >= Duration::from_millis(50));
        batch.end.cancel();
        assert_eq!(batch.acquire(None), Permit::Cancelled);
    }

    #[test]
    fn a_permit_that_would_come_too_late_is_not_taken_and_a_cancel_ends_every_wait() {
        let batch = batch(Some(0.001));
        assert_eq!(batch.acquire(None), Permit::Granted);
        assert_eq!(
            batch.acquire(Some(Instant::now() + Duration::from_secs(5))),
            Permit::TooLate
        );
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| batch.acquire(None));
            batch.end.cancel();
            assert!(matches!(waiting.join(), Ok(Permit::Cancelled)));
        });
    }

    /// Of a thread that waits, how long it was at work, where the system tells.
    fn time_at_work() -> Option<Duration> {
        let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let nanoseconds = statistics.split(' ').next()?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    }

    #[test]
    fn a_full_second_is_waited_for_asleep() {
        let batch = batch(Some(3.0));
        let now = Instant::now();
        // As after three permits that were taken late.
        batch.permits().granted.extend([now; 3]);
        let Some(before) = time_at_work() else {
            return;
        };
        assert_eq!(batch.acquire(None), Permit::Granted);
        assert!(
            now.elapsed() >= Duration::from_secs(1),
            "{:?}",
            now.elapsed()
        );
        let worked = time_at_work().unwrap_or_default() - before;
        assert!(worked < Duration::from_millis(30), "{worked:?}");
    }
}
