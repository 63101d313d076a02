//! The sandbox behaves as the interface document says, and fails exactly as requested.

mod checkout;
mod endpoints;
mod faults;
mod http;
mod wire;
