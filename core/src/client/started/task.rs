//! The work of a started call. Each piece of it holds a thread, and nothing does in between.

use std::time::Instant;

use crate::client::Client;
use crate::client::call::{Call, CallState};
use crate::client::errors::{freed, stopped};
use crate::client::started::queue::{Job, Lane, Progress, QueueEnd};
use crate::client::wait::{PaymentWait, Waited};
use crate::error::{Error, Operation};
use crate::platform::HostFunction;

/// Gives a result to the program. It may leave a function of the program to run: see
/// [`HostFunction`].
pub type Deliver<T> = Box<dyn FnOnce(Result<T, Error>) -> Option<HostFunction> + Send>;

/// The first piece of a call's work.
pub(super) type Begin<T> = Box<dyn FnOnce(&mut Call<'_>) -> Result<Begun<T>, Error> + Send>;

/// What has begun is done, or waits for a payment. The function makes the result of a wait.
pub(super) enum Begun<T> {
    Done(T),
    Waits(Box<PaymentWait>, fn(Waited) -> T),
}

/// The next piece.
pub(super) enum Next<T> {
    Begin(Begin<T>),
    Wait(Box<PaymentWait>, fn(Waited) -> T),
}

/// A started call with any result.
pub(super) struct Task<T> {
    pub(super) client: Client,
    pub(super) state: CallState,
    pub(super) deadline: Option<Instant>,
    pub(super) ends_with_client: bool,
    pub(super) next: Next<T>,
    pub(super) deliver: Deliver<T>,
}

impl<T: Send + 'static> Job for Task<T> {
    fn lane(&self) -> Lane {
        match self.state.operation {
            Operation::CreateOrder | Operation::GetStatus => Lane::Call,
            Operation::WaitForPayment => Lane::Question,
            _ => Lane::Long,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn is_cancelled(&self) -> bool {
        self.state.registration.scope().is_cancelled()
    }

    fn has_begun(&self) -> bool {
        matches!(self.next, Next::Wait(..))
    }

    fn ends_with_client(&self) -> bool {
        self.ends_with_client
    }

    fn go_on(self: Box<Self>) -> Progress {
        let task = *self;
        let mut call = Call::resume(&task.client, task.state);
        let mut asleep = None;
        let result = call.protected(|call| {
            let (mut wait, result_of) = match task.next {
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
                let state = call.suspend();
                let task = Task {
                    state,
                    next,
                    client: task.client,
                    deliver: task.deliver,
                    ..task
                };
                return Progress::Sleeps(until, Box::new(task));
            }
            (Ok(None), _) => Err(call.errors().bug("a wait has no end")),
            (Ok(Some(value)), _) => Ok(value),
            (Err(error), _) => Err(error),
        };
        ended(call, result, task.deliver)
    }

    fn end(self: Box<Self>, why: QueueEnd) -> Progress {
        // Its time is over, and it knows what that means.
        if self.has_begun() && why == QueueEnd::TimedOut {
            return self.go_on();
        }
        let task = *self;
        let call = Call::resume(&task.client, task.state);
        let error = match why {
            QueueEnd::TimedOut => call.errors().queue_timed_out(call.settings()),
            QueueEnd::ClientFreed if !call.attempt.sent.any() => freed(),
            _ if call.is_refused() && !call.attempt.sent.any() => stopped(),
            _ => call.errors().cancelled(),
        };
        let error = match &task.next {
            Next::Begin(_) => error,
            Next::Wait(wait, _) => wait.with_last_status(error),
        };
        ended(call, Err(error), task.deliver)
    }
}

/// The program may free its client, and with it the journal, when it has the result: so nothing here
/// has the client any more when the result is given.
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
