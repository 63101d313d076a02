//! The journal: an order is written down before it is sent, and so outlives a power cut, and is not sent twice.
//!
//! `entry` is what stands in it, `store` the file (feature `journal`; without it `none`), `keeping` what Create Order writes, `reading` what is asked of it.

mod entry;
mod keeping;
mod reading;
#[cfg(not(feature = "journal"))]
#[path = "none.rs"]
mod store;
#[cfg(feature = "journal")]
mod store;

use std::time::Duration;

use crate::error::{Code, Error, Outcome};

pub use entry::{Entries, Entry, EntryState, ListOptions, PruneOptions, Resolved};
pub(crate) use store::Journal;

/// An order that is about to be sent.
pub(crate) struct Intent<'a> {
    order_id: &'a str,
    merchant_txn_id: &'a str,
    amount: &'a str,
    currency_code: &'a str,
    body: &'a str,
    /// Until the call's deadline.
    left: Duration,
}

/// What became of an order that was sent.
pub(crate) struct Ending<'a> {
    state: EntryState,
    url: Option<&'a str>,
    result: i32,
}

/// What the service said of an order.
pub(crate) struct Learnt {
    entry: i64,
    transaction_id: String,
    transaction_status: String,
}

/// Waits while another process holds the journal; false where there is no time left to, an error where the call is over.
pub(crate) type Patience<'a> = dyn FnMut(Duration) -> Result<bool, Error> + 'a;

/// Why the journal was of no use.
pub(crate) enum Trouble {
    /// In words that begin with its name.
    Failed(String),
    /// The waiting for it was ended.
    Ended(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Ended(error)
    }
}

impl Trouble {
    /// The error of a call; `advice` says what that means for the call.
    fn into_error(self, advice: &str) -> Error {
        match self {
            Trouble::Failed(what) => Error::new(Code::JournalFailed, format!("{what}{advice}")),
            Trouble::Ended(error) => error,
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
