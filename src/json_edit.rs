//! JSON that is written for callers without a JSON library.

use std::borrow::Cow;
use std::collections::HashSet;

use payorder_core::limits::LONGEST_OFFLINE;
use payorder_core::{Cause, Error, RawJson, Rule, push_text};

use super::json_pointer::{NULL, Pointer, child, document};

/// Writes an object of strings, in the order given.
pub(super) fn object(pairs: &[(&str, &str)]) -> Result<String, Error> {
    let mut seen = HashSet::with_capacity(pairs.len());
    let size = |(key, value): &(&str, &str)| key.len() + value.len() + 6;
    let size = 2 + pairs.iter().map(size).sum::<usize>();
    // Before memory is taken for it.
    if size > LONGEST_OFFLINE {
        let message =
            format!("the object has {size} bytes, more than the {LONGEST_OFFLINE} allowed");
        return Err(Error::argument(Cause::TooLong, message));
    }
    let mut object = String::with_capacity(size);
    object.push('{');
    for (key, value) in pairs {
        if !seen.insert(key) {
            let message = format!("the key {key:?} is given twice");
            return Err(Error::argument(Cause::DuplicateKey, message));
        }
        if object.len() > 1 {
            object.push(',');
        }
        push_key(&mut object, key);
        push_text(&mut object, value);
    }
    object.push('}');
    Ok(object)
}

/// A text as a JSON string, in quotes.
pub(super) fn quote(text: &str) -> Result<String, Error> {
    Error::if_too_long(text, "the text", LONGEST_OFFLINE)?;
    let mut quoted = String::with_capacity(text.len() + 2);
    push_text(&mut quoted, text);
    Ok(quoted)
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
            push_key(&mut changed, key);
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
    RawJson::read(&changed, "the result", LONGEST_OFFLINE)?.check()?;
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
            push_key(json, token);
        }
    }
    json.push_str(value.text());
    for token in tokens.iter().rev() {
        json.push(if token == "-" { ']' } else { '}' });
    }
}

fn push_key(json: &mut String, key: &str) {
    push_text(json, key);
    json.push(':');
}
