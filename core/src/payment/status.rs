//! What a service says about a payment.

use serde::{Serialize, Serializer};

use crate::credentials::CallCredentials;
use crate::query::names;
use crate::text::json;

/// What the service says about a payment. A field that the service did not send is empty.
///
/// ```
/// fn show(status: &payorder_core::Status) {
///     println!("{} is {}", status.order_id(), status.transaction_status());
///     println!("completed: {}, {}", status.is_completed(), status.response_message());
///     println!("{} at {:?}", status.transaction_id(), status.transaction_date());
///     println!("paid with {:?}; all: {}", status.field("payMode"), status.json());
/// }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Status {
    pub(crate) facts: Facts,
    pub(crate) fields: Fields,
    pub(crate) response_message: String,
    pub(crate) json: String,
}

/// What decides about money.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    /// The only status that means paid.
    pub(crate) is_completed: bool,
    /// It says more about money than the status of an open order does: paid, refunded, or something
    /// that may mean paid.
    pub(crate) may_be_paid: bool,
    /// Money went back, or a part of it.
    pub(crate) is_refunded: bool,
    /// It only repeats the question: it has no transaction, status or amount.
    pub(crate) is_echo: bool,
}

/// The texts of a status, by their names in [`Status::json`]. They are in one text, because ten
/// thousand waits may each keep a status.
#[derive(Clone)]
pub(crate) struct Fields {
    names: &'static [&'static str],
    text: String,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl Fields {
    /// As many texts as names, in their order.
    pub(crate) fn new<'t>(
        names: &'static [&'static str],
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Fields {
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(names.len()));
        for one in texts {
            text.push_str(one);
            ends.push(text.len());
        }
        text.shrink_to_fit();
        Fields { names, text, ends }
    }

    fn get(&self, name: &str) -> Option<&str> {
        let place = self.names.iter().position(|known| *known == name)?;
        let begin = place
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        let begin = begin.copied().unwrap_or_default();
        self.text.get(begin..*self.ends.get(place)?)
    }
}

/// As [`Status::json`].
impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::write_raw(&self.json, serializer)
    }
}

impl Status {
    /// A field of the response's `data` by its name. It is empty if the service did not send it, and
    /// `None` if the interface has no such field.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name)
    }

    /// The merchant's order identifier.
    pub fn order_id(&self) -> &str {
        self.known(names::ORDER_ID)
    }

    /// The transaction identifier.
    pub fn transaction_id(&self) -> &str {
        self.known(names::TRANSACTION_ID)
    }

    /// The amount, decimal text.
    pub fn amount(&self) -> &str {
        self.known(names::AMOUNT)
    }

    /// The status, as the service sent it.
    pub fn transaction_status(&self) -> &str {
        self.known(names::TRANSACTION_STATUS)
    }

    /// Whether the payment is completed. This does not prove that it is paid as expected: see
    /// [`crate::verify_payment`].
    pub fn is_completed(&self) -> bool {
        self.facts.is_completed
    }

    /// The status for a log, which never shows a credential, even if the service sent it.
    pub(crate) fn shown(&self, credentials: &CallCredentials<'_>) -> Option<String> {
        let status = self.transaction_status();
        Some(match self.is_completed() {
            true => status.to_owned(),
            false => credentials.redact(status),
        })
    }

    /// The service's text; `Success` according to its documentation.
    pub fn response_message(&self) -> &str {
        &self.response_message
    }

    /// The complete response as JSON, as in the C ABI, with `derived` and all fields that this
    /// version does not know.
    pub fn json(&self) -> &str {
        &self.json
    }

    pub(crate) fn known(&self, name: &str) -> &str {
        self.field(name).unwrap_or_default()
    }
}

/// Shows only the status, since a response contains the customer's data.
impl std::fmt::Debug for Status {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Status")
            .field(names::TRANSACTION_STATUS, &self.transaction_status())
            .finish_non_exhaustive()
    }
}
