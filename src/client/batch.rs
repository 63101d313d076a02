//! What calls that are made together share: the rate, the service's wish to be left alone, and the
//! end of it all.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::connection::Delivery;

/// Calls made together.
pub(crate) struct Round {
    /// Cancelled when nothing more is to be asked.
    pub(crate) end: Arc<Delivery>,
    rate: Option<Rate>,
    turns: Mutex<Turns>,
}

struct Rate {
    interval: Duration,
    /// The most in any second.
    a_second: usize,
}

struct Turns {
    /// The first time that nobody has been promised.
    free: Instant,
    /// The service asked to be left alone until then.
    quiet_until: Instant,
    /// When turns were taken in the last second.
    taken: VecDeque<Instant>,
}

/// What became of waiting for a turn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Mine,
    /// It would come after the time by which it was wanted.
    TooLate,
    Cancelled,
}

const SECOND: Duration = Duration::from_secs(1);
/// Turns are a fiftieth further apart than the rate has them: what is a little late on the wire
/// does not come into the next second with all of that one's own.
const SPACING: f64 = 1.02;
/// A service that asks for more than the longest call is asked again all the same.
const LONGEST_QUIET: Duration = Duration::from_secs(600);

impl Round {
    /// A round with at most so many attempts in any second.
    pub(crate) fn new(end: Arc<Delivery>, rate_per_second: Option<f64>) -> Round {
        let now = Instant::now();
        let rate = rate_per_second.map(|rate| Rate {
            // A turn that no clock can tell does not come.
            interval: Duration::try_from_secs_f64(SPACING / rate)
                .unwrap_or(Duration::MAX)
                .min(Duration::from_secs(u32::MAX.into())),
            a_second: rate.ceil() as usize,
        });
        Round {
            end,
            rate,
            turns: Mutex::new(Turns {
                free: now,
                quiet_until: now,
                taken: VecDeque::new(),
            }),
        }
    }

    /// Whether nothing more is to be asked.
    pub(crate) fn is_over(&self) -> bool {
        self.end.is_cancelled()
    }

    /// Leaves the service alone for a time, as it asked.
    pub(crate) fn slow_down(&self, time: Duration) {
        let mut turns = self.turns();
        turns.quiet_until = turns
            .quiet_until
            .max(Instant::now() + time.min(LONGEST_QUIET));
    }

    /// Waits for the turn to make an attempt, by `latest` where that is given, and until the end.
    pub(crate) fn turn(&self, latest: Option<Instant>) -> Turn {
        let Some(mut at) = self.promise(latest) else {
            return Turn::TooLate;
        };
        loop {
            if !self.end.wait(at.saturating_duration_since(Instant::now())) {
                return Turn::Cancelled;
            }
            at = match self.take(at) {
                Taken::Now => return Turn::Mine,
                Taken::NotBefore(later) => later,
                Taken::Lapsed => match self.promise(latest) {
                    Some(another) => another,
                    None => return Turn::TooLate,
                },
            };
        }
    }

    /// Promises the next turn, unless it is too late.
    fn promise(&self, latest: Option<Instant>) -> Option<Instant> {
        let mut turns = self.turns();
        let at = turns.free.max(turns.quiet_until).max(Instant::now());
        if latest.is_some_and(|latest| latest <= at) {
            return None;
        }
        if let Some(rate) = &self.rate {
            turns.free = at + rate.interval;
        }
        Some(at)
    }

    /// Takes a turn whose time has come.
    fn take(&self, promised: Instant) -> Taken {
        let mut turns = self.turns();
        let now = Instant::now();
        if turns.quiet_until > now.max(promised) {
            return Taken::Lapsed;
        }
        let Some(rate) = &self.rate else {
            return Taken::Now;
        };
        while turns
            .taken
            .front()
            .is_some_and(|taken| now.duration_since(*taken) > SECOND)
        {
            turns.taken.pop_front();
        }
        // Whoever woke late has the turns of the next second wait for it.
        let before = turns
            .taken
            .len()
            .checked_sub(rate.a_second)
            .and_then(|index| turns.taken.get(index))
            .copied();
        match before {
            Some(before) => Taken::NotBefore(before + SECOND + Duration::from_micros(1)),
            None => {
                turns.taken.push_back(now);
                Taken::Now
            }
        }
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Taken {
    Now,
    NotBefore(Instant),
    /// The service asked to be left alone meanwhile: all get in line anew.
    Lapsed,
}

#[cfg(test)]
mod tests {
    use super::{Round, Turn};
    use crate::connection::Delivery;
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::{Duration, Instant};

    fn round(rate: Option<f64>) -> Round {
        Round::new(Arc::new(Delivery::new(Duration::ZERO)), rate)
    }

    #[test]
    fn no_second_has_more_turns_than_the_rate_and_hardly_fewer() {
        let round = round(Some(200.0));
        let taken = Mutex::new(Vec::new());
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    while start.elapsed() < Duration::from_millis(2500) {
                        assert_eq!(round.turn(None), Turn::Mine);
                        taken
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(Instant::now());
                    }
                });
            }
        });
        let mut taken = taken.into_inner().unwrap_or_default();
        taken.sort_unstable();
        let crowded = taken
            .windows(201)
            .filter(|turns| turns[200] - turns[0] < Duration::from_millis(995))
            .count();
        assert_eq!(crowded, 0, "a second has more than 200");
        assert!(taken.len() > 400, "{} turns in 2.5 seconds", taken.len());
    }

    #[test]
    fn a_service_that_wants_to_be_left_alone_is_by_all_and_they_come_back_one_by_one() {
        let round = round(Some(50.0));
        let start = Instant::now();
        std::thread::scope(|scope| {
            let waiting: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (round.turn(None), start.elapsed())))
                .collect();
            round.slow_down(Duration::from_millis(300));
            let mut came: Vec<Duration> = waiting
                .into_iter()
                .filter_map(|thread| Some(thread.join().ok()?.1))
                .collect();
            came.sort_unstable();
            // Those who had theirs before the wish was known are done.
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
    fn a_turn_that_comes_too_late_is_left_to_others_and_the_end_is_for_all() {
        let round = round(Some(0.001));
        assert_eq!(round.turn(None), Turn::Mine);
        assert_eq!(
            round.turn(Some(Instant::now() + Duration::from_secs(5))),
            Turn::TooLate
        );
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| round.turn(None));
            round.end.cancel();
            assert!(matches!(waiting.join(), Ok(Turn::Cancelled)));
        });
    }
}
