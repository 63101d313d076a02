//! JSON pointers (RFC 6901), and the values that they lead to.

use std::borrow::Cow;

use payorder_core::limits::LONGEST_OFFLINE;
use payorder_core::{Cause, Error, RawJson, Rule, Violation};

/// A member's key, or `None` in an array; and its value, or `None` for `null`.
pub(super) type Item<'a> = (Option<Cow<'a, str>>, Option<Cow<'a, str>>);

pub(super) struct Pointer<'p> {
    text: &'p str,
    pub(super) tokens: Vec<Cow<'p, str>>,
}

/// A JSON text in which a pointer leads to a value.
pub(super) fn document(text: &str) -> Result<RawJson<'_>, Error> {
    RawJson::read(text, "the JSON text", LONGEST_OFFLINE)
}

impl<'p> Pointer<'p> {
    /// Decodes a pointer: `~1` is a slash and `~0` a tilde.
    pub(super) fn read(text: &'p str) -> Result<Pointer<'p>, Error> {
        let invalid = |problem: &str| {
            let message = format!("the JSON pointer {problem}");
            Err(Error::argument(Cause::InvalidValue, message))
        };
        Error::if_too_long(text, "the JSON pointer", LONGEST_OFFLINE)?;
        if !text.is_empty() && !text.starts_with('/') {
            return invalid("must be empty or start with a slash, such as /data/url");
        }
        let mut after_tildes = text.split('~').skip(1);
        if !after_tildes.all(|rest| rest.starts_with(['0', '1'])) {
            return invalid("has a ~ that is followed by neither 0 nor 1");
        }
        let decode = |token: &'p str| match token.contains('~') {
            true => token.replace("~1", "/").replace("~0", "~").into(),
            false => Cow::Borrowed(token),
        };
        let tokens = text.split('/').skip(1).map(decode).collect();
        Ok(Pointer { text, tokens })
    }

    /// The value there: a string's text, or the JSON text of any other value.
    pub(super) fn get<'a>(&self, text: &'a str) -> Result<Cow<'a, str>, Error> {
        self.decode(self.find(text)?)
    }

    /// The number of elements of the array or of members of the object there.
    pub(super) fn count(&self, text: &str) -> Result<usize, Error> {
        Ok(self.container(text)?.unique_items()?.len())
    }

    /// The elements or members there.
    pub(super) fn items<'a>(&self, text: &'a str) -> Result<Vec<Item<'a>>, Error> {
        let items = self.container(text)?.unique_items()?.into_iter();
        let decode = |(key, value): (Option<Cow<'a, str>>, RawJson<'a>)| {
            if key.as_deref().is_some_and(|key| key.contains('\0')) {
                return Err(self.has_nul("names an object that has a key"));
            }
            let value = (value.text() != NULL).then(|| self.decode(value));
            Ok((key, value.transpose()?))
        };
        items.map(decode).collect()
    }

    /// The value there, which is not `null`.
    fn find<'a>(&self, text: &'a str) -> Result<RawJson<'a>, Error> {
        let mut value = document(text)?;
        for token in &self.tokens {
            let nothing = || self.wrong(Rule::Required, "names nothing in the JSON text");
            value = child(value, token)?.ok_or_else(nothing)?;
        }
        match value.text() {
            NULL => Err(self.wrong(Rule::Required, "names null in the JSON text")),
            _ => Ok(value),
        }
    }

    fn container<'a>(&self, text: &'a str) -> Result<RawJson<'a>, Error> {
        let value = self.find(text)?;
        match value.text().starts_with(['[', '{']) {
            true => Ok(value),
            false => {
                let complaint = "names a value that is neither an array nor an object";
                Err(self.wrong(Rule::Type, complaint))
            }
        }
    }

    fn decode<'a>(&self, value: RawJson<'a>) -> Result<Cow<'a, str>, Error> {
        if !value.text().starts_with('"') {
            return Ok(value.text().into());
        }
        let string = value.string()?;
        match string.contains('\0') {
            true => Err(self.has_nul("names a string")),
            false => Ok(string),
        }
    }

    fn has_nul(&self, what: &str) -> Error {
        let complaint = format!("{what} with U+0000 in it, which no C string can hold");
        self.wrong(Rule::Allowed, &complaint)
    }

    /// The error for a valid pointer that leads nowhere.
    pub(super) fn wrong(&self, rule: Rule, complaint: &str) -> Error {
        let complaint = format!("{:?} {complaint}", self.text);
        let violation = Violation::new("pointer", rule, &complaint);
        Error::violations("JSON pointer", vec![violation])
    }
}

pub(super) const NULL: &str = "null";

/// The member or element that a part of a pointer names.
pub(super) fn child<'a>(value: RawJson<'a>, token: &str) -> Result<Option<RawJson<'a>>, Error> {
    let mut items = value.items()?.into_iter();
    if value.text().starts_with('[') {
        let element = index(token).and_then(|place| items.nth(place));
        return Ok(element.map(|(_, element)| element));
    }
    let mut named = items.filter(|(key, _)| key.as_deref() == Some(token));
    let member = named.next().map(|(_, member)| member);
    match named.next() {
        None => Ok(member),
        Some(_) => Err(value.duplicate_key(token)),
    }
}

/// An array index: digits without a leading zero.
fn index(token: &str) -> Option<usize> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (token == "0" || !token.starts_with('0'))).then(|| token.parse().ok())?
}
