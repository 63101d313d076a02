//! The fields of a status, and what they say about money.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::entry::EventDetails;
use crate::gateway::envelope::{A_NAME, EnvelopeError, lenient_text};
use crate::payment::date::{has_shape, seconds};
use crate::payment::status::{Facts, Status};
use crate::query::names::{AMOUNT, ORDER_ID, TRANSACTION_ID, TRANSACTION_STATUS};
use crate::text::json;
use crate::text::received::Received;

macro_rules! status_fields {
    ($($(#[doc = $text:literal])+ $name:ident,)+) => {
        /// The fields of a status response's `data`, in the interface's order.
        pub(crate) const STATUS_FIELDS: [&str; [$(stringify!($name)),+].len()] =
            [$(stringify!($name)),+];
    };
}
include!("status_fields.rs");

/// The only status that the interface documents, and the only one that means paid.
pub(crate) const COMPLETED: &str = "Completed";

pub(super) const TRANSACTION_DATE: &str = "transactionDate";
/// Not empty if money went back, or a part of it.
pub(super) const REFUND: [&str; 2] = ["refundStatus", "refundType"];
/// Not empty if the merchant got the money.
const SETTLEMENT: [&str; 2] = ["settlementStatus", "settlementDate"];

/// The fields that decide something.
fn deciding() -> impl Iterator<Item = &'static str> {
    let all = [ORDER_ID, TRANSACTION_ID, AMOUNT, TRANSACTION_STATUS];
    all.into_iter().chain(REFUND)
}

/// Whether a status is [`COMPLETED`], or differs from it only in case or white space.
pub(crate) fn may_mean_completed(status: &str) -> bool {
    let letters: String = status.split_whitespace().collect();
    letters.eq_ignore_ascii_case(COMPLETED)
}

/// What the fields of a status, by their names, say about money.
fn facts<'a>(field: impl Fn(&str) -> &'a str) -> Facts {
    let is_given = |name| !field(name).trim().is_empty();
    let status = field(TRANSACTION_STATUS);
    let is_refunded = REFUND.into_iter().any(is_given);
    Facts {
        is_completed: status == COMPLETED,
        may_be_paid: status == COMPLETED
            || may_mean_completed(status)
            || is_refunded
            || SETTLEMENT.into_iter().any(is_given),
        is_refunded,
        is_echo: ![TRANSACTION_ID, TRANSACTION_STATUS, AMOUNT]
            .into_iter()
            .any(is_given),
    }
}

/// The `data` of a status response: the fields of the interface, and any other fields.
pub(crate) struct StatusData<'a> {
    pub(crate) fields: [Cow<'a, str>; STATUS_FIELDS.len()],
    pub(crate) unknown: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> StatusData<'a> {
    /// Reads the `data` of a body. If it is missing or `null`, every field is empty.
    pub(crate) fn read(
        data: Option<&'a RawValue>,
        body: &Received<'_>,
    ) -> Result<StatusData<'a>, EnvelopeError> {
        let mut read = StatusData {
            fields: Default::default(),
            unknown: Vec::new(),
        };
        let Some(data) = data.filter(|data| data.get() != "null") else {
            return Ok(read);
        };
        let (mut values, mut is_duplicate) = ([None; STATUS_FIELDS.len()], false);
        let mut is_name_damaged = false;
        // The fields usually come in the order of the list.
        let mut next = 0;
        json::for_each_entry(data.get(), |key, value| {
            is_name_damaged |= body.is_damaged_in(&key);
            let is_named =
                |place: &usize| STATUS_FIELDS.get(*place).is_some_and(|name| *name == key);
            let place = (next..values.len()).chain(0..next).find(is_named);
            match place.and_then(|place| Some((place, values.get_mut(place)?))) {
                Some((place, slot)) => {
                    is_duplicate |= slot.replace(value).is_some();
                    next = place + 1;
                }
                None => read.unknown.push((key, value)),
            }
        })?;
        if is_duplicate {
            return Err(EnvelopeError::DuplicateField);
        }
        if is_name_damaged {
            return Err(EnvelopeError::Damaged(A_NAME));
        }
        for (field, value) in read.fields.iter_mut().zip(values) {
            if let Some(value) = value {
                *field = lenient_text(value)?;
            }
        }
        let is_damaged = |name: &&str| body.is_damaged_in(read.field(name));
        if body.is_damaged
            && let Some(name) = deciding().find(is_damaged)
        {
            return Err(EnvelopeError::Damaged(name));
        }
        Ok(read)
    }

    pub(crate) fn facts(&self) -> Facts {
        facts(|name| self.field(name))
    }

    /// A field by its wire name.
    pub(crate) fn field(&self, name: &str) -> &str {
        STATUS_FIELDS
            .iter()
            .zip(&self.fields)
            .find(|(field, _)| **field == name)
            .map_or("", |(_, value)| value)
    }
}

impl Status {
    /// The date of the transaction in ISO 8601, without a time zone (the interface gives none).
    /// `None` if the text has a different form.
    pub fn transaction_date(&self) -> Option<String> {
        iso_date(self.known(TRANSACTION_DATE))
    }
}

/// What the journal keeps of a status: so many characters of each text at most.
pub(crate) fn evidence(status: &Status, longest: usize) -> EventDetails {
    let field = |name| {
        let text: String = status.known(name).chars().take(longest).collect();
        Some(text).filter(|text| !text.is_empty())
    };
    let [refund_status, refund_type] = REFUND.map(field);
    let [settlement_status, settlement_date] = SETTLEMENT.map(field);
    EventDetails {
        transaction_id: field(TRANSACTION_ID),
        transaction_status: field(TRANSACTION_STATUS),
        amount: field(AMOUNT),
        refund_status,
        refund_type,
        settlement_status,
        settlement_date,
        ..EventDetails::default()
    }
}

/// Whether a status that the journal kept said, or may have meant, that money was paid.
pub(crate) fn said_paid(kept: &EventDetails) -> bool {
    let [refund_status, refund_type] = REFUND;
    let [settlement_status, settlement_date] = SETTLEMENT;
    let known = [
        (TRANSACTION_STATUS, &kept.transaction_status),
        (refund_status, &kept.refund_status),
        (refund_type, &kept.refund_type),
        (settlement_status, &kept.settlement_status),
        (settlement_date, &kept.settlement_date),
    ];
    let field = |name: &str| {
        let found = known.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, text)| text.as_deref().unwrap_or_default())
    };
    facts(field).may_be_paid
}

/// `MM/DD/YYYY hh:mm:ss AM|PM` as `YYYY-MM-DDThh:mm:ss`; `None` for any other form and for a date
/// that does not exist.
pub(super) fn iso_date(text: &str) -> Option<String> {
    let afternoon = match text.get(20..)? {
        "AM" => 0,
        "PM" => 12,
        _ => return None,
    };
    if !has_shape(text.get(..20)?, "00/00/0000 00:00:00 ") {
        return None;
    }
    let number = |from, to| text.get(from..to)?.parse::<u32>().ok();
    let (month, day, year) = (number(0, 2)?, number(3, 5)?, number(6, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let hour = (1..=12).contains(&hour).then_some(hour % 12 + afternoon)?;
    let iso = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    seconds(&iso).map(|_| iso)
}
