//! The calls of a client by their names, for tests of what all of them share.

use crate::abi::{Client, Reply};
use crate::orders::{order, query};
use serde_json::{Value, json};

/// The calls that ask the service.
pub const NETWORK: [&str; 7] = [
    "create_order",
    "get_status",
    "wait_for_payment",
    "get_statuses",
    "journal_resolve",
    "recover",
    "check",
];

/// Makes the call of this name. Its other arguments are valid.
pub fn make(call: &str, client: &Client, options: &Value) -> Reply {
    match call {
        "create_order" => client.create_with(&order(), options),
        "get_status" => client.status_with(&query(), options),
        "wait_for_payment" => client.wait(&query(), options),
        "get_statuses" => client.statuses(&json!([query()]), options, |_, _| true),
        "recover" => client.recover(None, options),
        "check" => client.check(options),
        "journal_list" => client.journal_list(options),
        "journal_resolve" => client.journal_resolve(options),
        "journal_prune" => client.journal_prune(options),
        "journal_settle" => client.journal_settle(options),
        _ => unreachable!("{call}"),
    }
}
