//! The work of a started call. Each piece of it holds a thread, and nothing does in between.

use std::time::Instant;

use crate::client::call::{Call, CallState};
use crate::client::errors::{freed, stopped};
use crate::client::wait::{PaymentWait, Waited};
use crate::error::{Error, Operation};
use crate::platform::HostFunction;

/// Gives a result to the program. It may leave a function of the program to run: see
/// [`HostFunction`].
pub type Deliver<T> = Box<dyn FnOnce(Result<T, Error>) -> Option<HostFunction> + Send>;

/// What has begun is done, or waits for a payment. The function makes the result of a wait.
pub(super) enum Begun<T> {
    Done(T),
    Waits(Box<PaymentWait>, fn(Waited) -> T),
}

/// The first piece of a call's work.
pub(super) type Begin<T> = Box<dyn FnOnce(&mut Call<'_>) -> Result<Begun<T>, Error> + Send>;

/// Why a call ends before a thread could go on with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueueEnd {
    TimedOut,
    Cancelled,
    ClientFreed,
}

pub(super) enum Progress {
    Sleeps(Instant, CallState, Box<dyn Work>),
    /// Gives the result to the program, once nothing of the call is left.
    Ended(Box<dyn FnOnce() -> Option<HostFunction>>),
}

/// The work of a call with any result.
pub(super) trait Work: Send {
    /// Whether a thread has worked on it.
    fn has_begun(&self) -> bool;

    /// Does the next piece.
    fn go_on(self: Box<Self>, call: Call<'_>) -> Progress;

    /// Ends the call without a further piece.
    fn end(self: Box<Self>, call: Call<'_>, why: QueueEnd) -> Progress;
}

pub(super) struct Task<T> {
    pub(super) next: Next<T>,
    pub(super) deliver: Deliver<T>,
}

pub(super) enum Next<T> {
    Begin(Begin<T>),
    Wait(Box<PaymentWait>, fn(Waited) -> T),
}

impl<T: Send + 'static> Work for Task<T> {
    fn has_begun(&self) -> bool {
        matches!(self.next, Next::Wait(..))
    }

    fn go_on(self: Box<Self>, mut call: Call<'_>) -> Progress {
        let Task { next, deliver } = *self;
        let mut asleep = None;
        let result = call.protected(|call| {
            let (mut wait, result_of) = match next {
                Next::Wait(wait, result_of) => (wait, result_of),
                Next::Begin(begin) => match begin(call)? {
                    Begun::Done(value) => return Ok(Some(value)),
                    Begun::Waits(wait, result_of) => (wait, result_of),
                },
            };
            match wait.go_on(call)? {
                None => Ok(Some(result_of(wait.into_result()))),
                Some(time) => {
                    asleep = Some((Instant::now() + time, Next::Wait(wait, result_of)));
                    Ok(None)
                }
            }
        });
        let result = match (result, asleep) {
            (Ok(None), Some((until, next))) if !call.is_forked() => {
                return Progress::Sleeps(until, call.suspend(), Box::new(Task { next, deliver }));
            }
            (Ok(None), _) => Err(call.errors().bug("a wait has no end")),
            (Ok(Some(value)), _) => Ok(value),
            (Err(error), _) => Err(error),
        };
        ended(call, result, deliver)
    }

    fn end(self: Box<Self>, call: Call<'_>, why: QueueEnd) -> Progress {
        // Its time is over, and it knows what that means.
        if self.has_begun() && why == QueueEnd::TimedOut {
            return self.go_on(call);
        }
        let error = match why {
            QueueEnd::TimedOut => call.errors().queue_timed_out(call.settings()),
            QueueEnd::ClientFreed if !call.attempt.sent.any() => freed(),
            _ if call.is_refused() && !call.attempt.sent.any() => stopped(),
            _ => call.errors().cancelled(),
        };
        let error = match &self.next {
            Next::Begin(_) => error,
            Next::Wait(wait, _) => wait.with_last_status(error),
        };
        ended(call, Err(error), self.deliver)
    }
}

fn ended<T: Send + 'static>(
    call: Call<'_>,
    result: Result<T, Error>,
    deliver: Deliver<T>,
) -> Progress {
    let result = call.finish(result);
    // In a forked child, the call goes on in the parent.
    let is_parents = call.is_forked();
    Progress::Ended(Box::new(move || match is_parents {
        true => {
            // What it has belongs to the parent, and may stay locked forever.
            std::mem::forget(deliver);
            None
        }
        false => deliver(result),
    }))
}

/// Which calls are done first, and how many at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// Orders and statuses.
    Call,
    /// The queries of waits: behind the calls.
    Question,
    /// What asks many times: beside the others, so that it delays no order.
    Long,
}

impl Lane {
    pub(super) fn of(operation: Operation) -> Lane {
        match operation {
            Operation::CreateOrder | Operation::GetStatus => Lane::Call,
            Operation::WaitForPayment => Lane::Question,
            _ => Lane::Long,
        }
    }
}
