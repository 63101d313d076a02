//! Reads JSON text from a caller, strictly, into values that borrow from it; and writes JSON.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::error::{Cause, Error};

/// The longest JSON text that a request, a configuration or options may have, in bytes.
pub(crate) const REQUEST_LIMIT: usize = 256 * 1024;
/// How deep arrays and objects may be nested, since each takes a part of the host's stack.
pub(crate) const DEPTH_LIMIT: usize = 127;
/// The longest JSON text that is read offline, in bytes.
pub(crate) const OFFLINE_LIMIT: usize = 16 * 1024 * 1024;

/// Objects with more keys are read by [`read_nested`], whose time grows linearly with their number.
const MOST_QUICK: usize = 32;
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
    serde_json::from_str(text).or_else(|_| {
        let value = serde_json::from_str(text).map_err(|error| not_json(what, &error))?;
        read_nested(value, Whole { text, what }, DEPTH_LIMIT)
    })
}

/// Reads what serde_json, or the visitor of [`Value`], did not: an object with many keys, and a
/// number that no `f64` can hold, such as `1e400`. Otherwise it says what is wrong. `depth` is how
/// many more levels may follow.
fn read_nested<'a>(
    value: &'a RawValue,
    whole: Whole<'_>,
    depth: usize,
) -> Result<Value<'a>, Error> {
    let text = value.get();
    let not_json = |error: serde_json::Error| whole.not_json(text, &error);
    Ok(match text.as_bytes().first() {
        Some(b'{' | b'[') => {
            let items = read_items(text).map_err(not_json)?;
            check_keys(&items, whole.what)?;
            let inner = deeper(depth, whole.what)?;
            let (mut members, mut elements) = (Members::with_capacity(items.len()), Vec::new());
            for (key, value) in items {
                let value = read_nested(value, whole, inner)?;
                match key {
                    Some(key) => members.push((key, value)),
                    None => elements.push(value),
                }
            }
            match text.starts_with('{') {
                true => Value::Object(members),
                false => Value::Array(elements),
            }
        }
        Some(b'"') => Value::Text(read_string(value).map_err(not_json)?),
        Some(b't' | b'f') => Value::Bool(text == "true"),
        Some(b'n') => Value::Null,
        _ => match text.parse() {
            Ok(number) => Value::Whole(number),
            Err(_) => Value::Number(text.parse().unwrap_or(f64::INFINITY)),
        },
    })
}

/// How many more levels may follow within an array or an object.
pub(crate) fn deeper(depth: usize, what: &str) -> Result<usize, Error> {
    depth.checked_sub(1).ok_or_else(|| {
        let problem = "has more than 127 arrays and objects in one another";
        Error::argument(Cause::TooLong, format!("{what}: the text {problem}"))
    })
}

/// The elements of an array of queries or sales, each as its JSON text. They are not collected: the
/// text may be long.
pub(crate) fn elements<'a>(
    text: &'a str,
    what: &str,
) -> Result<impl Iterator<Item = &'a str>, Error> {
    limit(text, what, ARRAY_LIMIT)?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| not_json(what, &error))?;
    let Some(mut rest) = text.trim_start().strip_prefix('[') else {
        return Err(Error::argument(
            Cause::NotJson,
            format!("{what} must be a JSON array"),
        ));
    };
    Ok(std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r', ',']);
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        // At the end there is the bracket, which is no value.
        let element = values.next()?.ok()?;
        rest = rest.get(values.byte_offset()..)?;
        Some(element.get())
    }))
}

/// A member's key, or `None` in an array; and the value as the text that it came as.
pub(crate) type Item<'a> = (Option<Cow<'a, str>>, &'a RawValue);

/// The elements of an array or the members of an object; nothing of any other value.
pub(crate) fn items<'a>(text: &'a str, what: &str) -> Result<Vec<Item<'a>>, Error> {
    read_items(text).map_err(|error| not_json(what, &error))
}

fn read_items(text: &str) -> Result<Vec<Item<'_>>, serde_json::Error> {
    let mut items = Vec::with_capacity(16);
    match text.as_bytes().first() {
        Some(b'{') => for_each_entry(text, |key, value| items.push((Some(key), value)))?,
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text)?;
            items.extend(elements.into_iter().map(|value| (None, value)));
        }
        _ => {}
    }
    Ok(items)
}

/// Refuses an object that has the same key twice.
pub(crate) fn check_keys(items: &[Item<'_>], what: &str) -> Result<(), Error> {
    // Elements of an array have none.
    let mut keys: Vec<&str> = items.iter().filter_map(|(key, _)| key.as_deref()).collect();
    keys.sort_unstable();
    match keys.windows(2).find(|pair| pair.first() == pair.last()) {
        Some([key, ..]) => Err(duplicate_key(what, key)),
        _ => Ok(()),
    }
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
            while let Some((Key(key), value)) = access.next_entry()? {
                (self.0)(key, value);
            }
            Ok(())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.deserialize_map(EntryVisitor(each))?;
    deserializer.end()
}

/// A string that is borrowed if nothing in it is escaped.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

pub(crate) fn read_string(string: &RawValue) -> Result<Cow<'_, str>, serde_json::Error> {
    let quoted = string.get();
    match quoted.get(1..quoted.len().saturating_sub(1)) {
        Some(text) if !text.contains('\\') => Ok(Cow::Borrowed(text)),
        _ => serde_json::from_str(quoted).map(|Key(text)| text),
    }
}

pub(crate) fn duplicate_key(what: &str, key: &str) -> Error {
    Error::argument(
        Cause::DuplicateKey,
        format!("{what}: an object has the key {key:?} twice"),
    )
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
    not_json_at(what, error, error.line(), error.column())
}

/// A text of which parts are read, and its name in errors.
#[derive(Clone, Copy)]
struct Whole<'a> {
    text: &'a str,
    what: &'a str,
}

impl Whole<'_> {
    /// The error for a part, with the position in the whole text.
    fn not_json(self, part: &str, error: &serde_json::Error) -> Error {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        let before = self.text.get(..start).unwrap_or_default();
        let (lines, column) = (before.matches('\n').count(), error.column());
        let of_first_line = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
        let column = column + if error.line() == 1 { of_first_line } else { 0 };
        not_json_at(self.what, error, lines + error.line(), column)
    }
}

fn not_json_at(what: &str, error: &serde_json::Error, line: usize, column: usize) -> Error {
    let position = format!("line {line} column {column}");
    let problem = match error.classify() {
        Category::Eof => "ends too early to be JSON",
        _ => "is not JSON",
    };
    let message = format!("{what}: the text {problem} (at {position})");
    Error::argument(Cause::NotJson, message)
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
        let mut members: Members<'de> = Vec::with_capacity(12);
        while let Some((Key(key), value)) = access.next_entry()? {
            if members.len() == MOST_QUICK || members.iter().any(|(known, _)| *known == key) {
                return Err(serde::de::Error::custom("it has many keys, or one twice"));
            }
            members.push((key, value));
        }
        Ok(Value::Object(members))
    }
}

/// A result as JSON. Writing texts, numbers, lists and what is JSON already cannot fail.
pub(crate) fn written(result: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(result).unwrap_or_default()
}

/// Writes a text that is JSON already.
pub(crate) fn write_raw<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw: &RawValue = serde_json::from_str(json).map_err(serde::ser::Error::custom)?;
    raw.serialize(serializer)
}

/// Appends `"name":"text"`, after a comma if the object already has an entry. The name is a constant
/// in which nothing needs to be escaped.
pub(crate) fn push_entry(json: &mut String, name: &'static str, text: &str) {
    push_name(json, name);
    push_text(json, text);
}

/// The same with a value that is already JSON text.
pub(crate) fn push_raw_entry(json: &mut String, name: &'static str, raw: &str) {
    push_name(json, name);
    json.push_str(raw);
}

/// The same without a value.
pub(crate) fn push_name(json: &mut String, name: &'static str) {
    if json.as_bytes().last() != Some(&b'{') {
        json.push(',');
    }
    json.push('"');
    json.push_str(name);
    json.push_str("\":");
}

/// Appends any key and a colon, after a comma if the object already has an entry.
pub(crate) fn push_key(json: &mut String, key: &str) {
    if json.as_bytes().last() != Some(&b'{') {
        json.push(',');
    }
    push_text(json, key);
    json.push(':');
}

/// Appends a string in quotes, with the escapes that JSON requires.
pub(crate) fn push_text(json: &mut String, text: &str) {
    let is_clean = |byte: u8| (byte >= b' ') & (byte != b'"') & (byte != b'\\');
    // Looks at every byte, so that the compiler can test many at once.
    if text.bytes().fold(true, |all, byte| all & is_clean(byte)) {
        json.push('"');
        json.push_str(text);
        json.push('"');
    } else {
        json.push_str(&written(text));
    }
}
