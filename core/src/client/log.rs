//! Log events: what a call did, without credentials and without personal data.

use std::borrow::Cow;
use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::error::{Cause, Code, Error, Operation, milliseconds, write_known};
use crate::query::{StatusQuery, names};
use crate::text::json;

macro_rules! events {
    ($(
        $(#[doc = $meaning:literal])+
        $name:ident $variant:ident [$($always:ident)+] [$($sometimes:ident)+],
    )+) => {
        /// A step of a call.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Step {
            $($(#[doc = $meaning])+ $variant,)+
        }

        impl Step {
            /// The name in the event's JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Step::$variant => stringify!($name),)+
                }
            }
        }
    };
}
/// Only the description needs them.
macro_rules! event_keys {
    ($($list:tt)*) => {};
}
include!("events.rs");

/// One step of a call.
#[derive(Debug, Clone)]
pub struct LogEvent<'a> {
    /// Which step.
    pub step: Step,
    /// The call that it belongs to.
    pub operation: Operation,
    /// The order or transaction that the call is about, if known.
    pub subject: Option<Cow<'a, StatusQuery<'a>>>,
    /// The attempt's number, from 1; 0 if no attempt was made.
    pub attempt: u32,
    /// How the step ended; `None` for a step that only begins.
    pub result: Option<Code>,
    /// Why the step failed; `None` if it did not.
    pub cause: Option<Cause>,
    /// The HTTP status of the response, if there was one.
    pub http_status: Option<u16>,
    /// The payment's status as the service sent it, for [`Step::AttemptFinished`] of Get Status.
    pub transaction_status: Option<Cow<'a, str>>,
    /// What an operator should know about this client, in words for people.
    pub warning: Option<&'static str>,
    /// Since the start of the call.
    pub elapsed: Duration,
    /// The service's host and port.
    pub host: Cow<'a, str>,
    /// What the response calls the request, for the service's support.
    pub request_id: Option<Cow<'a, str>>,
    /// The tag in the call's options.
    pub tag: Option<Cow<'a, str>>,
}

impl LogEvent<'_> {
    /// The same event, borrowing nothing, so that it can be sent to another thread.
    pub(crate) fn into_owned(self) -> LogEvent<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let subject = self.subject.map(Cow::into_owned);
        LogEvent {
            step: self.step,
            operation: self.operation,
            subject: subject.map(|subject| Cow::Owned(subject.into_owned())),
            attempt: self.attempt,
            result: self.result,
            cause: self.cause,
            http_status: self.http_status,
            transaction_status: self.transaction_status.map(owned),
            warning: self.warning,
            elapsed: self.elapsed,
            host: owned(self.host),
            request_id: self.request_id.map(owned),
            tag: self.tag.map(owned),
        }
    }

    /// The event as one JSON object.
    pub fn to_json(&self) -> String {
        json::written(self)
    }
}

impl Serialize for LogEvent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("event", self.step.name())?;
        map.serialize_entry("operation", &self.operation)?;
        if let Some((key, id)) = self.subject.as_deref().map(StatusQuery::named) {
            map.serialize_entry(key, id)?;
        }
        let attempt = Some(self.attempt).filter(|number| *number > 0);
        write_known(&mut map, "attempt", attempt)?;
        write_known(&mut map, "httpStatus", self.http_status)?;
        map.serialize_entry("elapsedMs", &milliseconds(self.elapsed))?;
        write_known(&mut map, "result", self.result.map(Code::number))?;
        write_known(&mut map, "name", self.result)?;
        write_known(&mut map, "cause", self.cause)?;
        let status = self.transaction_status.as_deref();
        write_known(&mut map, names::TRANSACTION_STATUS, status)?;
        map.serialize_entry("host", &self.host)?;
        write_known(&mut map, "requestId", self.request_id.as_deref())?;
        write_known(&mut map, "tag", self.tag.as_deref())?;
        write_known(&mut map, "warning", self.warning)?;
        map.end()
    }
}

/// How a step ended: with the payment's status, if the response has one, or with an error. `None`
/// for a step that only begins.
pub(crate) type StepResult<'a> = Option<Result<Option<&'a str>, &'a Error>>;

/// Receives log events, on the thread that is inside the call.
pub type Log = Box<dyn Fn(&LogEvent<'_>) + Send + Sync>;
