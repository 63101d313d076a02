//! A request: a JSON object with the name of a call and its arguments.

use std::fmt;

use payorder_core::{CancellationToken, Cause, Error, JsonOptions, Operation};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::answer::About;
use crate::library::{self, Client, Done, Each, Reply, caught, invalid};

/// What a request calls.
#[derive(Clone, Copy)]
pub enum Function {
    /// Goes through the client's queue.
    Started(Operation),
    Blocking(Operation),
    /// Needs no client. Its second argument may be left out.
    Offline(fn(&str, Option<&str>) -> Reply),
    Version,
    /// Ends other calls: only `stdio.rs` can.
    Cancel,
    CancelAll,
}

/// The function with this name, and its arguments. All but `options` and `sales` are required.
fn function(name: &str) -> Option<(Function, &'static [&'static str])> {
    use Function::{Blocking, Cancel, CancelAll, Offline, Started, Version};
    use library::{build_create_order, build_get_status, parse_return_url, verify_payment};
    Some(match name {
        "create_order" => (Started(Operation::CreateOrder), &["order", "options"]),
        "get_status" => (Started(Operation::GetStatus), &["query", "options"]),
        "wait_for_payment" => (Started(Operation::WaitForPayment), &["query", "options"]),
        "get_statuses" => (Blocking(Operation::GetStatuses), &["queries", "options"]),
        "recover" => (Started(Operation::Recover), &["sales", "options"]),
        "check" => (Started(Operation::Check), &["options"]),
        "journal_list" => (Blocking(Operation::JournalList), &["options"]),
        "journal_resolve" => (Started(Operation::JournalResolve), &["options"]),
        "journal_settle" => (Blocking(Operation::JournalSettle), &["options"]),
        "journal_prune" => (Blocking(Operation::JournalPrune), &["options"]),
        "build_create_order" => (Offline(build_create_order), &["order", "options"]),
        "build_get_status" => (Offline(build_get_status), &["query"]),
        "parse_return_url" => (Offline(parse_return_url), &["url"]),
        "verify_payment" => (Offline(verify_payment), &["expected", "status"]),
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
pub type Refused = (About, Error);

/// The identifier of a request. A string is equal however it was written, and a number may be larger
/// than those of Rust.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Id(String);

impl Id {
    fn read(json: &str) -> Result<Self, Error> {
        match serde_json::from_str(json) {
            Ok(Value::String(text)) => Ok(Self(Value::from(text).to_string())),
            Ok(Value::Number(_)) => Ok(Self(json.to_owned())),
            _ => Err(invalid("an id is a string or a number")),
        }
    }

    /// `None` if the request has none.
    pub fn of(about: &About) -> Result<Option<Self>, Error> {
        match about.id.as_str() {
            "null" => Ok(None),
            id => Self::read(id).map(Some),
        }
    }
}

impl Request {
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let mut about = About::call("");
        Self::read_about(bytes, &mut about).map_err(|error| (about, error))
    }

    fn read_about(bytes: &[u8], about: &mut About) -> Result<Self, Error> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Error::argument(Cause::NotUtf8, "the request is not UTF-8"))?;
        // Editors on Windows write a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let Members(mut members) = serde_json::from_str(text).map_err(|error| {
            let cause = match error.is_data() {
                true => Cause::InvalidValue,
                false => Cause::NotJson,
            };
            Error::argument(cause, format!("the request cannot be read: {error}"))
        })?;
        let mut take = |key: &str| {
            let place = members.iter().position(|(name, _)| name == key)?;
            Some(members.remove(place).1).filter(|value| value != "null")
        };
        if let Some(id) = take("id") {
            about.id = id;
        }
        let name = take("call").ok_or(Error::argument(Cause::Null, "the request has no `call`"))?;
        about.call = string(&name, "call")?;
        let name = &about.call;
        let (function, arguments) =
            function(name).ok_or_else(|| invalid(format!("there is no call `{name}`")))?;
        let is_offline = matches!(function, Function::Offline(_));
        let mut texts = [const { None }; 2];
        for (text, argument) in texts.iter_mut().zip(arguments) {
            *text = match take(argument) {
                Some(url) if *argument == "url" => Some(string(&url, argument)?),
                // As in C, where an empty text is no options.
                Some(empty) if *argument == "options" && empty == r#""""# => None,
                Some(options) if *argument == "options" && !is_offline => {
                    Some(without_cancellation(options)?)
                }
                given => given,
            };
            if text.is_none() && !["options", "sales"].contains(argument) {
                let message = format!("`{name}` needs `{argument}`");
                return Err(Error::argument(Cause::Null, message));
            }
        }
        // Ignoring it could mean that the program and the bridge understand different requests.
        if let Some((key, _)) = members.first() {
            let known = key == "id" || key == "call" || arguments.contains(&key.as_str());
            let (cause, problem) = match known {
                true => (Cause::DuplicateKey, "has twice"),
                false => (Cause::UnknownKey, "does not take"),
            };
            return Err(Error::argument(
                cause,
                format!("`{name}` {problem} `{key}`"),
            ));
        }
        Ok(Self {
            about: about.clone(),
            function,
            arguments,
            texts,
        })
    }

    /// Of `cancel`: the id of the call that ends.
    pub fn target(&self) -> Result<Id, Error> {
        Id::read(self.texts[0].as_deref().unwrap_or_default())
    }

    /// Whether the call goes through the client's queue, so that `make` returns before it ends.
    pub fn is_queued(&self) -> bool {
        matches!(self.function, Function::Started(_))
    }

    /// Whether the queue has no place of an order for the call, but for each query of a wait while
    /// it runs.
    pub fn is_long(&self) -> bool {
        use Operation::{CreateOrder, GetStatus};
        matches!(self.function, Function::Started(operation)
            if !matches!(operation, CreateOrder | GetStatus))
    }

    /// Of `create_order`: takes back that a person allowed one more order.
    pub fn without_resend(&mut self) {
        // Fails for what is not an object, which the call refuses.
        if let [_, Some(options)] = &mut self.texts
            && let Ok(Members(mut members)) = serde_json::from_str(options)
        {
            let resend = members.iter_mut().filter(|(key, _)| key == "resend");
            resend.for_each(|(_, value)| *value = "false".to_owned());
            *options = written(&members);
        }
    }

    /// Makes the call, which is cancelled with the token, and gives its reply to `done`.
    pub fn make(
        &self,
        client: &Client,
        token: &CancellationToken,
        each: &mut Each<'_>,
        done: Done,
    ) {
        let [first, second] = self.texts.each_ref().map(Option::as_deref);
        let (request, second) = match self.arguments {
            ["options"] => (None, first),
            _ => (first, second),
        };
        let options = JsonOptions {
            text: second.or(Some("{}")),
            find_token: None,
            token: Some(token),
        };
        let reply = match self.function {
            Function::Started(operation) => {
                return client.start(operation, request, options, done);
            }
            Function::Blocking(operation) => client.call(operation, request, options, each),
            Function::Offline(call) => caught(|| call(request.unwrap_or_default(), second)),
            Function::Version => Ok(client.about()),
            Function::Cancel | Function::CancelAll => {
                let how = "a call is cancelled by a line on stdin, or by a file NAME.cancel";
                Err(invalid(how))
            }
        };
        done(reply);
    }
}

fn string(json: &str, name: &str) -> Reply {
    serde_json::from_str(json).map_err(|_| invalid(format!("`{name}` is not a string")))
}

/// The bridge itself sets that option.
fn without_cancellation(options: String) -> Reply {
    // The library refuses what is not an object.
    let Ok(Members(mut members)) = serde_json::from_str(&options) else {
        return Ok(options);
    };
    let is_it = |(key, _): &(String, String)| key == "cancellation";
    if members
        .iter()
        .any(|member| is_it(member) && member.1 != "null")
    {
        let message = "the option `cancellation` is set by the bridge: cancel by id";
        return Err(invalid(message));
    }
    members.retain(|member| !is_it(member));
    Ok(written(&members))
}

/// An object with these members.
fn written(members: &[(String, String)]) -> String {
    let members = members.iter();
    let members = members.map(|(key, value)| format!("{}:{value}", Value::from(key.as_str())));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
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
