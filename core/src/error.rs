//! The error of a call: its result, its outcome, and a message for people.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};

mod json;

pub use crate::code::{Action, Cause, Code, Outcome};
use crate::entry::Entry;
pub use crate::operation::Operation;
use crate::query::StatusQuery;
pub(crate) use json::write_known;

/// The rules of the interface, in the order in which they are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Rule {
    /// The field is missing.
    Required,
    /// The field is not a string.
    Type,
    /// The field is empty or white space only.
    Blank,
    /// The identifier has white space at an end, or a control character.
    Characters,
    /// The field is not decimal text.
    Decimal,
    /// The amount is below 1.
    Minimum,
    /// The value is not one of the allowed ones.
    Allowed,
    /// The field is not an absolute URL that a customer can be sent to.
    Url,
    /// The interface has no such field.
    UnknownField,
    /// Both identifiers are given, but no `searchType` to choose one.
    Conflict,
}

/// One field that breaks a rule of the interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The field's name in the request.
    pub field: String,
    /// The first rule that it breaks.
    pub rule: Rule,
    /// A description for people.
    pub message: String,
}

impl Violation {
    /// `complaint` is what the message says after the field's name.
    pub fn new(field: &str, rule: Rule, complaint: &str) -> Violation {
        Violation {
            field: field.to_owned(),
            rule,
            message: format!("{field} {complaint}"),
        }
    }
}

/// The error of the system, of TLS or of SQLite behind a failure. Errors that quote what they read
/// are not kept, because that can be a credential.
pub(crate) type Source = Arc<dyn std::error::Error + Send + Sync>;

/// A failed call: what happened, with details.
///
/// It contains no credentials. Its message and [`Error::response_message`] may quote the service's
/// own text, which may contain anything, also personal data.
///
/// ```
/// use payorder_core::{Action, Cause, Client, Code, Outcome};
///
/// let error = Client::from_json("{}").unwrap_err();
/// assert_eq!((error.code(), error.cause()), (Code::InvalidConfig, Cause::InvalidValue));
/// assert_eq!(error.outcome(), Outcome::NotSent);
/// assert_eq!(error.action(), Action::FixConfiguration);
/// assert!(error.to_json().starts_with(r#"{"error":{"result":3,"#));
/// assert!(error.operation().is_none() && error.previous().is_none());
/// ```
///
/// After a call:
///
/// ```
/// fn explain(error: &payorder_core::Error) {
///     println!("{error} ({:?} attempts, {:?})", error.attempts(), error.elapsed());
///     println!("HTTP {:?}, {:?}", error.http_status(), error.response_code());
///     println!("the service says {:?}, wait {:?}", error.response_message(), error.retry_after());
///     if error.action() == payorder_core::Action::AskPerson {
///         println!("it may be another sale's order");
///     } else if let Some(query) = error.status_query() {
///         println!("the order may exist; ask {}", query.wire_body());
///         println!("its page {:?}, last seen as {:?}", error.checkout_url(), error.last_status());
///     }
/// }
/// ```
#[derive(Clone)]
pub struct Error {
    code: Code,
    cause: Cause,
    pub(crate) details: Box<Details>,
}

#[derive(Clone, Default)]
pub(crate) struct Details {
    pub(crate) message: String,
    /// This machine's clock may be wrong.
    pub(crate) clock_is_suspect: bool,
    /// It may pass without anybody's help.
    pub(crate) passes: bool,
    /// The service said that the order exists already: see [`Cause::OrderExists`].
    pub(crate) may_be_anothers: bool,
    /// The service refused a query in words of its own: it does not know the order.
    pub(crate) is_not_known: bool,
    /// Something else than the service wrote the response, such as a firewall.
    pub(crate) is_foreign: bool,
    operation: Option<Operation>,
    pub(crate) attempts: Option<u32>,
    pub(crate) elapsed: Option<Duration>,
    violations: Vec<Violation>,
    pub(crate) http_status: Option<u16>,
    pub(crate) response_code: Option<String>,
    pub(crate) response_message: Option<String>,
    request_id: Option<String>,
    pub(crate) response_body: Option<String>,
    pub(crate) checkout_url: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    status_query: Option<StatusQuery<'static>>,
    /// The last status that a wait saw, as JSON.
    pub(crate) last_status: Option<String>,
    pub(crate) previous: Option<Box<Entry>>,
    source: Option<Source>,
}

impl Error {
    /// An error of a library around this one. The results of a cause are [`Cause::results`].
    pub fn new(code: Code, cause: Cause, message: impl Into<String>) -> Error {
        debug_assert!(
            cause.results().contains(&code.number()),
            "{code:?} does not come with {cause:?}"
        );
        Error {
            code,
            cause,
            details: Box::new(Details {
                message: message.into(),
                ..Details::default()
            }),
        }
    }

    pub(crate) fn with_source(mut self, source: Option<Source>) -> Error {
        self.details.source = source;
        self
    }

    /// The same with [`Code::InvalidArgument`].
    pub fn argument(cause: Cause, message: impl Into<String>) -> Error {
        Error::new(Code::InvalidArgument, cause, message)
    }

    /// The same for a text of more than `most` bytes; `what` names it.
    pub fn if_too_long(text: &str, what: &str, most: usize) -> Result<(), Error> {
        let length = text.len();
        let message =
            || format!("{what}: the text has {length} bytes, more than the {most} allowed");
        match length > most {
            true => Err(Error::argument(Cause::TooLong, message())),
            false => Ok(()),
        }
    }

    /// The same with [`Code::InvalidRequest`]: a request breaks rules of the interface. `what` names
    /// the request.
    pub fn violations(what: &str, violations: Vec<Violation>) -> Error {
        let mut message = format!("the {what} breaks the interface's rules: ");
        for (index, violation) in violations.iter().enumerate() {
            if index > 0 {
                message.push_str("; ");
            }
            message.push_str(&violation.message);
        }
        let mut error = Error::new(Code::InvalidRequest, Cause::RuleBroken, message);
        error.details.violations = violations;
        error
    }

    pub(crate) fn with_prefix(mut self, words: &str) -> Error {
        self.details.message.insert_str(0, words);
        self
    }

    /// Sets the call that failed. If it leaves something to ask, its subject is what to ask for.
    pub(crate) fn set_operation(
        &mut self,
        operation: Operation,
        subject: Option<&StatusQuery<'_>>,
    ) {
        self.details.operation = Some(operation);
        let asks_next = match operation.sends_order() {
            true => self.outcome() == Outcome::Unknown,
            false => operation == Operation::WaitForPayment,
        };
        if let Some(query) = subject.filter(|_| asks_next) {
            self.set_status_query(query);
        }
    }

    /// The same error with what the response calls the request: the first thing that the service's
    /// support asks for, if its answer is not clear.
    pub(crate) fn with_request_id(mut self, id: &str) -> Error {
        self.details.request_id = Some(id.to_owned());
        if self.outcome() == Outcome::Unknown {
            self.details.message += &format!(" (request id {id})");
        }
        self
    }

    /// The same error after the order was sent before: that this attempt was refused, or not sent,
    /// says nothing about the earlier one.
    pub(crate) fn into_failed_resend(mut self) -> Error {
        if self.outcome() == Outcome::Rejected {
            self.code = Code::ServiceFailed;
            self.cause = Cause::ResendRefused;
        } else if self.outcome() != Outcome::NotSent {
            return self;
        }
        self.details.message = format!(
            "{}; the order was sent before, so it may exist all the same: ask Get Status by order \
             id before anything else",
            self.details.message
        );
        self
    }

    /// Says that the service has the order already, and that it may be another sale's.
    pub(crate) fn set_may_be_anothers(&mut self) {
        if !self.details.may_be_anothers {
            self.details.may_be_anothers = true;
            self.details.message += "; the service has said that it has this order already: it may be \
                                     another sale's, let a person decide, and hand nothing over";
        }
    }

    /// Sets what to ask Get Status next, unless that is set already.
    pub fn set_status_query(&mut self, query: &StatusQuery<'_>) {
        let slot = &mut self.details.status_query;
        slot.get_or_insert_with(|| query.clone().into_owned());
    }

    /// How the call ended.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What exactly happened.
    pub fn cause(&self) -> Cause {
        self.cause
    }

    /// What the program should do next.
    pub fn action(&self) -> Action {
        let details = &self.details;
        let operation = details.operation;
        let order_may_exist = operation.is_some_and(Operation::sends_order)
            && (self.code.outcome() == Outcome::Unknown || details.status_query.is_some());
        // The customer can still pay.
        let wait_ended = operation == Some(Operation::WaitForPayment)
            && match self.code.outcome() {
                Outcome::NotSent => self.code == Code::Cancelled,
                _ => true,
            };
        // The checkout URL is lost, or must not be shown.
        let has_page = || {
            self.previous()
                .is_some_and(|previous| previous.url.is_some())
        };
        match self.code {
            Code::Duplicate if self.cause != Cause::OrderAlreadySent || has_page() => {
                self.cause.action()
            }
            _ if self.cause == Cause::OrderExists => Action::AskPerson,
            _ if details.may_be_anothers && order_may_exist => Action::AskPerson,
            _ if order_may_exist || wait_ended => Action::AskStatus,
            // The program wanted it, also if it freed the client.
            Code::Cancelled => Action::None,
            // A refused question may be asked again: the order may still appear.
            Code::Rejected if operation == Some(Operation::GetStatus) => Action::RetryLater,
            Code::InvalidConfig => Action::FixConfiguration,
            _ if details.clock_is_suspect => Action::CheckClock,
            _ if details.passes => Action::RetryLater,
            _ => self.cause.action(),
        }
    }

    /// What happened to the request: not sent, rejected or unknown.
    pub fn outcome(&self) -> Outcome {
        self.code.outcome()
    }

    /// The call that failed, if the error belongs to a call.
    pub fn operation(&self) -> Option<Operation> {
        self.details.operation
    }

    /// How many attempts the call made.
    pub fn attempts(&self) -> Option<u32> {
        self.details.attempts
    }

    /// The duration of the call.
    pub fn elapsed(&self) -> Option<Duration> {
        self.details.elapsed
    }

    /// Every field that breaks a rule, for [`Code::InvalidRequest`].
    pub fn all_violations(&self) -> &[Violation] {
        &self.details.violations
    }

    /// The HTTP status of the response, if there was one.
    pub fn http_status(&self) -> Option<u16> {
        self.details.http_status
    }

    /// The response's `responseCode`, if it had one.
    pub fn response_code(&self) -> Option<&str> {
        self.details.response_code.as_deref()
    }

    /// The response's `responseMessage` with credentials redacted, if it had one.
    pub fn response_message(&self) -> Option<&str> {
        self.details.response_message.as_deref()
    }

    /// What the response calls the request, for the service's support.
    pub fn request_id(&self) -> Option<&str> {
        self.details.request_id.as_deref()
    }

    /// The first 2000 characters of the response with credentials redacted, for
    /// [`Code::BadResponse`] and [`Code::ServiceFailed`], if the client quotes responses and this
    /// one is HTTP and not too large. It may contain personal data.
    pub fn response_body(&self) -> Option<&str> {
        let is_shown = matches!(self.code, Code::BadResponse | Code::ServiceFailed);
        self.details.response_body.as_deref().filter(|_| is_shown)
    }

    /// How long the service asks to wait (`Retry-After`).
    pub fn retry_after(&self) -> Option<Duration> {
        self.details.retry_after
    }

    /// The checkout URL of an order whose outcome is unknown, if the response had a usable one: if
    /// the order exists, the customer can pay there. If [`Error::action`] is
    /// [`Action::AskPerson`], it may be the page of another sale: show it to nobody.
    pub fn checkout_url(&self) -> Option<&str> {
        self.details.checkout_url.as_deref()
    }

    /// What to ask next: after every unknown outcome of Create Order, and after every failure of
    /// [`crate::Client::wait_for_payment`].
    pub fn status_query(&self) -> Option<StatusQuery<'_>> {
        self.details.status_query.clone()
    }

    /// The last status that a failed [`crate::Client::wait_for_payment`] saw, as JSON text.
    pub fn last_status(&self) -> Option<&str> {
        self.details.last_status.as_deref()
    }

    /// The journal's entry of the same order, for [`Code::Duplicate`].
    pub fn previous(&self) -> Option<&Entry> {
        self.details.previous.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.details.message)
    }
}

impl std::error::Error for Error {
    /// The error of the operating system ([`std::io::Error`]), of TLS (rustls) or of SQLite behind
    /// this one, if there is one.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.details.source.as_deref()?;
        Some(source)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Error")
            .field("outcome", &self.outcome())
            .field("code", &self.code)
            .field("cause", &self.cause)
            .field("operation", &self.details.operation)
            .field("message", &self.details.message)
            .finish_non_exhaustive()
    }
}

/// Whole milliseconds, the unit of every duration in JSON.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A duration in JSON.
pub(crate) fn in_milliseconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(milliseconds(*time))
}
