//! The work of a started call. Each piece of it holds a thread, and nothing does in between.

use std::time::{Duration, Instant};

use crate::client::Client;
use crate::client::call::{Call, CallState};
use crate::client::errors::{freed, stopped};
use crate::client::started::job::{Job, Lane, Listener, Progress, QueueEnd};
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
    /// It is taken when it begins.
    Begin(Option<Begin<T>>),
    Wait(Box<PaymentWait>, fn(Waited) -> T),
}

/// What came of a piece.
enum Piece<T> {
    Done(T),
    Sleeps(Duration),
}

impl<T> Next<T> {
    fn go_on(&mut self, call: &mut Call<'_>) -> Result<Piece<T>, Error> {
        if let Next::Begin(begin) = self {
            let begin = begin
                .take()
                .ok_or_else(|| call.errors().bug("it began twice"))?;
            match begin(call)? {
                Begun::Done(value) => return Ok(Piece::Done(value)),
                Begun::Waits(wait, result_of) => *self = Next::Wait(wait, result_of),
            }
        }
        let Next::Wait(wait, result_of) = self else {
            return Err(call.errors().bug("it has nothing to do"));
        };
        Ok(match wait.go_on(call)? {
            None => Piece::Done(result_of(wait.result())),
            Some(time) => Piece::Sleeps(time),
        })
    }

    /// An error of a wait has the last status that it saw.
    fn with_last_status(&self, error: Error) -> Error {
        match self {
            Next::Begin(_) => error,
            Next::Wait(wait, _) => wait.with_last_status(error),
        }
    }
}

/// A started call with any result.
pub(super) struct Task<T> {
    pub(super) id: u64,
    pub(super) client: Client,
    pub(super) state: CallState,
    pub(super) deadline: Option<Instant>,
    pub(super) listener: Listener,
    pub(super) next: Next<T>,
    pub(super) deliver: Deliver<T>,
}

impl<T: Send + 'static> Job for Task<T> {
    fn id(&self) -> u64 {
        self.id
    }

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

    /// An order that leaves in the last tenth of its time, or in the last second of a long one, would
    /// probably have no answer in time, and its outcome would be unknown.
    fn is_too_late(&self, now: Instant) -> bool {
        let is_order = self.state.operation == Operation::CreateOrder;
        self.deadline.is_some_and(|deadline| {
            let left = deadline.saturating_duration_since(now);
            let least = (deadline - self.state.started) / 10;
            is_order && left < least.min(Duration::from_secs(1))
        })
    }

    fn is_cancelled(&self) -> bool {
        self.state.registration.scope().is_cancelled()
    }

    fn has_begun(&self) -> bool {
        matches!(self.next, Next::Wait(..))
    }

    fn listener(&self) -> Listener {
        self.listener
    }

    fn go_on(self: Box<Self>) -> Progress {
        let mut task = *self;
        let (client, state) = (&task.client, task.state);
        let mut call = Call { client, state };
        let result = match call.protected(|call| task.next.go_on(call)) {
            Ok(Piece::Sleeps(time)) if !call.is_forked() => {
                let state = call.state;
                let task = Task { state, ..task };
                return Progress::Sleeps(Instant::now() + time, Box::new(task));
            }
            Ok(Piece::Sleeps(_)) => Err(call.errors().forked()),
            Ok(Piece::Done(value)) => Ok(value),
            Err(error) => Err(task.next.with_last_status(error)),
        };
        ended(call, result, task.deliver)
    }

    fn end(self: Box<Self>, why: QueueEnd) -> Progress {
        // Its time is over, and it knows what that means.
        if self.has_begun() && why == QueueEnd::TimedOut {
            return self.go_on();
        }
        let task = *self;
        let (client, state) = (&task.client, task.state);
        let call = Call { client, state };
        let error = match why {
            _ if call.attempt.sent.any() => call.errors().cancelled(),
            QueueEnd::TimedOut => call.errors().queue_timed_out(call.settings()),
            QueueEnd::ClientFreed => freed(),
            QueueEnd::Cancelled if call.is_refused() => stopped(),
            QueueEnd::Cancelled => call.errors().cancelled(),
        };
        ended(call, Err(task.next.with_last_status(error)), task.deliver)
    }
}

/// The program may free its client, and with it the journal, when it has the result: so nothing here
/// has the client any more when the result is given.
fn ended<T: Send + 'static>(
    call: Call<'_>,
    result: Result<T, Error>,
    deliver: Deliver<T>,
) -> Progress {
    let was_cancelled = call.scope().is_cancelled();
    let result = call.finish(result);
    // In a forked child, the call goes on in the parent.
    let is_parents = call.is_forked();
    let deliver = move || match is_parents {
        true => {
            // What it has belongs to the parent, and may stay locked forever.
            std::mem::forget(deliver);
            None
        }
        false => deliver(result),
    };
    Progress::Ended {
        was_cancelled,
        deliver: Box::new(deliver),
    }
}
