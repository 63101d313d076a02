//! What is asked of the journal: its entries, what became of the open ones, and to forget the settled ones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::entry::{Entries, Entry, ListOptions, PruneOptions, Resolved, UNRESOLVED};
use super::{Journal, Learnt, Trouble};
use crate::call::Call;
use crate::client::Client;
use crate::error::{Error, Operation};
use crate::options::StatusesOptions;
use crate::status::{Status, StatusQuery};
use crate::statuses::Question;

/// How long these wait for another process that holds the journal.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many entries are read, or written, at once.
const PAGE: u32 = 200;

impl Client {
    /// The journal's entries, oldest first.
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a client without a journal and for broken options; [`crate::Code::JournalFailed`].
    pub fn journal_list(&self, options: &ListOptions) -> Result<Entries, Error> {
        options.check()?;
        let entries = self.journal()?.list(options, &mut patience()).map_err(reading)?;
        Ok(Entries { entries })
    }

    /// Asks Get Status for every order whose end the journal does not know, and for every created one that is not `Completed`, and writes down
    /// what it learns. An order that the service does not know stays as it is: that is no proof that it never will.
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_resolve(&self, options: &StatusesOptions<'_>) -> Result<Resolved, Error> {
        self.begin(Operation::JournalResolve).run(|call| {
            options.check(call.settings())?;
            self.resolve(call, options.clone().into_owned())
        })
    }

    /// Removes settled entries: `rejected`, `not_sent`, and `created` where the payment is `Completed`. Gives how many.
    ///
    /// # Errors
    /// As [`Client::journal_list`].
    pub fn journal_prune(&self, options: PruneOptions) -> Result<u64, Error> {
        options.check()?;
        self.journal()?.prune(options.age(), &mut patience()).map_err(reading)
    }

    pub(crate) fn journal_list_json(&self, options: Option<&str>) -> Result<String, Error> {
        let entries = self.journal_list(&ListOptions::from_json(options)?)?;
        serde_json::to_string(&entries).map_err(|_| Error::new(crate::Code::Internal, "the entries could not be written"))
    }

    pub(crate) fn journal_resolve_json<'a>(&self, options: impl FnOnce() -> Result<Option<&'a str>, Error>) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let options = StatusesOptions::from_json(options()?)?;
            self.resolve(call, options.into_owned())
        };
        self.begin(Operation::JournalResolve).run(read).map(|resolved| resolved.to_json())
    }

    pub(crate) fn journal_prune_json(&self, options: Option<&str>) -> Result<String, Error> {
        self.journal_prune(PruneOptions::from_json(options)?).map(|removed| format!("{{\"removed\":{removed}}}"))
    }

    fn journal(&self) -> Result<&Arc<Journal>, Error> {
        self.shared.settings.journal.as_ref().ok_or_else(|| {
            Error::argument("the client has no journal: give its configuration the key journal, the path of a file (in a build of the library that has one)")
        })
    }

    fn resolve(&self, call: &Call<'_>, options: StatusesOptions<'static>) -> Result<Resolved, Error> {
        let journal = self.journal()?;
        let last = journal.last(&mut patience()).map_err(reading)?;
        let asked = Arc::<Asked>::default();
        let unsettled = Unsettled { journal: Arc::clone(journal), after: 0, last, page: Vec::new().into_iter(), asked: Arc::clone(&asked) };
        let mut learning = Learning { journal, learnt: Vec::new(), trouble: None };
        let mut each = |index, result: Result<Status, Error>| {
            if let (Some(entry), Ok(status)) = (asked.answered(index), result) {
                learning.learn(entry, &status);
            }
            learning.trouble.is_none()
        };
        let summary = self.ask_all(call, unsettled, options, &mut each)?;
        learning.write();
        if let Some(trouble) = learning.trouble.or_else(|| asked.lock().trouble.take()) {
            return Err(reading(trouble));
        }
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let after = entries.last().map_or(0, |last| last.entry);
            let page = ListOptions { states: UNRESOLVED.to_vec(), after, ..ListOptions::default() };
            let page = journal.list(&page, &mut patience()).map_err(reading)?;
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
            self.page = match self.journal.unsettled(self.after, self.last, PAGE, &mut patience()) {
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
    learnt: Vec<Learnt>,
    trouble: Option<Trouble>,
}

impl Learning<'_> {
    fn learn(&mut self, entry: i64, status: &Status) {
        let (transaction_id, transaction_status) = (status.transaction_id().to_owned(), status.transaction_status().to_owned());
        self.learnt.push(Learnt { entry, transaction_id, transaction_status });
        if self.learnt.len() >= PAGE as usize {
            self.write();
        }
    }

    fn write(&mut self) {
        if self.trouble.is_none() && !self.learnt.is_empty() {
            self.trouble = self.journal.learn(&self.learnt, &mut patience()).err();
            self.learnt.clear();
        }
    }
}

fn patience() -> impl FnMut(Duration) -> Result<bool, Error> {
    let until = Instant::now() + PATIENCE;
    move |pause| {
        std::thread::sleep(pause);
        Ok(Instant::now() < until)
    }
}

fn reading(trouble: Trouble) -> Error {
    trouble.into_error("")
}
