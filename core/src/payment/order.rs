//! An order that can be sent.

use std::borrow::Cow;

/// An order that follows every rule of its service: what the client needs to know about it, and the
/// body of its request.
pub(crate) struct OrderRequest<'a> {
    pub(crate) order_id: Cow<'a, str>,
    pub(crate) merchant_txn_id: Cow<'a, str>,
    pub(crate) amount: Cow<'a, str>,
    pub(crate) currency_code: Cow<'a, str>,
    pub(crate) body: String,
}

/// How the configuration and the options of a call change the body of an order.
#[derive(Clone, Copy)]
pub(crate) struct BodyOptions<'a> {
    /// The wire name of the return URL.
    pub(crate) return_url_field: &'a str,
    /// Fields that the service's documentation does not have.
    pub(crate) extra_fields: &'a [(String, String)],
}
