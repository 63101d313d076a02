//! A request: a JSON object with the name of a call and its arguments.

use std::fmt;

use payorder as ffi;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::answer::About;
use crate::library::{self, Client, Done, Each, Function, Reply, Token};

/// The function with this name, and its arguments. All but `options` and `sales` are required.
fn function(name: &str) -> Option<(Function, &'static [&'static str])> {
    use Function::{
        Cancel, CancelAll, ClientAndOne, GetStatuses, One, Started, StartedLong, Two, Version,
    };
    Some(match name {
        "create_order" => (Started, &["order", "options"]),
        "get_status" => (Started, &["query", "options"]),
        "wait_for_payment" => (StartedLong, &["query", "options"]),
        "get_statuses" => (GetStatuses, &["queries", "options"]),
        "recover" => (StartedLong, &["sales", "options"]),
        "check" => (StartedLong, &["options"]),
        "journal_list" => (ClientAndOne(ffi::payorder_journal_list), &["options"]),
        "journal_resolve" => (StartedLong, &["options"]),
        "journal_settle" => (ClientAndOne(ffi::payorder_journal_settle), &["options"]),
        "journal_prune" => (ClientAndOne(ffi::payorder_journal_prune), &["options"]),
        "build_create_order" => (Two(ffi::payorder_build_create_order), &["order", "options"]),
        "build_get_status" => (One(ffi::payorder_build_get_status), &["query"]),
        "parse_return_url" => (One(ffi::payorder_parse_return_url), &["url"]),
        "verify_payment" => (Two(ffi::payorder_verify_payment), &["expected", "status"]),
        "version" => (Version, &[]),
        "cancel" => (Cancel, &["target"]),
        "cancel_all" => (CancelAll, &[]),
        _ => return None,
    })
}

#[derive(Clone)]
pub struct Request {
    pub about: About,
    pub function: Function,
    arguments: &'static [&'static str],
    /// The arguments in their order, as they were written.
    texts: [Option<String>; 2],
}

/// A request that is refused, and its answer.
pub type Refused = (About, Reply);

/// The identifier of a request. A string is equal however it was written, and a number may be larger
/// than those of Rust.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Id(String);

impl Id {
    fn read(json: &str) -> Result<Self, Reply> {
        match serde_json::from_str(json) {
            Ok(Value::String(text)) => Ok(Self(Value::from(text).to_string())),
            Ok(Value::Number(_)) => Ok(Self(json.to_owned())),
            _ => Err(Reply::invalid("an id is a string or a number")),
        }
    }

    /// `None` if the request has none.
    pub fn of(about: &About) -> Result<Option<Self>, Reply> {
        match about.id.as_str() {
            "null" => Ok(None),
            id => Self::read(id).map(Some),
        }
    }
}

impl Request {
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let mut about = About::call("");
        Self::read_about(bytes, &mut about).map_err(|reply| (about, reply))
    }

    fn read_about(bytes: &[u8], about: &mut About) -> Result<Self, Reply> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Reply::refused("not_utf8", "the request is not UTF-8"))?;
        // Editors on Windows write a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let Members(mut members) = serde_json::from_str(text).map_err(|error| {
            let cause = if error.is_data() {
                "invalid_value"
            } else {
                "not_json"
            };
            Reply::refused(cause, format!("the request cannot be read: {error}"))
        })?;
        let mut take = |key: &str| {
            let place = members.iter().position(|(name, _)| name == key)?;
            Some(members.remove(place).1).filter(|value| value != "null")
        };
        if let Some(id) = take("id") {
            about.id = id;
        }
        let name = take("call").ok_or(Reply::refused("null", "the request has no `call`"))?;
        about.call = string(&name, "call")?;
        let name = &about.call;
        let (function, arguments) =
            function(name).ok_or_else(|| Reply::invalid(format!("there is no call `{name}`")))?;
        let mut texts = [const { None }; 2];
        for (text, argument) in texts.iter_mut().zip(arguments) {
            *text = match take(argument) {
                Some(url) if *argument == "url" => Some(string(&url, argument)?),
                // As in C, where an empty text is no options.
                Some(empty) if *argument == "options" && empty == r#""""# => None,
                given => given,
            };
            if text.is_none() && !["options", "sales"].contains(argument) {
                return Err(Reply::refused(
                    "null",
                    format!("`{name}` needs `{argument}`"),
                ));
            }
        }
        // Ignoring it could mean that the program and the bridge understand different requests.
        if let Some((key, _)) = members.first() {
            let known = key == "id" || key == "call" || arguments.contains(&key.as_str());
            let (cause, problem) = match known {
                true => ("duplicate_key", "has twice"),
                false => ("unknown_key", "does not take"),
            };
            return Err(Reply::refused(cause, format!("`{name}` {problem} `{key}`")));
        }
        Ok(Self {
            about: about.clone(),
            function,
            arguments,
            texts,
        })
    }

    /// Of `cancel`: the id of the call that ends.
    pub fn target(&self) -> Result<Id, Reply> {
        Id::read(self.texts[0].as_deref().unwrap_or_default())
    }

    pub fn options(&mut self) -> Option<&mut Option<String>> {
        let place = self.arguments.iter().position(|name| *name == "options")?;
        self.texts.get_mut(place)
    }

    /// Whether the call goes through the client's queue, so that `make` returns before it ends.
    pub fn is_queued(&self) -> bool {
        matches!(self.function, Function::Started | Function::StartedLong)
    }

    /// Makes the call, which is cancelled with the token, and gives its reply to `done`.
    pub fn make(mut self, client: &Client, token: &Token, each: &mut Each<'_>, done: Done) {
        if let Err(reply) = self.set_token(token) {
            return done(reply);
        }
        let [first, second] = &self.texts;
        let texts = [first.as_deref(), second.as_deref()];
        match self.arguments {
            ["options"] if self.is_queued() => {
                client.start(&self.about.call, [None, texts[0]], done);
            }
            _ if self.is_queued() => client.start(&self.about.call, texts, done),
            _ => done(client.call(self.function, texts, each)),
        }
    }

    fn set_token(&mut self, token: &Token) -> Result<(), Reply> {
        let alone = matches!(self.function, Function::One(_) | Function::Two(_));
        // The library itself refuses options that are not an object.
        let is_object = |text: &str| text.starts_with('{');
        if let Some(options) = self.options()
            && !alone
            && options.as_deref().is_none_or(is_object)
        {
            let given = options.as_deref().unwrap_or("{}");
            if library::json_has(given, "/cancellation") {
                let message = "the option `cancellation` is set by the bridge: cancel by id";
                return Err(Reply::invalid(message));
            }
            *options = Some(library::json_set(given, "/cancellation", &token.quoted()).ok()?);
        }
        Ok(())
    }
}

fn string(json: &str, name: &str) -> Result<String, Reply> {
    serde_json::from_str(json).map_err(|_| Reply::invalid(format!("`{name}` is not a string")))
}

/// The members of an object as they were written, also those that are there twice.
struct Members(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    members.push((name, value.get().to_owned()));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
