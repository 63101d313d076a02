//! Values at JSON pointers (RFC 6901), for callers without a JSON library.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::value::RawValue;

use crate::error::{Cause, Error, Rule, Violation};
use crate::text::json::{self, Items};

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
    let value = find(text, pointer)?;
    let mut keys = Keys::default();
    let mut count = 0;
    for item in items(value, pointer)? {
        let (key, _) = item.map_err(not_json)?;
        keys.add(key)?;
        count += 1;
    }
    Ok(count)
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
    let value = find(text, pointer)?;
    let mut keys = Keys::default();
    for item in items(value, pointer)? {
        let (key, value) = item.map_err(not_json)?;
        if key.as_deref().is_some_and(|key| key.contains('\0')) {
            return Err(has_nul(pointer, "names an object that has a key"));
        }
        keys.add(key)?;
        read(value, pointer)?;
    }
    for (index, member) in items(value, pointer)?.enumerate() {
        let (key, value) = member.map_err(not_json)?;
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
    json::limit(text, "the JSON text", json::OFFLINE_LIMIT)?;
    serde_json::from_str(text).map_err(not_json)
}

/// The value that is there and is not `null`.
fn find<'a>(text: &'a str, pointer: &str) -> Result<&'a RawValue, Error> {
    check_start(pointer)?;
    // Whether the pointer is valid does not depend on what the text contains.
    let nothing = |rule, complaint: &str| {
        check(pointer).map_or_else(|error| error, |()| wrong(pointer, rule, complaint))
    };
    let mut value = document(text)?;
    for token in pointer.split('/').skip(1) {
        let token = unescape(token)?;
        value = child(value, &token)?
            .ok_or_else(|| nothing(Rule::Required, "names nothing in the JSON text"))?;
    }
    if is_null(value) {
        return Err(nothing(Rule::Required, "names null in the JSON text"));
    }
    Ok(value)
}

/// The member or element that a part of a pointer names.
pub(super) fn child<'a>(value: &'a RawValue, token: &str) -> Result<Option<&'a RawValue>, Error> {
    match value.get().as_bytes().first() {
        Some(b'{') => {
            let (mut found, mut is_duplicate) = (None, false);
            json::for_each_entry(value.get(), |key, value| {
                if key == token {
                    is_duplicate |= found.replace(value).is_some();
                }
            })
            .map_err(not_json)?;
            if is_duplicate {
                return Err(Error::argument(
                    Cause::DuplicateKey,
                    "the JSON text has a key twice on the pointer's way",
                ));
            }
            Ok(found)
        }
        Some(b'[') => {
            let place = index(token);
            let mut elements = Items::of(value).into_iter().flatten();
            match place.and_then(|place| elements.nth(place)) {
                Some(element) => Ok(Some(element.map_err(not_json)?.1)),
                None => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// The elements or members of an array or an object.
fn items<'a>(value: &'a RawValue, pointer: &str) -> Result<Items<'a>, Error> {
    Items::of(value).ok_or_else(|| {
        wrong(
            pointer,
            Rule::Type,
            "names a value that is neither an array nor an object",
        )
    })
}

/// A string's text, or the JSON text of any other value.
fn read<'a>(value: &'a RawValue, pointer: &str) -> Result<Cow<'a, str>, Error> {
    if !value.get().starts_with('"') {
        return Ok(Cow::Borrowed(value.get()));
    }
    let json::Key(string) = serde_json::from_str(value.get()).map_err(not_json)?;
    if string.contains('\0') {
        return Err(has_nul(pointer, "names a string"));
    }
    Ok(string)
}

pub(super) fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// The keys of one object.
#[derive(Default)]
pub(super) struct Keys<'a>(HashSet<Cow<'a, str>>);

impl<'a> Keys<'a> {
    /// Refuses a key that came before. In an array there is none.
    pub(super) fn add(&mut self, key: Option<Cow<'a, str>>) -> Result<(), Error> {
        match key.is_none_or(|key| self.0.insert(key)) {
            true => Ok(()),
            false => Err(Error::argument(
                Cause::DuplicateKey,
                "an object in the JSON text has the same key twice",
            )),
        }
    }
}

pub(super) fn not_json(error: serde_json::Error) -> Error {
    json::not_json("the JSON text", &error)
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

/// Refuses a text that is not a JSON pointer.
pub(super) fn check(pointer: &str) -> Result<(), Error> {
    check_start(pointer)?;
    let mut tokens = pointer.split('/').skip(1);
    tokens.try_for_each(|token| unescape(token).map(drop))
}

fn check_start(pointer: &str) -> Result<(), Error> {
    json::limit(pointer, "the JSON pointer", json::OFFLINE_LIMIT)?;
    match pointer.is_empty() || pointer.starts_with('/') {
        true => Ok(()),
        false => Err(Error::argument(
            Cause::InvalidValue,
            "the JSON pointer must be empty or start with a slash, such as /data/url",
        )),
    }
}

/// Decodes `~1` to a slash and `~0` to a tilde. Any other tilde is an error.
pub(super) fn unescape(token: &str) -> Result<Cow<'_, str>, Error> {
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
