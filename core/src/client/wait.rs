//! Waiting for a payment: one call with many queries.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::client::attempt::Request;
use crate::client::call::Call;
use crate::client::{Client, status_request};
use crate::credentials::CallCredentials;
use crate::error::{Code, Error, Operation};
use crate::payment::response::Response;
use crate::payment::status::Status;
use crate::query::StatusQuery;
use crate::random::random_u64;
use crate::settings::options::WaitOptions;
use crate::text::json;

/// How a wait for a payment ended. That a wait returns does not mean that the order is paid, so the
/// compiler warns of a program that does not look:
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use payorder_core::{Client, Error, StatusQuery, WaitOptions};
/// fn sell(client: &Client, query: &StatusQuery<'_>) -> Result<(), Error> {
///     client.wait_for_payment(query, &WaitOptions::default())?;
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
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
        self.call(Operation::WaitForPayment, |call| {
            call.wait_for_payment(query, options)
        })
    }
}

impl Call<'_> {
    fn wait_for_payment(
        &mut self,
        query: &StatusQuery<'_>,
        options: &WaitOptions,
    ) -> Result<Waited, Error> {
        let query = query.clone().into_owned();
        PaymentWait::begin(self, query, options.clone())?.finish(self)
    }

    /// One query of a wait, and what came of it.
    ///
    /// # Errors
    /// What ends the wait: it was cancelled, the process was forked, or the service does not accept
    /// the credentials that the client still has.
    fn poll(
        &mut self,
        request: &Request<'_, Status>,
        until: Instant,
    ) -> Result<Result<Status, Error>, Error> {
        let credentials = self.client.shared.credentials();
        match self.attempt(request, until, None) {
            Ok(status) => {
                self.record(&status, until);
                Ok(Ok(status))
            }
            // The error covers the whole call: earlier queries were sent, even if this one was not.
            Err(error) if matches!(error.code(), Code::Cancelled | Code::CancelledInFlight) => {
                Err(self.errors().cancelled())
            }
            Err(error) if self.is_forked() => Err(error),
            Err(error)
                if error.code() == Code::Unauthorized
                    && self.client.shared.credentials() == credentials =>
            {
                Err(error)
            }
            Err(error) => Ok(Err(self.with_details(error))),
        }
    }
}

/// A wait that has begun. Between its queries it holds neither a thread nor a connection.
pub(crate) struct PaymentWait {
    query: StatusQuery<'static>,
    body: String,
    options: WaitOptions,
    wait: Wait,
}

impl PaymentWait {
    /// Checks what was given. The first query is due at once.
    pub(super) fn begin(
        call: &mut Call<'_>,
        query: StatusQuery<'static>,
        options: WaitOptions,
    ) -> Result<PaymentWait, Error> {
        let settings = call.settings();
        call.set_subject(|| query.clone());
        call.note_tag(&options.call);
        options.check(settings)?;
        query.check()?;
        // The error message of a query without a response names this time.
        let timeout = options.call.timeout.unwrap_or(settings.config.timeout);
        let wait = PaymentWait {
            wait: Wait::new(&options, timeout.min(options.wait), call.started),
            body: (settings.service.query)(&query),
            query,
            options,
        };
        call.begin(wait.options.call.cancellation.as_ref())?;
        wait.ask(call, |call, request| {
            let credentials = call.client.shared.credentials();
            request.authorize(&credentials).map(|_| ())
        })?;
        Ok(wait)
    }

    /// Waits on this thread until the end.
    pub(super) fn finish(mut self, call: &mut Call<'_>) -> Result<Waited, Error> {
        while let Some(time) = self.go_on(call)? {
            if !call.scope().sleep(time) {
                return Err(self.with_last_status(call.errors().cancelled()));
            }
        }
        Ok(self.wait.waited)
    }

    /// Asks if it is time. Returns how long to sleep before the next query, or `None` at the end.
    pub(super) fn go_on(&mut self, call: &mut Call<'_>) -> Result<Option<Duration>, Error> {
        loop {
            match self.wait.next(Instant::now()) {
                Next::Ask { until } => {
                    let answer = self.ask(call, |call, request| call.poll(request, until));
                    let answer = answer.map_err(|error| self.with_last_status(error))?;
                    self.wait.note(answer, Instant::now());
                }
                Next::Sleep { time } => return Ok(Some(time)),
                Next::Done => return Ok(None),
            }
        }
    }

    /// What was seen so far: the result, at the end.
    pub(super) fn result(&self) -> Waited {
        self.wait.waited.clone()
    }

    pub(super) fn with_last_status(&self, mut error: Error) -> Error {
        if let Some(status) = &self.wait.waited.status {
            error.details.last_status = Some(status.json().to_owned());
        }
        error
    }

    fn ask<T>(
        &self,
        call: &mut Call<'_>,
        with: impl FnOnce(&mut Call<'_>, &Request<'_, Status>) -> T,
    ) -> T {
        let settings = call.settings();
        let read = |response: &Response<'_>, credentials: &CallCredentials<'_>| {
            (settings.service.read_status)(response, &self.query, credentials)
        };
        let timeout = self.wait.timeout;
        let options = &self.options.call;
        with(
            call,
            &status_request(settings, &self.body, options, timeout, &read),
        )
    }
}

/// A wait for a payment: what was seen so far, and what to do next. It has no thread and no clock,
/// so that anything that can make an attempt and sleep can go on with it.
struct Wait {
    deadline: Instant,
    /// Of one query.
    timeout: Duration,
    final_statuses: Vec<String>,
    interval: Interval,
    /// When to ask next.
    next_query: Instant,
    /// What was seen so far: the result, once there is nothing more to do.
    waited: Waited,
}

/// What to do next in a wait.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// Ask for the status. The query ends at this time at the latest.
    Ask {
        until: Instant,
    },
    Sleep {
        time: Duration,
    },
    /// The payment is final, or the time ran out.
    Done,
}

impl Wait {
    fn new(options: &WaitOptions, timeout: Duration, now: Instant) -> Wait {
        Wait {
            deadline: now + options.wait,
            timeout,
            final_statuses: options.final_statuses.clone(),
            interval: Interval::new(options.interval, options.max_interval),
            next_query: now,
            waited: Waited {
                is_final: false,
                timed_out: true,
                polls: 0,
                status: None,
                error: None,
            },
        }
    }

    fn next(&self, now: Instant) -> Next {
        let time = self.next_query.min(self.deadline).duration_since(now);
        match time.is_zero() {
            _ if self.waited.is_final => Next::Done,
            false => Next::Sleep { time },
            true if self.next_query >= self.deadline => Next::Done,
            // The next query waited too long for a thread.
            true if self.waited.polls > 0 && now >= self.deadline => Next::Done,
            true => Next::Ask {
                until: self.deadline.min(now + self.timeout),
            },
        }
    }

    /// Notes what came of a query.
    fn note(&mut self, answer: Result<Status, Error>, now: Instant) {
        let waited = &mut self.waited;
        let mut retry_after = Duration::ZERO;
        waited.polls += 1;
        match answer {
            Ok(status) => {
                let is_named = |text: &String| text == status.transaction_status();
                waited.is_final = status.is_completed() || self.final_statuses.iter().any(is_named);
                waited.timed_out = !waited.is_final;
                (waited.status, waited.error) = (Some(status), None);
            }
            Err(error) => {
                retry_after = error.retry_after().unwrap_or_default();
                // An error at the deadline only means that the time ran out.
                if now < self.deadline || (waited.status.is_none() && waited.error.is_none()) {
                    waited.error = Some(error);
                }
            }
        }
        let pause = self.interval.next().max(retry_after);
        // A clock cannot express every time.
        self.next_query = now
            .checked_add(pause)
            .unwrap_or(self.deadline)
            .min(self.deadline);
    }
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Next, Wait};
    use crate::error::{Cause, Code, Error};
    use crate::settings::options::WaitOptions;

    /// Nothing here sleeps or sends: a queue of calls can go on with a wait at any time.
    #[test]
    fn a_wait_says_what_to_do_next() {
        let ms = Duration::from_millis;
        let start = Instant::now();
        let options = WaitOptions {
            wait: ms(800),
            interval: ms(400),
            ..WaitOptions::default()
        };
        let failed = || Error::new(Code::Timeout, Cause::ResponseTimedOut, "no response");
        let mut wait = Wait::new(&options, ms(700), start);
        let until = start + ms(700);
        assert_eq!(wait.next(start), Next::Ask { until });
        wait.note(Err(failed()), start + ms(100));
        let Next::Sleep { time } = wait.next(start + ms(100)) else {
            panic!("it does not sleep");
        };
        assert!((ms(300)..=ms(400)).contains(&time), "{time:?}");
        let second = start + ms(100) + time;
        // The wait ends before the time of a query would.
        let until = start + ms(800);
        assert_eq!(wait.next(second), Next::Ask { until });
        wait.note(Err(failed()), second);
        let left = until - second;
        assert_eq!(wait.next(second), Next::Sleep { time: left });
        assert_eq!(wait.next(until), Next::Done);
        let waited = wait.waited;
        assert!(waited.timed_out && !waited.is_final && waited.error.is_some());
        assert_eq!(waited.polls, 2);
    }
}
