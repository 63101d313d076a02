//! Reads JSON text from a caller, strictly, into values that borrow from it; and writes JSON.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::error::{Cause, Error};
use crate::limits::{DEEPEST_JSON, LONGEST_ARRAY, LONGEST_REQUEST};

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

/// A JSON value that was not decoded: a text, or a part of one. Its errors are
/// [`crate::Code::InvalidArgument`], and name the text.
///
/// ```
/// let json = payorder_core::RawJson::read(r#"{"a":[1,2.50]}"#, "the text", 100)?;
/// let (key, list) = json.items()?.remove(0);
/// assert_eq!((key.as_deref(), list.text()), (Some("a"), "[1,2.50]"));
/// # Ok::<(), payorder_core::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RawJson<'a> {
    value: &'a RawValue,
    /// The text that it is a part of.
    whole: &'a str,
    /// What errors call that text.
    what: &'static str,
    /// How many arrays and objects it is in.
    depth: usize,
}

/// A member's key, or `None` in an array; and its value.
pub type Item<'a> = (Option<Cow<'a, str>>, RawJson<'a>);

impl<'a> RawJson<'a> {
    /// Reads a text of at most `most` bytes.
    pub fn read(text: &'a str, what: &'static str, most: usize) -> Result<RawJson<'a>, Error> {
        Error::if_too_long(text, what, most)?;
        let value = serde_json::from_str(text).map_err(|error| not_json(what, &error))?;
        Ok(RawJson {
            value,
            whole: text,
            what,
            depth: 0,
        })
    }

    /// The value as it is written.
    pub fn text(self) -> &'a str {
        self.value.get()
    }

    /// The text of a string.
    pub fn string(self) -> Result<Cow<'a, str>, Error> {
        read_string(self.value).map_err(|error| self.not_json(&error))
    }

    /// The elements of an array or the members of an object, in order; nothing of any other value.
    pub fn items(self) -> Result<Vec<Item<'a>>, Error> {
        let inner = |value| RawJson {
            value,
            depth: self.depth + 1,
            ..self
        };
        let mut items = Vec::with_capacity(16);
        let read = match self.text().as_bytes().first() {
            Some(b'{') => for_each_entry(self.text(), |key, value| {
                items.push((Some(key), inner(value)));
            }),
            Some(b'[') => serde_json::from_str::<Vec<&RawValue>>(self.text())
                .map(|elements| items.extend(elements.into_iter().map(|one| (None, inner(one))))),
            _ => Ok(()),
        };
        read.map_err(|error| self.not_json(&error))?;
        Ok(items)
    }

    /// The same, and an error for an object that has a key twice.
    pub fn unique_items(self) -> Result<Vec<Item<'a>>, Error> {
        let items = self.items()?;
        // Elements of an array have none.
        let mut keys: Vec<&str> = items.iter().filter_map(|(key, _)| key.as_deref()).collect();
        keys.sort_unstable();
        match keys.windows(2).find(|pair| pair.first() == pair.last()) {
            Some([key, ..]) => Err(self.duplicate_key(key)),
            _ => Ok(items),
        }
    }

    /// The same, and an error for arrays and objects that are nested too deep.
    pub fn strict_items(self) -> Result<Vec<Item<'a>>, Error> {
        self.check_depth()?;
        self.unique_items()
    }

    /// An error if two readers could understand the value differently: for a key that an object has
    /// twice, at any depth, and for arrays and objects that are nested too deep. It reads the text from
    /// its start to its end once more, so that those in one another cost no more than others.
    pub fn check(self) -> Result<(), Error> {
        // The keys so far of each object that is open. An array has none.
        let mut open: Vec<HashSet<Cow<'_, str>>> = Vec::new();
        let mut rest = self.text();
        while let Some(found) = rest.find(['{', '[', '}', ']', '"']) {
            rest = rest.get(found..).unwrap_or_default();
            let mut length = 1;
            match rest.as_bytes().first() {
                Some(b'{' | b'[') => {
                    let depth = open.len();
                    RawJson { depth, ..self }.check_depth()?;
                    open.push(HashSet::new());
                }
                Some(b'"') => {
                    let strings = serde_json::Deserializer::from_str(rest);
                    let mut strings = strings.into_iter::<&RawValue>();
                    let string = strings.next();
                    // At least its quote, so that this comes to an end.
                    length = strings.byte_offset().max(1);
                    let after = rest.get(length..).unwrap_or_default().trim_start();
                    if let (true, Some(Ok(value))) = (after.starts_with(':'), string)
                        && let Some(keys) = open.last_mut()
                        && let Some(twice) = keys.replace(RawJson { value, ..self }.string()?)
                    {
                        return Err(self.duplicate_key(&twice));
                    }
                }
                _ => drop(open.pop()),
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        Ok(())
    }

    fn check_depth(self) -> Result<(), Error> {
        if self.depth >= DEEPEST_JSON {
            let problem = format!("has more than {DEEPEST_JSON} arrays and objects in one another");
            let message = format!("{}: the text {problem}", self.what);
            return Err(Error::argument(Cause::TooLong, message));
        }
        Ok(())
    }

    /// The error for a key that an object has twice.
    pub fn duplicate_key(self, key: &str) -> Error {
        let message = format!("{}: an object has the key {key:?} twice", self.what);
        Error::argument(Cause::DuplicateKey, message)
    }

    /// Decodes the value, in which no object, at any depth, may have the same key twice.
    fn value(self) -> Result<Value<'a>, Error> {
        let text = self.text();
        Ok(match text.as_bytes().first() {
            Some(b'{') => {
                let members = self.strict_items()?.into_iter();
                let member = |(key, value): Item<'a>| {
                    let key = key.unwrap_or_default();
                    value.value().map(|value| (key, value))
                };
                Value::Object(members.map(member).collect::<Result<_, _>>()?)
            }
            Some(b'[') => {
                let elements = self.strict_items()?.into_iter();
                let elements = elements.map(|(_, element)| element.value());
                Value::Array(elements.collect::<Result<_, _>>()?)
            }
            Some(b'"') => Value::Text(self.string()?),
            Some(b't' | b'f') => Value::Bool(text == "true"),
            Some(b'n') => Value::Null,
            _ => match text.parse() {
                Ok(number) => Value::Whole(number),
                Err(_) => Value::Number(text.parse().unwrap_or(f64::INFINITY)),
            },
        })
    }

    /// The error for this part, with the position in the whole text.
    fn not_json(self, error: &serde_json::Error) -> Error {
        let start = self.text().as_ptr().addr() - self.whole.as_ptr().addr();
        let before = self.whole.get(..start).unwrap_or_default();
        let (lines, column) = (before.matches('\n').count(), error.column());
        let of_first_line = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
        let column = column + if error.line() == 1 { of_first_line } else { 0 };
        not_json_at(self.what, error, lines + error.line(), column)
    }
}

/// Reads a JSON object; `what` names the text in the error, which is
/// [`crate::Code::InvalidArgument`].
pub(crate) fn read_object<'a>(text: &'a str, what: &'static str) -> Result<Members<'a>, Error> {
    if text.len() <= LONGEST_REQUEST
        && let Some(members) = read_texts(text)
    {
        return Ok(members);
    }
    match RawJson::read(text, what, LONGEST_REQUEST)?.value()? {
        Value::Object(entries) => Ok(entries),
        other => Err(Error::argument(
            Cause::NotJson,
            format!("{what} must be a JSON object, not {}", other.kind()),
        )),
    }
}

/// The members of an object of strings, as orders and queries are, in a third of the time. `None` for
/// other texts, and for objects with so many keys that comparing each with each takes long.
fn read_texts(text: &str) -> Option<Members<'_>> {
    const MOST_KEYS: usize = 32;
    let mut members = Members::with_capacity(12);
    let mut is_unique = true;
    // Most keys differ in this bit from those before, and need not be compared with them.
    let mut bits = 0_u64;
    for_each_entry(text, |key, Key(value)| {
        let first = key.bytes().next().unwrap_or_default();
        let bit = 1 << ((key.len() + usize::from(first)) % 64);
        let is_new = bits & bit == 0 || !members.iter().any(|(known, _)| *known == key);
        is_unique &= members.len() < MOST_KEYS && is_new;
        bits |= bit;
        members.push((key, Value::Text(value)));
    })
    .ok()?;
    is_unique.then_some(members)
}

/// The elements of an array of queries or sales, each as its JSON text. They are not collected: the
/// text may be long.
pub(crate) fn elements<'a>(
    text: &'a str,
    what: &str,
) -> Result<impl Iterator<Item = &'a str>, Error> {
    Error::if_too_long(text, what, LONGEST_ARRAY)?;
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

/// Reads a JSON object, and passes each entry to `each`: its key, and its value, such as the JSON text
/// ([`RawValue`]).
pub(crate) fn for_each_entry<'a, V: Deserialize<'a>>(
    json: &'a str,
    each: impl FnMut(Cow<'a, str>, V),
) -> Result<(), serde_json::Error> {
    struct EntryVisitor<F, V>(F, PhantomData<V>);
    impl<'de, V, F> Visitor<'de> for EntryVisitor<F, V>
    where
        V: Deserialize<'de>,
        F: FnMut(Cow<'de, str>, V),
    {
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
    deserializer.deserialize_map(EntryVisitor(each, PhantomData))?;
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

/// The error for a text that is not JSON. It gives the position, and never shows the text, which
/// can contain credentials.
pub(crate) fn not_json(what: &str, error: &serde_json::Error) -> Error {
    not_json_at(what, error, error.line(), error.column())
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

impl<'a> Value<'a> {
    /// The text of a string, or what is wrong with the value.
    pub(crate) fn into_text(self) -> Result<Cow<'a, str>, String> {
        match self {
            Value::Text(text) => Ok(text),
            other => Err(format!("must be a string, not {}", other.kind())),
        }
    }

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

/// A result as JSON. Writing texts, numbers, lists and what is JSON already cannot fail.
pub(crate) fn written(result: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(result).unwrap_or_default()
}

/// Writes a text that is JSON already.
pub(crate) fn write_raw<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw: &RawValue = serde_json::from_str(json).map_err(serde::ser::Error::custom)?;
    raw.serialize(serializer)
}

/// Appends `"name":"text"`, after a comma if the object already has an entry.
pub(crate) fn push_entry(json: &mut String, name: &str, text: &str) {
    push_key(json, name);
    push_text(json, text);
}

/// The same with a value that is already JSON text.
pub(crate) fn push_raw_entry(json: &mut String, name: &str, raw: &str) {
    push_key(json, name);
    json.push_str(raw);
}

/// The same without a value.
pub(crate) fn push_key(json: &mut String, key: &str) {
    if json.as_bytes().last() != Some(&b'{') {
        json.push(',');
    }
    push_text(json, key);
    json.push(':');
}

/// Appends a string in quotes, with the escapes that JSON requires.
///
/// ```
/// let mut json = String::new();
/// payorder_core::push_text(&mut json, "two \"coffees\"");
/// assert_eq!(json, r#""two \"coffees\"""#);
/// ```
pub fn push_text(json: &mut String, text: &str) {
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
