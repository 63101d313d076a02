//! What stands in the journal of one order, and what is asked of the journal.

use std::time::Duration;

use serde::Serialize;

use crate::config::{in_range, text, whole};
use crate::error::Error;
use crate::options::{complaint, read};
use crate::statuses::Summary;

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
    const ALL: [EntryState; 5] = [EntryState::Sending, EntryState::Created, EntryState::Rejected, EntryState::NotSent, EntryState::Unknown];

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
        EntryState::ALL.into_iter().find(|state| state.name() == name)
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

/// Entries of the journal, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entries {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// What was learnt of entries whose end the journal did not know.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// Of the questions to the service.
    pub summary: Summary,
    /// Those still `sending` or `unknown`.
    pub entries: Vec<Entry>,
}

impl Resolved {
    /// The result as the C ABI gives it.
    pub(crate) fn to_json(&self) -> String {
        let entries = serde_json::to_string(&self.entries).unwrap_or_else(|_| "[]".into());
        format!("{{\"summary\":{},\"entries\":{entries}}}", self.summary.to_json())
    }
}

/// Which entries to list.
#[derive(Debug, Clone)]
pub struct ListOptions {
    /// Those in one of these states; empty for all.
    pub states: Vec<EntryState>,
    /// At most so many: 1 to 10000, 1000 by default.
    pub limit: u32,
    /// Those after this entry.
    pub after: i64,
}

impl Default for ListOptions {
    fn default() -> Self {
        ListOptions { states: Vec::new(), limit: 1000, after: 0 }
    }
}

pub(crate) const UNRESOLVED: [EntryState; 2] = [EntryState::Sending, EntryState::Unknown];
const LIMIT_RANGE: (u64, u64) = (1, 10_000);
const DAYS_RANGE: (u64, u64) = (1, 3650);

impl ListOptions {
    pub(crate) fn from_json(json: Option<&str>) -> Result<ListOptions, Error> {
        let mut options = ListOptions::default();
        read(json, |key, value| match key {
            "state" => text(value).and_then(|name| {
                options.states = match EntryState::of(&name) {
                    Some(state) => vec![state],
                    None if name == "unresolved" => UNRESOLVED.to_vec(),
                    None => return Err("must be sending, created, rejected, not_sent, unknown or unresolved".into()),
                };
                Ok(())
            }),
            "limit" => whole(value, LIMIT_RANGE).map(|limit| options.limit = limit as u32),
            "after" => whole(value, (0, i64::MAX as u64)).map(|after| options.after = after as i64),
            _ => Err("is no option of listing the journal".into()),
        })?;
        Ok(options)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        in_range(self.limit.into(), LIMIT_RANGE).map_err(|problem| complaint("limit", &problem))
    }
}

/// What to remove from the journal.
#[derive(Debug, Clone, Copy)]
pub struct PruneOptions {
    /// Settled entries that were last written more days ago than this: 1 to 3650, 90 by default.
    pub older_than_days: u32,
}

impl Default for PruneOptions {
    fn default() -> Self {
        PruneOptions { older_than_days: 90 }
    }
}

impl PruneOptions {
    pub(crate) fn from_json(json: Option<&str>) -> Result<PruneOptions, Error> {
        let mut options = PruneOptions::default();
        read(json, |key, value| match key {
            "olderThanDays" => whole(value, DAYS_RANGE).map(|days| options.older_than_days = days as u32),
            _ => Err("is no option of pruning the journal".into()),
        })?;
        Ok(options)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        in_range(self.older_than_days.into(), DAYS_RANGE).map_err(|problem| complaint("olderThanDays", &problem))
    }

    pub(crate) fn age(&self) -> Duration {
        Duration::from_secs(u64::from(self.older_than_days) * 24 * 60 * 60)
    }
}
