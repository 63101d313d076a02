//! Reads values of a configuration and of options, and checks their types and ranges.

use std::borrow::Cow;
use std::time::Duration;

use crate::text::json::Value;

/// The range of a call's timeout, in milliseconds.
pub(crate) const TIMEOUT_RANGE: (u64, u64) = (1, 600_000);
/// How long a kept connection may be idle, in milliseconds.
pub(crate) const IDLE_RANGE: (u64, u64) = (0, 600_000);
pub(crate) const RETRY_RANGE: (u64, u64) = (0, 10);
pub(crate) const RESPONSE_RANGE: (u64, u64) = (1024, 16 * 1024 * 1024);

/// A value that must be a string.
pub(crate) fn text(value: Value<'_>) -> Result<Cow<'_, str>, String> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(format!("must be a string, not {}", other.kind())),
    }
}

pub(crate) fn boolean(value: Value<'_>) -> Result<bool, String> {
    match value {
        Value::Bool(boolean) => Ok(boolean),
        other => Err(format!("must be true or false, not {}", other.kind())),
    }
}

pub(crate) fn strings(value: Value<'_>) -> Result<Vec<String>, String> {
    match value {
        Value::Array(values) => values
            .into_iter()
            .map(|value| text(value).map(Cow::into_owned))
            .collect(),
        other => Err(format!("must be an array of strings, not {}", other.kind())),
    }
}

pub(crate) fn whole(value: Value<'_>, (least, most): (u64, u64)) -> Result<u64, String> {
    match value {
        Value::Whole(number) if (least..=most).contains(&number) => Ok(number),
        Value::Whole(number) => Err(format!(
            "must be a whole number from {least} to {most}, not {number}"
        )),
        Value::Number(_) => Err(format!("must be a whole number from {least} to {most}")),
        other => Err(format!(
            "must be a whole number from {least} to {most}, not {}",
            other.kind()
        )),
    }
}

pub(crate) fn milliseconds(value: Value<'_>, range: (u64, u64)) -> Result<Duration, String> {
    whole(value, range).map(Duration::from_millis)
}

pub(crate) fn timeout(value: Value<'_>) -> Result<Duration, String> {
    milliseconds(value, TIMEOUT_RANGE)
}

/// Checks a timeout that a Rust program gave.
pub(crate) fn check_timeout(timeout: Duration) -> Result<(), String> {
    in_range(timeout.as_millis(), TIMEOUT_RANGE)
}

/// Checks a number that a Rust program gave.
pub(crate) fn in_range(value: u128, (least, most): (u64, u64)) -> Result<(), String> {
    if (u128::from(least)..=u128::from(most)).contains(&value) {
        Ok(())
    } else {
        Err(format!("must be from {least} to {most}, not {value}"))
    }
}
