//! The functions of a client's journal: listing entries, resolving the open ones, closing one by
//! hand, and removing the closed ones.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::client::Client;
use crate::client::call::Call;
use crate::client::status_recorder::Recording;
use crate::client::statuses::{Question, Summary};
use crate::connection::Delivery;
use crate::entry::{Entry, EntryState, UNRESOLVED};
use crate::error::{Cause, Code, Error, Operation};
use crate::gateway::status::{Status, StatusQuery};
use crate::journal::{Journal, Settled, Trouble};
use crate::settings::journal_options::{ListOptions, PruneOptions, SettleOptions};
use crate::settings::options::{StatusesOptions, complaint};

/// Entries of the journal, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entries {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// What was learned about entries whose outcome the journal did not know.
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
        format!(
            "{{\"summary\":{},\"entries\":{entries}}}",
            self.summary.to_json()
        )
    }
}

/// How long these wait for a journal that another process has locked.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many entries are read at once.
const PAGE: u32 = 200;

impl Client {
    /// The journal's entries, oldest first.
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a client without a journal and for broken options;
    /// [`crate::Code::JournalFailed`].
    pub fn journal_list(&self, options: &ListOptions) -> Result<Entries, Error> {
        self.begin(Operation::JournalList)
            .run(|call| self.list(call, options))
    }

    /// Asks Get Status for every order whose outcome the journal does not know, and for every
    /// created one that is not `Completed`, and records what it learns. An order that the service
    /// does not know stays as it is: that is no proof that the service will never have it.
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_resolve(&self, options: &StatusesOptions<'_>) -> Result<Resolved, Error> {
        self.begin(Operation::JournalResolve).run(|call| {
            options.check(call.settings())?;
            self.resolve(call, options.clone().into_owned())
        })
    }

    /// Closes an entry that is `sending`, `unknown`, or `created` and not `Completed`, by a person's
    /// decision. Nothing asks about it any more, and its identifiers stay used. Gives the entry.
    ///
    /// ```no_run
    /// use payorder::{Client, Config, SettleOptions};
    ///
    /// # fn main() -> Result<(), payorder::Error> {
    /// let mut config = Config::new("https://pay.example.com");
    /// config.journal = Some("/var/lib/till/orders.db".into());
    /// let client = Client::new(config)?;
    /// let mut options = SettleOptions::new(7);
    /// options.note = Some("paid in cash".into());
    /// let entry = client.journal_settle(&options)?;
    /// assert_eq!(entry.state.name(), "settled");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Client::journal_list`]; [`crate::Code::InvalidArgument`] also for an entry that does not
    /// exist or is closed already.
    pub fn journal_settle(&self, options: &SettleOptions) -> Result<Entry, Error> {
        self.begin(Operation::JournalSettle)
            .run(|call| self.settle(call, options))
    }

    /// Removes closed entries: `rejected`, `not_sent`, `settled`, and `created` where the payment is
    /// `Completed`. Gives how many.
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_prune(&self, options: &PruneOptions) -> Result<u64, Error> {
        self.begin(Operation::JournalPrune)
            .run(|call| self.prune(call, options))
    }

    pub(crate) fn journal_list_json<'a>(
        &self,
        options: impl FnOnce() -> Result<Option<&'a str>, Error>,
    ) -> Result<String, Error> {
        self.begin(Operation::JournalList)
            .run(|call| json(&self.list(call, &ListOptions::from_json(options()?)?)?))
    }

    pub(crate) fn journal_resolve_json<'a>(
        &self,
        options: impl FnOnce() -> Result<Option<&'a str>, Error>,
    ) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let options = StatusesOptions::from_json(options()?)?;
            self.resolve(call, options.into_owned())
        };
        self.begin(Operation::JournalResolve)
            .run(read)
            .map(|resolved| resolved.to_json())
    }

    pub(crate) fn journal_settle_json<'a>(
        &self,
        options: impl FnOnce() -> Result<Option<&'a str>, Error>,
    ) -> Result<String, Error> {
        self.begin(Operation::JournalSettle).run(|call| {
            let options = options()?.ok_or_else(|| {
                let problem = "options_json is NULL: say which entry, such as {\"entry\":7}";
                Error::argument(Cause::Null, problem)
            })?;
            json(&self.settle(call, &SettleOptions::from_json(Some(options))?)?)
        })
    }

    pub(crate) fn journal_prune_json<'a>(
        &self,
        options: impl FnOnce() -> Result<Option<&'a str>, Error>,
    ) -> Result<String, Error> {
        self.begin(Operation::JournalPrune)
            .run(|call| self.prune(call, &PruneOptions::from_json(options()?)?))
            .map(|removed| format!("{{\"removed\":{removed}}}"))
    }

    fn list(&self, call: &mut Call<'_>, options: &ListOptions) -> Result<Entries, Error> {
        options.check()?;
        let started = call.start_uncancelled(options.cancellation.as_ref())?;
        let entries = self
            .journal()?
            .list(
                &options.states,
                options.after,
                options.limit,
                &mut patience(&started.delivery),
            )
            .map_err(|trouble| reading(call, trouble))?;
        Ok(Entries { entries })
    }

    fn settle(&self, call: &mut Call<'_>, options: &SettleOptions) -> Result<Entry, Error> {
        options.check()?;
        let started = call.start_uncancelled(options.cancellation.as_ref())?;
        let settled = self
            .journal()?
            .settle(
                options.entry,
                options.note.as_deref(),
                &mut patience(&started.delivery),
            )
            .map_err(|trouble| reading(call, trouble))?;
        match settled {
            Settled::Now(entry) => Ok(entry),
            Settled::WasClosed(entry) => {
                let state = match entry.state {
                    EntryState::Created => "created and Completed",
                    other => other.name(),
                };
                let problem = format!("names entry {}, which is {state} already", entry.entry);
                Err(complaint("entry", &problem))
            }
            Settled::Missing => Err(complaint(
                "entry",
                &format!(
                    "names no entry of the journal: there is no entry {}",
                    options.entry
                ),
            )),
        }
    }

    fn prune(&self, call: &mut Call<'_>, options: &PruneOptions) -> Result<u64, Error> {
        options.check()?;
        let started = call.start_uncancelled(options.cancellation.as_ref())?;
        self.journal()?
            .prune(options.age(), &mut patience(&started.delivery))
            .map_err(|trouble| reading(call, trouble))
    }

    fn journal(&self) -> Result<&Arc<Journal>, Error> {
        self.shared.settings.journal.as_ref().ok_or_else(|| {
            Error::argument(Cause::NoJournal, "the client has no journal: give its configuration the key journal, the path of a file (in a build of the library that has one)")
        })
    }

    fn resolve(
        &self,
        call: &mut Call<'_>,
        options: StatusesOptions<'static>,
    ) -> Result<Resolved, Error> {
        let journal = self.journal()?;
        let started = call.start(options.call.cancellation.as_ref());
        let delivery = &started.delivery;
        let last = journal
            .last(&mut patience(delivery))
            .map_err(|trouble| reading(call, trouble))?;
        let failed = Arc::<Mutex<Option<Trouble>>>::default();
        let open = OpenOrders {
            journal: Arc::clone(journal),
            delivery: Arc::clone(delivery),
            after: 0,
            last,
            page: Vec::new().into_iter(),
            failed: Arc::clone(&failed),
        };
        let mut recording = Recording::new(journal, delivery);
        let mut each = |_, result: Result<Status, Error>| {
            if let Ok(status) = result {
                recording.take(&status);
            }
            recording.trouble.is_none()
        };
        let summary = self.ask_all(call, &started, open, options, &mut each)?;
        recording.write();
        let trouble = recording.trouble.or_else(|| lock(&failed).take());
        if let Some(trouble) = trouble {
            return Err(reading(call, trouble));
        }
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let after = entries.last().map_or(0, |last| last.entry);
            let page = journal
                .list(&UNRESOLVED, after, PAGE, &mut patience(delivery))
                .map_err(|trouble| reading(call, trouble))?;
            if page.is_empty() {
                return Ok(Resolved { summary, entries });
            }
            entries.extend(page);
        }
    }
}

/// The questions about open entries, which are read as they are asked.
struct OpenOrders {
    journal: Arc<Journal>,
    delivery: Arc<Delivery>,
    after: i64,
    /// Those that come later are not asked about.
    last: i64,
    page: std::vec::IntoIter<(i64, String)>,
    /// Why they could not be read. Told to the calling thread.
    failed: Arc<Mutex<Option<Trouble>>>,
}

impl Iterator for OpenOrders {
    type Item = Question;

    fn next(&mut self) -> Option<Question> {
        if self.page.len() == 0 {
            let mut patience = patience(&self.delivery);
            let page = self
                .journal
                .open_orders(self.after, self.last, PAGE, &mut patience);
            self.page = match page {
                Ok(page) => page.into_iter(),
                Err(trouble) => {
                    *lock(&self.failed) = Some(trouble);
                    return None;
                }
            };
        }
        let (entry, order_id) = self.page.next()?;
        self.after = entry;
        Some(StatusQuery::by_order(order_id))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A result as the C ABI gives it.
fn json(result: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(result).map_err(|_| {
        Error::new(
            Code::Internal,
            Cause::Bug,
            "the entries could not be written",
        )
    })
}

/// Waits for a journal that another process has locked, for a while, and until the call is cancelled.
fn patience(delivery: &Arc<Delivery>) -> impl FnMut(Duration) -> Result<bool, Error> + use<> {
    let delivery = Arc::clone(delivery);
    let until = Instant::now() + PATIENCE;
    move |pause| match delivery.wait(pause) {
        true => Ok(Instant::now() < until),
        false => Err(Error::new(
            Code::Cancelled,
            Cause::Cancelled,
            "the call was cancelled",
        )),
    }
}

fn reading(call: &Call<'_>, trouble: Trouble) -> Error {
    match trouble {
        Trouble::Ended(_) => call.cancelled(),
        failed => failed.into_error(""),
    }
}
