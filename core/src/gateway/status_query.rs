//! The query of Get Status: its rules, and the request body.

use std::borrow::Cow;

use crate::error::{Error, Rule, SearchType, Violation};
use crate::gateway::order::{check_field, is_blank, take, unknown_fields};
use crate::text::json::{self, Members, Value};

/// What to ask Get Status about.
///
/// ```
/// use payorder_core::StatusQuery;
///
/// let query = StatusQuery::by_order("O-1")?;
/// assert_eq!(StatusQuery::from_json(r#"{"orderId":"O-1"}"#)?.into_owned(), query);
/// assert_eq!(StatusQuery::by_transaction("").unwrap_err().all_violations()[0].field, "transactionId");
/// # Ok::<(), payorder_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusQuery<'a> {
    /// By the merchant's order identifier (`searchType` 1).
    Order(Cow<'a, str>),
    /// By the transaction identifier from the return URL (`searchType` 2).
    Transaction(Cow<'a, str>),
}

impl<'a> StatusQuery<'a> {
    fn identifier(&self) -> &str {
        match self {
            StatusQuery::Order(id) | StatusQuery::Transaction(id) => id,
        }
    }

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
        if !is_blank(self.identifier()) {
            return Ok(());
        }
        let checked = match self {
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

    /// The same query, with its own copy of the text.
    pub fn into_owned(self) -> StatusQuery<'static> {
        match self {
            StatusQuery::Order(id) => StatusQuery::Order(id.into_owned().into()),
            StatusQuery::Transaction(id) => StatusQuery::Transaction(id.into_owned().into()),
        }
    }

    /// The request body.
    #[doc(hidden)]
    pub fn wire_body(&self) -> String {
        // Room for the keys and quotes of the longer form, and for some escapes.
        let mut body = String::with_capacity(self.identifier().len() + 64);
        body.push('{');
        match self {
            StatusQuery::Order(id) => {
                json::push_entry(&mut body, "searchType", "1");
                json::push_entry(&mut body, "orderId", id);
            }
            StatusQuery::Transaction(id) => {
                json::push_entry(&mut body, "searchType", "2");
                json::push_entry(&mut body, "orderId", "");
                json::push_entry(&mut body, "transactionId", id);
            }
        }
        body.push('}');
        body
    }
}

impl Error {
    /// What to ask next: after every unknown outcome of Create Order, and after every failure of
    /// [`crate::Client::wait_for_payment`].
    pub fn status_query(&self) -> Option<StatusQuery<'_>> {
        let (search_type, identifier) = self.next_query()?;
        Some(match search_type {
            SearchType::Order => StatusQuery::Order(identifier.into()),
            SearchType::Transaction => StatusQuery::Transaction(identifier.into()),
        })
    }

    pub(crate) fn set_status_query(&mut self, query: &StatusQuery<'_>) {
        match query {
            StatusQuery::Order(id) => self.set_next_query(SearchType::Order, id),
            StatusQuery::Transaction(id) => self.set_next_query(SearchType::Transaction, id),
        }
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
