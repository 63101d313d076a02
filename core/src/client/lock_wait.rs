//! How a call waits for a journal that another thread or process uses.

use std::time::{Duration, Instant};

use crate::client::call::Call;
use crate::connection::CancelScope;
use crate::error::{Cause, Code, Error};

/// How long to wait after a cancel: the call ends within 100 ms.
const CANCELLED_LOCK_WAIT: Duration = Duration::from_millis(50);

impl Call<'_> {
    /// Waits until a time, or until the call is cancelled.
    pub(crate) fn lock_wait(&self, until: Instant) -> impl FnMut(Duration) -> Result<bool, Error> {
        move |pause| match self.scope().sleep(pause) {
            true => Ok(Instant::now() < until),
            false => Err(self.errors().cancelled()),
        }
    }
}

/// Waits for a locked journal to record something: until a time, and for a short moment after a
/// cancel.
pub(crate) fn wait_to_record(
    scope: &CancelScope,
    until: Instant,
) -> impl FnMut(Duration) -> Result<bool, Error> {
    let mut cancelled_at = None;
    move |pause| {
        if scope.sleep(pause) {
            return Ok(Instant::now() < until);
        }
        std::thread::sleep(pause);
        if scope.belongs_to_this_process()
            && cancelled_at.get_or_insert_with(Instant::now).elapsed() < CANCELLED_LOCK_WAIT
        {
            return Ok(true);
        }
        Err(Error::new(
            Code::Cancelled,
            Cause::Cancelled,
            "the call was cancelled",
        ))
    }
}
