#![doc = include_str!("../README.md")]
#![deny(
    missing_docs,
    unsafe_code,
    unsafe_op_in_unsafe_fn,
    clippy::undocumented_unsafe_blocks
)]
// The library never exits the host process or prints in it. Tests may.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::exit,
        clippy::print_stdout,
        clippy::print_stderr,
        clippy::dbg_macro
    )
)]
// Code that only the journal calls is in its own layer, also in builds without it.
#![cfg_attr(not(feature = "journal"), allow(dead_code))]

mod client;
mod code;
mod connection;
mod credentials;
mod entry;
mod error;
mod gateway;
mod handle_map;
mod journal;
mod limits;
mod operation;
mod payment;
#[allow(unsafe_code)]
mod platform;
mod query;
mod random;
#[cfg(test)]
mod second_service;
mod settings;
mod text;

pub use client::Client;
pub use client::log::{Log, LogEvent, Step};
pub use client::reconcile::{Entries, Resolved};
pub use client::recover::{Recovered, RecoveredSale, SaleVerdict};
pub use client::summary::Summary;
pub use client::wait::Waited;
pub use connection::{CancellationToken, ProxyChoice, Roots};
pub use credentials::Credentials;
pub use entry::{Entry, EntryState, EventConnection, EventDetails, JournalEvent};
pub use error::{Action, Cause, Code, Error, Operation, Outcome, Rule, Violation};
pub use gateway::order::{Order, OrderFields};
pub use gateway::return_url::parse_return_url;
pub use gateway::verify::{Expected, Reason, Verdict, verify_payment};
pub use payment::checkout::Checkout;
pub use payment::status::Status;
pub use query::StatusQuery;
pub use settings::config::{BaseUrl, Config, TlsOptions};
pub use settings::journal_options::{ListOptions, PruneOptions, SettleOptions};
pub use settings::options::{
    CallOptions, ExtraFields, RecoverOptions, StatusesOptions, WaitOptions,
};

/// What the C library, the package `payorder`, uses. No part of the interface for Rust programs: it
/// can change with each release.
#[doc(hidden)]
pub mod c_abi {
    pub use crate::client::call::Call;
    pub use crate::client::json::read_query;
    pub use crate::client::started::{STACK, StartedCall, no_thread};
    pub use crate::client::wait;
    pub use crate::connection::{Idle, begin_idle, set_idle};
    pub use crate::gateway::return_url::parse_return_url_json;
    pub use crate::gateway::verify::verify_payment_json;
    pub use crate::handle_map::HandleMap;
    pub use crate::platform::fork::generation;
    pub use crate::platform::threads::{NAME_PREFIX as THREAD_NAME_PREFIX, start_detached};
    pub use crate::platform::{ThreadCancelGuard, is_exiting};
    pub use crate::settings::list::SETS as SETTINGS;
    pub use crate::settings::options::BodyOptions;
    pub use crate::settings::setting::{DefaultValue, Setting};
    pub use crate::settings::tokens;
    pub use crate::text::{json_edit, json_pointer};
}
