//! A payment client core: create an order, read its status, and know what happened when a call
//! fails.
//!
//! Data flows one way, and each layer knows only the one below:
//!
//! ```text
//! ffi          the C ABI: handles, strings, the panic boundary (feature `capi`)
//! wait  statuses  reconciling      many questions: until a payment is final, about many orders, about the journal's open ones
//! client  journaled      the two calls, typed and JSON; Create Order with a journal
//! call  round  one call: attempts, deadline, one result; what calls that are made together share
//! order  status  answer      what is sent, and the one place that reads what comes back
//! connection   all that a request needs on its way: names, dialling, TLS, HTTP, what was sent, liveness, cancelling
//! ```
//!
//! Beside the way lie `config` (what a client is made from, checked once), `options` (what one call
//! may have of its own), `credentials` (secrets: checked, masked, never shown), `journal` (a file
//! of orders, feature `journal`), `amount`, `address` and `json` (texts and their rules), `error`
//! and `event` (what a caller is told), `return_url`, `verify` and `json_access` (work without the
//! network).
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
//!     Err(error) if error.outcome() == Outcome::Unknown => println!("ask {:?} first: {error}", error.status_query()),
//!     Err(error) => println!("no order was made: {error}"),
//! }
//! # Ok(())
//! # }
//! ```

#![deny(
    missing_docs,
    unsafe_op_in_unsafe_fn,
    clippy::undocumented_unsafe_blocks
)]
// The host process is not the library's to end or to write to. Tests may.
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
// What only the C ABI or the journal calls stands in its own layer all the same.
#![cfg_attr(not(all(feature = "capi", feature = "journal")), allow(dead_code))]

mod client;
mod code;
mod connection;
mod credentials;
mod entry;
mod error;
mod gateway;
mod journal;
mod keys;
mod random;
mod settings;
mod text;

#[cfg(feature = "capi")]
pub mod ffi;

pub use client::Client;
pub use client::log::{Log, LogEvent, Step};
pub use client::reconcile::{Entries, Resolved};
pub use client::statuses::Summary;
pub use client::wait::Waited;
pub use connection::{CancellationToken, ProxyChoice, Roots};
pub use credentials::Credentials;
pub use entry::{Entry, EntryState};
pub use error::{Action, Cause, Code, Error, Operation, Outcome, Rule, Violation};
pub use gateway::order::{Checkout, Order, OrderFields};
pub use gateway::return_url::parse_return_url;
pub use gateway::status::{Status, StatusQuery};
pub use gateway::verify::{Expected, Reason, Verdict, verify_payment};
pub use settings::config::{Config, TlsOptions};
pub use settings::journal_options::{ListOptions, PruneOptions, SettleOptions};
pub use settings::options::{CallOptions, ExtraFields, StatusesOptions, WaitOptions};
