//! What a journal in PostgreSQL has in addition to one in a file: a server that fails, a network, and
//! a database that people set up. What both have is in `tests/journal`.
//!
//! Each of these tests needs PostgreSQL's server (Debian: `postgresql`), which it starts by itself.
//! Without it the tests say so and end.

#![cfg(all(feature = "journal", target_os = "linux"))]

mod cancelling;
mod connections;
mod every_byte;
mod forks;
mod libpq;
mod limits;
mod network;
mod outages;
mod sales;
mod schema;
mod unusable;

use support::orders::{config, with};
use support::postgres::{Database, shared};

/// A place of its own in the server that the tests of this process share.
fn database() -> Option<Database> {
    Some(shared()?.database().fresh())
}

/// A configuration with that journal.
fn journal_in(database: &Database, url: &str) -> serde_json::Value {
    with(&config(url), "journal", database.uri())
}
