//! Records in the journal what Get Status reports about an order, whichever call asked.

use std::time::{Duration, Instant};

use crate::client::call::{Call, PreparedRequest};
use crate::client::evidence::{LONGEST_TEXT, connection};
use crate::client::log::Step;
use crate::connection::CancelScope;
use crate::error::{Cause, Code, Error};
use crate::gateway::status_data::evidence;
use crate::journal::{Journal, JournalError, StatusUpdate};
use crate::payment::status::Status;
use crate::settings::validation::Settings;

/// How long to wait for a locked journal to record a status.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// The same after a cancel: the call ends within 100 ms.
const CANCELLED_LOCK_WAIT: Duration = Duration::from_millis(50);
/// How many statuses are written at once, and how long their texts may be together.
const MOST: usize = 200;
const MOST_BYTES: usize = 64 * 1024;

/// Waits for a locked journal: until a time, and for a short moment after a cancel.
pub(crate) fn wait_to_record(
    context: &CancelScope,
    until: Instant,
) -> impl FnMut(Duration) -> Result<bool, Error> {
    let mut cancelled_at = None;
    move |pause| {
        if context.sleep(pause) {
            return Ok(Instant::now() < until);
        }
        std::thread::sleep(pause);
        if context.belongs_to_this_process()
            && cancelled_at.get_or_insert_with(Instant::now).elapsed() < CANCELLED_LOCK_WAIT
        {
            return Ok(true);
        }
        Err(Error::new(
            Code::Cancelled,
            Cause::Cancelled,
            "the call was cancelled",
        ))
    }
}

/// What to record; `None` if the response names no order, or is only an echo of the question: it
/// names the order, but no transaction, status or amount.
fn learned(status: &Status, settings: &Settings) -> Option<StatusUpdate> {
    let order_id = status.order_id();
    (!order_id.is_empty() && !status.facts.is_echo).then(|| StatusUpdate {
        order_id: order_id.to_owned(),
        transaction_id: status.transaction_id().to_owned(),
        transaction_status: status.transaction_status().to_owned(),
        completed: status.facts.is_completed,
        refunded: status.facts.is_refunded,
        details: evidence(status, LONGEST_TEXT),
        connection: connection(settings, status.certificate),
    })
}

impl<'c> Call<'c> {
    /// What records the statuses of many calls, if the client has a journal.
    pub(crate) fn recorder<'a>(&self, context: &'a CancelScope) -> Option<StatusRecorder<'a>>
    where
        'c: 'a,
    {
        let settings = self.settings();
        settings.journal.as_ref().map(|journal| StatusRecorder {
            journal,
            context,
            settings,
            learned: Vec::new(),
            bytes: 0,
            error: None,
        })
    }

    /// Records a status. If that fails, the call still returns the status.
    pub(crate) fn record(&self, prepared: &PreparedRequest<'_>, status: &Status) {
        // In a forked child the call belongs to the parent.
        if self.is_forked(prepared) {
            return;
        }
        if let Some(journal) = &self.settings().journal
            && let Some(learned) = learned(status, self.settings())
        {
            let mut lock_wait = wait_to_record(&prepared.scope, Instant::now() + LOCK_WAIT);
            if let Err(error) = journal.record_statuses(&[learned], &mut lock_wait) {
                let error = error.into_event_error();
                self.log_step(Step::JournalFailed, Some(Err(&error)));
            }
        }
    }
}

/// Records the statuses of many calls, several at a time.
pub(crate) struct StatusRecorder<'a> {
    journal: &'a Journal,
    context: &'a CancelScope,
    settings: &'a Settings,
    learned: Vec<StatusUpdate>,
    bytes: usize,
    /// The first error in writing.
    error: Option<JournalError>,
}

impl StatusRecorder<'_> {
    /// Collects a status, and writes the collected ones once they are enough. False after an error.
    pub(crate) fn take(&mut self, status: &Status) -> bool {
        if let Some(learned) = learned(status, self.settings) {
            self.bytes += learned.transaction_id.len() + learned.transaction_status.len();
            self.learned.push(learned);
        }
        if self.learned.len() >= MOST || self.bytes >= MOST_BYTES {
            self.write();
        }
        self.error.is_none()
    }

    /// Writes what is left. Returns the first error.
    pub(crate) fn end(mut self) -> Option<JournalError> {
        self.write();
        self.error
    }

    fn write(&mut self) {
        if self.learned.is_empty() {
            return;
        }
        let mut lock_wait = wait_to_record(self.context, Instant::now() + LOCK_WAIT);
        if let Err(error) = self.journal.record_statuses(&self.learned, &mut lock_wait) {
            self.error.get_or_insert(error);
        }
        self.learned.clear();
        self.bytes = 0;
    }
}
