//! What Get Status is asked about.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};

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

impl StatusQuery<'_> {
    /// The same query, with its own copy of the text.
    pub fn into_owned(self) -> StatusQuery<'static> {
        match self {
            StatusQuery::Order(id) => StatusQuery::Order(id.into_owned().into()),
            StatusQuery::Transaction(id) => StatusQuery::Transaction(id.into_owned().into()),
        }
    }
}

/// As the request body, which is also a query for callers.
impl Serialize for StatusQuery<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            StatusQuery::Order(id) => {
                map.serialize_entry("searchType", "1")?;
                map.serialize_entry("orderId", id)?;
            }
            StatusQuery::Transaction(id) => {
                map.serialize_entry("searchType", "2")?;
                map.serialize_entry("orderId", "")?;
                map.serialize_entry("transactionId", id)?;
            }
        }
        map.end()
    }
}
