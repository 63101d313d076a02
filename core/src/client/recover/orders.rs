//! What the journal has about the orders that are open, if the client has a journal.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::client::call::Call;
use crate::entry::{Entry, EntryState};
use crate::error::{Error, Outcome};
use crate::journal::{EntryFilter, history};
use crate::payment::date::rfc3339;

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
        let weight = |entry: &&Entry| match entry.state {
            EntryState::Sending => 5,
            // A person decided about the order.
            EntryState::Settled => 4,
            EntryState::Created => 3,
            EntryState::Unknown => 2,
            EntryState::Rejected => 1,
            EntryState::NotSent => 0,
        };
        self.entries.iter().max_by_key(weight)
    }

    /// Whether a call may still be sending it. A status that names the order makes its entry
    /// `created` even before the call has its result.
    pub(super) fn is_sending(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_secs() as i64);
        let runs = |entry: &Entry| {
            entry.result.is_none() && rfc3339(&entry.deadline).is_some_and(|end| end > now)
        };
        self.state() == Some(EntryState::Sending)
            || self.state() == Some(EntryState::Created) && self.entries.iter().any(runs)
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
    /// What the journal has about these orders.
    pub(super) fn recorded<'o>(
        &self,
        orders: impl Iterator<Item = &'o str>,
    ) -> Result<HashMap<&'o str, Recorded>, Error> {
        let mut all = HashMap::new();
        for order_id in orders {
            if all.contains_key(order_id) {
                continue;
            }
            let filter = EntryFilter {
                order_id: Some(order_id),
                events: true,
                ..EntryFilter::default()
            };
            let mut entries = self.entries(filter)?;
            let found = entries.len();
            let journal = self.settings().journal.as_ref();
            entries.retain(|entry| journal.is_some_and(|journal| journal.is_own(entry)));
            let recorded = Recorded {
                elsewhere: entries.len() < found,
                entries,
            };
            all.insert(order_id, recorded);
        }
        Ok(all)
    }

    /// Waits while another process sends one of these orders, and reads those again.
    pub(super) fn wait_for_senders<'o>(
        &self,
        recorded: &mut HashMap<&'o str, Recorded>,
        time: Duration,
    ) -> Result<(), Error> {
        let until = Instant::now() + time;
        loop {
            let sent_now = recorded.iter().filter(|(_, one)| one.is_sending());
            let sent_now: Vec<&'o str> = sent_now.map(|(order_id, _)| *order_id).collect();
            let left = until.saturating_duration_since(Instant::now());
            if sent_now.is_empty() || left.is_zero() || !self.scope().sleep(PAUSE.min(left)) {
                return Ok(());
            }
            recorded.extend(self.recorded(sent_now.into_iter())?);
        }
    }
}
