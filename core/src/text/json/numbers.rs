//! Reads JSON with numbers that no `f64` can hold, such as `1e400`. serde_json refuses them like
//! text that is not JSON. Only texts that it refused are read here, so others cost nothing more.

use serde_json::value::RawValue;

use super::{DEPTH_LIMIT, Key, Members, SeenKeys, Value, for_each_entry, not_json};
use crate::error::{Cause, Error};

/// Reads a text for which serde_json gave `refused`. A number without an `f64` becomes an infinite
/// one, which is out of every range. `what` names the text in the error.
pub(super) fn read<'a>(
    text: &'a str,
    what: &str,
    refused: &serde_json::Error,
) -> Result<Value<'a>, Error> {
    let value = serde_json::from_str(text)
        .map_err(NumberProblem::from)
        .and_then(|document| read_value(document, DEPTH_LIMIT));
    value.map_err(|problem| match problem {
        NumberProblem::NotJson => not_json(what, refused),
        NumberProblem::DuplicateKey => Error::argument(
            Cause::DuplicateKey,
            format!("{what}: the text has the same key twice"),
        ),
        NumberProblem::TooDeep => Error::argument(
            Cause::TooLong,
            format!(
                "{what}: the text has more than {DEPTH_LIMIT} arrays and objects in one another"
            ),
        ),
    })
}

enum NumberProblem {
    NotJson,
    DuplicateKey,
    TooDeep,
}

impl From<serde_json::Error> for NumberProblem {
    fn from(_: serde_json::Error) -> NumberProblem {
        NumberProblem::NotJson
    }
}

/// `depth` is how many more levels may follow, since each takes a part of the host's stack.
fn read_value(value: &RawValue, depth: usize) -> Result<Value<'_>, NumberProblem> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'{' | b'[') if depth == 0 => Err(NumberProblem::TooDeep),
        Some(b'{') => {
            let mut members = Vec::new();
            for_each_entry(text, |key, member| members.push((key, member)))?;
            let mut entries: Members<'_> = Vec::with_capacity(members.len());
            let mut seen = SeenKeys::default();
            for (key, member) in members {
                if !seen.insert(&entries, &key) {
                    return Err(NumberProblem::DuplicateKey);
                }
                entries.push((key, read_value(member, depth - 1)?));
            }
            Ok(Value::Object(entries))
        }
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text)?;
            let elements = elements.into_iter();
            let elements = elements.map(|element| read_value(element, depth - 1));
            elements.collect::<Result<_, _>>().map(Value::Array)
        }
        Some(b'"') => {
            let Key(string) = serde_json::from_str(text)?;
            Ok(Value::Text(string))
        }
        Some(b't' | b'f') => Ok(Value::Bool(text == "true")),
        Some(b'n') => Ok(Value::Null),
        _ => Ok(match text.parse() {
            Ok(number) => Value::Whole(number),
            Err(_) => Value::Number(text.parse().unwrap_or(f64::INFINITY)),
        }),
    }
}
