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
        if let Some(operation) = known.operation {
            map.serialize_entry("operation", operation.name())?;
        }
        entry(&mut map, "attempts", known.attempts.as_ref())?;
        entry(
            &mut map,
            "elapsedMs",
            known.elapsed.map(milliseconds).as_ref(),
        )?;
        if !known.violations.is_empty() {
            map.serialize_entry("violations", &known.violations)?;
        }
        entry(&mut map, "httpStatus", known.http_status.as_ref())?;
        entry(&mut map, "responseCode", known.response_code.as_ref())?;
        entry(&mut map, "responseMessage", known.response_message.as_ref())?;
        entry(&mut map, "requestId", known.request_id.as_ref())?;
        entry(&mut map, "responseBody", self.response_body().as_ref())?;
        entry(
            &mut map,
            "retryAfterMs",
            known.retry_after.map(milliseconds).as_ref(),
        )?;
        entry(&mut map, "statusQuery", known.status_query.as_ref())?;
        entry(&mut map, "checkoutUrl", known.checkout_url.as_ref())?;
        entry(&mut map, "previous", known.previous.as_ref())?;
        let status = known.last_status.as_deref().map(serde_json::from_str);
        if let Some(Ok::<&RawValue, _>(status)) = status {
            map.serialize_entry("status", status)?;
        }
        map.end()
    }
}

fn entry<M: SerializeMap, T: Serialize>(
    map: &mut M,
    key: &'static str,
    value: Option<&T>,
) -> Result<(), M::Error> {
    match value {
        Some(value) => map.serialize_entry(key, value),
        None => Ok(()),
    }
}
