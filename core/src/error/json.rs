//! The error object of the C ABI.

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::value::RawValue;

use super::{Error, milliseconds};

impl Error {
    /// The error object of the C ABI, as JSON text.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Whole<'a> {
            error: &'a Error,
        }
        // Writing strings, numbers, lists and what is JSON already cannot fail.
        serde_json::to_string(&Whole { error: self }).unwrap_or_default()
    }
}

impl Serialize for Error {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = &self.details;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("result", &self.code.number())?;
        map.serialize_entry("name", self.code.name())?;
        map.serialize_entry("outcome", self.code.outcome().name())?;
        map.serialize_entry("cause", self.cause.name())?;
        map.serialize_entry("action", self.action().name())?;
        map.serialize_entry("message", &known.message)?;
        write_known(&mut map, "operation", known.operation)?;
        write_known(&mut map, "attempts", known.attempts)?;
        write_known(&mut map, "elapsedMs", known.elapsed.map(milliseconds))?;
        if !known.violations.is_empty() {
            map.serialize_entry("violations", &known.violations)?;
        }
        write_known(&mut map, "httpStatus", known.http_status)?;
        write_known(&mut map, "responseCode", known.response_code.as_ref())?;
        write_known(&mut map, "responseMessage", known.response_message.as_ref())?;
        write_known(&mut map, "requestId", known.request_id.as_ref())?;
        write_known(&mut map, "responseBody", self.response_body())?;
        write_known(
            &mut map,
            "retryAfterMs",
            known.retry_after.map(milliseconds),
        )?;
        write_known(&mut map, "statusQuery", known.status_query.as_ref())?;
        write_known(&mut map, "checkoutUrl", known.checkout_url.as_ref())?;
        write_known(&mut map, "previous", known.previous.as_ref())?;
        let status = known.last_status.as_deref().map(serde_json::from_str);
        if let Some(Ok::<&RawValue, _>(status)) = status {
            map.serialize_entry("status", status)?;
        }
        map.end()
    }
}

/// Writes an entry of an object if there is a value.
pub(crate) fn write_known<M: SerializeMap>(
    map: &mut M,
    key: &'static str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    match value {
        Some(value) => map.serialize_entry(key, &value),
        None => Ok(()),
    }
}
