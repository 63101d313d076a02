//! The functions of a client's journal: list entries, resolve the open ones, close one by hand, and
//! remove the closed ones.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::client::Client;
use crate::client::call::Call;
use crate::client::summary::{Refusals, Summary};
use crate::connection::CancelScope;
use crate::entry::{Entry, UNRESOLVED};
use crate::error::{Cause, Code, Error, Operation};
use crate::journal::{EntryFilter, Journal, JournalError, LockWait, SettleResult};
use crate::query::StatusQuery;
use crate::settings::journal_options::{ListOptions, PruneOptions, SettleOptions};
use crate::settings::list::journal_settle::ENTRY;
use crate::settings::options::{JsonOptions, StatusesOptions, complaint};
use crate::text::json::written;

/// Entries of the journal, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entries {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// What was learned about entries whose outcome the journal did not know.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
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
    /// use payorder_core::{Client, Config, ListOptions, PruneOptions, SettleOptions};
    ///
    /// # fn main() -> Result<(), payorder_core::Error> {
    /// let mut config = Config::new("https://pay.example.com");
    /// config.journal = Some("/var/lib/till/orders.db".into());
    /// let client = Client::new(config)?;
    /// client.journal_resolve(&Default::default())?;
    /// for open in client.journal_list(&ListOptions { open: true, ..Default::default() })?.entries {
    ///     let mut options = SettleOptions::new(open.entry);
    ///     options.note = Some("paid in cash".into());
    ///     client.journal_settle(&options)?;
    /// }
    /// client.journal_prune(&PruneOptions::default())?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a client without a journal and for invalid options;
    /// [`crate::Code::JournalFailed`] if the journal cannot be used.
    pub fn journal_list(&self, options: &ListOptions) -> Result<Entries, Error> {
        self.list(Ok(options.clone()))
    }

    /// Asks Get Status about every order whose outcome the journal does not know, and about every
    /// created one that is not `Completed`, and records the statuses. An order that the service
    /// does not know keeps its state, since the service may still receive it.
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_resolve(&self, options: &StatusesOptions) -> Result<Resolved, Error> {
        self.resolve(Ok(options.clone()))
    }

    /// Closes an entry because a person decided so: one that is `sending`, `unknown`, or `created`
    /// and not `Completed`. The library no longer asks about it, and its identifiers stay used.
    /// Returns the entry.
    ///
    /// # Errors
    /// As [`Client::journal_list`]; [`crate::Code::InvalidArgument`] also for an entry that does
    /// not exist, is closed already or belongs to another service;
    /// [`crate::Code::InvalidRequest`] for one that is paid.
    pub fn journal_settle(&self, options: &SettleOptions) -> Result<Entry, Error> {
        self.settle(Ok(options.clone()))
    }

    /// Removes closed entries: `rejected`, `not_sent`, `settled`, and `created` if the payment is
    /// `Completed`. Returns how many were removed.
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_prune(&self, options: &PruneOptions) -> Result<u64, Error> {
        self.prune(Ok(options.clone()))
    }

    #[doc(hidden)]
    pub fn journal_list_json(
        &self,
        options: Result<JsonOptions<'_>, Error>,
    ) -> Result<String, Error> {
        let entries = self.list(options.and_then(ListOptions::from_json))?;
        Ok(written(&entries))
    }

    #[doc(hidden)]
    pub fn journal_resolve_json(
        &self,
        options: Result<JsonOptions<'_>, Error>,
    ) -> Result<String, Error> {
        let resolved = self.resolve(options.and_then(StatusesOptions::from_json))?;
        Ok(written(&resolved))
    }

    #[doc(hidden)]
    pub fn journal_settle_json(
        &self,
        options: Result<JsonOptions<'_>, Error>,
    ) -> Result<String, Error> {
        let options = options.and_then(|options| match options.text {
            Some(_) => SettleOptions::from_json(options),
            None => Err(Error::argument(
                Cause::Null,
                "options_json is NULL: give the entry to close, such as {\"entry\":7}",
            )),
        });
        Ok(written(&self.settle(options)?))
    }

    #[doc(hidden)]
    pub fn journal_prune_json(
        &self,
        options: Result<JsonOptions<'_>, Error>,
    ) -> Result<String, Error> {
        let removed = self.prune(options.and_then(PruneOptions::from_json))?;
        Ok(format!("{{\"removed\":{removed}}}"))
    }

    /// Runs a call of the journal. If the client has none, that is reported whatever the options
    /// are; only an invalid token comes first, as an invalid client does.
    fn with_journal<O, T>(
        &self,
        operation: Operation,
        options: Result<O, Error>,
        work: impl FnOnce(&mut Call<'_>, &Arc<Journal>, O) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.begin(operation)
            .run(|call| match (&call.settings().journal, options) {
                (Some(journal), options) => work(call, journal, options?),
                (None, Err(error)) if error.code() == Code::InvalidHandle => Err(error),
                (None, _) => Err(no_journal()),
            })
    }

    fn list(&self, options: Result<ListOptions, Error>) -> Result<Entries, Error> {
        self.with_journal(Operation::JournalList, options, |call, journal, options| {
            options.check()?;
            let registered = call.register_unless_cancelled(options.cancellation.as_ref())?;
            let filter = EntryFilter {
                states: &options.states,
                open: options.open,
                own: false,
                order_id: options.order_id.as_deref(),
                after: options.after,
                limit: options.limit,
                events: options.events,
            };
            let entries = call.with_lock(&registered.scope, |wait| journal.list(&filter, wait))?;
            Ok(Entries { entries })
        })
    }

    fn resolve(&self, options: Result<StatusesOptions, Error>) -> Result<Resolved, Error> {
        self.with_journal(Operation::JournalResolve, options, |call, _, options| {
            options.check(call.settings())?;
            let registered = call.register(options.call.cancellation.as_ref());
            let scope = &registered.scope;
            let open = call.open_orders(scope)?.into_iter();
            let recorder = call.recorder(scope);
            let mut refusals = Refusals::default();
            let (summary, failed) = self.query_all(
                call,
                &registered,
                open.map(StatusQuery::by_order),
                options,
                recorder,
                &mut |_, result| {
                    refusals.note(&result);
                    true
                },
            )?;
            if let Some(error) = failed {
                return Err(call.journal_error(error));
            }
            let unresolved = EntryFilter {
                states: &UNRESOLVED,
                own: true,
                ..EntryFilter::default()
            };
            Ok(Resolved {
                refusal: refusals.of_all(&summary),
                summary,
                other_services: call.other_services(scope)?,
                entries: call.entries(scope, unresolved)?,
            })
        })
    }

    fn settle(&self, options: Result<SettleOptions, Error>) -> Result<Entry, Error> {
        self.with_journal(
            Operation::JournalSettle,
            options,
            |call, journal, options| {
                options.check()?;
                let registered = call.register_unless_cancelled(options.cancellation.as_ref())?;
                let settled = call.with_lock(&registered.scope, |wait| {
                    journal.settle(options.entry, options.note.as_deref(), wait)
                })?;
                settled_entry(settled, options.entry)
            },
        )
    }

    fn prune(&self, options: Result<PruneOptions, Error>) -> Result<u64, Error> {
        self.with_journal(
            Operation::JournalPrune,
            options,
            |call, journal, options| {
                options.check()?;
                let registered = call.register_unless_cancelled(options.cancellation.as_ref())?;
                call.with_lock(&registered.scope, |wait| journal.prune(options.age(), wait))
            },
        )
    }
}

/// The entry that a person has closed, or why this one cannot be closed.
fn settled_entry(settled: SettleResult, number: i64) -> Result<Entry, Error> {
    match settled {
        SettleResult::Settled(entry) => Ok(entry),
        SettleResult::AlreadyClosed(entry) => {
            let state = entry.state.name();
            let problem = format!("names entry {number}, which is {state} already");
            Err(complaint(ENTRY.key, &problem))
        }
        SettleResult::Paid => Err(Error::new(
            Code::InvalidRequest,
            Cause::RuleBroken,
            format!(
                "the service says that the order of entry {number} is paid, so it cannot be \
                 settled as unpaid: if it is this sale's, complete the sale or give the money back"
            ),
        )),
        SettleResult::OtherService(service) => Err(complaint(
            ENTRY.key,
            &format!(
                "names entry {number}, which belongs to another service: settle it with a client \
                 for {service}"
            ),
        )),
        SettleResult::NotFound => Err(complaint(
            ENTRY.key,
            &format!("is not in the journal: there is no entry {number}"),
        )),
    }
}

pub(crate) fn no_journal() -> Error {
    Error::argument(
        Cause::NoJournal,
        "the client has no journal: set the configuration key journal to the path of a file (in a \
         build of the library with the journal)",
    )
}

/// Waits for a journal that another process has locked: for a limited time, or until the call is
/// cancelled.
fn lock_wait(scope: &CancelScope) -> impl FnMut(Duration) -> Result<bool, Error> {
    let until = Instant::now() + LOCK_WAIT;
    move |pause| match scope.sleep(pause) {
        true => Ok(Instant::now() < until),
        false => Err(Error::new(
            Code::Cancelled,
            Cause::Cancelled,
            "the call was cancelled",
        )),
    }
}

impl Call<'_> {
    /// Uses the journal. Waits while it is locked, until the scope is cancelled.
    fn with_lock<T>(
        &self,
        scope: &CancelScope,
        work: impl FnOnce(&mut LockWait<'_>) -> Result<T, JournalError>,
    ) -> Result<T, Error> {
        work(&mut lock_wait(scope)).map_err(|error| self.journal_error(error))
    }

    pub(crate) fn journal_error(&self, error: JournalError) -> Error {
        match error {
            JournalError::CallEnded(_) => self.cancelled(),
            failed => failed.into_error(""),
        }
    }

    /// All entries that the filter chooses, oldest first; none without a journal.
    pub(crate) fn entries(
        &self,
        scope: &CancelScope,
        mut filter: EntryFilter<'_>,
    ) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        let Some(journal) = &self.settings().journal else {
            return Ok(entries);
        };
        filter.limit = PAGE;
        loop {
            let page = self.with_lock(scope, |wait| journal.list(&filter, wait))?;
            let is_last = page.len() < PAGE as usize;
            entries.extend(page);
            match entries.last() {
                Some(last) if !is_last => filter.after = last.entry,
                _ => return Ok(entries),
            }
        }
    }

    /// The orders of this service with open entries, oldest first.
    pub(crate) fn open_orders(&self, scope: &CancelScope) -> Result<Vec<String>, Error> {
        let open = EntryFilter {
            open: true,
            own: true,
            ..EntryFilter::default()
        };
        let entries = self.entries(scope, open)?.into_iter();
        Ok(entries.map(|entry| entry.order_id).collect())
    }

    pub(crate) fn other_services(&self, scope: &CancelScope) -> Result<i64, Error> {
        match &self.settings().journal {
            Some(journal) => self.with_lock(scope, |wait| journal.other_services(wait)),
            None => Ok(0),
        }
    }
}
