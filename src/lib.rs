//! A payment client core: creates an order, reads its status, and says what happened to the order
//! when a call fails.
//!
//! Each layer knows only the ones below it:
//!
//! ```text
//! ffi          the C ABI: handles, strings, the panic boundary (feature `capi`)
//! client       a client and its calls: attempts, deadline, one result; waiting; many statuses
//! settings     configuration and options, checked once
//! journal      a file of orders (feature `journal`)
//! gateway      the service's interface: paths, headers, fields, and what its responses mean
//! connection   DNS, connecting, TLS, HTTP, the pool, and the count of what was sent
//! platform     what depends on the operating system: sockets, files, forks, clocks, threads
//! text         JSON, JSON pointers, URLs
//! error  results  causes  credentials
//! ```
//!
//! The layers are described in `ARCHITECTURE.md`.
//!
//! Without the default features, the crate changes nothing else in your program. It logs nothing
//! itself; `ureq-proto`, the HTTP engine, logs responses at the level TRACE, with the customer's
//! name, and no credential. If your program logs at that level, leave its target `ureq_proto` out.
//!
//! ```no_run
//! use payorder::{CallOptions, Client, Config, Credentials, Order, OrderFields, Outcome};
//!
//! # fn main() -> Result<(), payorder::Error> {
//! let mut config = Config::new("https://pay.example.com");
//! config.credentials = Credentials::default().with_access_token("…")?;
//! let client = Client::new(config)?;
//! let order = Order::new(OrderFields {
//!     amount: "100.00",
//!     merchant_txn_id: "T-1001",
//!     order_id: "O-1001",
//!     pay_mode: "all",
//!     merchant_id: "M-1",
//!     product_info: "Two coffees",
//!     customer_name: "Asha Rao",
//!     customer_mobile: "9000000000",
//!     customer_email: "asha@example.com",
//!     redirection_url: "https://shop.example/return",
//!     currency_code: "INR",
//! })?;
//! match client.create_order(&order, &CallOptions::default()) {
//!     Ok(checkout) => println!("send the customer to {}", checkout.url()),
//!     Err(error) if error.outcome() == Outcome::Unknown => {
//!         println!("ask for {:?} first: {error}", error.status_query());
//!     }
//!     Err(error) => println!("this call created no order: {error}"),
//! }
//! # Ok(())
//! # }
//! ```

#![deny(
    missing_docs,
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
// Code that only the C ABI or the journal calls is in its own layer, also in builds without them.
#![cfg_attr(not(all(feature = "capi", feature = "journal")), allow(dead_code))]

mod client;
mod code;
mod connection;
mod credentials;
mod entry;
mod error;
mod gateway;
mod handle_map;
mod journal;
mod platform;
mod random;
mod settings;
mod text;

#[cfg(feature = "capi")]
pub mod ffi;

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
pub use gateway::order::{Checkout, Order, OrderFields};
pub use gateway::return_url::parse_return_url;
pub use gateway::status::Status;
pub use gateway::status_query::StatusQuery;
pub use gateway::verify::{Expected, Reason, Verdict, verify_payment};
pub use settings::config::{Config, TlsOptions};
pub use settings::journal_options::{ListOptions, PruneOptions, SettleOptions};
pub use settings::options::{
    CallOptions, ExtraFields, RecoverOptions, StatusesOptions, WaitOptions,
};
