//! The only place that decides whether an HTTP response means done, rejected or unknown.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::credentials::Redact;
use crate::error::{Cause, Code, Error, Operation};
use crate::gateway::envelope::{Envelope, EnvelopeError, StatusData, lenient_text};
use crate::gateway::order::Checkout;
use crate::gateway::status::{COMPLETED, STATUS_FIELDS, Status, StatusFields, iso_date};
use crate::gateway::status_query::StatusQuery;
use crate::text::json;
use crate::text::url::WebUrl;

/// A complete HTTP response.
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    /// `None` if the body was longer than allowed.
    pub(crate) body: Option<&'a [u8]>,
    /// The body had no length and the connection was cut. The body is complete only if it is a
    /// complete JSON object.
    pub(crate) truncated: bool,
}

/// Why a response does not mean success. [`ResponseFailure::into_error`] makes it the error of a
/// call.
pub(crate) struct ResponseFailure {
    code: Code,
    cause: Cause,
    /// What happened, worded to follow the host's name: `answered with …`.
    what: String,
    response: Option<(String, String)>,
}

/// What makes a checkout URL usable.
pub(crate) struct CheckoutUrlRules<'a> {
    pub(crate) allow_insecure_http: bool,
    /// Hosts in their normal form; `None` for any.
    pub(crate) hosts: Option<&'a [String]>,
}

/// Reads the response to Create Order.
pub(crate) fn read_checkout(
    response: &Response<'_>,
    rule: &CheckoutUrlRules<'_>,
    redact: Redact<'_>,
) -> Result<Checkout, ResponseFailure> {
    let envelope = read_success(response)?;
    let message = redact(&envelope.response_message);
    let bad = |cause, what: &str| ResponseFailure {
        code: Code::BadResponse,
        cause,
        what: what.to_owned(),
        response: Some(("200".into(), message.clone())),
    };

    let (mut url, mut is_duplicate, mut unknown) = (None, false, Vec::new());
    let data = envelope.data.map(|data| {
        json::for_each_entry(data.get(), |key, value| match key.as_ref() {
            "url" => is_duplicate |= url.replace(value).is_some(),
            _ => unknown.push((key, value)),
        })
    });
    if !matches!(data, Some(Ok(()))) {
        return Err(bad(
            Cause::CheckoutUrlMissing,
            "reported success, but without a data object and so without a checkout URL",
        ));
    }
    let url = url
        .filter(|value| !is_duplicate && value.get().starts_with('"'))
        .and_then(|value| lenient_text(value).ok());
    let Some(url) = url.filter(|url| !url.is_empty()) else {
        return Err(bad(
            Cause::CheckoutUrlMissing,
            "reported success, but data.url is empty or not one text",
        ));
    };
    rule.check(&url, redact).map_err(|(cause, problem)| {
        bad(
            cause,
            &format!("reported success, but the checkout URL {problem}"),
        )
    })?;

    let mut json = String::with_capacity(url.len() + 96);
    json.push('{');
    json::push_field(&mut json, "responseCode", "200");
    json::push_field(&mut json, "responseMessage", &message);
    json::push_raw_field(&mut json, "data", "{");
    json::push_field(&mut json, "url", &url);
    push_unknown(&mut json, unknown.iter());
    json.push('}');
    push_unknown(&mut json, envelope.unknown.iter());
    json.push('}');
    Ok(Checkout {
        url: url.into_owned(),
        response_message: message,
        json,
    })
}

impl CheckoutUrlRules<'_> {
    /// Checks a checkout URL. The error does not show the URL, which can contain a token.
    fn check(&self, text: &str, redact: Redact<'_>) -> Result<(), (Cause, String)> {
        let unusable = |problem: String| Err((Cause::CheckoutUrlUnusable, problem));
        let Some(address) = WebUrl::read(text) else {
            return unusable("is not an absolute http or https URL that a browser can open".into());
        };
        // Browsers and other programs convert such letters differently.
        if !address.written_host.is_ascii() {
            return unusable("has a host with non-ASCII letters instead of its xn-- form".into());
        }
        if address.userinfo.is_some() {
            return unusable("has a user name or password before its host".into());
        }
        if !address.secure && !address.is_loopback() && !self.allow_insecure_http {
            return unusable(format!(
                "of host {} is not https",
                redact(address.written_host)
            ));
        }
        match self.hosts {
            Some(hosts) if !hosts.iter().any(|host| *host == address.host()) => Err((
                Cause::CheckoutHostNotAllowed,
                format!(
                    "has the host {}, which is not in checkoutHosts",
                    redact(address.written_host)
                ),
            )),
            _ => Ok(()),
        }
    }
}

/// Reads the response to Get Status.
pub(crate) fn read_status(
    response: &Response<'_>,
    query: &StatusQuery<'_>,
    redact: Redact<'_>,
) -> Result<Status, ResponseFailure> {
    let envelope = read_success(response)?;
    let message = redact(&envelope.response_message);
    let bad = |cause, what: &str| ResponseFailure {
        code: Code::BadResponse,
        cause,
        what: what.to_owned(),
        response: Some(("200".into(), message.clone())),
    };

    let data = StatusData::read(envelope.data).map_err(|_| {
        bad(
            Cause::ResponseNotJson,
            "reported success, but data is not an object with each field once",
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

    let mut json = String::with_capacity(response.body.map_or(0, <[u8]>::len) + 256);
    json.push('{');
    json::push_field(&mut json, "responseCode", "200");
    json::push_field(&mut json, "responseMessage", &message);
    json::push_raw_field(&mut json, "data", "{");
    for (name, value) in STATUS_FIELDS.iter().zip(&data.fields) {
        json::push_field(&mut json, name, value);
    }
    push_unknown(&mut json, data.unknown.iter());
    json.push('}');
    json::push_raw_field(&mut json, "derived", "{");
    let completed = data.field("transactionStatus") == COMPLETED;
    json::push_raw_field(
        &mut json,
        "completed",
        if completed { "true" } else { "false" },
    );
    match iso_date(data.field("transactionDate")) {
        Some(date) => json::push_field(&mut json, "transactionDate", &date),
        None => json::push_raw_field(&mut json, "transactionDate", "null"),
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
        fields: StatusFields::new(&data.fields),
        json,
        certificate: None,
    })
}

fn push_unknown<'a>(
    json: &mut String,
    entries: impl Iterator<Item = &'a (Cow<'a, str>, &'a RawValue)>,
) {
    for (key, value) in entries {
        json::push_raw_entry(json, key, value.get());
    }
}

/// Decides whether a response is a success or a failure. The first rule that fits decides.
fn read_success<'a>(response: &Response<'a>) -> Result<Envelope<'a>, ResponseFailure> {
    let status = response.status;
    let refuse = |code, cause, what: String| ResponseFailure {
        code,
        cause,
        what,
        response: None,
    };
    let body = response.body.ok_or_else(|| {
        (
            Cause::ResponseTooLarge,
            "is larger than maxResponseBytes".to_owned(),
        )
    });
    let not_json = |problem: String| (Cause::ResponseNotJson, problem);
    let text = body
        .and_then(|body| std::str::from_utf8(body).map_err(|_| not_json("is not UTF-8".into())));
    let envelope = text.and_then(|text| {
        // The parser's message could quote the response, so only the position is given.
        Envelope::read(text).map_err(|error| {
            not_json(match error {
                EnvelopeError::Json(error) if !error.is_data() => format!(
                    "is not JSON (at line {} column {})",
                    error.line(),
                    error.column()
                ),
                _ => "is not a JSON object with each field once".to_owned(),
            })
        })
    });
    if response.truncated && envelope.is_err() {
        return Err(refuse(
            Code::ConnectionLost,
            Cause::ConnectionClosed,
            format!("cut the connection in the middle of its response (HTTP {status})"),
        ));
    }
    let code = envelope.as_ref().map_or("", |envelope| envelope.code());
    let (result, cause, what) = match status {
        400..=499 if status != 408 && status != 409 => match code {
            "" => {
                let (code, cause) = refusal_code(status);
                (code, cause, format!("refused with HTTP {status}"))
            }
            "200" => (
                Code::BadResponse,
                Cause::ResponseContradictory,
                format!("contradicted itself: HTTP {status} with responseCode 200"),
            ),
            _ => match refusal_number(code) {
                Some(named) => {
                    let by_http = refusal_code(status);
                    let (result, cause) = if by_http.0 == Code::Rejected {
                        refusal_code(named)
                    } else {
                        by_http
                    };
                    (
                        result,
                        cause,
                        format!("refused with HTTP {status} and a responseCode of {named}"),
                    )
                }
                None => (
                    Code::ServiceFailed,
                    Cause::ServiceError,
                    format!("answered HTTP {status} with a responseCode that is not a refusal"),
                ),
            },
        },
        408 | 409 | 500..=599 => (
            Code::ServiceFailed,
            Cause::ServiceError,
            format!("failed with HTTP {status}"),
        ),
        200..=299 => match (&envelope, code) {
            (Err((cause, problem)), _) => (
                Code::BadResponse,
                *cause,
                format!("answered HTTP {status} with a body that {problem}"),
            ),
            (Ok(_), "200") => {
                return envelope
                    .map_err(|(cause, problem)| refuse(Code::BadResponse, cause, problem));
            }
            (Ok(_), "") => (
                Code::BadResponse,
                Cause::ResponseCodeMissing,
                format!("answered HTTP {status} without a responseCode"),
            ),
            (Ok(_), code) => match refusal_number(code) {
                Some(named) => {
                    let (code, cause) = refusal_code(named);
                    (code, cause, format!("refused with responseCode {named}"))
                }
                None => (
                    Code::ServiceFailed,
                    Cause::ServiceError,
                    "answered with a responseCode that is neither 200 nor a refusal".to_owned(),
                ),
            },
        },
        300..=399 => (
            Code::BadResponse,
            Cause::Redirected,
            format!(
                "answered with a redirect (HTTP {status}), which is never followed; check baseUrl"
            ),
        ),
        _ => (
            Code::BadResponse,
            Cause::ResponseNotHttp,
            format!("answered with HTTP {status}, which is not a final response"),
        ),
    };
    Err(ResponseFailure {
        code: result,
        cause,
        what,
        response: envelope.ok().map(|envelope| {
            (
                envelope.code().to_owned(),
                envelope.response_message.into_owned(),
            )
        }),
    })
}

/// The number of a responseCode that is a refusal: three digits from 400 to 499, except 408 and
/// 409, after which the service may have acted.
fn refusal_number(code: &str) -> Option<u16> {
    let three_digits = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit());
    let number = code.parse().ok().filter(|_| three_digits)?;
    matches!(number, 400..=407 | 410..=499).then_some(number)
}

fn refusal_code(number: u16) -> (Code, Cause) {
    match number {
        401 | 403 => (Code::Unauthorized, Cause::Unauthorized),
        429 => (Code::RateLimited, Cause::RateLimited),
        _ => (Code::Rejected, Cause::ServiceRefused),
    }
}

impl ResponseFailure {
    /// The error of a call.
    pub(crate) fn into_error(
        self,
        operation: Operation,
        host: &str,
        response: &Response<'_>,
        redact: Redact<'_>,
    ) -> Error {
        let advice = match self.code {
            Code::Unauthorized => match operation {
                Operation::CreateOrder => "check accessToken",
                _ => "check clientKey, clientId and secretKey",
            },
            Code::RateLimited => "wait before calling again",
            Code::Rejected
                if self
                    .response
                    .as_ref()
                    .is_some_and(|(_, message)| !message.is_empty()) =>
            {
                "see responseMessage for the service's reason"
            }
            Code::Rejected => "it gave no reason; check the address and path in baseUrl",
            _ => operation.unknown_advice(),
        };
        let mut error = Error::new(
            self.code,
            self.cause,
            format!("{host} {}; {advice}", self.what),
        );
        error.set_answer(response.status, response.retry_after);
        if let Some((code, message)) = self.response {
            error.set_envelope(redact(&code), redact(&message));
        }
        error
    }
}
