//! Decides whether an HTTP response means done, rejected or unknown.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::connection::Completeness;
use crate::credentials::CallCredentials;
use crate::error::{Cause, Code, Error, Operation};
use crate::gateway::date::iso_date;
use crate::gateway::envelope::{Envelope, EnvelopeError, StatusData};
use crate::gateway::refusal::Refusal;
use crate::gateway::status::{COMPLETED, STATUS_FIELDS, Status};
use crate::query::StatusQuery;
use crate::text::json;
use crate::text::received::Received;

pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    /// `None` if the body was longer than allowed.
    pub(crate) body: Option<Received<'a>>,
    pub(crate) completeness: Completeness,
    /// More had arrived behind it.
    pub(crate) is_followed: bool,
}

/// Why a response does not mean success. [`ResponseFailure::into_error`] makes it the error of a
/// call.
pub(crate) struct ResponseFailure {
    pub(super) code: Code,
    pub(super) cause: Cause,
    /// What happened, worded to follow the host's name: `answered with …`.
    pub(super) what: String,
    response: Option<(String, String)>,
    /// A usable checkout URL in a response whose outcome is unknown.
    pub(super) checkout_url: Option<String>,
    /// The service does not know the order that was asked for.
    is_not_known: bool,
}

pub(crate) fn read_status(
    response: &Response<'_>,
    query: &StatusQuery<'_>,
    credentials: &CallCredentials<'_>,
) -> Result<Status, ResponseFailure> {
    let envelope = read_envelope(response);
    // Asking again is always safe, so a refusal needs no more evidence than its code.
    let envelope = judge(response, &envelope, || Ok(())).map_err(|mut failure| {
        failure.is_not_known = says_not_known(response, &failure, envelope.as_ref().ok());
        failure
    })?;
    let message = credentials.redact(&envelope.response_message);
    let bad = |cause, what: &str| ResponseFailure::success_without_use(cause, what, &message);

    // There is an envelope, so there is a body.
    let nothing = Received::read(b"");
    let body = response.body.as_ref().unwrap_or(&nothing);
    let data = StatusData::read(envelope.data, body).map_err(|error| {
        let problem = match error {
            EnvelopeError::Damaged(name) => damaged(name),
            _ => "data is not an object with each field once".into(),
        };
        bad(
            Cause::ResponseNotJson,
            &format!("reported success, but {problem}"),
        )
    })?;
    let (name, asked) = match query {
        StatusQuery::Order(id) => ("orderId", id),
        StatusQuery::Transaction(id) => ("transactionId", id),
    };
    let answered = data.field(name);
    if !answered.is_empty() && answered != asked.as_ref() {
        return Err(bad(
            Cause::AnotherOrder,
            &format!("answered for a different {name} than the one asked for"),
        ));
    }

    let mut json = String::with_capacity(body.text.len() + 256);
    json.push('{');
    json::push_entry(&mut json, "responseCode", "200");
    json::push_entry(&mut json, "responseMessage", &message);
    json::push_raw_entry(&mut json, "data", "{");
    for (name, value) in STATUS_FIELDS.iter().zip(&data.fields) {
        json::push_entry(&mut json, name, value);
    }
    push_unknown(&mut json, data.unknown.iter());
    json.push('}');
    json::push_raw_entry(&mut json, "derived", "{");
    let completed = data.field("transactionStatus") == COMPLETED;
    json::push_raw_entry(
        &mut json,
        "completed",
        if completed { "true" } else { "false" },
    );
    match iso_date(data.field("transactionDate")) {
        Some(date) => json::push_entry(&mut json, "transactionDate", &date),
        None => json::push_raw_entry(&mut json, "transactionDate", "null"),
    }
    json.push('}');
    // `derived` is the library's own key: a service that sends one must not replace it.
    push_unknown(
        &mut json,
        envelope.unknown.iter().filter(|(key, _)| key != "derived"),
    );
    json.push('}');
    Ok(Status {
        response_message: message,
        fields: data.fields.map(Cow::into_owned),
        json,
        certificate: None,
    })
}

/// Whether a refused Get Status means that the service does not know the order: it refused in words
/// of its own, and says nothing about the order in addition. Something in front of it, such as a
/// proxy or a log-in page, knows no orders.
fn says_not_known(
    response: &Response<'_>,
    failure: &ResponseFailure,
    envelope: Option<&Envelope<'_>>,
) -> bool {
    let Some((envelope, body)) = envelope.zip(response.body.as_ref()) else {
        return false;
    };
    let words = [envelope.code(), envelope.response_message.as_ref()];
    let is_own_word = words.iter().any(|word| !word.trim().is_empty());
    let is_of_others =
        matches!(response.status, 407 | 451) || matches!(envelope.code(), "407" | "451");
    let says_more = match StatusData::read(envelope.data, body) {
        Ok(data) => !data.is_echo(),
        // Such as an empty text.
        Err(EnvelopeError::Json(_)) => false,
        Err(_) => true,
    };
    failure.code == Code::Rejected
        && is_own_word
        && !is_of_others
        && !response.is_followed
        && !says_more
}

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

fn damaged(name: &str) -> String {
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
    if response.completeness == Completeness::Truncated && envelope.is_err() {
        return Err(ResponseFailure {
            code: Code::ConnectionLost,
            cause: Cause::ConnectionClosed,
            what: format!("cut the connection in the middle of its response (HTTP {status})"),
            response: None,
            checkout_url: None,
            is_not_known: false,
        });
    }
    let bad = |cause, what| (Code::BadResponse, cause, what);
    let failed = |what| (Code::ServiceFailed, Cause::ServiceError, what);
    let (code, cause, what) = match (Refusal::of(status), status) {
        (Some(refusal), _) => refused_by_http(refusal, envelope, is_clear),
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
                (_, "200") => return Ok(envelope),
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
    Err(ResponseFailure {
        code,
        cause,
        what,
        response: envelope.as_ref().ok().map(|envelope| {
            (
                envelope.code().to_owned(),
                envelope.response_message.as_ref().to_owned(),
            )
        }),
        checkout_url: None,
        is_not_known: false,
    })
}

fn refused_by_http(
    refusal: Refusal,
    envelope: &Result<Envelope<'_>, Unreadable>,
    is_clear: impl FnOnce() -> Result<(), String>,
) -> (Code, Cause, String) {
    let status = refusal.number;
    let code = envelope.as_ref().map_or("", Envelope::code);
    match (is_clear(), Refusal::of_code(code), code) {
        (_, _, "200") => unclear(format!(
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
        (Ok(()), _, "") => refused(refusal, format!("refused with HTTP {status}")),
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

impl ResponseFailure {
    /// A success with this message that cannot be used.
    pub(super) fn success_without_use(cause: Cause, what: &str, message: &str) -> ResponseFailure {
        ResponseFailure {
            code: Code::BadResponse,
            cause,
            what: what.to_owned(),
            response: Some(("200".to_owned(), message.to_owned())),
            checkout_url: None,
            is_not_known: false,
        }
    }

    pub(crate) fn into_error(
        self,
        operation: Operation,
        host: &str,
        response: &Response<'_>,
        credentials: &CallCredentials<'_>,
    ) -> Error {
        let advice = match self.code {
            _ if self.cause == Cause::OrderExists => {
                "it may be another sale's: let a person decide, and hand nothing over"
            }
            Code::Unauthorized => match operation {
                Operation::CreateOrder => "check accessToken",
                _ => "check clientKey, clientId and secretKey",
            },
            Code::RateLimited => "wait before calling again",
            Code::Rejected => "it gave no reason; check the address and path in baseUrl",
            _ => operation.unknown_advice(),
        };
        let envelope = self
            .response
            .map(|(code, message)| (credentials.redact_code(&code), credentials.redact(&message)));
        // Nothing is wrong with a "Success".
        let reason = envelope
            .as_ref()
            .filter(|(code, _)| code != "200")
            .map(|(_, message)| one_line(message))
            .filter(|reason| !reason.is_empty());
        let message = match reason {
            Some(reason) if self.code == Code::Rejected => {
                format!("{host} {}; the service says: {reason}", self.what)
            }
            Some(reason) => format!("{host} {}; the service says: {reason}; {advice}", self.what),
            None => format!("{host} {}; {advice}", self.what),
        };
        let mut error = Error::new(self.code, self.cause, message);
        error.set_answer(response.status, response.retry_after);
        if let Some((code, message)) = envelope {
            error.set_envelope(code, message);
        }
        error.set_checkout_url(self.checkout_url);
        if self.is_not_known {
            error.set_not_known();
        }
        error
    }
}

/// How many characters of the service's reason a message shows.
const MAX_REASON: usize = 300;

/// The service's reason on one line, without control characters.
fn one_line(text: &str) -> String {
    let words = text.split(|one: char| one.is_control() || one.is_whitespace());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    let end = line.char_indices().nth(MAX_REASON).map(|(end, _)| end);
    match end.and_then(|end| line.get(..end)) {
        Some(start) => format!("{start}..."),
        None => line,
    }
}
