//! Checks the fields of an object that a program gives.

use std::borrow::Cow;

use crate::error::{Rule, Violation};
use crate::text::json::{Members, Value};

pub(crate) fn take<'a>(entries: &mut Members<'a>, name: &str) -> Option<Value<'a>> {
    let place = entries.iter().rposition(|(key, _)| key == name)?;
    // Usually the last one, which leaves nothing to move.
    match place + 1 == entries.len() {
        true => entries.pop().map(|(_, value)| value),
        false => Some(entries.remove(place).1),
    }
}

/// A violation for each field that is left.
pub(crate) fn unknown_fields(
    left: Members<'_>,
    complaint: &'static str,
) -> impl Iterator<Item = Violation> {
    let violation =
        move |(key, _): (Cow<'_, str>, _)| Violation::new(&key, Rule::UnknownField, complaint);
    left.into_iter().map(violation)
}

/// Checks one field: present, a string, not blank; then its own rule.
pub(crate) fn check_field<'a>(
    name: &str,
    value: Option<Value<'a>>,
    complaint: impl FnOnce(&str) -> Option<(Rule, &'static str)>,
) -> Result<Cow<'a, str>, Violation> {
    let text = match value {
        None => return Err(Violation::new(name, Rule::Required, "is missing")),
        Some(Value::Text(text)) => text,
        Some(other) => {
            return Err(Violation::new(
                name,
                Rule::Type,
                &format!("must be a string, not {}", other.kind()),
            ));
        }
    };
    if is_blank(&text) {
        return Err(Violation::new(name, Rule::Blank, "is empty"));
    }
    match complaint(&text) {
        Some((rule, complaint)) => Err(Violation::new(name, rule, complaint)),
        None => Ok(text),
    }
}

pub(crate) fn is_blank(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_graphic())
        && text.chars().all(char::is_whitespace)
}
