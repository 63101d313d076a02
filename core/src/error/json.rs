//! The error object of the C ABI.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::value::RawValue;

use super::{Error, milliseconds};

impl Error {
    /// The error object of the C ABI, as JSON text.
    pub fn to_json(&self) -> String {
        // Writing strings, numbers and lists cannot fail. The fallback is there to return an object
        // in any case.
        serde_json::to_string(&BTreeMap::from([("error", self)]))
            .unwrap_or_else(|_| UNWRITABLE.to_owned())
    }
}

const UNWRITABLE: &str = concat!(
    r#"{"error":{"result":205,"name":"PAYORDER_INTERNAL_IN_FLIGHT","outcome":"unknown","#,
    r#""cause":"bug","action":"ask_status","message":"the error could not be written"}}"#
);

impl Serialize for Error {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let details = &self.0;
        let context = &details.context;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("result", &details.code.number())?;
        map.serialize_entry("name", details.code.name())?;
        map.serialize_entry("outcome", details.code.outcome().name())?;
        map.serialize_entry("cause", details.cause.name())?;
        map.serialize_entry("action", self.action().name())?;
        map.serialize_entry("message", &details.message)?;
        if let Some(operation) = context.operation {
            map.serialize_entry("operation", operation.name())?;
        }
        entry(&mut map, "attempts", context.attempts.as_ref())?;
        entry(
            &mut map,
            "elapsedMs",
            context.elapsed.map(milliseconds).as_ref(),
        )?;
        if !context.violations.is_empty() {
            map.serialize_entry("violations", &context.violations)?;
        }
        entry(&mut map, "httpStatus", context.http_status.as_ref())?;
        entry(&mut map, "responseCode", context.response_code.as_ref())?;
        entry(
            &mut map,
            "responseMessage",
            context.response_message.as_ref(),
        )?;
        entry(
            &mut map,
            "retryAfterMs",
            context.retry_after.map(milliseconds).as_ref(),
        )?;
        entry(&mut map, "statusQuery", context.status_query.as_ref())?;
        entry(&mut map, "checkoutUrl", context.checkout_url.as_ref())?;
        entry(&mut map, "previous", context.previous.as_ref())?;
        if let Some(status) = &context.last_status {
            let status: &RawValue =
                serde_json::from_str(status).map_err(serde::ser::Error::custom)?;
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
