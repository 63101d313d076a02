//! What a response to Get Status says about a payment.

use std::borrow::Cow;

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
#[derive(Clone)]
pub struct Status {
    pub(crate) response_message: String,
    pub(crate) fields: StatusFields,
    pub(crate) json: String,
    /// Of the service that sent it, if that is recorded.
    pub(crate) certificate: Option<Fingerprint>,
}

/// The values of the 15 fields, in one piece of memory.
#[derive(Clone, Default)]
pub(crate) struct StatusFields {
    text: String,
    /// Where each value ends.
    ends: [usize; 15],
}

impl StatusFields {
    pub(crate) fn new(values: &[Cow<'_, str>; 15]) -> StatusFields {
        let mut fields = StatusFields {
            text: String::with_capacity(values.iter().map(|value| value.len()).sum()),
            ends: [0; 15],
        };
        for (value, end) in values.iter().zip(&mut fields.ends) {
            fields.text.push_str(value);
            *end = fields.text.len();
        }
        fields
    }

    fn get(&self, index: usize) -> &str {
        let end = |index: usize| self.ends.get(index).copied().unwrap_or_default();
        let start = index.checked_sub(1).map_or(0, end);
        self.text.get(start..end(index)).unwrap_or_default()
    }
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
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{:?}", status.field("payMode"));
    /// }
    /// ```
    pub fn field(&self, name: &str) -> Option<&str> {
        let index = STATUS_FIELDS.iter().position(|field| *field == name)?;
        Some(self.fields.get(index))
    }

    /// The merchant's order identifier.
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{}", status.order_id());
    /// }
    /// ```
    pub fn order_id(&self) -> &str {
        self.known("orderId")
    }

    /// The transaction identifier.
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{}", status.transaction_id());
    /// }
    /// ```
    pub fn transaction_id(&self) -> &str {
        self.known("transactionId")
    }

    /// The amount, decimal text.
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{}", status.amount());
    /// }
    /// ```
    pub fn amount(&self) -> &str {
        self.known("amount")
    }

    /// The status, as the service sent it.
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{}", status.transaction_status());
    /// }
    /// ```
    pub fn transaction_status(&self) -> &str {
        self.known("transactionStatus")
    }

    /// Whether the status is `Completed`, the only value that the interface documents.
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{}", status.is_completed());
    /// }
    /// ```
    pub fn is_completed(&self) -> bool {
        self.transaction_status() == COMPLETED
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
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{:?}", status.transaction_date());
    /// }
    /// ```
    pub fn transaction_date(&self) -> Option<String> {
        iso_date(self.known("transactionDate"))
    }

    /// The service's text; `Success` according to its documentation.
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{}", status.response_message());
    /// }
    /// ```
    pub fn response_message(&self) -> &str {
        &self.response_message
    }

    /// The complete response as JSON, as in the C ABI, with `derived` and all fields that this
    /// version does not know.
    ///
    /// ```
    /// fn show(status: &payorder_core::Status) {
    ///     println!("{}", status.json());
    /// }
    /// ```
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
    let digits = |from: usize, count: usize| -> Option<u32> {
        let part = text.get(from..from + count)?;
        part.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| part.parse().ok())?
    };
    let separators = [
        (2, "/"),
        (5, "/"),
        (10, " "),
        (13, ":"),
        (16, ":"),
        (19, " "),
    ];
    if text.len() != 22
        || !separators
            .iter()
            .all(|&(at, mark)| text.get(at..at + 1) == Some(mark))
    {
        return None;
    }
    let (month, day, year) = (digits(0, 2)?, digits(3, 2)?, digits(6, 4)?);
    let (hour, minute, second) = (digits(11, 2)?, digits(14, 2)?, digits(17, 2)?);
    let afternoon = match text.get(20..)? {
        "AM" => 0,
        "PM" => 12,
        _ => return None,
    };
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
    if !valid {
        return None;
    }
    let hour = [
        char::from_digit(hour / 10, 10)?,
        char::from_digit(hour % 10, 10)?,
    ];
    // The other parts are copied from the text.
    let mut date = String::with_capacity(19);
    for part in [
        text.get(6..10)?,
        "-",
        text.get(0..2)?,
        "-",
        text.get(3..5)?,
        "T",
    ] {
        date.push_str(part);
    }
    date.extend(hour);
    date.push_str(text.get(13..19)?);
    Some(date)
}

#[cfg(test)]
mod tests {
    use super::iso_date;

    #[test]
    fn a_date_of_the_documented_shape_is_read_and_no_other() {
        for (text, expected) in [
            ("11/21/2026 02:05:06 PM", Some("2026-11-21T14:05:06")),
            ("11/21/2026 12:00:00 AM", Some("2026-11-21T00:00:00")),
            ("11/21/2026 12:00:00 PM", Some("2026-11-21T12:00:00")),
            ("02/29/2028 01:00:00 AM", Some("2028-02-29T01:00:00")),
            ("02/29/2100 01:00:00 AM", None),
            ("01/01/0001 01:00:00 AM", Some("0001-01-01T01:00:00")),
            ("01/01/0000 01:00:00 AM", None),
            ("02/30/2026 01:00:00 AM", None),
            ("13/01/2026 01:00:00 AM", None),
            ("11/21/2026 13:00:00 PM", None),
            ("11/21/2026 00:00:00 AM", None),
            ("11/21/2026 02:60:00 PM", None),
            ("11/21/2026 02:05:06 pm", None),
            ("11/21/2026 2:05:06 PM", None),
            ("2026-11-21T14:05:06", None),
            ("11/21/2026 02:05:06 P\u{4d}x", None),
            ("1é/21/2026 02:05:06 PM", None),
            ("", None),
        ] {
            assert_eq!(iso_date(text).as_deref(), expected, "{text}");
        }
    }
}
