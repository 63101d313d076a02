//! The rules of a query of Get Status, and the request body.

use std::borrow::Cow;

use crate::error::{Error, Rule, Violation};
use crate::gateway::order::{check_field, is_blank, take, unknown_fields};
use crate::query::StatusQuery;
use crate::text::json::{self, Members, Value};

impl<'a> StatusQuery<'a> {
    /// A query by order identifier.
    ///
    /// # Errors
    /// [`crate::Code::InvalidRequest`] for a blank identifier.
    pub fn by_order(order_id: impl Into<Cow<'a, str>>) -> Result<StatusQuery<'a>, Error> {
        StatusQuery::from_entries(vec![
            ("searchType".into(), Value::Text("1".into())),
            ("orderId".into(), Value::Text(order_id.into())),
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
            ("searchType".into(), Value::Text("2".into())),
            ("transactionId".into(), Value::Text(transaction_id.into())),
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
        let search_type = take(&mut entries, "searchType");
        let order_id = take(&mut entries, "orderId");
        let transaction_id = take(&mut entries, "transactionId");
        let mut violations = Vec::new();
        let chosen = match search_type {
            Some(value) => check_field("searchType", Some(value), |text| {
                (text != "1" && text != "2").then_some((
                    Rule::Allowed,
                    "must be 1 (by orderId) or 2 (by transactionId)",
                ))
            })
            .map_err(|violation| violations.push(violation))
            .ok(),
            None => match (is_given(&order_id), is_given(&transaction_id)) {
                (true, true) => {
                    violations.push(Violation::new(
                        "searchType",
                        Rule::Conflict,
                        "is missing, and both orderId and transactionId are given: \
                         choose one of them with searchType",
                    ));
                    None
                }
                (false, true) => Some("2".into()),
                _ => Some("1".into()),
            },
        };
        // The identifier that is used is checked; the other one only has to be a string.
        let mut identifier = None;
        for (name, value, number) in [
            ("orderId", order_id, "1"),
            ("transactionId", transaction_id, "2"),
        ] {
            if chosen.as_deref() == Some(number) {
                match check_field(name, value, |_| None) {
                    Ok(text) => identifier = Some(text),
                    Err(violation) => violations.push(violation),
                }
            } else if let Some(other) = value.filter(|value| !matches!(value, Value::Text(_))) {
                violations.push(Violation::new(
                    name,
                    Rule::Type,
                    &format!("must be a string, not {}", other.kind()),
                ));
            }
        }
        violations.extend(unknown_fields(entries, "is not a field of a status query"));
        match identifier {
            Some(id) if violations.is_empty() && chosen.as_deref() == Some("2") => {
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

/// Whether an identifier is given. A blank one counts as not given; one of the wrong type counts as
/// given, and is an error.
fn is_given(value: &Option<Value<'_>>) -> bool {
    match value {
        None => false,
        Some(Value::Text(text)) => !is_blank(text),
        Some(_) => true,
    }
}
