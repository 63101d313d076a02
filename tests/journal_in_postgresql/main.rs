//! A journal in PostgreSQL. It keeps all promises of one in a file: those modules are in
//! `tests/journal`. The others are about what a file does not have: a server that fails, a network,
//! and a database that people set up.
//!
//! The tests start PostgreSQL's server by themselves (Debian: `postgresql`; `POSTGRES` names
//! another one). Without it, they say so, and those of `tests/journal` use a file.

#![cfg(all(feature = "journal", target_os = "linux"))]

mod at_once;
mod cancelling;
mod connections;
mod descriptors;
mod every_byte;
mod libpq;
mod limits;
mod network;
mod outages;
mod sales;
mod schema;
mod unusable;

#[path = "../journal/certificates.rs"]
mod certificates;
#[path = "../journal/clock.rs"]
mod clock;
#[path = "../journal/events.rs"]
mod events;
#[path = "../journal/learned.rs"]
mod learned;
#[path = "../journal/locks.rs"]
mod locks;
#[path = "../wire_faults/names.rs"]
mod names;
#[path = "../journal/processes.rs"]
mod processes;
#[path = "../journal/records.rs"]
mod records;
#[path = "../journal/recover.rs"]
mod recover;
#[path = "../journal/states.rs"]
mod states;
#[path = "../journal/till.rs"]
mod till;

use support::orders::{config, with};
use support::postgres::{Database, shared};

/// With an empty journal.
fn shop() -> support::shop::Shop {
    support::shop::Shop::in_postgresql()
}

/// A place of its own in the server that the tests of this process share.
fn database() -> Option<Database> {
    Some(shared()?.database().fresh())
}

/// A configuration with that journal.
fn journal_in(database: &Database, url: &str) -> serde_json::Value {
    with(&config(url), "journal", database.uri())
}
