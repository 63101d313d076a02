//! Waiting for a payment: one call with many queries.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::client::Client;
use crate::client::call::Call;
use crate::credentials::CallCredentials;
use crate::error::{Code, Error, Operation};
use crate::gateway::response::{self, Response};
use crate::gateway::status::Status;
use crate::query::StatusQuery;
use crate::random::random_u64;
use crate::settings::options::{CallOptions, JsonOptions, WaitOptions};
use crate::text::json;

/// How a wait for a payment ended.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Waited {
    /// The payment is final: its status is `Completed`, or one that the options call final.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The time ran out before that.
    pub timed_out: bool,
    /// How often the service was asked.
    pub polls: u32,
    /// The last status seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Why the last query returned no status. `status` is also set if an earlier query returned
    /// one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
}

impl Waited {
    /// The result as JSON, as in the C ABI.
    pub fn to_json(&self) -> String {
        json::written(self)
    }
}

impl Client {
    /// Asks Get Status until the payment is final, the time runs out, or the call is cancelled.
    /// Each query is one attempt, and has the log events of an attempt.
    ///
    /// ```
    /// # let client = payorder_core::Client::from_json(
    /// #     r#"{"baseUrl":"http://127.0.0.1:9","clientKey":"k","clientId":"i","secretKey":"s"}"#,
    /// # )?;
    /// # let query = payorder_core::StatusQuery::by_order("O-1")?;
    /// let mut options = payorder_core::WaitOptions::default();
    /// options.wait = std::time::Duration::from_millis(1);
    /// let waited = client.wait_for_payment(&query, &options)?;
    /// assert!(waited.timed_out);
    /// # Ok::<(), payorder_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Code::Unauthorized`], unless [`Client::set_credentials`] was called since that query began;
    /// [`Code::Cancelled`], [`Code::CancelledInFlight`], and errors before the first query. Any other
    /// error of a query does not end the wait: the service may not know a new order for a moment.
    pub fn wait_for_payment(
        &self,
        query: &StatusQuery<'_>,
        options: &WaitOptions,
    ) -> Result<Waited, Error> {
        self.begin(Operation::WaitForPayment).run(|call| {
            call.set_subject(|| query.clone().into_owned());
            options.check(call.settings())?;
            call.wait_for_payment(query, options)
        })
    }

    /// [`Client::wait_for_payment`] from JSON. Every error of a wait contains the query, so the
    /// query is read first, also if the options are invalid.
    #[doc(hidden)]
    pub fn wait_for_payment_json(
        &self,
        query: Result<&str, Error>,
        options: Result<JsonOptions<'_>, Error>,
    ) -> Result<String, Error> {
        self.wait_with(query, options.and_then(WaitOptions::from_json))
    }

    pub(crate) fn wait_with(
        &self,
        query: Result<&str, Error>,
        options: Result<WaitOptions, Error>,
    ) -> Result<String, Error> {
        let text = query.as_ref().ok().copied();
        let read = |call: &mut Call<'_>| {
            let query = query.and_then(StatusQuery::from_json);
            if let Ok(query) = &query {
                call.set_subject(|| query.clone().into_owned());
            }
            let options = options?;
            call.wait_for_payment(&query?, &options)
        };
        let waited = self.begin(Operation::WaitForPayment).run(read);
        match waited {
            Ok(waited) => Ok(waited.to_json()),
            Err(error) => Err(with_query(error, text)),
        }
    }
}

impl Call<'_> {
    fn wait_for_payment(
        &mut self,
        query: &StatusQuery<'_>,
        options: &WaitOptions,
    ) -> Result<Waited, Error> {
        let deadline = Instant::now() + options.wait;
        // The error message of a query without a response names this time.
        let timeout = options
            .call
            .timeout
            .unwrap_or(self.settings().config.timeout)
            .min(options.wait);
        let query_options = CallOptions {
            timeout: Some(timeout),
            ..options.call.clone()
        };
        self.with_prepared_status(query, &query_options, |call, prepared| {
            let mut interval = Interval::new(options.interval, options.max_interval);
            let mut status: Option<Status> = None;
            let mut error: Option<Error> = None;
            loop {
                let until = deadline.min(Instant::now() + timeout);
                let read = |response: &Response<'_>, credentials: &CallCredentials<'_>| {
                    response::read_status(response, query, credentials)
                };
                let asked_with = call.client_credentials();
                let mut result = call.attempt(prepared, until, read, Status::shown);
                if let Ok(status) = &mut result {
                    call.note_certificate(status);
                    call.record(prepared, status);
                }
                let mut retry_after = Duration::ZERO;
                match result {
                    Ok(last) if is_final(&last, &options.final_statuses) => {
                        return Ok(Waited {
                            is_final: true,
                            timed_out: false,
                            polls: call.attempts(),
                            status: Some(last),
                            error: None,
                        });
                    }
                    Ok(last) => (status, error) = (Some(last), None),
                    // The error covers the whole call: earlier queries were sent, even if this one
                    // was not.
                    Err(failed)
                        if matches!(failed.code(), Code::Cancelled | Code::CancelledInFlight) =>
                    {
                        return Err(with_status(call.cancelled(), status.as_ref()));
                    }
                    Err(failed)
                        if call.is_forked(prepared)
                            || failed.code() == Code::Unauthorized
                                && call.client_credentials() == asked_with =>
                    {
                        return Err(with_status(failed, status.as_ref()));
                    }
                    Err(failed) => {
                        retry_after = failed.retry_after().unwrap_or_default();
                        // An error at the deadline only means that the time ran out.
                        if Instant::now() < deadline || (status.is_none() && error.is_none()) {
                            let mut failed = call.with_call_details(failed);
                            failed.set_status_query(query);
                            error = Some(failed);
                        }
                    }
                }
                let pause = interval.next().max(retry_after);
                let left = deadline.saturating_duration_since(Instant::now());
                if !prepared.scope.sleep(pause.min(left)) {
                    return Err(with_status(call.cancelled(), status.as_ref()));
                }
                if pause >= left {
                    return Ok(Waited {
                        is_final: false,
                        timed_out: true,
                        polls: call.attempts(),
                        status,
                        error,
                    });
                }
            }
        })
    }
}

/// The error of a wait that did not begin, with its query if that is valid.
fn with_query(mut error: Error, query: Option<&str>) -> Error {
    if let Some(Ok(query)) = query.map(StatusQuery::from_json) {
        error.set_status_query(&query);
    }
    error
}

fn with_status(mut error: Error, status: Option<&Status>) -> Error {
    if let Some(status) = status {
        error.set_last_status(status.json());
    }
    error
}

fn is_final(status: &Status, texts: &[String]) -> bool {
    status.is_completed() || texts.iter().any(|text| text == status.transaction_status())
}

/// The pauses between queries. Each is half as long again as the one before, up to a limit, minus a
/// random part of at most a quarter. Tills that started together then do not ask together.
struct Interval {
    next: Duration,
    most: Duration,
}

impl Interval {
    fn new(first: Duration, most: Duration) -> Interval {
        Interval {
            next: first,
            most: most.max(first),
        }
    }

    fn next(&mut self) -> Duration {
        let whole = self.next;
        self.next = (whole + whole / 2).min(self.most);
        let quarter = (whole.as_micros() / 4) as u64;
        whole - Duration::from_micros(random_u64() % (quarter + 1))
    }
}
