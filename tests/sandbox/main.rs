//! The sandbox is the service of its document, and goes wrong exactly as it is asked to.

mod checkout;
mod endpoints;
mod faults;
mod http;
mod wire;
