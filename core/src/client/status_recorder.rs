//! Records in the journal what Get Status reports about an order, whichever call asked.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::client::call::Call;
use crate::client::evidence::{LONGEST_TEXT, connection};
use crate::client::journaled::RECORD_GRACE;
use crate::connection::CancelScope;
use crate::gateway::status_data::evidence;
use crate::journal::{GRACE, Journal, JournalError, JournalWait, NO_GRACE, StatusUpdate};
use crate::payment::status::Status;

/// How long to wait for a locked journal to record a status.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// How many statuses are written at once, how long their texts may be together, and how long they
/// wait: until then, other clients and a restarted process do not know them.
const MOST: usize = 200;
const MOST_BYTES: usize = 64 * 1024;
const LONGEST: Duration = Duration::from_millis(500);
/// How long to wait for a locked journal then. If it stays locked, they are written later.
const SHORT_WAIT: Duration = Duration::from_millis(100);

impl<'c> Call<'c> {
    /// What records statuses, if the client has a journal.
    pub(crate) fn recorder(&self) -> Option<StatusRecorder<'c>> {
        let settings = self.settings();
        settings.journal.as_ref().map(|journal| StatusRecorder {
            journal,
            scope: Arc::clone(self.scope()),
            learned: Vec::new(),
            bytes: 0,
            due: None,
            error: None,
        })
    }

    /// What the journal learns from the status that the last attempt received. `None` without a
    /// journal; if the response names no order; and if it is only an echo of the question: it names
    /// the order, but no transaction, status or amount.
    pub(crate) fn learned(&self, status: &Status) -> Option<StatusUpdate> {
        let settings = self.settings();
        let order_id = status.order_id();
        let says_something = !order_id.is_empty() && !status.facts.is_echo;
        (settings.journal.is_some() && says_something).then(|| StatusUpdate {
            at: Instant::now(),
            order_id: order_id.to_owned(),
            transaction_id: status.transaction_id().to_owned(),
            transaction_status: status.transaction_status().to_owned(),
            refunded: status.facts.is_refunded,
            details: evidence(status, LONGEST_TEXT),
            connection: connection(self),
        })
    }

    /// Records the status that the last attempt received, before its deadline if there is time. If
    /// that fails, the call still returns it.
    pub(crate) fn record(&self, status: &Status, deadline: Instant) {
        // In a forked child the call belongs to the parent.
        if self.is_forked() {
            return;
        }
        let journal = self.settings().journal.as_ref();
        if let (Some(journal), Some(learned)) = (journal, self.learned(status)) {
            let now = Instant::now();
            let until = deadline.max(now + RECORD_GRACE).min(now + LOCK_WAIT);
            let mut wait = JournalWait::new(self.scope(), until, GRACE);
            if let Err(error) = journal.record_statuses(&[learned], &mut wait) {
                self.log_journal_failure(error);
            }
        }
    }
}

/// Records the statuses of many calls, several at a time.
pub(crate) struct StatusRecorder<'a> {
    journal: &'a Journal,
    scope: Arc<CancelScope>,
    learned: Vec<StatusUpdate>,
    bytes: usize,
    /// When they are written at the latest.
    due: Option<Instant>,
    /// The first error in writing.
    error: Option<JournalError>,
}

impl StatusRecorder<'_> {
    /// Collects what a status says, and writes what was collected once it is enough.
    pub(crate) fn take(&mut self, learned: StatusUpdate) {
        self.bytes += learned.transaction_id.len() + learned.transaction_status.len();
        self.learned.push(learned);
        // Not from the time of the answer: behind a slow disk, each would be written alone.
        self.due.get_or_insert_with(|| Instant::now() + LONGEST);
        if self.learned.len() >= MOST || self.bytes >= MOST_BYTES {
            self.write();
        }
    }

    /// When [`StatusRecorder::write_early`] must be called.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.due
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes what is left. Returns the first error.
    pub(crate) fn end(mut self) -> Option<JournalError> {
        self.write();
        self.error
    }

    /// Writes what was collected, if it can be written now.
    pub(crate) fn write_early(&mut self) {
        match self.record(SHORT_WAIT, NO_GRACE) {
            Ok(()) => self.forget(),
            Err(_) => self.due = Some(Instant::now() + LONGEST),
        }
    }

    /// Writes what was collected.
    fn write(&mut self) {
        if self.learned.is_empty() {
            return;
        }
        let longest = match self.error {
            None => LOCK_WAIT,
            // It would wait as long for each part.
            Some(_) => SHORT_WAIT,
        };
        if let Err(error) = self.record(longest, GRACE) {
            self.error.get_or_insert(error);
        }
        self.forget();
    }

    fn record(&self, step: Duration, grace: Duration) -> Result<(), JournalError> {
        let mut wait = JournalWait::in_steps(&self.scope, step, grace);
        self.journal.record_statuses(&self.learned, &mut wait)
    }

    fn forget(&mut self) {
        self.learned.clear();
        self.bytes = 0;
        self.due = None;
    }
}
