//! The whole interface of the service: paths, headers, fields, and what its responses mean. No I/O.

pub(crate) mod amount;
pub(crate) mod checkout;
pub(crate) mod date;
pub(crate) mod envelope;
pub(crate) mod order;
pub(crate) mod refusal;
pub(crate) mod response;
pub(crate) mod return_url;
pub(crate) mod status;
pub(crate) mod status_query;
pub(crate) mod verify;
pub(crate) mod wire;
