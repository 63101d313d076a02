//! What a response to Get Status says about a payment.

use serde::{Serialize, Serializer};

use crate::connection::Fingerprint;
use crate::gateway::date::iso_date;
use crate::text::json;

/// The 15 fields of a status response's `data`, in the interface's order.
pub(crate) const STATUS_FIELDS: [&str; 15] = [
    "merchantRefId",
    "orderId",
    "transactionId",
    "amount",
    "customerName",
    "customerMobile",
    "customerEmail",
    "transactionStatus",
    "transactionDate",
    "refundStatus",
    "refundType",
    "merchantName",
    "settlementStatus",
    "settlementDate",
    "payMode",
];

/// The only status that the interface documents, and the only one that means paid.
pub(crate) const COMPLETED: &str = "Completed";

/// Whether a status with these fields only repeats the question.
pub(super) fn is_echo<'a>(field: impl Fn(&str) -> &'a str) -> bool {
    ["transactionId", "transactionStatus", "amount"]
        .into_iter()
        .all(|name| field(name).trim().is_empty())
}

/// Whether a status is [`COMPLETED`], or differs from it only in case or white space.
pub(crate) fn may_mean_completed(status: &str) -> bool {
    let letters: String = status.split_whitespace().collect();
    letters.eq_ignore_ascii_case(COMPLETED)
}

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
pub struct Status {
    pub(crate) response_message: String,
    /// The values of [`STATUS_FIELDS`].
    pub(crate) fields: [String; 15],
    pub(crate) json: String,
    /// Of the service that sent it, if that is recorded.
    pub(crate) certificate: Option<Fingerprint>,
}

/// As [`Status::json`].
impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::write_raw(&self.json, serializer)
    }
}

impl Status {
    /// A field of the response's `data` by its wire name. It is empty if the service did not send
    /// it, and `None` if the interface has no such field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = STATUS_FIELDS.iter().zip(&self.fields);
        fields.find_map(|(field, value)| (*field == name).then_some(value.as_str()))
    }

    /// The merchant's order identifier.
    pub fn order_id(&self) -> &str {
        self.known("orderId")
    }

    /// The transaction identifier.
    pub fn transaction_id(&self) -> &str {
        self.known("transactionId")
    }

    /// The amount, decimal text.
    pub fn amount(&self) -> &str {
        self.known("amount")
    }

    /// The status, as the service sent it.
    pub fn transaction_status(&self) -> &str {
        self.known("transactionStatus")
    }

    /// Whether the status is `Completed`, the only value that the interface documents.
    pub fn is_completed(&self) -> bool {
        self.transaction_status() == COMPLETED
    }

    /// Whether it says more about money than an open order does: paid, refunded, or something that
    /// the interface does not document and that may mean paid.
    pub(crate) fn may_be_paid(&self) -> bool {
        let is_given = |field| !self.known(field).trim().is_empty();
        may_mean_completed(self.transaction_status())
            || self.is_refunded()
            || is_given("settlementStatus")
            || is_given("settlementDate")
    }

    pub(crate) fn shown(&self) -> Option<&str> {
        Some(self.transaction_status())
    }

    /// Whether the response only repeats the question: it has no transaction, status or amount.
    pub(crate) fn is_echo(&self) -> bool {
        is_echo(|name| self.known(name))
    }

    /// Whether money went back, or a part of it.
    pub(crate) fn is_refunded(&self) -> bool {
        ["refundStatus", "refundType"]
            .into_iter()
            .any(|field| !self.known(field).trim().is_empty())
    }

    /// The date of the transaction in ISO 8601, without a time zone (the interface gives none).
    /// `None` if the text has a different form.
    pub fn transaction_date(&self) -> Option<String> {
        iso_date(self.known("transactionDate"))
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

    fn known(&self, name: &str) -> &str {
        self.field(name).unwrap_or_default()
    }
}

/// Shows only the status, since a response contains the customer's data.
impl std::fmt::Debug for Status {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Status")
            .field("transactionStatus", &self.transaction_status())
            .finish_non_exhaustive()
    }
}
