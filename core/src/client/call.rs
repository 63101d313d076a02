//! One call: what it is, about which order, who can end it, and its one result.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use crate::client::Client;
use crate::client::batch::Batch;
use crate::client::errors::{ErrorContext, stopped};
use crate::client::log::{Log, LogEvent, Step, StepResult};
use crate::client::state::CallRegistration;
use crate::connection::{AttemptState, CancelScope, CancellationToken, begin_idle};
use crate::error::{Cause, Code, Error, Operation, Outcome};
use crate::journal::JournalError;
use crate::query::StatusQuery;
use crate::settings::options::{CallOptions, check_tag};
use crate::settings::validation::Settings;

/// A call, from its start to its one result.
pub struct Call<'c> {
    pub(crate) client: &'c Client,
    pub(super) state: CallState,
}

/// What is known of a call. A started call keeps it while no thread makes the call.
pub struct CallState {
    pub(crate) operation: Operation,
    pub(crate) started: Instant,
    pub(crate) log: Option<Arc<Log>>,
    /// The order or transaction that the call is about.
    pub(super) subject: Option<StatusQuery<'static>>,
    /// Of its options, for its log events.
    pub(crate) tag: Option<String>,
    /// Who can cancel the call.
    pub(crate) registration: CallRegistration,
    /// How many attempts it has made.
    pub(crate) attempts: u32,
    /// Of the last response, if there was one.
    pub(crate) http_status: Option<u16>,
    /// What the last response calls the request, without credentials.
    pub(crate) request_id: Option<String>,
    /// What the current attempt sent and learned, or the last one.
    pub(crate) attempt: AttemptState,
    /// The batch that this call belongs to, if any.
    pub(crate) batch: Option<Arc<Batch>>,
}

impl CallState {
    pub(super) fn new(
        client: &Client,
        operation: Operation,
        log: Option<Arc<Log>>,
        registration: CallRegistration,
        batch: Option<Arc<Batch>>,
    ) -> CallState {
        CallState {
            started: Instant::now(),
            operation,
            log,
            subject: None,
            tag: None,
            registration,
            attempts: 0,
            http_status: None,
            request_id: None,
            attempt: AttemptState::new(client.shared.settings.config.connect_timeout),
            batch,
        }
    }
}

impl Deref for Call<'_> {
    type Target = CallState;

    fn deref(&self) -> &CallState {
        &self.state
    }
}

impl DerefMut for Call<'_> {
    fn deref_mut(&mut self) -> &mut CallState {
        &mut self.state
    }
}

impl<'c> Call<'c> {
    /// Begins a call, or one call of a batch. From here on it can be cancelled.
    pub(crate) fn new(
        client: &'c Client,
        operation: Operation,
        log: Option<Arc<Log>>,
        batch: Option<Arc<Batch>>,
    ) -> Call<'c> {
        let whole = batch.as_ref().map(|batch| &batch.calls);
        let registration = client.shared.register(Arc::new(CancelScope::new()), whole);
        Call {
            client,
            state: CallState::new(client, operation, log, registration, batch),
        }
    }

    pub(crate) fn settings(&self) -> &'c Settings {
        &self.client.shared.settings
    }

    pub(crate) fn scope(&self) -> &Arc<CancelScope> {
        self.registration.scope()
    }

    pub(crate) fn errors(&self) -> ErrorContext<'_> {
        ErrorContext {
            operation: self.operation,
            host: &self.settings().route.host,
            sent: &self.attempt.sent,
        }
    }

    /// Sets the order or transaction that the call is about. Only the first one counts.
    pub(crate) fn set_subject(&mut self, subject: impl FnOnce() -> StatusQuery<'static>) {
        self.subject.get_or_insert_with(subject);
    }

    /// Notes the options' tag for log events, unless it is invalid.
    pub(super) fn note_tag(&mut self, options: &CallOptions) {
        self.tag = options.tag.clone().filter(|tag| check_tag(tag).is_ok());
    }

    /// Runs the call's work and completes its result. A panic becomes an error whose outcome
    /// depends on whether a byte was sent. In a forked child every result becomes an error, since
    /// the parent may still be sending the order.
    pub(crate) fn run<T>(
        mut self,
        work: impl FnOnce(&mut Call<'c>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let _idle = begin_idle();
        let result = self.protected(work);
        self.finish(result)
    }

    /// Does a part of the call's work. A panic becomes an error.
    pub(super) fn protected<T>(
        &mut self,
        work: impl FnOnce(&mut Call<'c>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let checked = |call: &mut Call<'c>| match call.is_refused() {
            // A part of it may be done already.
            true if call.attempt.sent.any() => Err(call.errors().cancelled()),
            true => Err(stopped()),
            false => work(call),
        };
        catch_unwind(AssertUnwindSafe(|| checked(self)))
            .unwrap_or_else(|_| Err(self.errors().bug("it met a state that it did not expect")))
    }

    /// Completes the call's one result.
    pub(super) fn finish<T>(&self, mut result: Result<T, Error>) -> Result<T, Error> {
        if self.is_forked() {
            result = Err(self.errors().forked());
        }
        let result = result.map_err(|error| self.with_details(error));
        self.log_step(Step::CallFinished, Some(result.as_ref().map(|_| None)));
        // The log callback may have forked the process.
        match self.is_forked() {
            true => Err(self.with_details(self.errors().forked())),
            false => result,
        }
    }

    /// An error with what is known about its call.
    pub(crate) fn with_details(&self, mut error: Error) -> Error {
        error.details.attempts = Some(self.attempts);
        error.details.elapsed = Some(self.started.elapsed());
        error.set_operation(self.operation, self.subject.as_ref());
        let exists = Some(self.settings().service.order_exists);
        if self.operation.sends_order() && self.attempt.status.get() == exists {
            error.set_may_be_anothers();
        }
        error
    }

    /// Whether the client was stopped. What only reads the journal still works.
    pub(super) fn is_refused(&self) -> bool {
        self.client.shared.is_stopped() && self.operation != Operation::JournalList
    }

    /// Lets a token cancel the call too.
    ///
    /// # Errors
    /// If the client was stopped.
    pub(crate) fn add_token(&mut self, token: Option<&CancellationToken>) -> Result<(), Error> {
        self.registration.add_token(token);
        // Checked after the call was registered, so that none is missed.
        match self.is_refused() {
            true => Err(stopped()),
            false => Ok(()),
        }
    }

    /// The same for a call that has no parts, such as the queries of a batch.
    ///
    /// # Errors
    /// Also if the call is cancelled already.
    pub(crate) fn begin(&mut self, token: Option<&CancellationToken>) -> Result<(), Error> {
        self.add_token(token)?;
        let is_over = self.batch.as_ref().is_some_and(|batch| batch.is_over());
        match is_over || self.scope().is_cancelled() {
            true => Err(self.errors().cancelled()),
            false => Ok(()),
        }
    }

    /// Whether this process was forked during the call. The call then belongs to the parent.
    pub(crate) fn is_forked(&self) -> bool {
        !self.scope().belongs_to_this_process()
    }

    /// Notes the outcome of one call of a batch.
    pub(crate) fn note_outcome(&mut self, outcome: Outcome) {
        if outcome != Outcome::NotSent {
            self.attempt.sent.set_sent_earlier();
        }
    }

    pub(crate) fn log_step(&self, step: Step, result: StepResult<'_>) {
        let Some(log) = &self.log else { return };
        let error = result.and_then(Result::err);
        let begins_unrecorded_order = step == Step::AttemptStarted
            && self.attempts == 1
            && self.operation.sends_order()
            && self.settings().journal.is_none();
        let event = LogEvent {
            step,
            operation: self.operation,
            subject: self.subject.as_ref().map(Cow::Borrowed),
            attempt: self.attempts,
            result: result.map(|_| error.map_or(Code::Ok, Error::code)),
            cause: error.map(Error::cause),
            http_status: match result {
                Some(Ok(_)) => self.http_status,
                _ => error.and_then(Error::http_status),
            },
            transaction_status: result.and_then(Result::ok).flatten().map(Cow::Borrowed),
            warning: begins_unrecorded_order.then_some(NO_JOURNAL),
            elapsed: self.started.elapsed(),
            host: Cow::Borrowed(&self.settings().route.host),
            request_id: match result {
                Some(Ok(_)) => self.request_id.as_deref(),
                _ => error.and_then(Error::request_id),
            }
            .map(Cow::Borrowed),
            tag: self.tag.as_deref().map(Cow::Borrowed),
        };
        self.emit(log, &event);
    }

    /// The journal cannot be used. `advice` says what that means for the call.
    pub(crate) fn journal_error(&self, error: JournalError, advice: &str) -> Error {
        let error = error.into_error(advice);
        error.unwrap_or_else(|| self.errors().cancelled())
    }

    /// The outcome of an order or a status could not be recorded. The call's result stands.
    pub(crate) fn log_journal_failure(&self, error: JournalError) {
        let error = error.into_error("").unwrap_or_else(|| {
            Error::new(
                Code::JournalFailed,
                Cause::JournalLocked,
                "the journal could not be written until the call was cancelled",
            )
        });
        self.log_step(Step::JournalFailed, Some(Err(&error)));
    }

    /// Calls the log. A panic in it does not affect the call.
    pub(crate) fn emit(&self, log: &Log, event: &LogEvent<'_>) {
        let _ = catch_unwind(AssertUnwindSafe(|| log(event)));
    }
}

const NO_JOURNAL: &str = "this client has no journal: after a crash, nobody can tell which orders \
                          were sent";

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use crate::client::Client;
    use crate::error::{Code, Error, Operation, Outcome};
    use crate::settings::config::Config;

    #[test]
    fn a_panic_is_told_by_what_was_sent() {
        let client = Client::new(Config::new("http://127.0.0.1:9")).unwrap();
        for (earlier, now, code) in [
            (Outcome::NotSent, 0, Code::Internal),
            (Outcome::NotSent, 1, Code::InternalInFlight),
            (Outcome::Unknown, 0, Code::InternalInFlight),
        ] {
            let result = client.call(Operation::CreateOrder, |call| -> Result<(), Error> {
                call.note_outcome(earlier);
                call.attempt.begin(Instant::now());
                call.attempt.sent.add(now);
                panic!("a defect")
            });
            let error = result.unwrap_err();
            assert_eq!(error.code(), code, "{earlier:?}, then {now} bytes");
            assert_eq!(
                error.to_string().ends_with("; nothing was sent"),
                error.outcome() == Outcome::NotSent,
                "{error}"
            );
        }
    }
}
