//! The JSON envelope of the service's responses, and the fields of a status.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::gateway::status::{STATUS_FIELDS, is_echo};
use crate::text::json;
use crate::text::received::Received;

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
const A_NAME: &str = "the name of a field";

/// The fields of `data` that decide something.
const DECIDING: [&str; 6] = [
    "orderId",
    "transactionId",
    "amount",
    "transactionStatus",
    "refundStatus",
    "refundType",
];

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
            "responseCode" => is_duplicate |= code.replace(value).is_some(),
            "responseMessage" => is_duplicate |= message.replace(value).is_some(),
            "data" => is_duplicate |= data.replace(value).is_some(),
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
            return Err(EnvelopeError::Damaged("responseCode"));
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

/// The `data` of a status response: the 15 fields of the interface, and any other fields.
pub(crate) struct StatusData<'a> {
    pub(crate) fields: [Cow<'a, str>; 15],
    pub(crate) unknown: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> StatusData<'a> {
    /// Reads the `data` of a body. If it is missing or `null`, every field is empty.
    pub(crate) fn read(
        data: Option<&'a RawValue>,
        body: &Received<'_>,
    ) -> Result<StatusData<'a>, EnvelopeError> {
        let mut read = StatusData {
            fields: Default::default(),
            unknown: Vec::new(),
        };
        let Some(data) = data.filter(|data| data.get() != "null") else {
            return Ok(read);
        };
        let (mut values, mut is_duplicate) = ([None; 15], false);
        let mut is_name_damaged = false;
        json::for_each_entry(data.get(), |key, value| {
            is_name_damaged |= body.is_damaged_in(&key);
            match STATUS_FIELDS
                .iter()
                .zip(&mut values)
                .find(|(name, _)| **name == key)
            {
                Some((_, slot)) => is_duplicate |= slot.replace(value).is_some(),
                None => read.unknown.push((key, value)),
            }
        })?;
        if is_duplicate {
            return Err(EnvelopeError::DuplicateField);
        }
        if is_name_damaged {
            return Err(EnvelopeError::Damaged(A_NAME));
        }
        for (field, value) in read.fields.iter_mut().zip(values) {
            if let Some(value) = value {
                *field = lenient_text(value)?;
            }
        }
        let is_damaged = |name: &&str| body.is_damaged_in(read.field(name));
        if body.is_damaged
            && let Some(name) = DECIDING.into_iter().find(is_damaged)
        {
            return Err(EnvelopeError::Damaged(name));
        }
        Ok(read)
    }

    /// Whether it only repeats the question: it has no transaction, status or amount.
    pub(crate) fn is_echo(&self) -> bool {
        is_echo(|name| self.field(name))
    }

    /// A field by its wire name.
    pub(crate) fn field(&self, name: &str) -> &str {
        STATUS_FIELDS
            .iter()
            .zip(&self.fields)
            .find(|(field, _)| **field == name)
            .map_or("", |(_, value)| value)
    }
}
