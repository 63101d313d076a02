//! Orders and payments in the words of no service, and what a service must provide. No I/O.

pub(crate) mod amount;
pub(crate) mod checkout;
pub(crate) mod date;
pub(crate) mod endpoint;
pub(crate) mod failure;
pub(crate) mod order;
pub(crate) mod response;
pub(crate) mod service;
pub(crate) mod status;
