//! Whether an order was paid, and if not, every reason why.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{Cause, Error, Rule, Violation};
use crate::gateway::envelope::{Envelope, EnvelopeError, RESPONSE_CODE};
use crate::gateway::fields::{check_field, take, unknown_fields};
use crate::gateway::order::{CURRENCY_CODE, MERCHANT_ID, decimal_complaint};
use crate::gateway::refusal::ORDER_EXISTS;
use crate::gateway::response::SUCCESS;
use crate::gateway::status_data::{COMPLETED, REFUND, StatusData, TRANSACTION_DATE, iso_date};
use crate::limits::LONGEST_OFFLINE;
use crate::payment::amount::Amount;
use crate::payment::date::{rfc3339, seconds};
use crate::query::names::{AMOUNT, ORDER_ID, TRANSACTION_ID, TRANSACTION_STATUS};
use crate::text::json;
use crate::text::received::Received;

const NOT_BEFORE: &str = "notBefore";

/// The payment that the merchant expects.
#[derive(Debug, Clone)]
pub struct Expected<'a> {
    order_id: Cow<'a, str>,
    amount: Cow<'a, str>,
    transaction_id: Option<Cow<'a, str>>,
    /// When the sale began, RFC 3339.
    not_before: Option<Cow<'a, str>>,
}

impl<'a> Expected<'a> {
    /// The payment to compare a status with. `transaction_id` is the one from the return URL, if
    /// there is one.
    ///
    /// # Errors
    /// [`crate::Code::InvalidRequest`] for blank identifiers and for an amount that is not decimal
    /// text.
    pub fn new(
        order_id: &'a str,
        amount: &'a str,
        transaction_id: Option<&'a str>,
    ) -> Result<Expected<'a>, Error> {
        let text = |text: &'a str| json::Value::Text(Cow::Borrowed(text));
        let mut entries = vec![
            (ORDER_ID.into(), text(order_id)),
            (AMOUNT.into(), text(amount)),
        ];
        entries.extend(transaction_id.map(|id| (TRANSACTION_ID.into(), text(id))));
        Expected::from_entries(entries)
    }

    /// When the sale began, such as `2026-11-21T14:05:06Z`. A transaction more than 26 hours before
    /// that is another sale's, in each time zone.
    ///
    /// # Errors
    /// [`crate::Code::InvalidRequest`] for another form than RFC 3339.
    pub fn not_before(mut self, time: &'a str) -> Result<Expected<'a>, Error> {
        let value = Some(json::Value::Text(Cow::Borrowed(time)));
        let checked = check_field(NOT_BEFORE, value, time_complaint);
        let wrong = |violation| Error::violations("expected payment", vec![violation]);
        self.not_before = Some(checked.map_err(wrong)?);
        Ok(self)
    }

    /// Reads `{"orderId","amount"}`, optionally with `"transactionId"` and `"notBefore"`.
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a text that is not a JSON object;
    /// [`crate::Code::InvalidRequest`] with every violation.
    pub fn from_json(text: &'a str) -> Result<Expected<'a>, Error> {
        Expected::from_entries(json::read_object(text, "the expected payment")?)
    }

    pub(crate) fn order_id(&self) -> &str {
        &self.order_id
    }

    pub(crate) fn amount(&self) -> &str {
        &self.amount
    }

    /// An error if it has more than an order and an amount.
    pub(crate) fn check_sale(&self) -> Result<(), Error> {
        let transaction = self.transaction_id.as_ref().map(|_| TRANSACTION_ID);
        match transaction.or(self.not_before.as_ref().map(|_| NOT_BEFORE)) {
            None => Ok(()),
            Some(field) => {
                let problem = "is not a field of a sale";
                let violation = Violation::new(field, Rule::UnknownField, problem);
                Err(Error::violations("sale", vec![violation]))
            }
        }
    }

    fn from_entries(mut entries: json::Members<'a>) -> Result<Expected<'a>, Error> {
        let mut violations = Vec::new();
        let mut keep = |checked: Result<Cow<'a, str>, Violation>| {
            checked.map_err(|violation| violations.push(violation)).ok()
        };
        let order_id = keep(check_field(ORDER_ID, take(&mut entries, ORDER_ID), |_| {
            None
        }));
        let amount = take(&mut entries, AMOUNT);
        let amount = keep(check_field(AMOUNT, amount, decimal_complaint));
        let transaction_id = take(&mut entries, TRANSACTION_ID)
            .and_then(|value| keep(check_field(TRANSACTION_ID, Some(value), |_| None)));
        let not_before = take(&mut entries, NOT_BEFORE)
            .and_then(|value| keep(check_field(NOT_BEFORE, Some(value), time_complaint)));
        violations.extend(unknown_fields(
            entries,
            "is not a field of an expected payment",
        ));
        match (order_id, amount) {
            (Some(order_id), Some(amount)) if violations.is_empty() => Ok(Expected {
                order_id,
                amount,
                transaction_id,
                not_before,
            }),
            _ => Err(Error::violations("expected payment", violations)),
        }
    }
}

/// Whether an order was paid as expected.
#[derive(Debug, Clone, Serialize)]
#[must_use]
pub struct Verdict {
    /// Every check passed.
    pub paid: bool,
    /// Each check that failed.
    pub reasons: Vec<Reason>,
    /// What cannot be checked: the interface does not report it, or the date cannot be read.
    pub unverifiable: &'static [&'static str],
}

const UNVERIFIABLE: [&str; 3] = [CURRENCY_CODE, MERCHANT_ID, TRANSACTION_DATE];

/// How much earlier than its sale a transaction may seem. The interface names no time zone: the
/// service's clock may show up to 12 hours less than UTC, and the sale's up to 14 hours more.
const ZONES: i64 = 26 * 3600;

/// A check that failed.
#[derive(Debug, Clone, Serialize)]
pub struct Reason {
    /// `responseCode`, `transactionStatus`, `orderId`, `transactionId`, `amount`, `refundStatus`,
    /// `refundType` or `transactionDate`. [`crate::Client::recover`] has `journal`, `orderExists`
    /// and `entryAmount` as well.
    pub check: &'static str,
    /// The expected value.
    pub expected: String,
    /// The value in the status.
    pub actual: String,
}

impl Reason {
    /// The service's only answers were that it has the order already.
    pub(crate) fn order_exists() -> Reason {
        Reason::new("orderExists", SUCCESS, &ORDER_EXISTS.to_string())
    }

    pub(crate) fn new(check: &'static str, expected: &str, actual: &str) -> Reason {
        Reason {
            check,
            expected: expected.to_owned(),
            actual: actual.to_owned(),
        }
    }
}

/// Compares a status with what was expected. The status is a result of Get Status or the service's
/// own response.
///
/// ```
/// let expected = payorder_core::Expected::from_json(r#"{"orderId":"O-1","amount":"100.00"}"#)?;
/// let status = r#"{"responseCode":"200","data":{"orderId":"O-1","amount":"1.00"}}"#;
/// let verdict = payorder_core::verify_payment(&expected, status)?;
/// assert!(!verdict.paid);
/// # Ok::<(), payorder_core::Error>(())
/// ```
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a status that is not a JSON object, has a field twice, is
/// the result of a wait or an error of this library, or is over 16 MiB.
pub fn verify_payment(expected: &Expected<'_>, status_json: &str) -> Result<Verdict, Error> {
    Error::if_too_long(status_json, "the status", LONGEST_OFFLINE)?;
    let received = Received::of(status_json.into());
    let envelope = Envelope::read(&received).map_err(not_a_status)?;
    if let Some(problem) = not_the_services(&envelope) {
        return Err(Error::argument(Cause::InvalidValue, problem));
    }
    let data = StatusData::read(envelope.data, &received).map_err(not_a_status)?;

    let mut reasons = Vec::new();
    let mut check = |check, expected: &str, actual: &str, passed: bool| {
        if !passed {
            reasons.push(Reason::new(check, expected, actual));
        }
    };
    let code = envelope.code();
    check(RESPONSE_CODE, SUCCESS, code, code == SUCCESS);
    for (name, expected) in [
        (TRANSACTION_STATUS, Some(COMPLETED)),
        (ORDER_ID, Some(expected.order_id())),
        (TRANSACTION_ID, expected.transaction_id.as_deref()),
    ] {
        if let Some(expected) = expected {
            let actual = data.field(name);
            check(name, expected, actual, expected == actual);
        }
    }
    let amount = data.field(AMOUNT);
    let equal =
        Amount::read(amount).is_some_and(|actual| Some(actual) == Amount::read(&expected.amount));
    check(AMOUNT, &expected.amount, amount, equal);
    for name in REFUND {
        let refund = data.field(name);
        check(name, "", refund, refund.is_empty());
    }
    let [always @ .., _] = &UNVERIFIABLE;
    let mut unverifiable: &[&str] = always;
    if let Some(not_before) = &expected.not_before {
        let date = data.field(TRANSACTION_DATE);
        match (
            iso_date(date).and_then(|date| seconds(&date)),
            rfc3339(not_before),
        ) {
            (Some(paid), Some(began)) => {
                check(TRANSACTION_DATE, not_before, date, paid >= began - ZONES);
            }
            _ => unverifiable = &UNVERIFIABLE,
        }
    }
    Ok(Verdict {
        paid: reasons.is_empty(),
        reasons,
        unverifiable,
    })
}

/// The problem with a text that this library wrote, and that holds no status. It would look like an
/// order that is not paid.
fn not_the_services(envelope: &Envelope<'_>) -> Option<&'static str> {
    #[derive(Deserialize)]
    struct ErrorObject<'a> {
        #[serde(borrow)]
        name: Cow<'a, str>,
    }
    if envelope.data.is_some() || envelope.response_code.is_some() {
        return None;
    }
    let is_error = |value: &RawValue| {
        serde_json::from_str(value.get())
            .is_ok_and(|error: ErrorObject<'_>| error.name.starts_with("PAYORDER_"))
    };
    let mut members = envelope.unknown.iter();
    members.find_map(|(key, value)| match key.as_ref() {
        "final" | "timedOut" | "polls" => Some(
            "the status is the result of a wait: give its status; without one nothing is known \
             about the payment",
        ),
        "error" if is_error(value) => {
            Some("the status is an error of this library: nothing is known about the payment")
        }
        _ => None,
    })
}

fn time_complaint(text: &str) -> Option<(Rule, &'static str)> {
    let problem = "must be a date and time with its zone, such as 2026-11-21T14:05:06Z";
    rfc3339(text).is_none().then_some((Rule::Allowed, problem))
}

pub(super) fn not_a_status(error: EnvelopeError) -> Error {
    match error {
        EnvelopeError::DuplicateField => Error::argument(
            Cause::DuplicateKey,
            "the status has the same key twice, so it contradicts itself",
        ),
        EnvelopeError::Damaged(name) => Error::argument(
            Cause::NotUtf8,
            format!("the status: {name} has characters that are not UTF-8"),
        ),
        EnvelopeError::Json(error) if error.is_data() => Error::argument(
            Cause::NotJson,
            "the status is not a JSON object, or its data is not one",
        ),
        EnvelopeError::Json(error) => json::not_json("the status", &error),
    }
}

/// [`verify_payment`], with the verdict as JSON.
pub fn verify_payment_json(expected: &Expected<'_>, status_json: &str) -> Result<String, Error> {
    Ok(json::written(&verify_payment(expected, status_json)?))
}
