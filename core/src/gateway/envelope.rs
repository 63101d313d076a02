//! The JSON envelope of the service's responses.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::text::json;
use crate::text::received::Received;

pub(super) const RESPONSE_CODE: &str = "responseCode";
pub(super) const RESPONSE_MESSAGE: &str = "responseMessage";
pub(super) const DATA: &str = "data";

/// The envelope of both endpoints' responses. Fields that this version does not know are kept as
/// the service sent them.
pub(crate) struct Envelope<'a> {
    pub(crate) response_code: Option<Cow<'a, str>>,
    pub(crate) response_message: Cow<'a, str>,
    pub(crate) data: Option<&'a RawValue>,
    pub(crate) unknown: Vec<(Cow<'a, str>, &'a RawValue)>,
}

/// Reads a value where the interface has a string: a string's text, "" for `null`, and the JSON
/// text of any other value.
pub(crate) fn lenient_text(value: &RawValue) -> Result<Cow<'_, str>, serde_json::Error> {
    let raw = value.get();
    match raw.as_bytes().first() {
        Some(b'"') => json::read_string(value),
        Some(b'n') => Ok(Cow::Borrowed("")),
        _ => Ok(Cow::Borrowed(raw)),
    }
}

pub(crate) enum EnvelopeError {
    /// It is not JSON, or not a JSON object.
    Json(serde_json::Error),
    /// It has a field of the interface twice: two values that contradict each other.
    DuplicateField,
    /// This field decides something, and has characters that are not UTF-8.
    Damaged(&'static str),
}

/// A field whose name is damaged may be one that decides.
pub(super) const A_NAME: &str = "the name of a field";

impl From<serde_json::Error> for EnvelopeError {
    fn from(error: serde_json::Error) -> EnvelopeError {
        EnvelopeError::Json(error)
    }
}

impl<'a> Envelope<'a> {
    /// Reads the envelope of a response, or of a status that the caller saved.
    pub(crate) fn read(body: &'a Received<'_>) -> Result<Envelope<'a>, EnvelopeError> {
        let (mut code, mut message, mut data) = (None, None, None);
        let (mut unknown, mut is_duplicate) = (Vec::new(), false);
        let mut is_name_damaged = false;
        json::for_each_entry(&body.text, |key, value| match key.as_ref() {
            name if body.is_damaged_in(name) => is_name_damaged = true,
            RESPONSE_CODE => is_duplicate |= code.replace(value).is_some(),
            RESPONSE_MESSAGE => is_duplicate |= message.replace(value).is_some(),
            DATA => is_duplicate |= data.replace(value).is_some(),
            _ => unknown.push((key, value)),
        })?;
        if is_duplicate {
            return Err(EnvelopeError::DuplicateField);
        }
        if is_name_damaged {
            return Err(EnvelopeError::Damaged(A_NAME));
        }
        let response_code = code.map(lenient_text).transpose()?;
        if body.is_damaged_in(response_code.as_deref().unwrap_or_default()) {
            return Err(EnvelopeError::Damaged(RESPONSE_CODE));
        }
        Ok(Envelope {
            response_code,
            response_message: message.map_or(Ok(Cow::Borrowed("")), lenient_text)?,
            data,
            unknown,
        })
    }

    /// The envelope's code; empty if there is none.
    pub(crate) fn code(&self) -> &str {
        self.response_code.as_deref().unwrap_or_default()
    }
}
