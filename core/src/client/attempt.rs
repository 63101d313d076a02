//! The attempts of a call: each sends the request once, and reads the response.

use std::time::{Duration, Instant, SystemTime};

use ureq_proto::http::Uri;

use crate::client::batch::Permit;
use crate::client::call::Call;
use crate::client::journaled::OrderRecord;
use crate::client::log::Step;
use crate::client::retry::{RetryPolicy, read_retry_after};
use crate::client::state::ClientCredentials;
use crate::connection::{CallContext, Completeness, HttpRequest, HttpResponse};
use crate::credentials::CallCredentials;
use crate::error::{Code, Error, Outcome};
use crate::payment::endpoint::{CredentialHeaders, Endpoint};
use crate::payment::failure::ResponseFailure;
use crate::payment::response::Response;
use crate::settings::options::CallOptions;
use crate::text::received::Received;

/// In characters. A request id is visible ASCII.
const LONGEST_REQUEST_ID: usize = 200;

/// A request, and how its response is read.
pub(crate) struct Request<'a, T> {
    pub(crate) uri: &'a Uri,
    pub(crate) endpoint: &'static Endpoint,
    pub(crate) body: &'a str,
    pub(crate) options: &'a CallOptions,
    /// For the whole call; in a wait, for each attempt.
    pub(crate) timeout: Duration,
    pub(crate) read: &'a ReadResponse<'a, T>,
    /// The payment's status in a response, for the log.
    pub(crate) shown: fn(&T, &CallCredentials<'_>) -> Option<String>,
}

/// What a response means.
pub(crate) type ReadResponse<'a, T> =
    dyn Fn(&Response<'_>, &CallCredentials<'_>) -> Result<T, ResponseFailure> + 'a;

impl<T> Request<'_, T> {
    /// The call's own credentials, and those of the client where it has none; and their headers.
    ///
    /// # Errors
    /// [`Code::MissingCredentials`].
    pub(crate) fn authorize<'a>(
        &'a self,
        client: &'a ClientCredentials<'_>,
    ) -> Result<(CallCredentials<'a>, CredentialHeaders<'a>), Error> {
        let credentials = client.with(self.options);
        let headers = self.endpoint.headers(&credentials)?;
        Ok((credentials, headers))
    }
}

impl Call<'_> {
    /// Sends the request, again if `retries` allows it, and returns one result for all attempts.
    /// Each attempt is noted in `record`.
    pub(crate) fn send<T>(
        &mut self,
        request: &Request<'_, T>,
        retries: &RetryPolicy,
        mut record: Option<&mut OrderRecord<'_>>,
    ) -> Result<T, Error> {
        let deadline = self.started + request.timeout;
        // After an attempt that sent something, the error of a later one that sent nothing must not
        // hide it: "not sent" would be wrong for the call.
        let mut earlier_error: Option<Error> = None;
        loop {
            let error = match self.attempt(request, deadline, record.as_deref_mut()) {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            let pause = retries.pause(&error, self.attempts);
            let reported = match earlier_error.take() {
                Some(earlier) if !self.attempt.sent.any_in_attempt() => earlier,
                _ => error,
            };
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(pause) = pause.filter(|pause| *pause < left) else {
                return Err(reported);
            };
            match self.pause(pause, deadline) {
                Permit::Granted => earlier_error = self.attempt.sent.any().then_some(reported),
                Permit::Cancelled if self.scope().is_cancelled() => {
                    return Err(self.errors().cancelled());
                }
                Permit::TooLate | Permit::Cancelled => return Err(reported),
            }
        }
    }

    /// Waits before the next attempt: for some time, and in a batch for a permit.
    fn pause(&self, time: Duration, deadline: Instant) -> Permit {
        match &self.batch {
            // Whatever cancels this call also ends the batch.
            Some(batch) if batch.no_more.sleep(time) => batch.acquire(Some(deadline)),
            None if self.scope().sleep(time) => Permit::Granted,
            _ => Permit::Cancelled,
        }
    }

    /// Makes one attempt, which ends at the deadline at the latest.
    pub(crate) fn attempt<T>(
        &mut self,
        request: &Request<'_, T>,
        deadline: Instant,
        record: Option<&mut OrderRecord<'_>>,
    ) -> Result<T, Error> {
        self.attempts += 1;
        self.log_step(Step::AttemptStarted, None);
        // A callback may have forked the process. If the child continued its parent's call, the
        // request could be sent twice.
        if self.is_forked() {
            return Err(self.errors().forked());
        }
        self.attempt.begin(deadline);
        // Those that the client has now: they may have been replaced since the call began.
        let current = self.client.shared.credentials();
        let (credentials, headers) = request.authorize(&current)?;
        let began = Instant::now();
        let post = HttpRequest {
            uri: request.uri,
            credentials: &headers,
            headers: credentials.headers,
            body: request.body,
        };
        let context = CallContext {
            scope: self.scope(),
            attempt: &self.attempt,
        };
        let connections = &self.registration.state().connections;
        let mut result = match connections.post(&post, context) {
            Ok(response) => {
                self.http_status = Some(response.status);
                let read = self.read(request, &response, &credentials);
                read.map_err(|error| match response.body {
                    // It was too long.
                    None => self.with_part(error, request, &credentials),
                    Some(_) => error,
                })
            }
            Err(failure) => {
                let error = self.errors().of_attempt(failure, request.timeout);
                Err(self.with_part(error, request, &credentials))
            }
        };
        let request_id = self.attempt.request_id.take();
        // Cut after that: half of a credential would not be found.
        self.request_id = request_id.map(|id| {
            let mut id = credentials.redact(&id);
            id.truncate(LONGEST_REQUEST_ID);
            id
        });
        if let Some(id) = &self.request_id {
            result = result.map_err(|error| error.with_request_id(id));
        }
        if let Some(record) = record {
            record.add_attempt(self, began, result.as_ref().err());
        }
        match &result {
            Ok(read) => self.log_response(|| (request.shown)(read, &credentials)),
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

    fn read<T>(
        &self,
        request: &Request<'_, T>,
        response: &HttpResponse,
        credentials: &CallCredentials<'_>,
    ) -> Result<T, Error> {
        let retry_after = response.retry_after.as_deref();
        let response = Response {
            status: response.status,
            retry_after: retry_after.and_then(|text| read_retry_after(text, SystemTime::now())),
            body: response.body.as_deref().map(Received::read),
            completeness: response.completeness,
            is_followed: response.is_followed,
            is_coded: response.is_coded,
            is_quoted: self.settings().config.quote_responses,
        };
        (request.read)(&response, credentials).map_err(|failure| {
            let host = self.errors().host;
            failure.into_error(
                self.operation,
                request.endpoint,
                host,
                &response,
                credentials,
            )
        })
    }

    /// The error, with what the part of its response says that was received.
    fn with_part<T>(
        &self,
        mut error: Error,
        request: &Request<'_, T>,
        credentials: &CallCredentials<'_>,
    ) -> Error {
        if let Some(part) = self.read_part(request, credentials) {
            let is_unknown = error.code().outcome() == Outcome::Unknown;
            error.details.checkout_url = part.checkout_url.filter(|_| is_unknown);
            if part.may_be_anothers {
                error.set_may_be_anothers();
            }
        }
        error
    }

    fn read_part<T>(
        &self,
        request: &Request<'_, T>,
        credentials: &CallCredentials<'_>,
    ) -> Option<ResponseFailure> {
        let part = self.attempt.part.take();
        let response = Response {
            status: self.attempt.status.get()?,
            retry_after: None,
            body: Some(Received::read(&part)),
            completeness: Completeness::Unfinished,
            is_followed: false,
            is_coded: false,
            is_quoted: false,
        };
        (request.read)(&response, credentials).err()
    }

    fn log_response(&self, shown: impl FnOnce() -> Option<String>) {
        if self.log.is_some() {
            self.log_step(Step::AttemptFinished, Some(Ok(shown().as_deref())));
        }
    }
}
