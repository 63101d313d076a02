//! One call: its attempts, its deadline, its one result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use ureq_proto::http::{HeaderName, HeaderValue, Uri};

use crate::answer::{Answer, Refusal};
use crate::config::Settings;
use crate::connection::{Delivery, Failure, Post, Reply};
use crate::credentials::{Chosen, Redact, Secret};
use crate::era::Shared;
use crate::error::{Code, Error, Operation, Outcome, milliseconds};
use crate::event::{Log, LogEvent, Step};
use crate::random::random_u64;
use crate::status::StatusQuery;

/// The first wait between two attempts; each further one may be twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(200);
const FORKED: &str = "the process was forked in the middle of the call, which goes on in the parent";
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// A call from its beginning to its one result.
pub(crate) struct Call<'c> {
    shared: &'c Shared,
    operation: Operation,
    started: Instant,
    log: Option<Arc<Log>>,
    subject: Option<StatusQuery<'static>>,
    attempts: u32,
    /// Any attempt has sent a byte of the request.
    sent: bool,
    /// The last answer's, where there was one.
    http_status: Option<u16>,
    delivery: Option<Arc<Delivery>>,
}

/// What a call sends, and when it sends it again.
pub(crate) struct Plan<'a> {
    pub(crate) uri: &'a Uri,
    pub(crate) credentials: &'a [(HeaderName, &'a Secret)],
    pub(crate) body: &'a str,
    pub(crate) timeout: Duration,
    pub(crate) retries: u32,
    pub(crate) retry_after: fn(Code) -> bool,
}

impl<'c> Call<'c> {
    pub(crate) fn new(shared: &'c Shared, operation: Operation) -> Call<'c> {
        Call {
            shared,
            operation,
            started: Instant::now(),
            log: shared.log(),
            subject: None,
            attempts: 0,
            sent: false,
            http_status: None,
            delivery: None,
        }
    }

    pub(crate) fn settings(&self) -> &'c Settings {
        &self.shared.settings
    }

    /// What the call is about, as soon as that is known.
    pub(crate) fn subject(&mut self, subject: StatusQuery<'static>) {
        self.subject = Some(subject);
    }

    /// Does the call's work, and makes its result complete. A panic in it is a result too, with an outcome by the evidence.
    pub(crate) fn run<T>(mut self, work: impl FnOnce(&mut Call<'c>) -> Result<T, Error>) -> Result<T, Error> {
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut self)))
            .unwrap_or_else(|_| Err(self.defect("it met a state that it did not expect")));
        match result {
            Ok(done) => {
                self.tell(Step::CallFinished, Some(Code::Ok), self.http_status);
                Ok(done)
            }
            Err(mut error) => {
                error.set_call(self.operation, self.attempts, self.started.elapsed());
                if let (Operation::CreateOrder, Outcome::Unknown, Some(StatusQuery::Order(id))) =
                    (self.operation, error.outcome(), &self.subject)
                {
                    error.set_open_order(id);
                }
                self.tell(Step::CallFinished, Some(error.code()), error.http_status());
                Err(error)
            }
        }
    }

    /// Asks the service, again where the plan says so, and gives the one result of all attempts.
    pub(crate) fn ask<T>(
        &mut self,
        plan: &Plan<'_>,
        credentials: &Chosen<'_>,
        read: impl Fn(&Answer<'_>, Redact<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Error> {
        let headers = plan.credentials.iter().map(|(name, secret)| header(secret).map(|value| (name.clone(), value)));
        let headers = headers.collect::<Result<Vec<_>, _>>().map_err(|()| self.defect("a credential did not fit into a header"))?;
        let post = Post { uri: plan.uri, credentials: &headers, body: plan.body };
        let redact = |text: &str| credentials.redact(text);

        let delivery = Arc::new(Delivery::new(self.started + plan.timeout, self.settings().connect_timeout));
        self.delivery = Some(Arc::clone(&delivery));
        let era = self.shared.era();
        let _in_flight = era.in_flight(&delivery);
        // Once an attempt has sent something, no later one that did not can speak for the call.
        let mut standing: Option<Error> = None;
        loop {
            self.attempts += 1;
            self.tell(Step::AttemptStarted, None, None);
            // A callback may have forked. Were the child to go on with its parent's call, the request could be sent twice.
            if !delivery.belongs_to_this_process() {
                return Err(self.failed(Failure::Forked, self.sent, plan.timeout));
            }
            let result = match era.connections.post(&post, &delivery) {
                Ok(reply) => {
                    self.http_status = Some(reply.status);
                    self.read(&reply, &redact, &read)
                }
                Err(failure) => Err(self.failed(failure, delivery.sent() > 0, plan.timeout)),
            };
            let sent = delivery.sent() > 0;
            self.sent |= sent;
            let error = match result {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            self.tell(Step::AttemptFailed, Some(error.code()), error.http_status());
            let code = error.code();
            let wait = error.retry_after().unwrap_or_else(|| backoff(self.attempts));
            let verdict = match standing.take() {
                Some(earlier) if !sent => earlier,
                _ => error,
            };
            let again = self.attempts <= plan.retries && (plan.retry_after)(code) && Instant::now() + wait < delivery.deadline();
            if !again {
                return Err(verdict);
            }
            if !delivery.wait(wait) {
                return Err(self.failed(Failure::Cancelled, self.sent, plan.timeout));
            }
            standing = self.sent.then_some(verdict);
        }
    }

    fn read<T>(&self, reply: &Reply, redact: Redact<'_>, read: impl Fn(&Answer<'_>, Redact<'_>) -> Result<T, Refusal>) -> Result<T, Error> {
        let retry_after = reply.retry_after.as_deref().and_then(|text| read_retry_after(text, SystemTime::now()));
        let answer = Answer { status: reply.status, retry_after, body: reply.body.as_deref(), cut: reply.cut };
        read(&answer, redact).map_err(|refusal| refusal.into_error(self.operation, self.host(), &answer, redact))
    }

    /// The error of an attempt without a whole answer: its outcome is told by what was sent, and by nothing else.
    fn failed(&self, failure: Failure, sent: bool, timeout: Duration) -> Error {
        let host = self.host();
        let (code, what) = match (failure, sent) {
            (Failure::Defect(what), _) => return self.defect(&what),
            (Failure::Forked, false) => (Code::Internal, FORKED.to_owned()),
            (Failure::Forked, true) => (Code::InternalInFlight, FORKED.to_owned()),
            (Failure::Cancelled, false) => (Code::Cancelled, "the call was cancelled".to_owned()),
            (Failure::Tls(what), false) => (Code::TlsFailed, what),
            (Failure::TimedOut, false) => (Code::ConnectFailed, format!("{host} could not be reached within {} ms", milliseconds(timeout))),
            (Failure::Connect(what) | Failure::Lost(what) | Failure::Malformed(what), false) => (Code::ConnectFailed, what),
            (Failure::Cancelled, true) => (Code::CancelledInFlight, "the call was cancelled while an answer was awaited".to_owned()),
            (Failure::TimedOut, true) => (Code::Timeout, format!("no answer from {host} within {} ms", milliseconds(timeout))),
            (Failure::Malformed(what), true) => (Code::BadResponse, what),
            (Failure::Connect(what) | Failure::Tls(what) | Failure::Lost(what), true) => (Code::ConnectionLost, what),
        };
        let advice = if sent { self.operation.unknown_advice() } else { "nothing was sent" };
        Error::new(code, format!("{what}; {advice}"))
    }

    /// The error for a defect of the library itself.
    fn defect(&self, what: &str) -> Error {
        let sent = self.sent || self.delivery.as_ref().is_some_and(|delivery| delivery.sent() > 0);
        let (code, advice) =
            if sent { (Code::InternalInFlight, self.operation.unknown_advice()) } else { (Code::Internal, "nothing was sent") };
        Error::new(code, format!("a defect of the payorder library, please report it: {what}; {advice}"))
    }

    fn host(&self) -> &'c str {
        &self.shared.settings.route.host
    }

    fn tell(&self, step: Step, result: Option<Code>, http_status: Option<u16>) {
        let Some(log) = &self.log else { return };
        let event = LogEvent {
            step,
            operation: self.operation,
            subject: self.subject.as_ref(),
            attempt: self.attempts,
            result,
            http_status,
            elapsed: self.started.elapsed(),
            host: self.host(),
        };
        // What a log does is not the call's business, not even that it panics.
        let _ = catch_unwind(AssertUnwindSafe(|| log(&event)));
    }
}

/// A header that shows in no log and in no `Debug` output.
fn header(secret: &Secret) -> Result<HeaderValue, ()> {
    let mut value = HeaderValue::from_str(&secret.reveal()).map_err(|_| ())?;
    value.set_sensitive(true);
    Ok(value)
}

/// A random part of 200 ms, doubled with every attempt to at most 2 s: clients that failed together do not come back together.
fn backoff(attempts: u32) -> Duration {
    let most = FIRST_WAIT.saturating_mul(1 << attempts.saturating_sub(1).min(8)).min(LONGEST_WAIT);
    Duration::from_micros(random_u64() % (most.as_micros() as u64 + 1))
}

/// `Retry-After`: seconds, or a date. Anything else says nothing.
fn read_retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More than a number can hold is as long as one can hold: no call waits for either.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::from(u32::MAX))).min(Duration::from_secs(u32::MAX.into())));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{backoff, read_retry_after};
    use std::time::{Duration, SystemTime};

    #[test]
    fn a_wait_is_a_part_of_a_doubling_bound() {
        for (attempts, most) in [(1, 200), (2, 400), (3, 800), (4, 1600), (5, 2000), (50, 2000)] {
            let waits: Vec<Duration> = (0..200).map(|_| backoff(attempts)).collect();
            assert!(waits.iter().all(|wait| *wait <= Duration::from_millis(most)), "attempt {attempts}");
            assert!(waits.iter().any(|wait| *wait > Duration::from_millis(most / 2)), "attempt {attempts} always waits little");
            assert!(waits.iter().any(|wait| *wait < Duration::from_millis(most / 2)), "attempt {attempts} always waits long");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 - 30);
        for (text, expected) in [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(30)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("99999999999999999999999", Some(u64::from(u32::MAX))),
            ("-1", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(read_retry_after(text, now), expected.map(Duration::from_secs), "{text:?}");
        }
    }
}
