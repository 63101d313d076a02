//! A journal entry, as a program sees it.

use std::fmt;

use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Serialize};

/// The state of an order in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The name in the journal and in JSON.
    pub const fn name(self) -> &'static str {
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
        EntryState::deserialize(StrDeserializer::<Error>::new(name)).ok()
    }
}

/// The states without a known outcome.
pub(crate) const UNRESOLVED: [EntryState; 2] = [EntryState::Sending, EntryState::Unknown];

/// An entry of the journal: one sending of one order.
#[derive(Clone, PartialEq, Eq, Serialize)]
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
    /// The base URL of the service that it was sent to, in one form: the host in small letters, no
    /// slash at the end.
    pub service: String,
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
    /// Its call may still be sending it, by the journal's clock. A status that names the order makes
    /// the entry `created` even before the call has its result.
    #[serde(skip)]
    pub(crate) may_run: bool,
    /// What happened to it, oldest first; `None` if that was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<JournalEvent>>,
}

/// Without the payment page, which is the customer's.
impl fmt::Debug for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Entry")
            .field("entry", &self.entry)
            .field("order_id", &self.order_id)
            .field("amount", &self.amount)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Something that happened to an entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JournalEvent {
    /// Its number in the entry, from 1. A number is missing where an old status was dropped.
    pub number: i64,
    /// When it happened, in UTC: `2026-11-21T14:05:06.789Z`.
    pub at: String,
    /// `sending`, `attempt`, `status` or `settled`.
    pub event: String,
    /// What is known about it.
    #[serde(flatten)]
    pub details: EventDetails,
    /// To whom the request went; `None` for events without a request.
    #[serde(flatten)]
    pub connection: Option<EventConnection>,
}

/// What is known about an event: the fields of its kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EventDetails {
    /// `sending`: the SHA-256 of the request's body, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_sha256: Option<String>,
    /// `sending`: the length of the request's body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_bytes: Option<u64>,
    /// `attempt`: its number in the call, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// `attempt`: how long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// `attempt`: how many bytes of the request were sent; with TLS, of the records with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_sent: Option<u64>,
    /// `attempt`: the HTTP status of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// `attempt`: the service's own code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_code: Option<String>,
    /// `attempt`: its result number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<i32>,
    /// `attempt`: why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// `status`: as the service sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// `status`: as the service sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_status: Option<String>,
    /// `status`: as the service sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// `status`: as the service sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_status: Option<String>,
    /// `status`: as the service sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_type: Option<String>,
    /// `status`: as the service sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settlement_status: Option<String>,
    /// `status`: as the service sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settlement_date: Option<String>,
    /// `settled`: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// To whom a request went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventConnection {
    /// The service's host and port.
    pub host: String,
    /// Whether it went through a proxy.
    pub proxy: bool,
    /// Whether the connection to the service used TLS.
    pub tls: bool,
    /// The SHA-256 of the service's certificate (its DER form), in hexadecimal digits. `None`
    /// without TLS, and if no connection was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate_sha256: Option<String>,
    /// What the response calls the request, for the service's support. It differs in each response,
    /// so it is not one of the details, of which two that are equal are recorded once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}
