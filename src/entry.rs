//! An entry of the journal: what a program is shown of it.

use serde::Serialize;

/// What became of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    /// It is being sent.
    Sending,
    /// The service has it.
    Created,
    /// The service refused it.
    Rejected,
    /// Nothing of it left this machine.
    NotSent,
    /// The service may have it.
    Unknown,
}

impl EntryState {
    const ALL: [EntryState; 5] = [
        EntryState::Sending,
        EntryState::Created,
        EntryState::Rejected,
        EntryState::NotSent,
        EntryState::Unknown,
    ];

    /// The name in the journal and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            EntryState::Sending => "sending",
            EntryState::Created => "created",
            EntryState::Rejected => "rejected",
            EntryState::NotSent => "not_sent",
            EntryState::Unknown => "unknown",
        }
    }

    /// The state of a name.
    pub(crate) fn of(name: &str) -> Option<EntryState> {
        EntryState::ALL
            .into_iter()
            .find(|state| state.name() == name)
    }
}

/// An entry of the journal: one sending of one order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its number; later entries have higher ones.
    pub entry: i64,
    /// The merchant's order identifier.
    pub order_id: String,
    /// The merchant's transaction identifier.
    pub merchant_txn_id: String,
    /// The amount as it was sent.
    pub amount: String,
    /// The currency as it was sent.
    pub currency_code: String,
    /// What became of it.
    pub state: EntryState,
    /// Where the customer pays, where the service said so.
    pub url: Option<String>,
    /// The result number of the call; `None` while there is none.
    pub result: Option<i32>,
    /// From the last Get Status of [`crate::Client::journal_resolve`].
    pub transaction_id: Option<String>,
    /// From the last Get Status of [`crate::Client::journal_resolve`].
    pub transaction_status: Option<String>,
    /// When that was written, in UTC: `2026-11-21T14:05:06.789Z`.
    pub updated_at: String,
}
