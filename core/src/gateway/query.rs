//! The rules of a query of Get Status, and the request body.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::error::{Error, Rule, Violation};
use crate::gateway::fields::{check_field, is_blank, take, unknown_fields};
use crate::query::StatusQuery;
use crate::query::names::{ORDER_ID, TRANSACTION_ID};
use crate::text::json::{self, Members, Value};

/// Says which of the two identifiers a query has.
const SEARCH_TYPE: &str = "searchType";
const BY_ORDER: &str = "1";
const BY_TRANSACTION: &str = "2";

impl<'a> StatusQuery<'a> {
    /// A query by order identifier.
    ///
    /// # Errors
    /// [`crate::Code::InvalidRequest`] for a blank identifier.
    pub fn by_order(order_id: impl Into<Cow<'a, str>>) -> Result<StatusQuery<'a>, Error> {
        StatusQuery::from_entries(vec![
            (SEARCH_TYPE.into(), Value::Text(BY_ORDER.into())),
            (ORDER_ID.into(), Value::Text(order_id.into())),
        ])
    }

    /// A query by transaction identifier.
    ///
    /// # Errors
    /// [`crate::Code::InvalidRequest`] for a blank identifier.
    pub fn by_transaction(
        transaction_id: impl Into<Cow<'a, str>>,
    ) -> Result<StatusQuery<'a>, Error> {
        StatusQuery::from_entries(vec![
            // Otherwise a blank identifier counts as not given, and the error is about the other.
            (SEARCH_TYPE.into(), Value::Text(BY_TRANSACTION.into())),
            (TRANSACTION_ID.into(), Value::Text(transaction_id.into())),
        ])
    }

    /// Checks the identifier, because a program can also make a query from its variant.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let checked = match self {
            StatusQuery::Order(id) | StatusQuery::Transaction(id) if !is_blank(id) => return Ok(()),
            StatusQuery::Order(id) => StatusQuery::by_order(id.as_ref()),
            StatusQuery::Transaction(id) => StatusQuery::by_transaction(id.as_ref()),
        };
        checked.map(drop)
    }

    /// Reads `{"searchType":"1","orderId":…}` or `{"searchType":"2","transactionId":…}`;
    /// `searchType` may be left out if exactly one identifier is given.
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a text that is not a JSON object, has a key twice, or
    /// is over 256 KiB; [`crate::Code::InvalidRequest`] with every violation.
    pub fn from_json(text: &'a str) -> Result<StatusQuery<'a>, Error> {
        StatusQuery::from_entries(json::read_object(text, "the status query")?)
    }

    fn from_entries(mut entries: Members<'a>) -> Result<StatusQuery<'a>, Error> {
        let search_type = take(&mut entries, SEARCH_TYPE);
        let order_id = take(&mut entries, ORDER_ID);
        let transaction_id = take(&mut entries, TRANSACTION_ID);
        let mut violations = Vec::new();
        let chosen = match search_type {
            Some(value) => check_field(SEARCH_TYPE, Some(value), |text| {
                (text != BY_ORDER && text != BY_TRANSACTION).then_some((
                    Rule::Allowed,
                    "must be 1 (by orderId) or 2 (by transactionId)",
                ))
            })
            .map_err(|violation| violations.push(violation))
            .ok(),
            None => match (is_given(&order_id), is_given(&transaction_id)) {
                (true, true) => {
                    violations.push(Violation::new(
                        SEARCH_TYPE,
                        Rule::Conflict,
                        "is missing, and both orderId and transactionId are given: \
                         choose one of them with searchType",
                    ));
                    None
                }
                (false, true) => Some(BY_TRANSACTION.into()),
                _ => Some(BY_ORDER.into()),
            },
        };
        // The identifier that is used is checked; the other one only has to be a string.
        let mut identifier = None;
        for (name, value, number) in [
            (ORDER_ID, order_id, BY_ORDER),
            (TRANSACTION_ID, transaction_id, BY_TRANSACTION),
        ] {
            if chosen.as_deref() == Some(number) {
                match check_field(name, value, |_| None) {
                    Ok(text) => identifier = Some(text),
                    Err(violation) => violations.push(violation),
                }
            } else if let Some(Err(problem)) = value.map(Value::into_text) {
                violations.push(Violation::new(name, Rule::Type, &problem));
            }
        }
        violations.extend(unknown_fields(entries, "is not a field of a status query"));
        match identifier {
            Some(id) if violations.is_empty() && chosen.as_deref() == Some(BY_TRANSACTION) => {
                Ok(StatusQuery::Transaction(id))
            }
            Some(id) if violations.is_empty() => Ok(StatusQuery::Order(id)),
            _ => Err(Error::violations("status query", violations)),
        }
    }

    /// The request body.
    #[doc(hidden)]
    pub fn wire_body(&self) -> String {
        json::written(self)
    }
}

/// As the request body, which is also a query for callers.
impl Serialize for StatusQuery<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            StatusQuery::Order(id) => {
                map.serialize_entry(SEARCH_TYPE, BY_ORDER)?;
                map.serialize_entry(ORDER_ID, id)?;
            }
            StatusQuery::Transaction(id) => {
                map.serialize_entry(SEARCH_TYPE, BY_TRANSACTION)?;
                map.serialize_entry(ORDER_ID, "")?;
                map.serialize_entry(TRANSACTION_ID, id)?;
            }
        }
        map.end()
    }
}

/// Whether an identifier is given. A blank one counts as not given; one of the wrong type counts as
/// given, and is an error.
fn is_given(value: &Option<Value<'_>>) -> bool {
    match value {
        None => false,
        Some(Value::Text(text)) => !is_blank(text),
        Some(_) => true,
    }
}
