//! A till whose journal has entries in every state, and the ways in which it asks for a status.

use serde_json::{Value, json};
use support::abi::{Client, Reply};
use support::responses::{created, http, status_body};
use support::service::{Script, Service, close, respond};
use support::shop::{Journal, Shop, entries, listed, order, states};

/// A client with a journal and a service.
pub struct Till {
    pub shop: Shop,
    pub service: Service,
    pub client: Client,
}

impl Till {
    pub fn new() -> Till {
        let (shop, service) = (crate::shop(), Service::responding(created()));
        let client = shop.client(&service);
        Till {
            shop,
            service,
            client,
        }
    }

    /// A till whose only order is A, in this state.
    pub fn with(state: &str) -> Till {
        let till = Till::new();
        till.add("A", state);
        till
    }

    /// Creates an order, and brings its entry into a state: one of the journal's, or `paid`,
    /// `exists` (the service had it already), `overdue` (its process was killed) or `elsewhere` (of
    /// another service).
    pub fn add(&self, order_id: &str, state: &str) {
        self.service.set_script([match state {
            "created" | "paid" => respond(created()),
            "rejected" | "not_sent" => respond(http(400, "{}")),
            "exists" => respond(http(409, format!(r#"{{"data":{{"url":"{THEIRS}"}}}}"#))),
            _ => close(),
        }]);
        self.client.create(&order(order_id));
        let change = match state {
            "paid" => {
                self.says(order_id, json!({}));
                self.client.status(&json!({"orderId": order_id})).done();
                return;
            }
            "sending" => "state = 'sending', result = NULL, deadline_ms = begun_ms + 600000",
            "overdue" => "state = 'sending', result = NULL, deadline_ms = begun_ms",
            "not_sent" => "state = 'not_sent', result = 6",
            "settled" => "state = 'settled'",
            "elsewhere" => "service = 'https://other.example.com', url = 'https://its.page'",
            _ => return,
        };
        self.change(&format!("{change} WHERE order_id = '{order_id}'"));
    }

    /// Changes entries behind the library's back.
    pub fn change(&self, set: &str) {
        let update = format!("UPDATE payorder_orders SET {set}");
        self.shop.journal.sql(&[&update]);
    }

    /// From now on the service says that an order is paid, except for these fields.
    pub fn says(&self, order_id: &str, fields: Value) {
        self.service.set_script([status(order_id, fields)]);
    }

    /// Sends the order A again.
    pub fn resend(&self) -> Reply {
        let again = json!({"resend": true});
        self.client.create_with(&order("A"), &again)
    }

    /// The entries with their events.
    pub fn told(&self) -> Vec<Value> {
        listed(&self.client.journal_list(&json!({"events": true})))
    }

    pub fn entries(&self) -> Vec<Value> {
        entries(&self.client)
    }

    pub fn states(&self) -> Vec<String> {
        states(&self.entries())
    }
}

/// Adds so many entries whose outcome is not known to a journal with one: O-1, O-2 and so on.
pub fn add_many(journal: &Journal, count: usize) {
    journal.sql(&[&format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
        INSERT INTO payorder_orders (order_id, order_number, merchant_txn_id, txn_number, amount,
            currency_code, body_sha256, body_bytes, state, begun_ms, deadline_ms, updated_ms,
            service)
        SELECT 'O-' || i, 1, 'T-' || i, 1, '1.00', 'INR', 'x', 1, 'unknown', 1, 1, 1, service
        FROM n, payorder_orders"
    )]);
}

/// The page of an order that is perhaps another sale's.
const THEIRS: &str = "https://pay.example.com/theirs";

/// The status of a paid order, with other values in some fields.
pub fn status(order_id: &str, fields: Value) -> Script {
    respond(http(200, status_body(order_id, &fields).to_string()))
}

pub const FINAL: [&str; 3] = ["Pending", "Failed", "Refunded"];

/// Every function that records a status: of the order A, or of the transaction T-900.
pub type AskStatus = fn(&Client) -> Reply;
pub const WAYS: [(&str, AskStatus); 5] = [
    ("get_status", |client| {
        client.status(&json!({"orderId": "A"}))
    }),
    ("get_status, by transaction", |client| {
        client.status(&json!({"transactionId": "T-900"}))
    }),
    ("wait_for_payment", |client| {
        let options = json!({"waitMs": 300, "intervalMs": 10, "final": FINAL});
        client.wait(&json!({"orderId": "A"}), &options)
    }),
    ("get_statuses", |client| {
        client.statuses(&json!([{"orderId": "A"}]), &json!({}), |_, _| true)
    }),
    ("journal_resolve", |client| {
        client.journal_resolve(&json!({}))
    }),
];

/// In hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    let hex = digest.as_ref().iter().map(|byte| format!("{byte:02x}"));
    hex.collect()
}
