//! What the calls of a batch share: the rate limit, a pause that the service asked for, and one
//! place to cancel them all.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::connection::{CancelScope, Registration};
use crate::limits::LONGEST_CALL;
use crate::lock::lock;

pub(crate) struct Batch {
    /// Cancelled to end its calls.
    pub(crate) calls: Arc<CancelScope>,
    /// Cancelled when no more requests should be sent.
    pub(crate) no_more: Arc<CancelScope>,
    _parts: [Registration<CancelScope>; 2],
    /// Between two permits; nothing without a limit.
    gap: Duration,
    permits: Mutex<Permits>,
}

struct Permits {
    /// The earliest time that no caller has reserved.
    next_free: Instant,
    /// No permits until then, because the service asked for a pause.
    paused_until: Instant,
    /// The earliest time of the next permit, because of the last one.
    earliest: Instant,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Permit {
    Granted,
    /// The next permit is after the caller's deadline.
    TooLate,
    Cancelled,
}

/// Permits are 2 % further apart than the rate requires. A request that leaves a little late then
/// does not put too many into the next second.
const SPACING: f64 = 1.02;
/// A permit that is granted later than it could be does not delay the next ones, up to this time.
/// It is within the 2 % of any second.
const LATENESS: Duration = Duration::from_millis(15);
impl Batch {
    /// A batch with at most `rate_per_second` attempts in any second. It is part of a call.
    pub(crate) fn new(whole: &Arc<CancelScope>, rate_per_second: Option<f64>) -> Batch {
        let now = Instant::now();
        let [calls, no_more] = [(); 2].map(|()| Arc::new(CancelScope::new()));
        // A clock cannot express a longer time.
        let longest = Duration::from_secs(u32::MAX.into());
        let gap = rate_per_second.map_or(Duration::ZERO, |rate| {
            let gap = Duration::try_from_secs_f64(SPACING / rate);
            gap.unwrap_or(longest).min(longest)
        });
        Batch {
            _parts: [
                Registration::part_of(whole, &calls),
                Registration::part_of(&calls, &no_more),
            ],
            calls,
            no_more,
            gap,
            permits: Mutex::new(Permits {
                next_free: now,
                paused_until: now,
                earliest: now,
            }),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.no_more.is_cancelled()
    }

    /// Grants no permits for some time, because the service asked for a pause.
    pub(crate) fn pause_for(&self, time: Duration) {
        let mut permits = lock(&self.permits);
        permits.paused_until = permits
            .paused_until
            .max(Instant::now() + time.min(LONGEST_CALL));
    }

    /// Waits for a permit to make an attempt. Gives up at `latest`, if given, or when the batch is
    /// cancelled.
    pub(crate) fn acquire(&self, latest: Option<Instant>) -> Permit {
        let mut reserved = None;
        while !self.is_over() {
            let mut permits = lock(&self.permits);
            let now = Instant::now();
            let at = match reserved {
                Some(at) if permits.paused_until <= now.max(at) => at,
                // None yet, or a pause began in the meantime.
                _ => {
                    let at = permits.next_free.max(permits.paused_until).max(now);
                    if latest.is_some_and(|latest| latest <= at) {
                        return Permit::TooLate;
                    }
                    permits.next_free = at + self.gap;
                    *reserved.insert(at)
                }
            };
            let at = at.max(permits.earliest);
            if at <= now {
                let late = now.saturating_duration_since(at);
                permits.earliest = now + self.gap - late.min(LATENESS);
                return Permit::Granted;
            }
            drop(permits);
            if !self.no_more.sleep(at - now) {
                break;
            }
        }
        Permit::Cancelled
    }
}
