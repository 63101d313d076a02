//! Decides whether an HTTP response means done, rejected or unknown.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::connection::Completeness;
use crate::error::{Cause, Code};
use crate::gateway::envelope::{Envelope, EnvelopeError};
use crate::gateway::refusal::Refusal;
use crate::payment::failure::ResponseFailure;
use crate::payment::response::Response;
use crate::text::json;

/// The `responseCode` of every success.
pub(crate) const SUCCESS: &str = "200";

pub(super) fn push_unknown<'a>(
    json: &mut String,
    entries: impl Iterator<Item = &'a (Cow<'a, str>, &'a RawValue)>,
) {
    for (key, value) in entries {
        json::push_key(json, key);
        json.push_str(value.get());
    }
}

/// Why a body is not an envelope: the words follow `a body that …`.
pub(super) type Unreadable = (Cause, String);

pub(super) fn read_envelope<'a>(response: &'a Response<'_>) -> Result<Envelope<'a>, Unreadable> {
    let body = response.body.as_ref().ok_or_else(|| {
        let problem = "is larger than maxResponseBytes";
        (Cause::ResponseTooLarge, problem.to_owned())
    })?;
    let not_json = |problem: String| (Cause::ResponseNotJson, problem);
    // The parser's message could quote the response, so only the position is given.
    Envelope::read(body).map_err(|error| {
        not_json(match error {
            EnvelopeError::Json(error) if !error.is_data() => {
                match (body.is_damaged, body.has_mark) {
                    (true, _) => "is not UTF-8".to_owned(),
                    (false, true) => "is not JSON behind its byte-order mark".to_owned(),
                    (false, false) => format!(
                        "is not JSON (at line {} column {})",
                        error.line(),
                        error.column()
                    ),
                }
            }
            EnvelopeError::Damaged(name) => format!("cannot be trusted: {}", damaged(name)),
            _ => "is not a JSON object with each field once".to_owned(),
        })
    })
}

pub(super) fn damaged(name: &str) -> String {
    format!("{name} has characters that are not UTF-8")
}

/// Decides whether a response is a success or a failure. The first rule that fits decides.
/// `is_clear` says what contradicts a refusal, if anything does.
pub(super) fn judge<'e, 'a>(
    response: &Response<'_>,
    envelope: &'e Result<Envelope<'a>, Unreadable>,
    is_clear: impl FnOnce() -> Result<(), String>,
) -> Result<&'e Envelope<'a>, ResponseFailure> {
    let status = response.status;
    let is_cut = match response.completeness {
        Completeness::Complete | Completeness::CloseDelimited => false,
        Completeness::Truncated => envelope.is_err(),
        Completeness::Unfinished => true,
    };
    if is_cut {
        return Err(ResponseFailure::new(
            Code::ConnectionLost,
            Cause::ConnectionClosed,
            format!("cut the connection in the middle of its response (HTTP {status})"),
        ));
    }
    let is_foreign = envelope.is_err() && response.body.is_some() && !response.has_empty_body();
    let bad = |cause, what| (Code::BadResponse, cause, what);
    let failed = |what| (Code::ServiceFailed, Cause::ServiceError, what);
    let (code, cause, what) = match (Refusal::of(status), status) {
        (Some(refusal), _) => refused_by_http(refusal, envelope, is_foreign, is_clear),
        (None, 400..=599) => failed(format!("failed with HTTP {status}")),
        (None, 300..=399) => bad(
            Cause::Redirected,
            format!(
                "answered with a redirect (HTTP {status}), which is never followed; check baseUrl"
            ),
        ),
        (None, 200..=299) => match envelope {
            Err((cause, problem)) => bad(
                *cause,
                format!("answered HTTP {status} with a body that {problem}"),
            ),
            Ok(envelope) => match (Refusal::of_code(envelope.code()), envelope.code()) {
                (_, SUCCESS) => return Ok(envelope),
                (_, "") => bad(
                    Cause::ResponseCodeMissing,
                    format!("answered HTTP {status} without a responseCode"),
                ),
                (None, _) => failed(
                    "answered with a responseCode that is neither 200 nor a refusal".to_owned(),
                ),
                (Some(refusal), _) => {
                    let what = format!("refused with responseCode {}", refusal.number);
                    match is_clear() {
                        Ok(()) => refused(refusal, what),
                        Err(problem) => unclear(format!("{what}, but with {problem}")),
                    }
                }
            },
        },
        (None, _) => bad(
            Cause::ResponseNotHttp,
            format!("answered with HTTP {status}, which is not a final response"),
        ),
    };
    let mut failure = ResponseFailure::new(code, cause, what);
    failure.is_foreign = is_foreign;
    if let Ok(envelope) = envelope {
        failure.has_reason = envelope.code() != SUCCESS;
        failure.envelope = Some((
            envelope.code().to_owned(),
            envelope.response_message.as_ref().to_owned(),
        ));
    }
    Err(failure)
}

fn refused_by_http(
    refusal: Refusal,
    envelope: &Result<Envelope<'_>, Unreadable>,
    is_foreign: bool,
    is_clear: impl FnOnce() -> Result<(), String>,
) -> (Code, Cause, String) {
    let status = refusal.number;
    let code = envelope.as_ref().map_or("", Envelope::code);
    match (is_clear(), Refusal::of_code(code), code) {
        (_, _, SUCCESS) => unclear(format!(
            "contradicted itself: HTTP {status} with responseCode 200"
        )),
        (Err(problem), _, _) => {
            let mut what = format!("answered HTTP {status} with {problem}");
            if envelope.is_err() {
                what += "; this is probably not the payment service's own answer: ";
                what += match refusal.result().0 {
                    Code::Unauthorized => "accessToken may be wrong, or a firewall refused",
                    _ => "a firewall or a proxy may have refused, or the path in baseUrl is wrong",
                };
            }
            unclear(what)
        }
        (Ok(()), _, "") => {
            let mut what = format!("refused with HTTP {status}");
            if is_foreign {
                what += " and a body that the payment service does not write";
            }
            refused(refusal, what)
        }
        (Ok(()), Some(named), _) => {
            // The more precise one of the two.
            let is_general = refusal.result().0 == Code::Rejected;
            let what = format!(
                "refused with HTTP {status} and a responseCode of {}",
                named.number
            );
            refused(if is_general { named } else { refusal }, what)
        }
        (Ok(()), None, _) => (
            Code::ServiceFailed,
            Cause::ServiceError,
            format!("answered HTTP {status} with a responseCode that is not a refusal"),
        ),
    }
}

fn refused(refusal: Refusal, what: String) -> (Code, Cause, String) {
    let (code, cause) = refusal.result();
    (code, cause, what)
}

fn unclear(what: String) -> (Code, Cause, String) {
    (Code::BadResponse, Cause::RefusalUnclear, what)
}

/// A success with this message that cannot be used.
pub(super) fn success_without_use(cause: Cause, what: &str, message: &str) -> ResponseFailure {
    ResponseFailure {
        envelope: Some((SUCCESS.to_owned(), message.to_owned())),
        ..ResponseFailure::new(Code::BadResponse, cause, what)
    }
}
