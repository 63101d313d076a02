//! Values at JSON pointers (RFC 6901), for callers without a JSON library.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::error::{Cause, Error, Rule, Violation};
use crate::text::json::{self, Item};

/// What messages call the text.
const WHAT: &str = "the JSON text";

/// The value at `pointer`: a string's text, or the JSON text of any other value.
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a text that is not JSON, is over 16 MiB, or has a key twice
/// along the pointer, and for an invalid JSON pointer, whatever the document contains;
/// [`crate::Code::InvalidRequest`] if there is nothing or `null`, or a string with U+0000 in it.
pub fn get<'a>(text: &'a str, pointer: &str) -> Result<Cow<'a, str>, Error> {
    let value = find(text, pointer)?;
    read(value, pointer)
}

/// The number of elements of the array, or members of the object, at `pointer`.
///
/// # Errors
/// As [`get`]; [`crate::Code::InvalidRequest`] also for a value of another type, and
/// [`crate::Code::InvalidArgument`] for an object that has a key twice.
pub fn count(text: &str, pointer: &str) -> Result<usize, Error> {
    Ok(items(find(text, pointer)?, pointer)?.len())
}

/// Calls `item` with the index, the key (`None` in an array) and the value (`None` for `null`) of
/// each element or member, until it returns false.
///
/// # Errors
/// As [`count`], and as [`get`] for each key and value. Everything is checked first, so after a
/// failure `item` was not called.
pub fn each(
    text: &str,
    pointer: &str,
    mut item: impl FnMut(usize, Option<&str>, Option<&str>) -> bool,
) -> Result<(), Error> {
    let items = items(find(text, pointer)?, pointer)?;
    for (key, value) in &items {
        if key.as_deref().is_some_and(|key| key.contains('\0')) {
            return Err(has_nul(pointer, "names an object that has a key"));
        }
        read(value, pointer)?;
    }
    for (index, (key, value)) in items.into_iter().enumerate() {
        let text = match is_null(value) {
            true => None,
            false => Some(read(value, pointer)?),
        };
        if !item(index, key.as_deref(), text.as_deref()) {
            break;
        }
    }
    Ok(())
}

/// The whole text as one value.
pub(super) fn document(text: &str) -> Result<&RawValue, Error> {
    json::limit(text, WHAT, json::OFFLINE_LIMIT)?;
    serde_json::from_str(text).map_err(|error| json::not_json(WHAT, &error))
}

/// The value that is there and is not `null`.
fn find<'a>(text: &'a str, pointer: &str) -> Result<&'a RawValue, Error> {
    // Whether the pointer is valid does not depend on what the text contains.
    let tokens = tokens(pointer)?;
    let mut value = document(text)?;
    for token in &tokens {
        value = child(value, token)?
            .ok_or_else(|| wrong(pointer, Rule::Required, "names nothing in the JSON text"))?;
    }
    if is_null(value) {
        return Err(wrong(
            pointer,
            Rule::Required,
            "names null in the JSON text",
        ));
    }
    Ok(value)
}

/// The member or element that a part of a pointer names.
pub(super) fn child<'a>(value: &'a RawValue, token: &str) -> Result<Option<&'a RawValue>, Error> {
    let mut items = json::items(value.get(), WHAT)?.into_iter();
    if value.get().starts_with('[') {
        let element = index(token).and_then(|place| items.nth(place));
        return Ok(element.map(|(_, element)| element));
    }
    let mut named = items.filter(|(key, _)| key.as_deref() == Some(token));
    let member = named.next().map(|(_, member)| member);
    match named.next() {
        None => Ok(member),
        Some(_) => Err(json::duplicate_key(WHAT, token)),
    }
}

/// The elements or members of an array or an object.
fn items<'a>(value: &'a RawValue, pointer: &str) -> Result<Vec<Item<'a>>, Error> {
    if !value.get().starts_with(['[', '{']) {
        let complaint = "names a value that is neither an array nor an object";
        return Err(wrong(pointer, Rule::Type, complaint));
    }
    let items = json::items(value.get(), WHAT)?;
    json::check_keys(&items, WHAT)?;
    Ok(items)
}

/// A string's text, or the JSON text of any other value.
fn read<'a>(value: &'a RawValue, pointer: &str) -> Result<Cow<'a, str>, Error> {
    if !value.get().starts_with('"') {
        return Ok(Cow::Borrowed(value.get()));
    }
    let string = json::read_string(value).map_err(|error| json::not_json(WHAT, &error))?;
    if string.contains('\0') {
        return Err(has_nul(pointer, "names a string"));
    }
    Ok(string)
}

pub(super) fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// The error for a valid pointer that leads nowhere.
pub(super) fn wrong(pointer: &str, rule: Rule, complaint: &str) -> Error {
    let complaint = format!("{pointer:?} {complaint}");
    Error::violations(
        "JSON pointer",
        vec![Violation::new("pointer", rule, &complaint)],
    )
}

fn has_nul(pointer: &str, what: &str) -> Error {
    let complaint = format!("{what} with U+0000 in it, which no C string can hold");
    wrong(pointer, Rule::Allowed, &complaint)
}

/// The parts of a pointer, decoded.
pub(super) fn tokens(pointer: &str) -> Result<Vec<Cow<'_, str>>, Error> {
    json::limit(pointer, "the JSON pointer", json::OFFLINE_LIMIT)?;
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(Error::argument(
            Cause::InvalidValue,
            "the JSON pointer must be empty or start with a slash, such as /data/url",
        ));
    }
    pointer.split('/').skip(1).map(unescape).collect()
}

/// Decodes `~1` to a slash and `~0` to a tilde. Any other tilde is an error.
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
