//! JSON for callers without a JSON library: an object from pairs, and a value by its pointer (RFC
//! 6901).

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::error::{Cause, Error, Rule, Violation};
use crate::text::json::{self, RawEntries};

/// Writes an object of strings, in the order given.
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a key that is given twice.
pub(crate) fn object(pairs: &[(&str, &str)]) -> Result<String, Error> {
    let mut seen = std::collections::HashSet::with_capacity(pairs.len());
    let size = |(key, value): &(&str, &str)| key.len() + value.len() + 6;
    let mut object = String::with_capacity(2 + pairs.iter().map(size).sum::<usize>());
    object.push('{');
    for (key, value) in pairs {
        if !seen.insert(key) {
            return Err(Error::argument(
                Cause::DuplicateKey,
                format!("the key {key:?} is given twice"),
            ));
        }
        json::push_text_entry(&mut object, key, value);
    }
    object.push('}');
    Ok(object)
}

/// The value that `pointer` names: a string's own text, any other value as it stands in the input.
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a text that is not JSON, is over 16 MiB, or has a key twice
/// on the way, and for a text that is not a JSON pointer, whatever the document holds;
/// [`crate::Code::InvalidRequest`] where nothing or `null` is there, or a string with U+0000 in it.
pub(crate) fn get<'a>(text: &'a str, pointer: &str) -> Result<Cow<'a, str>, Error> {
    json::limit(text, "the JSON text", json::OFFLINE_LIMIT)?;
    if !(pointer.is_empty() || pointer.starts_with('/')) {
        return Err(Error::argument(
            Cause::InvalidValue,
            "the JSON pointer must be empty or start with a slash, such as /data/url",
        ));
    }
    // Whether the pointer is well formed does not depend on what the text holds.
    let nothing = |rule, complaint: &str| {
        let whole = pointer
            .split('/')
            .try_for_each(|token| unescape(token).map(drop));
        whole.map_or_else(|error| error, |()| nothing(pointer, rule, complaint))
    };
    let not_json = |error: serde_json::Error| json::not_json("the JSON text", &error);
    let mut value: &RawValue = serde_json::from_str(text).map_err(not_json)?;
    for token in pointer.split('/').skip(1) {
        let token = unescape(token)?;
        let found = match value.get().as_bytes().first() {
            Some(b'{') => {
                let RawEntries(entries) = serde_json::from_str(value.get()).map_err(not_json)?;
                let mut named = entries
                    .into_iter()
                    .filter(|(key, _)| *key == token)
                    .map(|(_, value)| value);
                let found = named.next();
                if named.next().is_some() {
                    return Err(Error::argument(
                        Cause::DuplicateKey,
                        "the JSON text has a key twice on the pointer's way",
                    ));
                }
                found
            }
            Some(b'[') => {
                let elements: Vec<&RawValue> =
                    serde_json::from_str(value.get()).map_err(not_json)?;
                index(&token).and_then(|index| elements.get(index).copied())
            }
            _ => None,
        };
        value = found.ok_or_else(|| nothing(Rule::Required, "names nothing in the JSON text"))?;
    }
    if !value.get().starts_with('"') {
        if value.get() == "null" {
            return Err(nothing(Rule::Required, "names null in the JSON text"));
        }
        return Ok(Cow::Borrowed(value.get()));
    }
    let json::Key(string) = serde_json::from_str(value.get()).map_err(not_json)?;
    if string.contains('\0') {
        return Err(nothing(
            Rule::Allowed,
            "names a string with U+0000 in it, which no C string can hold",
        ));
    }
    Ok(string)
}

fn nothing(pointer: &str, rule: Rule, complaint: &str) -> Error {
    let complaint = format!("{pointer:?} {complaint}");
    Error::violations(
        "JSON pointer",
        vec![Violation::new("pointer", rule, &complaint)],
    )
}

/// `~1` is a slash and `~0` a tilde; any other tilde is a mistake.
fn unescape(token: &str) -> Result<Cow<'_, str>, Error> {
    if !token.contains('~') {
        return Ok(Cow::Borrowed(token));
    }
    let mut unescaped = String::with_capacity(token.len());
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        let character = match character {
            '~' => match characters.next() {
                Some('0') => '~',
                Some('1') => '/',
                _ => {
                    return Err(Error::argument(
                        Cause::InvalidValue,
                        "the JSON pointer has a ~ that is followed by neither 0 nor 1",
                    ));
                }
            },
            other => other,
        };
        unescaped.push(character);
    }
    Ok(Cow::Owned(unescaped))
}

/// An array index: digits without a leading zero.
fn index(token: &str) -> Option<usize> {
    let digits = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (token == "0" || !token.starts_with('0'))).then(|| token.parse().ok())?
}
