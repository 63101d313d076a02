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
mod journal;
pub mod limits;
mod lock;
mod operation;
mod payment;
#[allow(unsafe_code)]
pub mod platform;
mod query;
mod random;
#[cfg(test)]
mod second_service;
mod settings;
mod text;

pub use client::Client;
pub use client::call::Call;
pub use client::check::{CheckDetails, CheckStep, Checked};
pub use client::log::{Log, LogEvent, Step};
pub use client::reconcile::{Entries, Resolved};
pub use client::recover::{Recovered, RecoveredSale, SaleVerdict};
pub use client::started::{Answer, Deliver, Receiver, Started};
pub use client::summary::Summary;
pub use client::wait::Waited;
pub use connection::{CancellationToken, Idle, ProxyChoice, Roots, set_idle};
pub use credentials::{Credentials, Headers};
pub use entry::{Entry, EntryState, EventConnection, EventDetails, JournalEvent};
pub use error::{Action, Cause, Code, Error, Operation, Outcome, Rule, Violation};
pub use gateway::order::{Order, OrderFields};
pub use gateway::return_url::{parse_return_url, parse_return_url_json};
pub use gateway::verify::{Expected, Reason, Verdict, verify_payment, verify_payment_json};
pub use payment::checkout::Checkout;
pub use payment::status::Status;
pub use query::StatusQuery;
pub use settings::config::{BaseUrl, Config, JournalPlace, TlsOptions};
pub use settings::journal_options::{ListOptions, PruneOptions, SettleOptions};
pub use settings::list::SETS as SETTINGS;
pub use settings::object_reader::FindToken;
pub use settings::options::{
    BodyOptions, CallOptions, CheckOptions, ExtraFields, JsonOptions, RecoverOptions,
    StatusesOptions, WaitOptions,
};
pub use settings::setting::{DefaultValue, Setting};
pub use text::json::{Item, RawJson, push_text};
