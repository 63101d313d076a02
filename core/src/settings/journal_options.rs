//! Options of the journal's functions.

use std::time::Duration;

use crate::connection::CancellationToken;
use crate::entry::{EntryState, UNRESOLVED};
use crate::error::Error;
use crate::settings::list::{
    OPEN_ENTRIES, UNRESOLVED_ENTRIES, journal_list, journal_prune, journal_settle,
};
use crate::settings::object_reader::{ObjectReader, read_struct};
use crate::settings::options::{JsonOptions, check, complaint, from_json, options};

options! { ListOptions PruneOptions }

/// Which entries to list.
#[derive(Debug, Clone)]
pub struct ListOptions {
    /// Only entries in one of these states; empty for all.
    pub states: Vec<EntryState>,
    /// Only open entries: `sending`, `unknown`, and `created` ones that are not `Completed`.
    pub open: bool,
    /// Only entries of the order with this identifier.
    pub order_id: Option<String>,
    /// How many entries at most: 1 to 10000, default 1000.
    pub limit: u32,
    /// Only entries after the one with this number.
    pub after: i64,
    /// Also return what happened to each entry.
    pub events: bool,
    /// Cancels this call, and other calls with the same token.
    pub cancellation: Option<CancellationToken>,
}

impl ListOptions {
    fn read(reader: &mut ObjectReader<'_>) -> ListOptions {
        let state = reader.one_of(journal_list::STATE);
        ListOptions {
            states: match state {
                Some(UNRESOLVED_ENTRIES) => UNRESOLVED.to_vec(),
                name => name.and_then(EntryState::of).into_iter().collect(),
            },
            open: state == Some(OPEN_ENTRIES),
            order_id: reader.string(journal_list::ORDER_ID),
            limit: reader.number_or_default(journal_list::LIMIT) as u32,
            after: reader.number_or_default(journal_list::AFTER) as i64,
            events: reader.boolean(journal_list::EVENTS),
            cancellation: reader.cancellation(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        check(journal_list::LIMIT, self.limit.into())
    }
}

read_struct! {
    /// What to remove from the journal.
    #[derive(Debug, Clone)]
    pub struct PruneOptions(reader) {
        /// Closed entries that were last written more days ago than this: 1 to 3650, default 90.
        older_than_days: u32 = reader.number_or_default(journal_prune::OLDER_THAN_DAYS) as u32,
        /// Cancels this call, and other calls with the same token.
        cancellation: Option<CancellationToken> = reader.cancellation(),
    }
}

impl PruneOptions {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check(journal_prune::OLDER_THAN_DAYS, self.older_than_days.into())
    }

    pub(crate) fn age(&self) -> Duration {
        Duration::from_secs(u64::from(self.older_than_days) * 24 * 60 * 60)
    }
}

/// Which entry to close, and why.
#[derive(Debug, Clone)]
pub struct SettleOptions {
    /// The entry's number.
    pub entry: i64,
    /// Why, in at most 200 characters. No personal data.
    pub note: Option<String>,
    /// Cancels this call, and other calls with the same token.
    pub cancellation: Option<CancellationToken>,
}

impl SettleOptions {
    /// The entry to close, without a note.
    pub fn new(entry: i64) -> SettleOptions {
        SettleOptions {
            entry,
            note: None,
            cancellation: None,
        }
    }

    pub(crate) fn from_json(json: JsonOptions<'_>) -> Result<SettleOptions, Error> {
        let options = from_json(json, |reader| {
            Some(SettleOptions {
                note: reader.string(journal_settle::NOTE),
                cancellation: reader.cancellation(),
                entry: reader.number(journal_settle::ENTRY)? as i64,
            })
        })?;
        options.ok_or_else(|| {
            let problem = "is missing: give the number of the entry to close";
            complaint(journal_settle::ENTRY.key, problem)
        })
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        let (key, most) = (journal_settle::NOTE.key, journal_settle::NOTE.most);
        match &self.note {
            Some(note) if note.chars().count() as u64 > most => Err(complaint(
                key,
                &format!("must have at most {most} characters"),
            )),
            _ => Ok(()),
        }
    }
}
