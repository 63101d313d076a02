//! Records in the journal what Get Status reports about an order, whichever call asked.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::client::call::Call;
use crate::client::evidence::{connection, status_details};
use crate::client::lock_wait::wait_to_record;
use crate::connection::CancelScope;
use crate::gateway::status::Status;
use crate::journal::{Journal, JournalError, StatusUpdate};
use crate::settings::validation::Settings;

/// How long to wait for a locked journal to record a status.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// How many statuses are written at once, and how long their texts may be together.
const MOST: usize = 200;
const MOST_BYTES: usize = 64 * 1024;

/// What to record; `None` if the response names no order, or is only an echo of the question: it
/// names the order, but no transaction, status or amount.
fn learned(status: &Status, settings: &Settings) -> Option<StatusUpdate> {
    let order_id = status.order_id();
    (!order_id.is_empty() && !status.is_echo()).then(|| StatusUpdate {
        order_id: order_id.to_owned(),
        transaction_id: status.transaction_id().to_owned(),
        transaction_status: status.transaction_status().to_owned(),
        refunded: status.is_refunded(),
        details: status_details(status),
        connection: connection(settings, status.certificate),
    })
}

impl<'c> Call<'c> {
    /// What records statuses, if the client has a journal.
    pub(crate) fn recorder(&self) -> Option<StatusRecorder<'c>> {
        let settings = self.settings();
        settings.journal.as_ref().map(|journal| StatusRecorder {
            journal,
            scope: Arc::clone(self.scope()),
            settings,
            learned: Vec::new(),
            bytes: 0,
            error: None,
        })
    }

    /// Records the status that the last attempt received. If that fails, the call still returns it.
    /// A batch records its statuses together, so each has the certificate of its service.
    pub(crate) fn record(&self, status: &mut Status) {
        status.certificate = self.attempt.fingerprint.get();
        // In a forked child the call belongs to the parent.
        if self.batch.is_some() || self.is_forked() {
            return;
        }
        if let Some(mut recorder) = self.recorder() {
            recorder.take(status);
            if let Some(error) = recorder.end() {
                self.log_journal_failure(error);
            }
        }
    }
}

/// Records the statuses of many calls, several at a time.
pub(crate) struct StatusRecorder<'a> {
    journal: &'a Journal,
    scope: Arc<CancelScope>,
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
        let mut lock_wait = wait_to_record(&self.scope, Instant::now() + LOCK_WAIT);
        if let Err(error) = self.journal.record_statuses(&self.learned, &mut lock_wait) {
            self.error.get_or_insert(error);
        }
        self.learned.clear();
        self.bytes = 0;
    }
}
