//! The functions of a client's journal: list entries, resolve the open ones, close one by hand, and
//! remove the closed ones.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::client::Client;
use crate::client::call::Call;
use crate::client::summary::{Refusals, Summary};
use crate::entry::{Entry, UNRESOLVED};
use crate::error::{Cause, Code, Error, Operation};
use crate::gateway::status_data::COMPLETED;
use crate::journal::{EntryFilter, GRACE, Journal, JournalError, JournalWait};
use crate::query::StatusQuery;
use crate::settings::journal_options::{ListOptions, PruneOptions, SettleOptions};
use crate::settings::list::journal_settle::ENTRY;
use crate::settings::options::{StatusesOptions, complaint};

/// Entries of the journal, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entries {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// What was learned about entries whose outcome the journal did not know.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct Resolved {
    /// What came of the queries to the service.
    pub summary: Summary,
    /// How many entries of other services are `sending` or `unknown`. They were not asked about.
    pub other_services: i64,
    /// The service's words, if it refused every query of two or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The entries that are still `sending` or `unknown`.
    pub entries: Vec<Entry>,
}

/// How long these functions wait for a journal that another process has locked.
const LOCK_WAIT: Duration = Duration::from_secs(10);
const PAGE: u32 = 1000;

impl Client {
    /// The journal's entries, oldest first.
    ///
    /// ```no_run
    /// use payorder_core::{Client, Config, ListOptions};
    ///
    /// # fn main() -> Result<(), payorder_core::Error> {
    /// let mut config = Config::new("https://pay.example.com");
    /// config.journal = Some("/var/lib/till/orders.db".into());
    /// let client = Client::new(config)?;
    /// client.journal_resolve(&Default::default())?;
    /// for open in client.journal_list(&ListOptions { open: true, ..Default::default() })?.entries {
    ///     println!("{}: {}, {}", open.entry, open.order_id, open.state.name());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a client without a journal and for invalid options;
    /// [`crate::Code::JournalFailed`] if the journal cannot be used.
    pub fn journal_list(&self, options: &ListOptions) -> Result<Entries, Error> {
        self.call(Operation::JournalList, |call| call.journal_list(options))
    }

    /// Asks Get Status about every order whose outcome the journal does not know, and about every
    /// created one that is not `Completed`, and records the statuses. An order that the service
    /// does not know keeps its state, since the service may still receive it.
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_resolve(&self, options: &StatusesOptions) -> Result<Resolved, Error> {
        self.call(Operation::JournalResolve, |call| {
            call.journal_resolve(options)
        })
    }

    /// Closes an entry because a person decided so: one that is `sending`, `unknown`, or `created`
    /// and not `Completed`. The library no longer asks about it, and its identifiers stay used.
    /// Returns the entry.
    ///
    /// A payment after that is missed. So the person first asks for the order's status once more, at
    /// the end of the day:
    ///
    /// ```
    /// # use payorder_core::{Client, Error, SettleOptions};
    /// fn close(client: &Client, entry: i64) -> Result<(), Error> {
    ///     let mut options = SettleOptions::new(entry);
    ///     options.note = Some("asked again: not paid".into());
    ///     println!("closed: {}", client.journal_settle(&options)?.order_id);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Client::journal_list`]; [`crate::Code::InvalidArgument`] also for an entry that does
    /// not exist, is closed already or belongs to another service;
    /// [`crate::Code::InvalidRequest`] for one that is paid.
    pub fn journal_settle(&self, options: &SettleOptions) -> Result<Entry, Error> {
        self.call(Operation::JournalSettle, |call| {
            call.journal_settle(options)
        })
    }

    /// Removes closed entries: `rejected`, `not_sent`, `settled`, and `created` if the payment is
    /// `Completed`. Returns how many were removed.
    ///
    /// ```
    /// # use payorder_core::{Client, Error, PruneOptions};
    /// fn prune(client: &Client) -> Result<u64, Error> {
    ///     client.journal_prune(&PruneOptions::default())
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_prune(&self, options: &PruneOptions) -> Result<u64, Error> {
        self.call(Operation::JournalPrune, |call| call.journal_prune(options))
    }
}

impl<'c> Call<'c> {
    fn journal(&self) -> Result<&'c Arc<Journal>, Error> {
        self.settings().journal.as_ref().ok_or_else(no_journal)
    }

    pub(super) fn journal_list(&mut self, options: &ListOptions) -> Result<Entries, Error> {
        let journal = self.journal()?;
        options.check()?;
        self.begin(options.cancellation.as_ref())?;
        let order_id = options.order_id.as_deref();
        let filter = EntryFilter {
            states: &options.states,
            open: options.open,
            own: false,
            order_ids: order_id.as_slice(),
            after: options.after,
            limit: options.limit,
            events: options.events,
        };
        let entries = self.locked(|wait| journal.list(&filter, wait))?;
        Ok(Entries { entries })
    }

    pub(super) fn journal_resolve(&mut self, options: &StatusesOptions) -> Result<Resolved, Error> {
        self.journal()?;
        self.note_tag(&options.call);
        options.check(self.settings())?;
        self.add_token(options.call.cancellation.as_ref())?;
        let open = self.open_entries()?;
        let other_services = self.other_services()?;
        let queries = open
            .iter()
            .map(|entry| StatusQuery::by_order(entry.order_id.clone()));
        let mut refusals = Refusals::default();
        let (summary, failed) = self.query_all(
            &self.batch(options),
            queries,
            options.clone(),
            &mut |_, result| {
                refusals.note(&result);
                true
            },
        )?;
        if let Some(error) = failed {
            return Err(self.journal_error(error, ""));
        }
        let entries = match self.unresolved() {
            // There was no time to read them again: as they were before.
            Err(_) if summary.stopped => {
                let was_unresolved = |entry: &Entry| UNRESOLVED.contains(&entry.state);
                open.into_iter().filter(was_unresolved).collect()
            }
            entries => entries?,
        };
        Ok(Resolved {
            refusal: refusals.of_all(&summary),
            summary,
            other_services,
            entries,
        })
    }

    pub(super) fn journal_settle(&mut self, options: &SettleOptions) -> Result<Entry, Error> {
        let journal = self.journal()?;
        options.check()?;
        self.begin(options.cancellation.as_ref())?;
        let note = options.note.as_deref();
        let number = options.entry;
        let (entry, is_closed_now) = self.locked(|wait| journal.settle(number, note, wait))?;
        let refused = |problem: String| Err(complaint(ENTRY.key, &problem));
        match entry {
            Some(entry) if is_closed_now => Ok(entry),
            Some(entry) if !journal.is_own(&entry) => refused(format!(
                "names entry {number}, which belongs to another service: settle it with a client \
                 for {}",
                entry.service
            )),
            Some(entry) if entry.transaction_status.as_deref() == Some(COMPLETED) => {
                Err(Error::new(
                    Code::InvalidRequest,
                    Cause::RuleBroken,
                    format!(
                        "the service says that the order of entry {number} is paid, so it cannot be \
                         settled as unpaid: if it is this sale's, complete the sale or give the \
                         money back"
                    ),
                ))
            }
            Some(entry) => refused(format!(
                "names entry {number}, which is {} already",
                entry.state.name()
            )),
            None => refused(format!("is not in the journal: there is no entry {number}")),
        }
    }

    pub(super) fn journal_prune(&mut self, options: &PruneOptions) -> Result<u64, Error> {
        let journal = self.journal()?;
        options.check()?;
        self.begin(options.cancellation.as_ref())?;
        self.locked(|wait| journal.prune(options.age(), wait))
    }

    /// Uses the journal. Waits while it is locked, for a limited time.
    fn locked<T>(
        &self,
        work: impl FnOnce(&mut JournalWait<'_>) -> Result<T, JournalError>,
    ) -> Result<T, Error> {
        let mut wait = JournalWait::new(self.scope(), Instant::now() + LOCK_WAIT, GRACE);
        work(&mut wait).map_err(|error| self.journal_error(error, ""))
    }

    /// All entries that the filter chooses, oldest first; none without a journal.
    pub(super) fn entries(&self, mut filter: EntryFilter<'_>) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        let Some(journal) = &self.settings().journal else {
            return Ok(entries);
        };
        filter.limit = PAGE;
        loop {
            let page = self.locked(|wait| journal.list(&filter, wait))?;
            let is_last = page.len() < PAGE as usize;
            entries.extend(page);
            match entries.last() {
                Some(last) if !is_last => filter.after = last.entry,
                _ => return Ok(entries),
            }
        }
    }

    /// The entries of this service whose outcome is not known, oldest first.
    pub(super) fn unresolved(&self) -> Result<Vec<Entry>, Error> {
        self.entries(EntryFilter {
            states: &UNRESOLVED,
            own: true,
            ..EntryFilter::default()
        })
    }

    /// The open entries of this service, oldest first.
    pub(super) fn open_entries(&self) -> Result<Vec<Entry>, Error> {
        self.entries(EntryFilter {
            open: true,
            own: true,
            ..EntryFilter::default()
        })
    }

    /// Fails if the journal cannot be written. Nothing is.
    pub(super) fn try_to_write(&self) -> Result<(), Error> {
        let journal = self.journal()?;
        let settled = self.locked(|wait| journal.settle(i64::MAX, None, wait));
        settled.map(drop)
    }

    pub(super) fn other_services(&self) -> Result<i64, Error> {
        match &self.settings().journal {
            Some(journal) => self.locked(|wait| journal.other_services(wait)),
            None => Ok(0),
        }
    }
}

pub(crate) fn no_journal() -> Error {
    Error::argument(
        Cause::NoJournal,
        "the client has no journal: set the configuration key journal to the path of a file (in a \
         build of the library with the journal)",
    )
}
