//! What a service must provide: a value of type [`Service`]. Calls know their service only by this
//! value. What a status says about money is not in it: the journal and `recover` ask `gateway`.

use crate::credentials::CallCredentials;
use crate::error::Error;
use crate::payment::checkout::{Checkout, CheckoutUrlRules};
use crate::payment::endpoint::Endpoint;
use crate::payment::failure::ResponseFailure;
use crate::payment::order::{BodyOptions, OrderRequest};
use crate::payment::response::Response;
use crate::payment::status::Status;
use crate::query::StatusQuery;
use crate::text::json::Members;

/// A payment service: everything that differs from one to another.
pub(crate) struct Service {
    pub(crate) create_order: Endpoint,
    pub(crate) get_status: Endpoint,
    /// The headers that every request has, except `host`, `user-agent` and those with credentials.
    pub(crate) headers: &'static str,
    /// The names of all headers with credentials, which no program may set. A star stands for any
    /// ending.
    pub(crate) own_headers: &'static [&'static str],
    /// The identifier in an order that is not checked yet, for its errors and log events.
    pub(crate) order_id: for<'a> fn(&'a Members<'_>) -> Option<&'a str>,
    /// Checks an order and makes the body of its request.
    pub(crate) order: for<'a> fn(Members<'a>, BodyOptions<'_>) -> Result<OrderRequest<'a>, Error>,
    /// The body of a query.
    pub(crate) query: fn(&StatusQuery<'_>) -> String,
    pub(crate) read_checkout: fn(
        &Response<'_>,
        &CheckoutUrlRules<'_>,
        &CallCredentials<'_>,
    ) -> Result<Checkout, ResponseFailure>,
    pub(crate) read_status: fn(
        &Response<'_>,
        &StatusQuery<'_>,
        &CallCredentials<'_>,
    ) -> Result<Status, ResponseFailure>,
    /// The code of every success.
    pub(crate) success: &'static str,
    /// The HTTP status by which it says that it has an order already.
    pub(crate) order_exists: u16,
}
