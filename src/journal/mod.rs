//! The journal: an order is written down before it is sent, so that it survives a power cut and is
//! not sent twice. Without the feature of that name there is none.

#[cfg(feature = "journal")]
mod file;
#[cfg(feature = "journal")]
mod problem;
#[cfg(not(feature = "journal"))]
#[path = "none.rs"]
mod store;
#[cfg(feature = "journal")]
mod store;

use std::time::Duration;

use crate::entry::{Entry, EntryState};
use crate::error::{Cause, Code, Error, Outcome};

pub(crate) use store::Journal;

/// An order that is about to be sent.
pub(crate) struct NewEntry<'a> {
    pub(crate) order_id: &'a str,
    pub(crate) merchant_txn_id: &'a str,
    pub(crate) amount: &'a str,
    pub(crate) currency_code: &'a str,
    pub(crate) body: &'a str,
    /// Until the call's deadline.
    pub(crate) left: Duration,
}

/// An entry that forbids to send an order.
pub(crate) struct ExistingEntry {
    pub(crate) entry: Entry,
    /// The same body was sent then.
    pub(crate) is_same_order: bool,
}

/// How the sending of an order ended.
pub(crate) struct SendResult<'a> {
    pub(crate) order_id: &'a str,
    pub(crate) state: EntryState,
    pub(crate) url: Option<&'a str>,
    pub(crate) result: i32,
}

/// What the service said of an order that its answer named.
pub(crate) struct StatusUpdate {
    pub(crate) order_id: String,
    pub(crate) transaction_id: String,
    pub(crate) transaction_status: String,
}

impl StatusUpdate {
    /// As the journal's statements take it.
    #[cfg(feature = "journal")]
    fn columns(&self) -> [&str; 3] {
        [
            &self.order_id,
            &self.transaction_id,
            &self.transaction_status,
        ]
    }
}

/// How closing an entry ended.
pub(crate) enum SettleResult {
    Settled(Entry),
    /// There was nothing to close.
    AlreadyClosed(Entry),
    NotFound,
}

/// Waits while another process holds the journal; false where there is no time left to, an error
/// where the call is over.
pub(crate) type LockWait<'a> = dyn FnMut(Duration) -> Result<bool, Error> + 'a;

/// Why the journal could not be used.
pub(crate) enum JournalError {
    /// In words that begin with its name.
    Failed(Cause, String),
    /// The call ended while it waited for the journal.
    CallEnded(Error),
}

impl From<Error> for JournalError {
    fn from(error: Error) -> Self {
        JournalError::CallEnded(error)
    }
}

impl JournalError {
    /// The error of a call; `advice` says what that means for the call.
    pub(crate) fn into_error(self, advice: &str) -> Error {
        match self {
            JournalError::Failed(cause, what) => {
                Error::new(Code::JournalFailed, cause, format!("{what}{advice}"))
            }
            JournalError::CallEnded(error) => error,
        }
    }
}

impl JournalError {
    /// The error that a log event tells: what could not be recorded.
    pub(crate) fn into_event_error(self) -> Error {
        match self {
            JournalError::CallEnded(_) => Error::new(
                Code::JournalFailed,
                Cause::JournalLocked,
                "the journal was locked by another process until the call was cancelled",
            ),
            failed => failed.into_error(""),
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
