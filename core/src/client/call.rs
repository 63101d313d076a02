//! One call: its attempts, its deadline, its one result.

mod errors;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use ureq_proto::http::Uri;

use crate::client::batch::{Batch, Permit};
use crate::client::log::{Log, LogEvent, Step, StepEnd};
use crate::client::retry::{RetryPolicy, backoff, read_retry_after};
use crate::client::state::{CallRegistration, ClientCredentials, Shared};
use crate::connection::{
    AttemptState, CallContext, CancelScope, CancellationToken, Failure, HttpRequest, HttpResponse,
    begin_idle,
};
use crate::credentials::{CallCredentials, Credentials};
use crate::error::{Cause, Code, Error, Operation, Outcome};
use crate::gateway::response::{Response, ResponseFailure};
use crate::gateway::status::COMPLETED;
use crate::gateway::wire::NeededCredentials;
use crate::journal::AttemptEnd;
use crate::platform::fork;
use crate::query::StatusQuery;
use crate::settings::validation::Settings;
use crate::text::received::Received;

/// A call, from its start to its one result.
pub(crate) struct Call<'c> {
    shared: &'c Shared,
    operation: Operation,
    started: Instant,
    /// The process that the call started in.
    generation: u64,
    log: Option<Arc<Log>>,
    subject: Option<StatusQuery<'static>>,
    attempts: u32,
    /// Of the last response, if there was one.
    http_status: Option<u16>,
    /// What the current attempt learned, or the last one.
    pub(crate) current: AttemptState,
    /// The batch that this call belongs to, if any.
    batch: Option<Arc<Batch>>,
    /// The call that this one is part of, if any.
    whole: Option<Arc<CancelScope>>,
    /// How each attempt ended, if that is recorded.
    pub(crate) attempt_ends: Option<Vec<AttemptEnd>>,
}

pub(crate) struct Request<'a> {
    pub(crate) uri: &'a Uri,
    pub(crate) needs: NeededCredentials,
    pub(crate) body: &'a str,
    /// The call's own credentials.
    pub(crate) own: &'a Credentials,
    /// All credentials that the call began with, to redact them in the service's texts.
    pub(crate) credentials: &'a CallCredentials<'a>,
    /// For the whole call; in a wait, for each attempt.
    pub(crate) timeout: Duration,
    pub(crate) cancellation: Option<&'a CancellationToken>,
}

/// A request that is ready to be sent, and the handle by which another thread can cancel the call.
pub(crate) struct PreparedRequest<'a> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) scope: Arc<CancelScope>,
    cancellable: CallRegistration,
}

/// A call that sends no request itself, and can be cancelled.
pub(crate) struct RegisteredCall {
    pub(crate) scope: Arc<CancelScope>,
    cancellable: CallRegistration,
}

impl<'c> Call<'c> {
    pub(crate) fn new(
        shared: &'c Shared,
        operation: Operation,
        whole: Option<Arc<CancelScope>>,
    ) -> Call<'c> {
        Call {
            shared,
            operation,
            started: Instant::now(),
            generation: fork::generation(),
            log: shared.log(),
            subject: None,
            attempts: 0,
            http_status: None,
            current: AttemptState::new(shared.settings.config.connect_timeout),
            batch: None,
            whole,
            attempt_ends: None,
        }
    }

    pub(crate) fn in_batch(
        shared: &'c Shared,
        operation: Operation,
        batch: Arc<Batch>,
        log: Option<Arc<Log>>,
    ) -> Call<'c> {
        let whole = Arc::clone(&batch.whole);
        Call {
            log,
            batch: Some(batch),
            ..Call::new(shared, operation, Some(whole))
        }
    }

    pub(crate) fn settings(&self) -> &'c Settings {
        &self.shared.settings
    }

    pub(crate) fn operation(&self) -> Operation {
        self.operation
    }

    /// Sets the order or transaction that the call is about. Only the first one counts.
    pub(crate) fn set_subject(&mut self, subject: impl FnOnce() -> StatusQuery<'static>) {
        self.subject.get_or_insert_with(subject);
    }

    /// Runs the call's work and completes its result. A panic becomes an error whose outcome
    /// depends on whether a byte was sent.
    pub(crate) fn run<T>(
        mut self,
        work: impl FnOnce(&mut Call<'c>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let _idle = begin_idle();
        let checked_work = |call: &mut Call<'c>| match call.is_refused() {
            true => Err(stopped()),
            false => work(call),
        };
        let result = catch_unwind(AssertUnwindSafe(|| checked_work(&mut self)))
            .unwrap_or_else(|_| Err(self.internal_error("it met a state that it did not expect")));
        let result = self.complete(result);
        self.log_step(Step::CallFinished, Some(result.as_ref().map(|_| None)));
        // The log callback may have forked the process.
        self.complete(result)
    }

    /// Adds the call's details to an error. In a forked child every result becomes an error, since
    /// the parent may still be sending the order.
    fn complete<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        let result = match self.generation == fork::generation() {
            true => result,
            false => Err(self.attempt_error(Failure::Forked, Duration::ZERO)),
        };
        result.map_err(|error| {
            let mut error = self.with_call_details(error);
            match (self.operation, error.outcome(), &self.subject) {
                (Operation::CreateOrder, Outcome::Unknown, Some(query))
                | (Operation::WaitForPayment, _, Some(query)) => error.set_status_query(query),
                _ => {}
            }
            error
        })
    }

    /// Whether the client was stopped. What only reads the journal still works.
    fn is_refused(&self) -> bool {
        self.shared.is_stopped() && self.operation != Operation::JournalList
    }

    pub(crate) fn client_credentials(&self) -> ClientCredentials<'c> {
        self.shared.credentials()
    }

    /// Makes a call cancellable that sends no request itself.
    pub(crate) fn register(&self, token: Option<&CancellationToken>) -> RegisteredCall {
        let registered = self.registered(token, self.whole.as_ref());
        // The client may have been stopped before the call was registered.
        if self.is_refused() {
            registered.scope.cancel();
        }
        registered
    }

    /// Makes a part of the call cancellable on its own. Cancelling the call cancels it too.
    pub(crate) fn register_part(&self, whole: &Arc<CancelScope>) -> RegisteredCall {
        self.registered(None, Some(whole))
    }

    fn registered(
        &self,
        token: Option<&CancellationToken>,
        whole: Option<&Arc<CancelScope>>,
    ) -> RegisteredCall {
        let scope = Arc::new(CancelScope::new());
        RegisteredCall {
            cancellable: self.shared.cancellable(&scope, token, whole),
            scope,
        }
    }

    pub(crate) fn register_unless_cancelled(
        &self,
        token: Option<&CancellationToken>,
    ) -> Result<RegisteredCall, Error> {
        let registered = self.register(token);
        match registered.scope.is_cancelled() {
            true => Err(self.cancelled()),
            false => Ok(registered),
        }
    }

    /// Prepares the request. From here on the call can be cancelled.
    ///
    /// # Errors
    /// Also if the call is cancelled already.
    pub(crate) fn prepare<'a>(
        &self,
        request: &'a Request<'a>,
    ) -> Result<PreparedRequest<'a>, Error> {
        request.needs.headers(request.credentials)?;
        let RegisteredCall { scope, cancellable } =
            self.registered(request.cancellation, self.whole.as_ref());
        if self.is_refused() {
            return Err(stopped());
        }
        if scope.is_cancelled() || self.batch.as_ref().is_some_and(|batch| batch.is_over()) {
            return Err(self.cancelled());
        }
        Ok(PreparedRequest {
            request,
            scope,
            cancellable,
        })
    }

    /// Sends the request, again if `retries` allows it, and returns one result for all attempts.
    /// `shown` is the payment's status, for the log.
    pub(crate) fn send_with_retries<T>(
        &mut self,
        prepared: &PreparedRequest<'_>,
        retries: &RetryPolicy,
        read: impl Fn(&Response<'_>, &CallCredentials<'_>) -> Result<T, ResponseFailure>,
        shown: fn(&T) -> Option<&str>,
    ) -> Result<T, Error> {
        let deadline = self.deadline(prepared);
        // After an attempt that sent something, the error of a later one that sent nothing must not
        // hide it: "not sent" would be wrong for the call.
        let mut earlier_error: Option<Error> = None;
        loop {
            let error = match self.attempt(prepared, deadline, &read, shown) {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            let code = error.code();
            let wait = error
                .retry_after()
                .unwrap_or_else(|| backoff(self.attempts));
            let reported = match earlier_error.take() {
                Some(earlier) if !self.current.sent.any_in_attempt() => earlier,
                _ => error,
            };
            let again = self.attempts <= retries.most
                && (retries.after)(code)
                && wait < deadline.saturating_duration_since(Instant::now());
            if !again {
                return Err(reported);
            }
            let permit = match &self.batch {
                // Whatever cancels this call also ends the batch.
                Some(batch) if batch.end.sleep(wait) => batch.acquire(Some(deadline)),
                None if prepared.scope.sleep(wait) => Permit::Granted,
                _ => Permit::Cancelled,
            };
            match permit {
                Permit::Granted => earlier_error = self.current.sent.any().then_some(reported),
                Permit::Cancelled if prepared.scope.is_cancelled() => {
                    return Err(self.cancelled());
                }
                Permit::TooLate | Permit::Cancelled => return Err(reported),
            }
        }
    }

    /// Makes one attempt, which ends at the deadline at the latest.
    pub(crate) fn attempt<T>(
        &mut self,
        prepared: &PreparedRequest<'_>,
        deadline: Instant,
        read: impl Fn(&Response<'_>, &CallCredentials<'_>) -> Result<T, ResponseFailure>,
        shown: fn(&T) -> Option<&str>,
    ) -> Result<T, Error> {
        self.attempts += 1;
        self.log_step(Step::AttemptStarted, None);
        let PreparedRequest { request, scope, .. } = prepared;
        // A callback may have forked the process. If the child continued its parent's call, the
        // request could be sent twice.
        if self.is_forked(prepared) {
            return Err(self.attempt_error(Failure::Forked, request.timeout));
        }
        self.current.begin(deadline);
        let began = self.attempt_ends.as_ref().map(|_| Instant::now());
        // Each attempt uses the credentials that the client has now.
        let current = self.shared.credentials();
        let credentials = current.with(request.own);
        let (headers, count) = request.needs.headers(&credentials)?;
        let post = HttpRequest {
            uri: request.uri,
            credentials: headers.get(..count).unwrap_or_default(),
            body: request.body,
        };
        let context = CallContext {
            scope,
            attempt: &self.current,
        };
        let result = match prepared
            .cancellable
            .state()
            .connections
            .post(&post, context)
        {
            Ok(reply) => {
                self.http_status = Some(reply.status);
                self.read(&reply, &credentials, read)
            }
            Err(failure) => Err(self.attempt_error(failure, request.timeout)),
        };
        let result = result.map_err(|mut error| {
            if (self.operation, self.current.status.get()) == (Operation::CreateOrder, Some(409)) {
                error.set_may_be_anothers();
            }
            error
        });
        if let Some(began) = began {
            self.keep_attempt_end(began, result.as_ref().err());
        }
        match &result {
            Ok(response) => self.log_response(shown(response), &credentials),
            Err(error) => {
                if let (Some(batch), Code::RateLimited, Some(time)) =
                    (&self.batch, error.code(), error.retry_after())
                {
                    batch.pause_for(time);
                }
                self.log_step(Step::AttemptFailed, Some(Err(error)));
            }
        }
        result
    }

    pub(crate) fn deadline(&self, prepared: &PreparedRequest<'_>) -> Instant {
        self.started + prepared.request.timeout
    }

    /// Whether this process was forked during the call. The call then belongs to the parent.
    pub(crate) fn is_forked(&self, prepared: &PreparedRequest<'_>) -> bool {
        !prepared.scope.belongs_to_this_process()
    }

    /// Notes the outcome of one call of a batch.
    pub(crate) fn record_outcome(&mut self, outcome: Outcome) {
        if outcome != Outcome::NotSent {
            self.current.sent.set_sent_earlier();
        }
    }

    pub(crate) fn is_in_batch(&self) -> bool {
        self.batch.is_some()
    }

    pub(crate) fn attempts(&self) -> u32 {
        self.attempts
    }

    pub(crate) fn http_status(&self) -> Option<u16> {
        self.http_status
    }

    fn read<T>(
        &self,
        reply: &HttpResponse,
        credentials: &CallCredentials<'_>,
        read: impl Fn(&Response<'_>, &CallCredentials<'_>) -> Result<T, ResponseFailure>,
    ) -> Result<T, Error> {
        let retry_after = reply
            .retry_after
            .as_deref()
            .and_then(|text| read_retry_after(text, SystemTime::now()));
        let response = Response {
            status: reply.status,
            retry_after,
            body: reply.body.as_deref().map(Received::read),
            end: reply.end,
            is_followed: reply.is_followed,
        };
        read(&response, credentials).map_err(|failure| {
            failure.into_error(self.operation, self.host(), &response, credentials)
        })
    }

    pub(crate) fn host(&self) -> &'c str {
        &self.shared.settings.route.host
    }

    fn log_response(&self, status: Option<&str>, credentials: &CallCredentials<'_>) {
        if self.log.is_none() {
            return;
        }
        // A log never shows a credential, even if the service sent it as a status.
        let status = status.map(|status| match status {
            COMPLETED => status.to_owned(),
            other => credentials.redact(other),
        });
        self.log_step(Step::AttemptFinished, Some(Ok(status.as_deref())));
    }

    pub(crate) fn log_step(&self, step: Step, end: StepEnd<'_>) {
        let Some(log) = &self.log else { return };
        let error = end.and_then(Result::err);
        let event = LogEvent {
            step,
            operation: self.operation,
            subject: self.subject.as_ref(),
            attempt: self.attempts,
            result: end.map(|_| error.map_or(Code::Ok, Error::code)),
            cause: error.map(Error::cause),
            http_status: match end {
                Some(Ok(_)) => self.http_status,
                _ => error.and_then(Error::http_status),
            },
            transaction_status: end.and_then(Result::ok).flatten(),
            warning: self.has_no_journal(step).then_some(NO_JOURNAL),
            elapsed: self.started.elapsed(),
            host: self.host(),
        };
        self.emit(log, &event);
    }

    /// Whether this step begins an order that no journal keeps.
    fn has_no_journal(&self, step: Step) -> bool {
        let is_first = step == Step::AttemptStarted && self.attempts == 1;
        let is_order = self.operation == Operation::CreateOrder;
        is_first && is_order && self.shared.settings.journal.is_none()
    }

    /// Calls the log. A panic in it does not affect the call.
    pub(crate) fn emit(&self, log: &Log, event: &LogEvent<'_>) {
        let _ = catch_unwind(AssertUnwindSafe(|| log(event)));
    }

    pub(crate) fn log(&self) -> Option<Arc<Log>> {
        self.log.clone()
    }
}

const NO_JOURNAL: &str = "this client has no journal: after a crash, nobody can tell which orders \
                          were sent";

pub(crate) fn stopped() -> Error {
    Error::new(
        Code::Cancelled,
        Cause::ClientStopped,
        "the client was stopped; nothing was sent",
    )
}
