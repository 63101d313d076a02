//! Reads JSON text from a caller, strictly, into values that borrow from it.

mod numbers;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::error::{Cause, Error};

/// The longest JSON text that a request, a configuration or options may have, in bytes.
pub(crate) const REQUEST_LIMIT: usize = 256 * 1024;
/// How deep arrays and objects may be nested: as deep as serde_json reads them.
pub(crate) const DEPTH_LIMIT: usize = 127;
/// The longest JSON text that is read offline, in bytes.
pub(crate) const OFFLINE_LIMIT: usize = 16 * 1024 * 1024;

/// The longest array of queries, in bytes.
const ARRAY_LIMIT: usize = 64 * 1024 * 1024;

/// A JSON value. Strings are borrowed if they need no decoding.
#[derive(Debug)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Whole(u64),
    /// A number that is negative, fractional or very large; infinite if no `f64` can hold it.
    Number(f64),
    Text(Cow<'a, str>),
    Array(Vec<Value<'a>>),
    Object(Members<'a>),
}

/// The members of an object in their original order, without duplicate keys.
pub(crate) type Members<'a> = Vec<(Cow<'a, str>, Value<'a>)>;

/// Reads a JSON object; `what` names the text in the error, which is
/// [`crate::Code::InvalidArgument`].
pub(crate) fn read_object<'a>(text: &'a str, what: &str) -> Result<Members<'a>, Error> {
    limit(text, what, REQUEST_LIMIT)?;
    match read_value(text, what)? {
        Value::Object(entries) => Ok(entries),
        other => Err(Error::argument(
            Cause::NotJson,
            format!("{what} must be a JSON object, not {}", other.kind()),
        )),
    }
}

/// Reads a JSON value in which no object, at any depth, has the same key twice.
pub(crate) fn read_value<'a>(text: &'a str, what: &str) -> Result<Value<'a>, Error> {
    serde_json::from_str(text).or_else(|error| match error.classify() {
        Category::Syntax => numbers::read(text, what, &error),
        _ => Err(not_json(what, &error)),
    })
}

/// Iterates over the elements of a JSON array, each as its JSON text. They are not collected.
pub(crate) struct Elements<'a>(Items<'a>);

impl<'a> Elements<'a> {
    /// Checks that the whole text is an array; `what` names it in the error, which is
    /// [`crate::Code::InvalidArgument`].
    pub(crate) fn new(text: &'a str, what: &str) -> Result<Elements<'a>, Error> {
        limit(text, what, ARRAY_LIMIT)?;
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| not_json(what, &error))?;
        match text.trim_start().strip_prefix('[') {
            Some(rest) => Ok(Elements(Items::after_bracket(rest, false))),
            None => Err(Error::argument(
                Cause::NotJson,
                format!("{what} must be a JSON array"),
            )),
        }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (_, element) = self.0.next()?.ok()?;
        Some(element.get())
    }
}

/// The elements of a JSON array or the members of an object, one after the other, each value as
/// the text that it came as. Nothing is kept of them, so the time grows linearly with the text.
pub(crate) struct Items<'a> {
    rest: &'a str,
    is_object: bool,
}

/// A member's key, or `None` in an array; and the value.
pub(crate) type Item<'a> = (Option<Cow<'a, str>>, &'a RawValue);

impl<'a> Items<'a> {
    /// `None` for a value that is neither an array nor an object.
    pub(crate) fn of(value: &'a RawValue) -> Option<Items<'a>> {
        let is_object = match value.get().as_bytes().first() {
            Some(b'{') => true,
            Some(b'[') => false,
            _ => return None,
        };
        Some(Items::after_bracket(value.get().get(1..)?, is_object))
    }

    fn after_bracket(rest: &'a str, is_object: bool) -> Items<'a> {
        Items { rest, is_object }
    }

    fn take<T: Deserialize<'a>>(&mut self) -> Result<T, serde_json::Error> {
        let (value, rest) = take(self.rest)?;
        self.rest = rest;
        Ok(value)
    }

    fn take_item(&mut self) -> Result<Item<'a>, serde_json::Error> {
        let mut key = None;
        if self.is_object {
            key = Some(self.take::<Key<'a>>()?.0);
            self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r', ':']);
        }
        Ok((key, self.take()?))
    }
}

/// The value at the beginning of a text, and what follows it.
pub(crate) fn take<'a, T: Deserialize<'a>>(
    text: &'a str,
) -> Result<(T, &'a str), serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<T>();
    let value = values.next().unwrap_or_else(|| {
        use serde::de::Error;
        Err(serde_json::Error::custom("there is no value"))
    })?;
    let rest = text.get(values.byte_offset()..).unwrap_or_default();
    Ok((value, rest))
}

impl<'a> Iterator for Items<'a> {
    type Item = Result<Item<'a>, serde_json::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        // A comma, or the white space at the beginning; at the end there is the bracket.
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r', ',']);
        if self.rest.starts_with([']', '}']) {
            return None;
        }
        Some(self.take_item())
    }
}

/// An error if a text is longer than allowed.
pub(crate) fn limit(text: &str, what: &str, most: usize) -> Result<(), Error> {
    if text.len() > most {
        return Err(Error::argument(
            Cause::TooLong,
            format!(
                "{what}: the text has {} bytes, more than the {most} allowed",
                text.len()
            ),
        ));
    }
    Ok(())
}

/// The error for a text that is not JSON. It gives the position, and never shows the text, which
/// can contain credentials.
pub(crate) fn not_json(what: &str, error: &serde_json::Error) -> Error {
    let position = format!("line {} column {}", error.line(), error.column());
    let (cause, problem) = match error.classify() {
        Category::Data => (
            Cause::DuplicateKey,
            "has the same key twice, or a value of the wrong type",
        ),
        Category::Eof => (Cause::NotJson, "ends too early to be JSON"),
        Category::Syntax | Category::Io => (Cause::NotJson, "is not JSON"),
    };
    Error::argument(cause, format!("{what}: the text {problem} (at {position})"))
}

impl Value<'_> {
    /// The type of the value, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Whole(_) | Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value<'de>, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value<'de>, E> {
        Ok(Value::Whole(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value<'de>, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value<'de>, E> {
        Ok(Value::Number(number))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value<'de>, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = access.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value<'de>, A::Error> {
        let mut entries: Members<'de> = Vec::with_capacity(12);
        let mut seen = SeenKeys::default();
        while let Some(Key(key)) = access.next_key()? {
            if !seen.insert(&entries, &key) {
                return Err(serde::de::Error::custom("duplicate key"));
            }
            entries.push((key, access.next_value()?));
        }
        Ok(Value::Object(entries))
    }
}

/// Detects duplicate keys: searches a short object, and uses a set for a long one, so that the time
/// grows linearly also for hostile input.
#[derive(Default)]
struct SeenKeys(Option<std::collections::HashSet<String>>);

impl SeenKeys {
    const SHORT: usize = 32;

    fn insert(&mut self, entries: &Members<'_>, key: &str) -> bool {
        if entries.len() < Self::SHORT {
            return !entries.iter().any(|(earlier, _)| earlier == key);
        }
        let earlier = || entries.iter().map(|(earlier, _)| earlier.to_string());
        let seen = self.0.get_or_insert_with(|| earlier().collect());
        seen.insert(key.to_owned())
    }
}

/// A string that is borrowed if possible; serde's `Cow` always copies.
pub(crate) struct Key<'a>(pub(crate) Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(value)))
            }
            fn visit_str<E>(self, value: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(value.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// A result as JSON. Writing texts, numbers, lists and what is JSON already cannot fail.
pub(crate) fn written(result: &impl Serialize) -> String {
    serde_json::to_string(result).unwrap_or_default()
}

/// Writes a text that is JSON already.
pub(crate) fn write_raw<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw: &RawValue = serde_json::from_str(json).map_err(serde::ser::Error::custom)?;
    raw.serialize(serializer)
}

/// Appends `"key":"text"`, after a comma if the object already has an entry.
pub(crate) fn push_text_entry(json: &mut String, key: &str, text: &str) {
    push_key(json, key);
    push_text(json, text);
}

/// Appends `"name":"text"`. The name is a constant in which nothing needs to be escaped.
pub(crate) fn push_field(json: &mut String, name: &'static str, text: &str) {
    push_name(json, name);
    push_text(json, text);
}

/// The same with a value that is already JSON text.
pub(crate) fn push_raw_field(json: &mut String, name: &'static str, raw: &str) {
    push_name(json, name);
    json.push_str(raw);
}

fn push_name(json: &mut String, name: &'static str) {
    if json.as_bytes().last() != Some(&b'{') {
        json.push(',');
    }
    json.push('"');
    json.push_str(name);
    json.push('"');
    json.push(':');
}

/// Appends `"key":raw`. The value is already JSON text.
pub(crate) fn push_raw_entry(json: &mut String, key: &str, raw: &str) {
    push_key(json, key);
    json.push_str(raw);
}

/// Appends `"key":`, after a comma if the object already has an entry.
pub(crate) fn push_key(json: &mut String, key: &str) {
    if json.as_bytes().last() != Some(&b'{') {
        json.push(',');
    }
    push_text(json, key);
    json.push(':');
}

/// Appends a string in quotes, with the escapes that JSON requires.
pub(crate) fn push_text(json: &mut String, text: &str) {
    json.push('"');
    push_content(json, text);
    json.push('"');
}

fn must_be_escaped(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// The same without the quotes.
pub(crate) fn push_content(json: &mut String, text: &str) {
    use std::fmt::Write;
    // Looks at every byte, so that the compiler can test many at once.
    let escapes = text
        .bytes()
        .fold(false, |found, byte| found | must_be_escaped(byte));
    if !escapes {
        return json.push_str(text);
    }
    let mut clean = 0;
    for (index, byte) in text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| must_be_escaped(*byte))
    {
        // Every escaped byte is ASCII, so no character is split.
        json.push_str(text.get(clean..index).unwrap_or_default());
        clean = index + 1;
        match byte {
            b'"' => json.push_str("\\\""),
            b'\\' => json.push_str("\\\\"),
            b'\n' => json.push_str("\\n"),
            b'\r' => json.push_str("\\r"),
            b'\t' => json.push_str("\\t"),
            // Writing to a string cannot fail.
            _ => drop(write!(json, "\\u{byte:04x}")),
        }
    }
    json.push_str(text.get(clean..).unwrap_or_default());
}

/// Reads a JSON object, and passes each entry to `each`: its key, and its value as JSON text.
pub(crate) fn for_each_entry<'a>(
    json: &'a str,
    each: impl FnMut(Cow<'a, str>, &'a RawValue),
) -> Result<(), serde_json::Error> {
    struct EntryVisitor<F>(F);
    impl<'de, F: FnMut(Cow<'de, str>, &'de RawValue)> Visitor<'de> for EntryVisitor<F> {
        type Value = ();
        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a JSON object")
        }
        fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
            while let Some(Key(key)) = access.next_key()? {
                (self.0)(key, access.next_value()?);
            }
            Ok(())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.deserialize_map(EntryVisitor(each))?;
    deserializer.end()
}
