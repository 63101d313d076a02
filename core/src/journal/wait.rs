//! How a call waits for a journal: while another thread or process uses it, and for a database's
//! answer.

use std::time::{Duration, Instant};

use super::JournalError;
use crate::connection::{CancelScope, Ended};

/// What a call waits after a cancel to begin an order, or to write what earlier calls could not.
pub(crate) const NO_GRACE: Duration = Duration::ZERO;
/// What any other work waits after a cancel: the call ends within 100 ms.
pub(crate) const GRACE: Duration = Duration::from_millis(50);

/// Until when a call waits, and after a cancel for how long.
pub(crate) struct JournalWait<'a> {
    pub(super) scope: &'a CancelScope,
    pub(super) until: Instant,
    grace: Duration,
    cancelled_at: Option<Instant>,
    /// How long each of several steps may take.
    step: Option<Duration>,
}

impl<'a> JournalWait<'a> {
    pub(crate) fn new(scope: &'a CancelScope, until: Instant, grace: Duration) -> JournalWait<'a> {
        JournalWait {
            scope,
            until,
            grace,
            cancelled_at: None,
            step: None,
        }
    }

    /// A wait that goes on as long as no step of the work takes this long.
    pub(crate) fn in_steps(
        scope: &'a CancelScope,
        step: Duration,
        grace: Duration,
    ) -> JournalWait<'a> {
        JournalWait {
            step: Some(step),
            ..JournalWait::new(scope, Instant::now() + step, grace)
        }
    }

    /// A step has ended.
    pub(super) fn renew(&mut self) {
        if let Some(step) = self.step {
            self.until = Instant::now() + step;
        }
    }

    /// For what has to be written although the call was cancelled.
    pub(super) fn with_grace(&self) -> JournalWait<'a> {
        JournalWait {
            cancelled_at: self.cancelled_at,
            ..JournalWait::new(self.scope, self.until, GRACE)
        }
    }

    /// Waits before another try. False if no time is left, an error if the call was cancelled.
    pub(super) fn pause(&mut self, pause: Duration) -> Result<bool, JournalError> {
        if self.scope.sleep(pause) {
            return Ok(Instant::now() < self.until);
        }
        self.check_grace()?;
        std::thread::sleep(pause);
        Ok(true)
    }

    /// Waits until `step` returns something; `None` if no time is left. See [`CancelScope::wait`].
    pub(super) fn wait<T>(
        &mut self,
        until: Instant,
        mut step: impl FnMut(Duration) -> Option<T>,
    ) -> Result<Option<T>, JournalError> {
        let until = until.min(self.until);
        let waited = self.scope.wait(until, |time| Ok(step(time.min(SLICE))));
        match waited {
            Ok(value) => return Ok(Some(value)),
            Err(Ended::TimedOut) => return Ok(None),
            Err(Ended::Cancelled | Ended::Forked) => {}
        }
        loop {
            self.check_grace()?;
            if let Some(value) = step(GRACE_SLICE) {
                return Ok(Some(value));
            }
        }
    }

    /// For work of many steps, before each: runs the host's idle function. An error once the grace
    /// after a cancel is over.
    pub(crate) fn go_on(&mut self) -> Result<(), JournalError> {
        match self.scope.run_idle() {
            true => self.check_grace(),
            false => Ok(()),
        }
    }

    /// An error once the grace after a cancel is over.
    fn check_grace(&mut self) -> Result<(), JournalError> {
        let cancelled_for = self.cancelled_at.get_or_insert_with(Instant::now).elapsed();
        if cancelled_for < self.grace && self.scope.belongs_to_this_process() {
            return Ok(());
        }
        Err(JournalError::CallEnded)
    }
}

/// How long a wait for a database does not look whether the call was cancelled.
const SLICE: Duration = Duration::from_millis(20);
const GRACE_SLICE: Duration = Duration::from_millis(5);
