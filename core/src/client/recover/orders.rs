//! What the journal has about the orders that are open, if the client has a journal.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crate::client::call::Call;
use crate::entry::{Entry, EntryState};
use crate::error::{Error, Outcome};
use crate::journal::{EntryFilter, GRACE, JournalWait, history};

/// How many orders are read at once. The host's idle function runs in between.
const AT_ONCE: usize = 100;
/// The pause before the journal is read again while another process sends.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct Recorded {
    /// Of this client's service, oldest first.
    entries: Vec<Entry>,
    /// It was sent to another service.
    pub(super) elsewhere: bool,
}

impl Recorded {
    /// The entry that says most. An order that was sent several times has several.
    pub(super) fn entry(&self) -> Option<&Entry> {
        self.entries
            .iter()
            .max_by_key(|entry| history::weight(entry))
    }

    /// Whether a call may still be sending it.
    pub(super) fn is_sending(&self) -> bool {
        let may_run = self.entries.iter().any(|entry| entry.may_run);
        match self.state() {
            Some(EntryState::Sending) => true,
            Some(EntryState::Created) => may_run,
            _ => false,
        }
    }

    pub(super) fn state(&self) -> Option<EntryState> {
        self.entry().map(|entry| entry.state)
    }

    pub(super) fn url(&self) -> Option<&str> {
        self.entries
            .iter()
            .rev()
            .find_map(|entry| entry.url.as_deref())
    }

    /// When the order that may have been paid was sent for the first time.
    pub(super) fn began(&self) -> Option<&str> {
        let sent = self.entries.iter().find(|entry| !was_closed(entry));
        sent.map(|entry| entry.started_at.as_str())
    }

    /// Whether this journal sent it. If it was refused, not sent or settled, the program may have
    /// sold it again.
    pub(super) fn was_sent(&self) -> bool {
        self.entry().is_some_and(|entry| !was_closed(entry))
    }

    pub(super) fn was_paid(&self) -> bool {
        history::was_paid(&self.entries)
    }

    pub(super) fn may_be_anothers(&self) -> bool {
        history::may_be_anothers(&self.entries)
    }
}

/// The entry's state, as its own call left it: a status that named a refused order made its entry
/// `created`, but did not change its result.
pub(super) fn own_state(entry: &Entry) -> EntryState {
    match entry.result.map(Outcome::of_number) {
        Some(outcome @ (Outcome::NotSent | Outcome::Rejected)) => outcome.into(),
        _ => entry.state,
    }
}

fn was_closed(entry: &Entry) -> bool {
    matches!(
        own_state(entry),
        EntryState::Rejected | EntryState::NotSent | EntryState::Settled
    )
}

impl Call<'_> {
    /// What the journal has about these orders. If the call was cancelled, it fails where it
    /// `may_end`, because it has no answers yet; else what could be read in time.
    pub(super) fn recorded<'o>(
        &self,
        orders: impl Iterator<Item = &'o str>,
        may_end: bool,
    ) -> Result<HashMap<&'o str, Recorded>, Error> {
        let orders: Vec<&'o str> = orders.collect::<HashSet<_>>().into_iter().collect();
        let mut all = HashMap::with_capacity(orders.len());
        let mut wait = JournalWait::new(self.scope(), Instant::now(), GRACE);
        for order_ids in orders.chunks(AT_ONCE) {
            match wait.go_on() {
                Err(error) if may_end => return Err(self.journal_error(error, "")),
                Err(_) => break,
                Ok(()) => {}
            }
            let filter = EntryFilter {
                order_ids,
                events: true,
                ..EntryFilter::default()
            };
            let entries = match self.entries(filter) {
                Err(_) if !may_end && self.scope().is_cancelled() => break,
                entries => entries?,
            };
            all.extend(order_ids.iter().map(|one| (*one, Recorded::default())));
            for entry in entries {
                let Some(recorded) = all.get_mut(entry.order_id.as_str()) else {
                    continue;
                };
                let journal = self.settings().journal.as_ref();
                match journal.is_some_and(|journal| journal.is_own(&entry)) {
                    true => recorded.entries.push(entry),
                    false => recorded.elsewhere = true,
                }
            }
        }
        Ok(all)
    }

    /// Waits while another process sends one of these orders, and reads those again. False if the
    /// call was cancelled.
    pub(super) fn wait_for_senders<'o>(
        &self,
        recorded: &mut HashMap<&'o str, Recorded>,
        time: Duration,
    ) -> Result<bool, Error> {
        let until = Instant::now() + time;
        loop {
            let sent_now = recorded.iter().filter(|(_, one)| one.is_sending());
            let sent_now: Vec<&'o str> = sent_now.map(|(order_id, _)| *order_id).collect();
            let left = until.saturating_duration_since(Instant::now());
            if sent_now.is_empty() || left.is_zero() {
                return Ok(true);
            }
            if !self.scope().sleep(PAUSE.min(left)) {
                return Ok(false);
            }
            recorded.extend(self.recorded(sent_now.into_iter(), false)?);
        }
    }
}
