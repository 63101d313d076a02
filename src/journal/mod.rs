//! The journal: an order is written down before it is sent, and so outlives a power cut, and is not
//! sent twice. Without the feature of that name there is none.

#[cfg(not(feature = "journal"))]
#[path = "none.rs"]
mod store;
#[cfg(feature = "journal")]
mod store;

use std::time::Duration;

use crate::entry::EntryState;
use crate::error::{Code, Error, Outcome};

pub(crate) use store::Journal;

/// An order that is about to be sent.
pub(crate) struct Intent<'a> {
    pub(crate) order_id: &'a str,
    pub(crate) merchant_txn_id: &'a str,
    pub(crate) amount: &'a str,
    pub(crate) currency_code: &'a str,
    pub(crate) body: &'a str,
    /// Until the call's deadline.
    pub(crate) left: Duration,
}

/// What became of an order that was sent.
pub(crate) struct Ending<'a> {
    pub(crate) order_id: &'a str,
    pub(crate) state: EntryState,
    pub(crate) url: Option<&'a str>,
    pub(crate) result: i32,
}

/// What the service said of an order.
pub(crate) struct Learnt {
    pub(crate) entry: i64,
    pub(crate) transaction_id: String,
    pub(crate) transaction_status: String,
}

/// Waits while another process holds the journal; false where there is no time left to, an error
/// where the call is over.
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
    pub(crate) fn into_error(self, advice: &str) -> Error {
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
