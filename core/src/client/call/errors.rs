//! The errors of a call: the result of each failure, decided by whether a byte was sent.

use std::time::Duration;

use super::Call;
use crate::connection::{ConnectionProblem, Failure};
use crate::error::{Cause, Code, Error, Outcome, milliseconds};

const FORKED: &str =
    "the process was forked during the call, which continues in the parent process";

impl Call<'_> {
    pub(crate) fn with_call_details(&self, mut error: Error) -> Error {
        error.set_call(self.operation, self.attempts, self.started.elapsed());
        error
    }

    pub(crate) fn cancelled(&self) -> Error {
        self.error_for(Failure::Cancelled, self.current.sent.any(), Duration::ZERO)
    }

    pub(super) fn attempt_error(&self, failure: Failure, timeout: Duration) -> Error {
        self.error_for(failure, self.current.sent.any_in_attempt(), timeout)
    }

    /// The outcome depends only on whether a byte of the request was sent.
    fn error_for(&self, failure: Failure, sent: bool, timeout: Duration) -> Error {
        let host = self.host();
        let (code, problem) = match (failure, sent) {
            (Failure::Internal(what), _) => return self.internal_error(&what),
            // This process sent nothing, but the parent may be sending the request.
            (Failure::Forked, _) => (
                Code::InternalInFlight,
                ConnectionProblem::new(Cause::Forked, FORKED),
            ),
            (Failure::Cancelled, false) => (
                Code::Cancelled,
                ConnectionProblem::new(Cause::Cancelled, "the call was cancelled"),
            ),
            (Failure::Cancelled, true) => (
                Code::CancelledInFlight,
                ConnectionProblem::new(
                    Cause::Cancelled,
                    "the call was cancelled while waiting for the response",
                ),
            ),
            (Failure::TimedOut, false) => {
                let within = milliseconds(timeout);
                let what = format!("{host} could not be reached within {within} ms");
                (
                    Code::ConnectFailed,
                    ConnectionProblem::new(Cause::ConnectTimedOut, what),
                )
            }
            (Failure::TimedOut, true) => {
                let what = format!(
                    "no response from {host} within {} ms",
                    milliseconds(timeout)
                );
                (
                    Code::Timeout,
                    ConnectionProblem::new(Cause::ResponseTimedOut, what),
                )
            }
            // A response is read only after the request was sent.
            (Failure::InvalidResponse(what), _) => (
                Code::BadResponse,
                ConnectionProblem::new(Cause::ResponseNotHttp, what),
            ),
            (Failure::Tls(problem), false) => (Code::TlsFailed, problem),
            (Failure::Connect(problem) | Failure::ConnectionLost(problem), false) => {
                (Code::ConnectFailed, problem)
            }
            (
                Failure::Connect(problem)
                | Failure::Tls(problem)
                | Failure::ConnectionLost(problem),
                true,
            ) => (Code::ConnectionLost, problem),
        };
        let advice = match code.outcome() {
            Outcome::Unknown => self.operation.unknown_advice(),
            _ => "nothing was sent",
        };
        let error = Error::new(
            code,
            problem.cause,
            format!("{}; {advice}", problem.message),
        )
        .with_source(problem.source);
        if problem.clock_is_suspect {
            error.with_suspect_clock()
        } else {
            error
        }
    }

    pub(super) fn internal_error(&self, what: &str) -> Error {
        let (code, advice) = if self.current.sent.any() {
            (Code::InternalInFlight, self.operation.unknown_advice())
        } else {
            (Code::Internal, "nothing was sent")
        };
        Error::new(
            code,
            Cause::Bug,
            format!("a bug in the payorder library, please report it: {what}; {advice}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use crate::client::Client;
    use crate::error::{Code, Error, Operation, Outcome};
    use crate::settings::config::Config;

    #[test]
    fn a_panic_is_told_by_what_was_sent() {
        let client = Client::new(Config::new("https://pay.example.com")).unwrap();
        for (earlier, now, code) in [
            (Outcome::NotSent, 0, Code::Internal),
            (Outcome::NotSent, 1, Code::InternalInFlight),
            (Outcome::Unknown, 0, Code::InternalInFlight),
        ] {
            let begun = client.begin(Operation::CreateOrder);
            let result = begun.run(|call| -> Result<(), Error> {
                call.record_outcome(earlier);
                call.current.begin(Instant::now());
                call.current.sent.add(now);
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
