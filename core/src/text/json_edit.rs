//! JSON that is written for callers without a JSON library.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::value::RawValue;

use crate::error::{Cause, Error, Rule};
use crate::text::json::{self, DEPTH_LIMIT};
use crate::text::json_pointer::{child, document, is_null, tokens, wrong};

/// Writes an object of strings, in the order given.
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a key that is given twice.
pub fn object(pairs: &[(&str, &str)]) -> Result<String, Error> {
    let mut seen = HashSet::with_capacity(pairs.len());
    let size = |(key, value): &(&str, &str)| key.len() + value.len() + 6;
    let size = 2 + pairs.iter().map(size).sum::<usize>();
    if size > json::OFFLINE_LIMIT {
        let most = json::OFFLINE_LIMIT;
        return Err(Error::argument(
            Cause::TooLong,
            format!("the object has {size} bytes, more than the {most} allowed"),
        ));
    }
    let mut object = String::with_capacity(size);
    object.push('{');
    for (key, value) in pairs {
        if !seen.insert(key) {
            return Err(Error::argument(
                Cause::DuplicateKey,
                format!("the key {key:?} is given twice"),
            ));
        }
        json::push_key(&mut object, key);
        json::push_text(&mut object, value);
    }
    object.push('}');
    Ok(object)
}

/// A text as a JSON string, in quotes.
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a text over 16 MiB.
pub fn quote(text: &str) -> Result<String, Error> {
    json::limit(text, "the text", json::OFFLINE_LIMIT)?;
    Ok(json::written(text))
}

/// A copy of `text` with `value` at the pointer, all else byte for byte as it was. What is missing
/// on the way is made: an array where `-` follows, otherwise an object; `null` counts as missing.
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a text that is not JSON and a pointer that is not one;
/// where the result has a key twice in an object, is nested too deep to be read as a configuration,
/// or is over 16 MiB. [`crate::Code::InvalidRequest`] where the pointer leads through a value that
/// is neither an array nor an object, or to an element that the array does not have.
pub fn set(text: &str, pointer: &str, value: &str) -> Result<String, Error> {
    let tokens = tokens(pointer)?;
    let document = document(text)?;
    json::limit(value, "the value", json::OFFLINE_LIMIT)?;
    let value: &RawValue =
        serde_json::from_str(value).map_err(|error| json::not_json("the value", &error))?;
    let mut rest = tokens.as_slice();
    let mut place = document;
    while let [token, after @ ..] = rest
        && let Some(found) = child(place, token)?
    {
        (place, rest) = (found, after);
    }
    // The place lies in the document.
    let start = place.get().as_ptr().addr() - document.get().as_ptr().addr();
    let (before, from) = document.get().split_at(start);
    let (old, behind) = from.split_at(place.get().len());

    let mut changed =
        String::with_capacity(document.get().len() + value.get().len() + 2 * pointer.len() + 8);
    changed.push_str(before);
    match (rest, old.as_bytes().first()) {
        _ if rest.is_empty() || is_null(place) => push_nested(&mut changed, rest, value),
        ([key, inner @ ..], Some(b'{')) => {
            changed.push_str(opened(old));
            json::push_key(&mut changed, key);
            push_nested(&mut changed, inner, value);
            changed.push('}');
        }
        ([token, inner @ ..], Some(b'[')) if token == "-" => {
            changed.push_str(opened(old));
            if !changed.ends_with('[') {
                changed.push(',');
            }
            push_nested(&mut changed, inner, value);
            changed.push(']');
        }
        (_, Some(b'[')) => {
            let complaint = "names no element of an array; /- appends one";
            return Err(wrong(pointer, Rule::Required, complaint));
        }
        _ => {
            let complaint = "leads through a value that is neither an array nor an object";
            return Err(wrong(pointer, Rule::Type, complaint));
        }
    }
    changed.push_str(behind);
    json::limit(&changed, "the result", json::OFFLINE_LIMIT)?;
    let result =
        serde_json::from_str(&changed).map_err(|error| json::not_json("the result", &error))?;
    check_objects(result, DEPTH_LIMIT)?;
    Ok(changed)
}

/// An array or an object without its closing bracket and the white space before it.
fn opened(container: &str) -> &str {
    let inner = container.strip_suffix([']', '}']).unwrap_or(container);
    inner.trim_end()
}

/// Appends a value in new arrays and objects, so that the tokens lead to it.
fn push_nested(json: &mut String, tokens: &[Cow<'_, str>], value: &RawValue) {
    for token in tokens {
        if token == "-" {
            json.push('[');
        } else {
            json.push('{');
            json::push_key(json, token);
        }
    }
    json.push_str(value.get());
    for token in tokens.iter().rev() {
        json.push(if token == "-" { ']' } else { '}' });
    }
}

/// Refuses a key that occurs twice in an object, and nesting that is too deep. Strings and numbers
/// stay unread.
fn check_objects(value: &RawValue, depth: usize) -> Result<(), Error> {
    const WHAT: &str = "the result";
    if !value.get().starts_with(['[', '{']) {
        return Ok(());
    }
    let inner = json::deeper(depth, WHAT)?;
    let items = json::items(value.get(), WHAT)?;
    json::check_keys(&items, WHAT)?;
    let mut values = items.into_iter().map(|(_, value)| value);
    values.try_for_each(|value| check_objects(value, inner))
}
