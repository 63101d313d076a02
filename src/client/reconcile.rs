//! What is asked of a client's journal: its entries, what became of the open ones, and to forget
//! the settled ones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::client::Client;
use crate::client::call::Call;
use crate::client::statuses::{Question, Summary};
use crate::connection::{CancellationToken, Delivery};
use crate::entry::{Entry, EntryState};
use crate::error::{Cause, Code, Error, Operation};
use crate::gateway::status::{Status, StatusQuery};
use crate::journal::{Journal, Learnt, Trouble};
use crate::settings::options::{
    CANCELLATION, Problem, StatusesOptions, cancellation, complaint, read,
};
use crate::settings::values::{in_range, text, whole};

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
        format!(
            "{{\"summary\":{},\"entries\":{entries}}}",
            self.summary.to_json()
        )
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
    /// Cancels this call, and others that have the same token.
    pub cancellation: Option<CancellationToken>,
}

impl Default for ListOptions {
    fn default() -> Self {
        ListOptions {
            states: Vec::new(),
            limit: 1000,
            after: 0,
            cancellation: None,
        }
    }
}

const UNRESOLVED: [EntryState; 2] = [EntryState::Sending, EntryState::Unknown];
const LIMIT_RANGE: (u64, u64) = (1, 10_000);
const DAYS_RANGE: (u64, u64) = (1, 3650);

impl ListOptions {
    pub(crate) fn from_json(json: Option<&str>) -> Result<ListOptions, Error> {
        let mut options = ListOptions::default();
        read(json, |key, value| {
            match key {
                "state" => options.states = states(&text(value)?)?,
                "limit" => options.limit = whole(value, LIMIT_RANGE)? as u32,
                "after" => options.after = whole(value, (0, i64::MAX as u64))? as i64,
                CANCELLATION => options.cancellation = Some(cancellation(value)?),
                _ => return Err(Problem::UnknownName),
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
            "must be sending, created, rejected, not_sent, unknown, settled or unresolved".into(),
        ),
    }
}

/// What to remove from the journal.
#[derive(Debug, Clone)]
pub struct PruneOptions {
    /// Settled entries that were last written more days ago than this: 1 to 3650, 90 by default.
    pub older_than_days: u32,
    /// Cancels this call, and others that have the same token.
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
                _ => return Err(Problem::UnknownName),
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

/// How long these wait for another process that holds the journal.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many entries are read, or written, at once.
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

    /// Asks Get Status for every order whose end the journal does not know, and for every created
    /// one that is not `Completed`, and writes down what it learns. An order that the service
    /// does not know stays as it is: that is no proof that it never will.
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_resolve(&self, options: &StatusesOptions<'_>) -> Result<Resolved, Error> {
        self.begin(Operation::JournalResolve).run(|call| {
            options.check(call.settings())?;
            self.resolve(call, options.clone().into_owned())
        })
    }

    /// Removes settled entries: `rejected`, `not_sent`, and `created` where the payment is
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
        self.begin(Operation::JournalList).run(|call| {
            let entries = self.list(call, &ListOptions::from_json(options()?)?)?;
            serde_json::to_string(&entries).map_err(|_| {
                Error::new(
                    Code::Internal,
                    Cause::Bug,
                    "the entries could not be written",
                )
            })
        })
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
        let asked = Arc::<Asked>::default();
        let unsettled = Unsettled {
            journal: Arc::clone(journal),
            delivery: Arc::clone(delivery),
            after: 0,
            last,
            page: Vec::new().into_iter(),
            asked: Arc::clone(&asked),
        };
        let mut learning = Learning {
            journal,
            delivery,
            learnt: Vec::new(),
            trouble: None,
        };
        let mut each = |index, result: Result<Status, Error>| {
            if let (Some(_), Ok(status)) = (asked.answered(index), result) {
                learning.learn(&status);
            }
            learning.trouble.is_none()
        };
        let summary = self.ask_all(call, &started, unsettled, options, &mut each)?;
        learning.write();
        if let Some(trouble) = learning.trouble.or_else(|| asked.lock().trouble.take()) {
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

/// The questions about unsettled entries, which are read as they are asked.
struct Unsettled {
    journal: Arc<Journal>,
    delivery: Arc<Delivery>,
    after: i64,
    /// Those that come later are not waited for.
    last: i64,
    page: std::vec::IntoIter<(i64, String)>,
    asked: Arc<Asked>,
}

/// What those who ask have to tell the one who writes.
#[derive(Default)]
struct Asked(Mutex<Asking>);

#[derive(Default)]
struct Asking {
    questions: usize,
    /// The entries that the questions under way are about, by the questions' places.
    entries: HashMap<usize, i64>,
    trouble: Option<Trouble>,
}

impl Asked {
    fn ask(&self, entry: i64) {
        let mut asking = self.lock();
        let place = asking.questions;
        asking.questions += 1;
        asking.entries.insert(place, entry);
    }

    fn answered(&self, place: usize) -> Option<i64> {
        self.lock().entries.remove(&place)
    }

    fn lock(&self) -> MutexGuard<'_, Asking> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Iterator for Unsettled {
    type Item = Question;

    fn next(&mut self) -> Option<Question> {
        if self.page.len() == 0 {
            let mut patience = patience(&self.delivery);
            self.page = match self
                .journal
                .unsettled(self.after, self.last, PAGE, &mut patience)
            {
                Ok(page) => page.into_iter(),
                Err(trouble) => {
                    self.asked.lock().trouble = Some(trouble);
                    return None;
                }
            };
        }
        let (entry, order_id) = self.page.next()?;
        self.after = entry;
        self.asked.ask(entry);
        Some(StatusQuery::by_order(order_id))
    }
}

/// Writes down what is learnt, many at once.
struct Learning<'a> {
    journal: &'a Journal,
    delivery: &'a Arc<Delivery>,
    learnt: Vec<Learnt>,
    trouble: Option<Trouble>,
}

impl Learning<'_> {
    fn learn(&mut self, status: &Status) {
        // An answer that names no order teaches nothing about any.
        if status.order_id().is_empty() {
            return;
        }
        self.learnt.push(Learnt {
            order_id: status.order_id().to_owned(),
            transaction_id: status.transaction_id().to_owned(),
            transaction_status: status.transaction_status().to_owned(),
        });
        if self.learnt.len() >= PAGE as usize {
            self.write();
        }
    }

    fn write(&mut self) {
        if self.trouble.is_none() && !self.learnt.is_empty() {
            self.trouble = self
                .journal
                .learn(&self.learnt, &mut patience(self.delivery))
                .err();
            self.learnt.clear();
        }
    }
}

/// Waits for a journal that another process holds, for a while, and until the call is cancelled.
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
