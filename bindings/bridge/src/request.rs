//! A request: a JSON object with the name of a call and its arguments.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::refusal::Refusal;

/// The members keep the text that they were written with.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Members {
    id: Option<Box<RawValue>>,
    call: Option<String>,
    order: Option<Box<RawValue>>,
    query: Option<Box<RawValue>>,
    queries: Option<Box<RawValue>>,
    sales: Option<Box<RawValue>>,
    expected: Option<Box<RawValue>>,
    status: Option<Box<RawValue>>,
    url: Option<String>,
    target: Option<Value>,
    options: Option<Box<RawValue>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OnlyId {
    id: Option<Box<RawValue>>,
}

pub struct Request {
    /// As it was written; `null` if there is none.
    pub id: String,
    pub name: String,
    pub call: Call,
    /// A JSON object.
    pub options: Option<String>,
}

pub enum Call {
    CreateOrder { order: String },
    GetStatus { query: String },
    WaitForPayment { query: String },
    GetStatuses { queries: String },
    Recover { sales: Option<String> },
    JournalList,
    JournalResolve,
    JournalSettle,
    JournalPrune,
    BuildCreateOrder { order: String },
    BuildGetStatus { query: String },
    ParseReturnUrl { url: String },
    VerifyPayment { expected: String, status: String },
    Version,
    Cancel { target: Id },
    CancelAll,
}

impl Call {
    /// Whether the option `cancellation` exists for it.
    pub fn can_be_cancelled(&self) -> bool {
        matches!(
            self,
            Self::CreateOrder { .. }
                | Self::GetStatus { .. }
                | Self::WaitForPayment { .. }
                | Self::GetStatuses { .. }
                | Self::Recover { .. }
                | Self::JournalList
                | Self::JournalResolve
                | Self::JournalSettle
                | Self::JournalPrune
        )
    }
}

/// The identifier of a request, which is equal however it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id(String);

impl Id {
    fn new(value: &Value) -> Result<Self, Refusal> {
        match value {
            Value::String(_) | Value::Number(_) => Ok(Self(value.to_string())),
            _ => Err(Refusal::value("an id is a string or a number")),
        }
    }
}

/// What can be said about a request that is refused: its id as it was written, and its call.
pub struct Refused {
    pub id: String,
    pub name: String,
    pub refusal: Refusal,
}

impl Refused {
    pub fn without_id(refusal: Refusal) -> Self {
        Self {
            id: "null".to_owned(),
            name: String::new(),
            refusal,
        }
    }

    /// With the id, if the request has a usable one in spite of the error.
    fn unreadable(text: &str, error: &serde_json::Error) -> Self {
        let only: OnlyId = serde_json::from_str(text).unwrap_or_default();
        Self {
            id: owned(only.id).unwrap_or_else(|| "null".to_owned()),
            name: String::new(),
            refusal: Refusal::unreadable(error),
        }
    }
}

impl Request {
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let text = std::str::from_utf8(bytes).map_err(|_| {
            Refused::without_id(Refusal::new("not_utf8", "the request is not UTF-8"))
        })?;
        // Editors on Windows write a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut members: Members =
            serde_json::from_str(text).map_err(|error| Refused::unreadable(text, &error))?;
        let id = owned(members.id.take()).unwrap_or_else(|| "null".to_owned());
        let name = members.call.take().unwrap_or_default();
        match members.call(&name) {
            Ok(call) => Ok(Self {
                id,
                name,
                call,
                options: owned(members.options),
            }),
            Err(refusal) => Err(Refused { id, name, refusal }),
        }
    }

    /// `None` if the request has none.
    pub fn identifier(&self) -> Result<Option<Id>, Refusal> {
        match serde_json::from_str(&self.id) {
            Ok(Value::Null) | Err(_) => Ok(None),
            Ok(value) => Id::new(&value).map(Some),
        }
    }
}

impl Members {
    fn call(&mut self, name: &str) -> Result<Call, Refusal> {
        let call = match name {
            "create_order" => Call::CreateOrder {
                order: required(self.order.take(), name, "order")?,
            },
            "get_status" => Call::GetStatus {
                query: required(self.query.take(), name, "query")?,
            },
            "wait_for_payment" => Call::WaitForPayment {
                query: required(self.query.take(), name, "query")?,
            },
            "get_statuses" => Call::GetStatuses {
                queries: required(self.queries.take(), name, "queries")?,
            },
            "recover" => Call::Recover {
                sales: owned(self.sales.take()),
            },
            "journal_list" => Call::JournalList,
            "journal_resolve" => Call::JournalResolve,
            "journal_settle" => Call::JournalSettle,
            "journal_prune" => Call::JournalPrune,
            "build_create_order" => Call::BuildCreateOrder {
                order: required(self.order.take(), name, "order")?,
            },
            "build_get_status" => Call::BuildGetStatus {
                query: required(self.query.take(), name, "query")?,
            },
            "parse_return_url" => Call::ParseReturnUrl {
                url: self.url.take().ok_or_else(|| missing(name, "url"))?,
            },
            "verify_payment" => Call::VerifyPayment {
                expected: required(self.expected.take(), name, "expected")?,
                status: required(self.status.take(), name, "status")?,
            },
            "version" => Call::Version,
            "cancel" => Call::Cancel {
                target: Id::new(&self.target.take().ok_or_else(|| missing(name, "target"))?)?,
            },
            "cancel_all" => Call::CancelAll,
            "" => return Err(Refusal::missing("the request has no `call`")),
            _ => return Err(Refusal::value(format!("there is no call `{name}`"))),
        };
        let takes_options =
            call.can_be_cancelled() || matches!(call, Call::BuildCreateOrder { .. });
        let others = [
            (self.order.is_some(), "order"),
            (self.query.is_some(), "query"),
            (self.queries.is_some(), "queries"),
            (self.sales.is_some(), "sales"),
            (self.expected.is_some(), "expected"),
            (self.status.is_some(), "status"),
            (self.url.is_some(), "url"),
            (self.target.is_some(), "target"),
            (self.options.is_some() && !takes_options, "options"),
        ];
        // Ignoring it could mean that the program and the bridge understand different requests.
        match others.iter().find(|(there, _)| *there) {
            Some((_, member)) => Err(Refusal::new(
                "unknown_key",
                format!("`{name}` does not take `{member}`"),
            )),
            None => Ok(call),
        }
    }
}

fn owned(value: Option<Box<RawValue>>) -> Option<String> {
    value.map(|value| value.get().to_owned())
}

fn required(value: Option<Box<RawValue>>, call: &str, member: &str) -> Result<String, Refusal> {
    owned(value).ok_or_else(|| missing(call, member))
}

fn missing(call: &str, member: &str) -> Refusal {
    Refusal::missing(format!("`{call}` needs `{member}`"))
}
