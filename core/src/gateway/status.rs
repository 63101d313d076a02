//! What a response to Get Status says about a payment.

use serde::{Serialize, Serializer};

use crate::connection::Fingerprint;
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

    pub(crate) fn shown(&self) -> Option<&str> {
        Some(self.transaction_status())
    }

    /// Whether the response only repeats the question: it has no transaction, status or amount.
    pub(crate) fn is_echo(&self) -> bool {
        ["transactionId", "transactionStatus", "amount"]
            .into_iter()
            .all(|field| self.known(field).trim().is_empty())
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

/// `MM/DD/YYYY hh:mm:ss AM|PM` as `YYYY-MM-DDThh:mm:ss`; `None` for any other form and for a date
/// that does not exist.
pub(crate) fn iso_date(text: &str) -> Option<String> {
    let zero_for_digit = |one: char| if one.is_ascii_digit() { '0' } else { one };
    let shape: String = text.chars().map(zero_for_digit).collect();
    let afternoon = match shape.as_str() {
        "00/00/0000 00:00:00 AM" => 0,
        "00/00/0000 00:00:00 PM" => 12,
        _ => return None,
    };
    let number = |from, to| text.get(from..to)?.parse::<u32>().ok();
    let (month, day, year) = (number(0, 2)?, number(3, 5)?, number(6, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    // No calendar has a year 0.
    let valid = year > 0
        && (1..=days).contains(&day)
        && (1..=12).contains(&hour)
        && minute < 60
        && second < 60;
    let hour = hour % 12 + afternoon;
    valid.then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"))
}
