//! A journal entry, as a program sees it.

use serde::Serialize;

/// The state of an order in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    /// The order is being sent.
    Sending,
    /// The service has it.
    Created,
    /// The service refused it.
    Rejected,
    /// It was not sent.
    NotSent,
    /// The service may have it.
    Unknown,
    /// A person closed it.
    Settled,
}

impl EntryState {
    const ALL: [EntryState; 6] = [
        EntryState::Sending,
        EntryState::Created,
        EntryState::Rejected,
        EntryState::NotSent,
        EntryState::Unknown,
        EntryState::Settled,
    ];

    /// The name in the journal and in JSON.
    ///
    /// ```
    /// assert_eq!(payorder::EntryState::NotSent.name(), "not_sent");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            EntryState::Sending => "sending",
            EntryState::Created => "created",
            EntryState::Rejected => "rejected",
            EntryState::NotSent => "not_sent",
            EntryState::Unknown => "unknown",
            EntryState::Settled => "settled",
        }
    }

    /// The state with this name.
    pub(crate) fn of(name: &str) -> Option<EntryState> {
        EntryState::ALL
            .into_iter()
            .find(|state| state.name() == name)
    }
}

/// The states without a known outcome.
pub(crate) const UNRESOLVED: [EntryState; 2] = [EntryState::Sending, EntryState::Unknown];

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
    /// Its state.
    pub state: EntryState,
    /// The checkout URL, if the service sent one.
    pub url: Option<String>,
    /// The result number of the call; `None` while the call runs.
    pub result: Option<i32>,
    /// From the last Get Status that named the order.
    pub transaction_id: Option<String>,
    /// From the last Get Status that named the order.
    pub transaction_status: Option<String>,
    /// When its call started, in UTC: `2026-11-21T14:05:06.789Z`.
    pub started_at: String,
    /// When its call ends at the latest. An entry that is `sending` after that is `unknown`.
    pub deadline: String,
    /// When the entry was last written.
    pub updated_at: String,
    /// Why a person closed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
