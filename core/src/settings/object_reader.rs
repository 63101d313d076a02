//! The keys of a JSON object that a caller gave. Each setting is read by a call of its own, which
//! returns the default if the key was not given, or is wrong. Afterwards, `into_problems` tells
//! what is wrong, and each key that nobody has read is unknown.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use crate::connection::CancellationToken;
use crate::credentials::Credentials;
use crate::error::Error;
use crate::gateway::credentials::KEYS;
use crate::settings::list::cancelling;
use crate::settings::setting::{DefaultValue, Setting};
use crate::text::json::{Members, Value};

/// A struct that is read from an object: each field, its type, and how it is read.
macro_rules! read_struct {
    ($(#[$about:meta])* pub struct $name:ident($reader:ident) {
        $($(#[$meaning:meta])* $field:ident: $kind:ty = $read:expr,)+
    }) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$meaning])* pub $field: $kind,)+
        }

        impl $name {
            pub(in crate::settings) fn read($reader: &mut ObjectReader<'_>) -> $name {
                $name { $($field: $read,)+ }
            }
        }
    };
}
pub(super) use read_struct;

/// Finds a cancellation token by the text that names it.
pub type FindToken = fn(&str) -> Result<CancellationToken, Error>;

pub(crate) struct ObjectReader<'a> {
    /// Without the values that were read.
    entries: Vec<(Cow<'a, str>, Option<Value<'a>>)>,
    /// What the settings' keys have before the names in the object.
    prefix: String,
    /// The place of the key in the object, its name, and what is wrong with it.
    problems: Vec<(usize, String, KeyProblem)>,
    /// Without it, the option for a token is unknown.
    pub(crate) find_token: Option<FindToken>,
    /// Used if that option is not there.
    pub(crate) token: Option<&'a CancellationToken>,
}

pub(crate) enum KeyProblem {
    Unknown,
    Invalid(String),
    /// The text does not name a live cancellation token.
    Token(Error),
}

impl From<String> for KeyProblem {
    fn from(problem: String) -> KeyProblem {
        KeyProblem::Invalid(problem)
    }
}

impl<'a> ObjectReader<'a> {
    pub(crate) fn new(entries: Members<'a>) -> ObjectReader<'a> {
        let entries = entries.into_iter().map(|(key, value)| (key, Some(value)));
        ObjectReader {
            entries: entries.collect(),
            prefix: String::new(),
            problems: Vec::new(),
            find_token: None,
            token: None,
        }
    }

    /// No keys, so that each setting has its default.
    pub(crate) fn nothing() -> ObjectReader<'a> {
        ObjectReader::new(Members::new())
    }

    /// What is wrong, in the order of the keys that were given.
    pub(crate) fn into_problems(self) -> impl Iterator<Item = (String, KeyProblem)> {
        let mut problems = self.problems;
        for (place, (name, value)) in self.entries.into_iter().enumerate() {
            if value.is_some() {
                let key = format!("{}{name}", self.prefix);
                problems.push((place, key, KeyProblem::Unknown));
            }
        }
        problems.sort_by_key(|(place, ..)| *place);
        problems.into_iter().map(|(_, key, problem)| (key, problem))
    }

    /// What `read` makes of a key's value.
    pub(crate) fn value<T, P: Into<KeyProblem>>(
        &mut self,
        key: &str,
        read: impl FnOnce(Value<'a>) -> Result<T, P>,
    ) -> Option<T> {
        let (place, value) = self.take(key)?;
        let problem = match read(value) {
            Ok(value) => return Some(value),
            Err(problem) => problem.into(),
        };
        self.problems.push((place, key.to_owned(), problem));
        None
    }

    fn take(&mut self, key: &str) -> Option<(usize, Value<'a>)> {
        // Most calls have no options.
        if self.entries.is_empty() {
            return None;
        }
        let name = match self.prefix.is_empty() {
            true => key,
            false => key.strip_prefix(self.prefix.as_str())?,
        };
        let place = self.entries.iter().position(|(known, _)| known == name)?;
        Some((place, self.entries.get_mut(place)?.1.take()?))
    }

    /// An object within the object, with settings of its own.
    pub(crate) fn object<T>(
        &mut self,
        setting: Setting,
        read: fn(&mut ObjectReader<'a>) -> T,
    ) -> T {
        let mut inner = ObjectReader::nothing();
        let mut own_place = 0;
        if let Some((place, value)) = self.take(setting.key) {
            match value {
                Value::Object(entries) => {
                    own_place = place;
                    inner = ObjectReader::new(entries);
                    inner.prefix = format!("{}.", setting.key);
                }
                other => {
                    let problem = format!("must be an object, not {}", other.kind());
                    self.problems
                        .push((place, setting.key.to_owned(), problem.into()));
                }
            }
        }
        let object = read(&mut inner);
        let problems = inner.into_problems();
        self.problems
            .extend(problems.map(|(key, problem)| (own_place, key, problem)));
        object
    }

    pub(crate) fn number(&mut self, setting: Setting) -> Option<u64> {
        let (least, most) = (setting.least, setting.most);
        let rule = format_args!("must be a whole number from {least} to {most}");
        self.value(setting.key, |value| match value {
            Value::Whole(number) if (least..=most).contains(&number) => Ok(number),
            Value::Whole(number) => Err(format!("{rule}, not {number}")),
            Value::Number(_) => Err(rule.to_string()),
            other => Err(format!("{rule}, not {}", other.kind())),
        })
    }

    pub(crate) fn number_or_default(&mut self, setting: Setting) -> u64 {
        self.number(setting).unwrap_or(match setting.default {
            DefaultValue::Number(number) => number,
            _ => 0,
        })
    }

    pub(crate) fn milliseconds(&mut self, setting: Setting) -> Option<Duration> {
        self.number(setting).map(Duration::from_millis)
    }

    pub(crate) fn milliseconds_or_default(&mut self, setting: Setting) -> Duration {
        Duration::from_millis(self.number_or_default(setting))
    }

    pub(crate) fn string(&mut self, setting: Setting) -> Option<String> {
        let text = self.value(setting.key, Value::into_text);
        text.map(Cow::into_owned)
    }

    pub(crate) fn path(&mut self, setting: Setting) -> Option<PathBuf> {
        self.string(setting).map(PathBuf::from)
    }

    pub(crate) fn one_of(&mut self, setting: Setting) -> Option<&'static str> {
        self.value(setting.key, |value| {
            let text = value.into_text()?;
            let known = setting.values.iter().copied().find(|known| *known == text);
            known.ok_or_else(|| {
                let most = setting.values.len().saturating_sub(1);
                let (others, last) = setting.values.split_at(most);
                format!("must be {} or {}", others.join(", "), last.concat())
            })
        })
    }

    pub(crate) fn boolean(&mut self, setting: Setting) -> bool {
        let read = |value| match value {
            Value::Bool(boolean) => Ok(boolean),
            other => Err(format!("must be true or false, not {}", other.kind())),
        };
        self.value(setting.key, read)
            .unwrap_or(matches!(setting.default, DefaultValue::Boolean(true)))
    }

    pub(crate) fn strings(&mut self, setting: Setting) -> Option<Vec<String>> {
        self.value(setting.key, |value| match value {
            Value::Array(values) => values
                .into_iter()
                .map(|value| value.into_text().map(Cow::into_owned))
                .collect(),
            other => Err(format!("must be an array of strings, not {}", other.kind())),
        })
    }

    pub(crate) fn credentials(&mut self) -> Credentials {
        let mut credentials = Credentials::default();
        for key in KEYS {
            self.value(key, |value| credentials.set(key, &value.into_text()?));
        }
        credentials
    }

    pub(crate) fn cancellation(&mut self) -> Option<CancellationToken> {
        let named = self.find_token.and_then(|find_token| {
            self.value(cancelling::CANCELLATION.key, |value| {
                find_token(&value.into_text()?).map_err(KeyProblem::Token)
            })
        });
        named.or_else(|| self.token.cloned())
    }
}

/// The members of an object of strings.
type Texts<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

pub(super) fn object_of_strings(value: Value<'_>) -> Result<Texts<'_>, String> {
    let Value::Object(entries) = value else {
        return Err(format!(
            "must be an object of strings, not {}",
            value.kind()
        ));
    };
    let entries = entries.into_iter();
    entries
        .map(|(key, value)| match value.into_text() {
            Ok(text) => Ok((key, text)),
            Err(problem) => Err(format!("has {key}, which {problem}")),
        })
        .collect()
}
