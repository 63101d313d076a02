//! The sandbox behaves as the interface document says, and fails exactly as requested.

mod checkout;
mod control;
mod endpoints;
mod faults;
mod http;
mod readme;
mod requests;
mod rules;
mod wire;
