//! The journal: records an order before it is sent, so that it survives a power cut and is not sent
//! twice. It exists only with the feature `journal`.

#[cfg(feature = "journal")]
mod events;
pub(crate) mod history;
#[cfg(feature = "journal")]
mod orders;
#[cfg(feature = "journal")]
mod outcome;
#[cfg(feature = "journal")]
mod postgresql;
#[cfg(feature = "journal")]
mod problem;
#[cfg(feature = "journal")]
mod sql;
#[cfg(feature = "journal")]
mod sqlite;
#[cfg(not(feature = "journal"))]
#[path = "none.rs"]
mod store;
#[cfg(feature = "journal")]
mod store;
#[cfg(feature = "journal")]
mod time;
mod wait;

use std::time::Instant;

use crate::entry::{Entry, EntryState, EventConnection, EventDetails};
use crate::error::{Error, Outcome};

pub(crate) use store::Journal;
pub(crate) use wait::{GRACE, JournalWait, NO_GRACE};

/// The entry of an order that may be sent now.
pub(crate) struct BegunEntry {
    pub(crate) entry: i64,
    /// Tells the entry from another one that got its number after the database was set back.
    pub(crate) key: Option<String>,
    /// It was sent before, with an unknown outcome.
    pub(crate) is_resend: bool,
    /// See [`history`].
    pub(crate) may_be_anothers: bool,
}

/// An earlier entry because of which the order must not be sent.
pub(crate) struct ExistingEntry {
    pub(crate) entry: Entry,
    /// Its request body was the same.
    pub(crate) is_same_order: bool,
    /// It was sent to this client's service.
    pub(crate) is_own_service: bool,
    /// See [`history`].
    pub(crate) was_paid: bool,
    pub(crate) may_be_anothers: bool,
}

pub(crate) struct AttemptRecord {
    pub(crate) at: Instant,
    pub(crate) details: EventDetails,
    pub(crate) connection: EventConnection,
}

/// What the service said about an order.
pub(crate) struct StatusUpdate {
    /// When the answer came.
    pub(crate) at: Instant,
    pub(crate) order_id: String,
    pub(crate) transaction_id: String,
    pub(crate) transaction_status: String,
    /// The money went back, or a part of it.
    pub(crate) refunded: bool,
    /// For the event.
    pub(crate) details: EventDetails,
    pub(crate) connection: EventConnection,
}

#[derive(Default)]
pub(crate) struct EntryFilter<'a> {
    /// Empty for all states.
    pub(crate) states: &'a [EntryState],
    /// Only open entries.
    pub(crate) open: bool,
    /// Only entries of this client's service.
    pub(crate) own: bool,
    /// Only entries of these orders; empty for all.
    pub(crate) order_ids: &'a [&'a str],
    /// Only entries after this number.
    pub(crate) after: i64,
    pub(crate) limit: u32,
    /// Also read what happened to them.
    pub(crate) events: bool,
}

/// Whether the name of a journal may be an address of a database, perhaps a misspelt one: it is never
/// shown, since it can have a password.
pub(crate) fn may_have_password(place: &str) -> bool {
    let dense: String = place.split_whitespace().collect();
    let dense = dense.to_ascii_lowercase();
    ["://", "password=", "passwd=", "postgres:", "postgresql:"]
        .iter()
        .any(|part| dense.contains(part))
        || has_user_and_password(&dense)
        || (dense.starts_with("post") || dense.starts_with("pg")) && dense.contains('@')
}

/// A name such as `user:password@host`, which is no path that begins with a folder or a drive.
fn has_user_and_password(place: &str) -> bool {
    let has_drive = matches!(place.get(1..3), Some(":\\" | ":/"));
    let is_path = has_drive || place.starts_with(['/', '\\', '.']);
    let before = place.rsplit_once('@').map_or("", |(before, _)| before);
    !is_path && before.contains(':')
}

/// A SHA-256, in hexadecimal digits.
pub(crate) fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) enum JournalError {
    /// Its message begins with the journal's name.
    Failed(Error),
    /// The call ended while it waited for the journal.
    CallEnded,
}

impl JournalError {
    /// The error of a call; `None` if the call ended. `advice` says what the failure means for it.
    pub(crate) fn into_error(self, advice: &str) -> Option<Error> {
        match self {
            JournalError::Failed(mut error) => {
                error.details.message += advice;
                Some(error)
            }
            JournalError::CallEnded => None,
        }
    }
}

impl From<Outcome> for EntryState {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => EntryState::Created,
            Outcome::Rejected => EntryState::Rejected,
            Outcome::NotSent => EntryState::NotSent,
            Outcome::Unknown => EntryState::Unknown,
        }
    }
}
