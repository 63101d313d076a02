//! What Get Status is asked about, and the names by which programs know orders and payments.

use std::borrow::Cow;

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

/// Keys of orders, statuses, entries and log events, in the C ABI.
pub(crate) mod names {
    pub(crate) const ORDER_ID: &str = "orderId";
    pub(crate) const MERCHANT_TXN_ID: &str = "merchantTxnId";
    pub(crate) const TRANSACTION_ID: &str = "transactionId";
    pub(crate) const AMOUNT: &str = "amount";
    pub(crate) const TRANSACTION_STATUS: &str = "transactionStatus";
}

impl StatusQuery<'_> {
    /// The identifier, and its name.
    pub(crate) fn named(&self) -> (&'static str, &str) {
        match self {
            StatusQuery::Order(id) => (names::ORDER_ID, id),
            StatusQuery::Transaction(id) => (names::TRANSACTION_ID, id),
        }
    }

    /// The same query, with its own copy of the text.
    pub fn into_owned(self) -> StatusQuery<'static> {
        match self {
            StatusQuery::Order(id) => StatusQuery::Order(id.into_owned().into()),
            StatusQuery::Transaction(id) => StatusQuery::Transaction(id.into_owned().into()),
        }
    }
}
