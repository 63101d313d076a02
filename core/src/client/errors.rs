//! The errors of a call. What a failed request means depends only on whether a byte of it was sent.

use std::time::Duration;

use crate::connection::{ConnectionProblem, Failure, SentBytes};
use crate::error::{Cause, Code, Error, Operation, Outcome, milliseconds};
use crate::settings::validation::Settings;

const FORKED: &str =
    "the process was forked during the call, which continues in the parent process";

/// What the errors of a call depend on.
#[derive(Clone, Copy)]
pub(crate) struct ErrorContext<'a> {
    pub(crate) operation: Operation,
    pub(crate) host: &'a str,
    pub(crate) sent: &'a SentBytes,
}

impl ErrorContext<'_> {
    /// Why an attempt has no response.
    pub(crate) fn of_attempt(self, failure: Failure, timeout: Duration) -> Error {
        self.of_failure(failure, self.sent.any_in_attempt(), timeout)
    }

    /// The call was cancelled: the error is about all its attempts.
    pub(crate) fn cancelled(self) -> Error {
        self.of_failure(Failure::Cancelled, self.sent.any(), Duration::ZERO)
    }

    /// This process sent nothing, but the parent may be sending the request.
    pub(crate) fn forked(self) -> Error {
        self.of_failure(Failure::Forked, true, Duration::ZERO)
    }

    /// The call's time was over, or nearly so, before it had a thread.
    pub(crate) fn queue_timed_out(self, settings: &Settings) -> Error {
        let most = settings.config.max_calls;
        let what = format!(
            "its time was over, or nearly over, while it waited for one of the {most} calls that run \
             at once (`maxCalls`)"
        );
        let problem = ConnectionProblem::new(Cause::QueueTimedOut, what);
        self.with_advice(Code::ConnectFailed, problem)
    }

    pub(crate) fn bug(self, what: &str) -> Error {
        let code = match self.sent.any() {
            true => Code::InternalInFlight,
            false => Code::Internal,
        };
        let what = format!("a bug in the payorder library, please report it: {what}");
        self.with_advice(code, ConnectionProblem::new(Cause::Bug, what))
    }

    fn of_failure(self, failure: Failure, sent: bool, timeout: Duration) -> Error {
        let host = self.host;
        let within = milliseconds(timeout);
        let (unsent, in_flight, problem) = match failure {
            Failure::Internal(what) => return self.bug(&what),
            Failure::Forked => (
                Code::InternalInFlight,
                Code::InternalInFlight,
                ConnectionProblem::new(Cause::Forked, FORKED),
            ),
            Failure::Cancelled => {
                let what = match sent {
                    true => "the call was cancelled while waiting for the response",
                    false => "the call was cancelled",
                };
                let problem = ConnectionProblem::new(Cause::Cancelled, what);
                (Code::Cancelled, Code::CancelledInFlight, problem)
            }
            Failure::TimedOut => {
                let problem = match sent {
                    true => ConnectionProblem::new(
                        Cause::ResponseTimedOut,
                        format!("no response from {host} within {within} ms"),
                    ),
                    false => ConnectionProblem::new(
                        Cause::ConnectTimedOut,
                        format!("{host} could not be reached within {within} ms"),
                    ),
                };
                (Code::ConnectFailed, Code::Timeout, problem)
            }
            // A response is read only after the request was sent.
            Failure::InvalidResponse(what) => (
                Code::BadResponse,
                Code::BadResponse,
                ConnectionProblem::new(Cause::ResponseNotHttp, what),
            ),
            Failure::Tls(problem) => (Code::TlsFailed, Code::ConnectionLost, problem),
            Failure::Connect(problem) | Failure::ConnectionLost(problem) => {
                (Code::ConnectFailed, Code::ConnectionLost, problem)
            }
        };
        self.with_advice(if sent { in_flight } else { unsent }, problem)
    }

    fn with_advice(self, code: Code, problem: ConnectionProblem) -> Error {
        let advice = match code.outcome() {
            Outcome::Unknown => self.operation.unknown_advice(),
            _ => "nothing was sent",
        };
        let message = format!("{}; {advice}", problem.message);
        let mut error = Error::new(code, problem.cause, message).with_source(problem.source);
        error.details.clock_is_suspect = problem.clock_is_suspect;
        error
    }
}

pub(crate) fn stopped() -> Error {
    Error::new(
        Code::Cancelled,
        Cause::ClientStopped,
        "the client was stopped; nothing was sent",
    )
}

pub(crate) fn freed() -> Error {
    Error::new(
        Code::Cancelled,
        Cause::ClientFreed,
        "the client was freed while the call waited for a thread; nothing was sent",
    )
}
