//! How a call waits for a journal that another thread or process uses.

use std::time::{Duration, Instant};

use crate::connection::CancelScope;
use crate::error::{Cause, Code, Error};

/// What a call that only reads or closes entries waits after a cancel.
pub(crate) const NO_GRACE: Duration = Duration::ZERO;
/// What a call waits after a cancel to record what it learned: it ends within 100 ms.
pub(crate) const GRACE: Duration = Duration::from_millis(50);

/// Waits until a time, and after a cancel for the grace.
pub(crate) fn lock_wait(
    scope: &CancelScope,
    until: Instant,
    grace: Duration,
) -> impl FnMut(Duration) -> Result<bool, Error> {
    let mut cancelled_at = None;
    move |pause| {
        if scope.sleep(pause) {
            return Ok(Instant::now() < until);
        }
        let cancelled_for = cancelled_at.get_or_insert_with(Instant::now).elapsed();
        if cancelled_for < grace && scope.belongs_to_this_process() {
            std::thread::sleep(pause);
            return Ok(true);
        }
        Err(Error::new(
            Code::Cancelled,
            Cause::Cancelled,
            "the call was cancelled",
        ))
    }
}
