//! What happened to an order. It is written when the call ends; if the journal cannot be written then,
//! before the client next begins an order, records a status or lists entries.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::problem::JournalProblem;
use super::sql::{Access, NewEvent, values};
use super::wait::JournalWait;
use super::{AttemptRecord, BegunEntry, Journal, JournalError};
use crate::entry::EntryState;
use crate::error::{Cause, Code, Error};
use crate::lock::lock;
use crate::payment::checkout::Checkout;
use crate::platform::fork::JOURNALS;

struct OrderOutcome {
    entry: BegunEntry,
    order_id: String,
    state: EntryState,
    url: Option<String>,
    result: i32,
    attempts: Vec<AttemptRecord>,
    since: Instant,
}

/// Those that could not be written. They are not many: without the journal, no further order is sent.
#[derive(Default)]
pub(super) struct Unwritten(Mutex<Vec<Arc<OrderOutcome>>>);

/// Pruning removes no entry that was written less than a day ago.
const NEVER_REMOVED: Duration = Duration::from_secs(23 * 60 * 60);

/// For so long, a call tries again to write its outcome while the database restarts. It has its answer
/// already, so it does not wait longer for a database that stays away.
pub(super) const OUTAGE: Duration = Duration::from_secs(2);
/// The pause before each try.
const PAUSE: Duration = Duration::from_millis(30);

impl Unwritten {
    /// No fork happens while the lock is held.
    fn with<T>(&self, work: impl FnOnce(&mut Vec<Arc<OrderOutcome>>) -> T) -> T {
        JOURNALS.run(|| work(&mut lock(&self.0)))
    }
}

impl Journal {
    /// Records the result of sending an order. If the entry was resolved or settled in the
    /// meantime, it keeps that state.
    pub(crate) fn finish(
        &self,
        entry: BegunEntry,
        order_id: &str,
        result: &Result<Checkout, Error>,
        attempts: Vec<AttemptRecord>,
        wait: &mut JournalWait<'_>,
    ) -> Result<(), JournalError> {
        let (state, url, result) = match result {
            Ok(checkout) => (EntryState::Created, Some(checkout.url()), Code::Ok.number()),
            Err(error) => (
                error.outcome().into(),
                error.checkout_url(),
                error.code().number(),
            ),
        };
        let outcome = OrderOutcome {
            entry,
            order_id: order_id.to_owned(),
            state,
            url: url.map(str::to_owned),
            result,
            attempts,
            since: Instant::now(),
        };
        let outage = Instant::now() + OUTAGE;
        let mut written = self.write(&outcome, Access::WriteLater, wait);
        while matches!(&written, Err(JournalError::Failed(error)) if error.details.passes)
            && wait.until.min(outage) > Instant::now()
            && wait.pause(PAUSE).is_ok_and(|goes_on| goes_on)
        {
            wait.until = wait.until.min(outage);
            written = self.write(&outcome, Access::WriteLater, wait);
        }
        if written.is_err() {
            self.unwritten.with(|all| all.push(Arc::new(outcome)));
        }
        written
    }

    /// Writes what earlier calls could not. Without it, the journal says too little about an order:
    /// that of a 409 would look like this client's own, and a checkout URL is missing.
    pub(super) fn write_late(&self, wait: &mut JournalWait<'_>) -> Result<(), JournalError> {
        while let Some(outcome) = self.unwritten.with(|all| all.last().cloned()) {
            match self.write(&outcome, Access::Write, wait) {
                Ok(()) => {}
                Err(JournalError::Failed(error)) if error.cause() == Cause::JournalReplaced => {}
                Err(error) => return Err(error),
            }
            // Another thread may have written it too.
            self.unwritten
                .with(|all| all.retain(|one| !Arc::ptr_eq(one, &outcome)));
        }
        Ok(())
    }

    fn write(
        &self,
        outcome: &OrderOutcome,
        access: Access,
        wait: &mut JournalWait<'_>,
    ) -> Result<(), JournalError> {
        // Later, a person may have closed and removed it.
        let must_exist = outcome.since.elapsed() < NEVER_REMOVED;
        let (entry, key) = (outcome.entry.entry, outcome.entry.key.as_deref());
        let values = values![
            entry,
            outcome.state.name(),
            outcome.url.as_deref(),
            i64::from(outcome.result),
            &outcome.order_id,
            key,
        ];
        self.run(access, wait, |database| {
            let update = format!(
                "UPDATE payorder_orders SET state = CASE state WHEN 'sending' THEN ?2 ELSE state END,
                    url = ?3, result = ?4, updated_ms = {}
                 WHERE entry = ?1 AND order_id = ?5 AND entry_key IS NOT DISTINCT FROM ?6
                    AND result IS NULL",
                (self.dialect().now)()
            );
            let events: Vec<_> = outcome.attempts.iter().map(NewEvent::of_attempt).collect();
            if !database.change(&update, &values, &events)?.is_empty() {
                return Ok(());
            }
            // By an earlier try, whose answer was lost. Without an outcome, the database hides the
            // entry from updates.
            let written = "SELECT 1 FROM payorder_orders
                 WHERE entry = ?1 AND order_id = ?2 AND entry_key IS NOT DISTINCT FROM ?3
                    AND result IS NOT NULL";
            let of_written = values![entry, &outcome.order_id, key];
            match !must_exist || database.exists(written, &of_written)? {
                true => Ok(()),
                // Another file, or another state of the database, is in its place.
                false => Err(JournalProblem::replaced()),
            }
        })
    }
}
