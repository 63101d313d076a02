//! JSON that is written for callers without a JSON library.

use std::borrow::Cow;
use std::collections::HashSet;

use payorder_core::limits::LONGEST_OFFLINE;
use payorder_core::{Cause, Error, RawJson, Rule};

use super::json_pointer::{NULL, Pointer, child, document};

/// Writes an object of strings, in the order given.
pub(super) fn object(pairs: &[(&str, &str)]) -> Result<String, Error> {
    let mut seen = HashSet::with_capacity(pairs.len());
    let mut object = String::new();
    for (key, value) in pairs {
        if !seen.insert(key) {
            let message = format!("the key {key:?} is given twice");
            return Err(Error::argument(Cause::DuplicateKey, message));
        }
        object.push(if object.is_empty() { '{' } else { ',' });
        push_member(&mut object, key, &written(value));
    }
    object.push_str(if object.is_empty() { "{}" } else { "}" });
    Error::if_too_long(&object, "the object", LONGEST_OFFLINE)?;
    Ok(object)
}

/// A text as a JSON string, in quotes.
pub(super) fn quote(text: &str) -> Result<String, Error> {
    Error::if_too_long(text, "the text", LONGEST_OFFLINE)?;
    Ok(written(text))
}

/// A copy of `text` with `value` at the pointer, all else byte for byte as it was. What is missing
/// on the way is made: an array where `-` follows, otherwise an object; `null` counts as missing.
pub(super) fn set(text: &str, pointer: &str, value: &str) -> Result<String, Error> {
    let pointer = Pointer::read(pointer)?;
    let document = document(text)?;
    let value = RawJson::read(value, "the value", LONGEST_OFFLINE)?;
    let mut rest = pointer.tokens.as_slice();
    let mut place = document;
    while let [token, after @ ..] = rest
        && let Some(found) = child(place, token)?
    {
        (place, rest) = (found, after);
    }
    // The place lies in the document.
    let start = place.text().as_ptr().addr() - document.text().as_ptr().addr();
    let (before, from) = document.text().split_at(start);
    let (old, behind) = from.split_at(place.text().len());
    let mut changed = before.to_owned();
    match (rest, old.as_bytes().first()) {
        _ if rest.is_empty() || old == NULL => push_nested(&mut changed, rest, value),
        ([key, inner @ ..], Some(b'{')) => {
            push_opened(&mut changed, old);
            push_member(&mut changed, key, "");
            push_nested(&mut changed, inner, value);
            changed.push('}');
        }
        ([token, inner @ ..], Some(b'[')) if token == "-" => {
            push_opened(&mut changed, old);
            push_nested(&mut changed, inner, value);
            changed.push(']');
        }
        (_, Some(b'[')) => {
            let complaint = "names no element of an array; /- appends one";
            return Err(pointer.wrong(Rule::Required, complaint));
        }
        _ => {
            let complaint = "leads through a value that is neither an array nor an object";
            return Err(pointer.wrong(Rule::Type, complaint));
        }
    }
    changed.push_str(behind);
    check_objects(RawJson::read(&changed, "the result", LONGEST_OFFLINE)?)?;
    Ok(changed)
}

/// Appends an array or an object without its closing bracket, so that an item can follow.
fn push_opened(json: &mut String, container: &str) {
    let inner = container.strip_suffix([']', '}']).unwrap_or(container);
    json.push_str(inner.trim_end());
    if !json.ends_with(['[', '{']) {
        json.push(',');
    }
}

/// Appends a value in new arrays and objects, so that the tokens lead to it.
fn push_nested(json: &mut String, tokens: &[Cow<'_, str>], value: RawJson<'_>) {
    for token in tokens {
        if token == "-" {
            json.push('[');
        } else {
            json.push('{');
            push_member(json, token, "");
        }
    }
    json.push_str(value.text());
    for token in tokens.iter().rev() {
        json.push(if token == "-" { ']' } else { '}' });
    }
}

fn push_member(json: &mut String, key: &str, value: &str) {
    json.push_str(&written(key));
    json.push(':');
    json.push_str(value);
}

/// Writing a text cannot fail.
fn written(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Refuses a key that occurs twice in an object, and nesting that is too deep to be read as a
/// configuration. Strings and numbers stay unread.
fn check_objects(value: RawJson<'_>) -> Result<(), Error> {
    if !value.text().starts_with(['[', '{']) {
        return Ok(());
    }
    let mut items = value.strict_items()?.into_iter();
    items.try_for_each(|(_, value)| check_objects(value))
}
