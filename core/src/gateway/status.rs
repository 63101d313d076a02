//! The response to Get Status: what it says about a payment, or why it says nothing.

use crate::credentials::CallCredentials;
use crate::error::{Cause, Code, Error};
use crate::gateway::envelope::{DATA, Envelope, EnvelopeError, RESPONSE_CODE, RESPONSE_MESSAGE};
use crate::gateway::response::{
    SUCCESS, damaged, judge, push_unknown, read_envelope, success_without_use,
};
use crate::gateway::status_data::{STATUS_FIELDS, StatusData, TRANSACTION_DATE, iso_date};
use crate::gateway::verify::not_a_status;
use crate::limits::LONGEST_OFFLINE;
use crate::payment::failure::ResponseFailure;
use crate::payment::response::Response;
use crate::payment::status::{Fields, Status};
use crate::query::StatusQuery;
use crate::text::json;
use crate::text::received::Received;

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
    let bad = |cause, what: &str| success_without_use(cause, what, &message);

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
    let (name, asked) = query.named();
    let answered = data.field(name);
    if !answered.is_empty() && answered != asked {
        return Err(bad(
            Cause::AnotherOrder,
            &format!("answered for a different {name} than the one asked for"),
        ));
    }

    Ok(status(message, &data, envelope, body.text.len()))
}

/// A status of these parts; `length` is about that of its JSON.
fn status(
    message: String,
    data: &StatusData<'_>,
    envelope: &Envelope<'_>,
    length: usize,
) -> Status {
    let mut json = String::with_capacity(length + 256);
    json.push('{');
    json::push_entry(&mut json, RESPONSE_CODE, SUCCESS);
    json::push_entry(&mut json, RESPONSE_MESSAGE, &message);
    json::push_raw_entry(&mut json, DATA, "{");
    for (name, value) in STATUS_FIELDS.iter().zip(&data.fields) {
        json::push_entry(&mut json, name, value);
    }
    push_unknown(&mut json, data.unknown.iter());
    json.push('}');
    json::push_raw_entry(&mut json, "derived", "{");
    let facts = data.facts();
    json::push_raw_entry(
        &mut json,
        "completed",
        if facts.is_completed { "true" } else { "false" },
    );
    match iso_date(data.field(TRANSACTION_DATE)) {
        Some(date) => json::push_entry(&mut json, TRANSACTION_DATE, &date),
        None => json::push_raw_entry(&mut json, TRANSACTION_DATE, "null"),
    }
    json.push('}');
    // `derived` is the library's own key: a service that sends one must not replace it.
    push_unknown(
        &mut json,
        envelope.unknown.iter().filter(|(key, _)| key != "derived"),
    );
    json.push('}');
    json.shrink_to_fit();
    Status {
        facts,
        response_message: message,
        fields: Fields::new(&STATUS_FIELDS, data.fields.iter().map(AsRef::as_ref)),
        json,
    }
}

impl Status {
    /// A status for a program's own tests, from a response of the service or from
    /// [`Status::json`].
    ///
    /// ```
    /// let status = payorder_core::Status::from_json(
    ///     r#"{"responseCode":"200","data":{"orderId":"O-1","transactionStatus":"Completed"}}"#,
    /// )?;
    /// assert!(status.is_completed());
    /// # Ok::<(), payorder_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a text that is no response of success, has a field twice,
    /// or is over 16 MiB.
    pub fn from_json(text: &str) -> Result<Status, Error> {
        Error::if_too_long(text, "the status", LONGEST_OFFLINE)?;
        let received = Received::of(text.into());
        let envelope = Envelope::read(&received).map_err(not_a_status)?;
        if envelope.code() != SUCCESS {
            return Err(Error::argument(
                Cause::InvalidValue,
                "the status: its responseCode is not \"200\"",
            ));
        }
        let data = StatusData::read(envelope.data, &received).map_err(not_a_status)?;
        let message = envelope.response_message.clone().into_owned();
        Ok(status(message, &data, &envelope, text.len()))
    }
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
        Ok(data) => !data.facts().is_echo,
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
