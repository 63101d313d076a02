//! The sandbox behaves as the interface document says, and fails exactly as requested.

mod connections;
mod conversations;
mod exposed;
mod faults;
mod readme;
mod record;
mod wire;
