//! Options of the journal's functions.

use std::time::Duration;

use crate::connection::CancellationToken;
use crate::entry::{EntryState, UNRESOLVED};
use crate::error::Error;
use crate::settings::options::{CANCELLATION, OptionProblem, cancellation, complaint, read};
use crate::settings::values::{boolean, in_range, text, whole};

/// Which entries to list.
#[derive(Debug, Clone)]
pub struct ListOptions {
    /// Entries in one of these states; empty for all.
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

impl Default for ListOptions {
    fn default() -> Self {
        ListOptions {
            states: Vec::new(),
            open: false,
            order_id: None,
            limit: 1000,
            after: 0,
            events: false,
            cancellation: None,
        }
    }
}

const LIMIT_RANGE: (u64, u64) = (1, 10_000);
const DAYS_RANGE: (u64, u64) = (1, 3650);

impl ListOptions {
    pub(crate) fn from_json(json: Option<&str>) -> Result<ListOptions, Error> {
        let mut options = ListOptions::default();
        read(json, |key, value| {
            match key {
                "state" => match &*text(value)? {
                    "open" => options.open = true,
                    name => options.states = states(name)?,
                },
                "orderId" => options.order_id = Some(text(value)?.into_owned()),
                "events" => options.events = boolean(value)?,
                "limit" => options.limit = whole(value, LIMIT_RANGE)? as u32,
                "after" => options.after = whole(value, (0, i64::MAX as u64))? as i64,
                CANCELLATION => options.cancellation = Some(cancellation(value)?),
                _ => return Err(OptionProblem::UnknownName),
            }
            Ok(())
        })?;
        Ok(options)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        in_range(self.limit.into(), LIMIT_RANGE).map_err(|problem| complaint("limit", &problem))
    }
}

fn states(name: &str) -> Result<Vec<EntryState>, String> {
    match EntryState::of(name) {
        Some(state) => Ok(vec![state]),
        None if name == "unresolved" => Ok(UNRESOLVED.to_vec()),
        None => Err(
            "must be sending, created, rejected, not_sent, unknown, settled, unresolved or open"
                .into(),
        ),
    }
}

/// What to remove from the journal.
#[derive(Debug, Clone)]
pub struct PruneOptions {
    /// Closed entries that were last written more days ago than this: 1 to 3650, default 90.
    pub older_than_days: u32,
    /// Cancels this call, and other calls with the same token.
    pub cancellation: Option<CancellationToken>,
}

impl Default for PruneOptions {
    fn default() -> Self {
        PruneOptions {
            older_than_days: 90,
            cancellation: None,
        }
    }
}

impl PruneOptions {
    pub(crate) fn from_json(json: Option<&str>) -> Result<PruneOptions, Error> {
        let mut options = PruneOptions::default();
        read(json, |key, value| {
            match key {
                "olderThanDays" => options.older_than_days = whole(value, DAYS_RANGE)? as u32,
                CANCELLATION => options.cancellation = Some(cancellation(value)?),
                _ => return Err(OptionProblem::UnknownName),
            }
            Ok(())
        })?;
        Ok(options)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        in_range(self.older_than_days.into(), DAYS_RANGE)
            .map_err(|problem| complaint("olderThanDays", &problem))
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

const NOTE_LIMIT: usize = 200;

impl SettleOptions {
    /// The entry to close, without a note.
    ///
    /// ```
    /// let mut options = payorder_core::SettleOptions::new(7);
    /// options.note = Some("paid in cash".into());
    /// ```
    pub fn new(entry: i64) -> SettleOptions {
        SettleOptions {
            entry,
            note: None,
            cancellation: None,
        }
    }

    pub(crate) fn from_json(json: Option<&str>) -> Result<SettleOptions, Error> {
        let mut options = SettleOptions::new(0);
        let mut entry = None;
        read(json, |key, value| {
            match key {
                "entry" => entry = Some(whole(value, (0, i64::MAX as u64))? as i64),
                "note" => options.note = Some(text(value)?.into_owned()),
                CANCELLATION => options.cancellation = Some(cancellation(value)?),
                _ => return Err(OptionProblem::UnknownName),
            }
            Ok(())
        })?;
        options.entry = entry.ok_or_else(|| {
            complaint("entry", "is missing: give the number of the entry to close")
        })?;
        Ok(options)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        match &self.note {
            Some(note) if note.chars().count() > NOTE_LIMIT => Err(complaint(
                "note",
                &format!("must have at most {NOTE_LIMIT} characters"),
            )),
            _ => Ok(()),
        }
    }
}
