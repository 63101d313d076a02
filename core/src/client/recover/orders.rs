//! What the journal has about the orders that are open, if the client has a journal.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::client::call::Call;
use crate::connection::CancelScope;
use crate::entry::{Entry, EntryState};
use crate::error::Error;
use crate::journal::{EntryFilter, history};

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

    pub(super) fn is_sending(&self) -> bool {
        self.state() == Some(EntryState::Sending)
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

    /// When the order was sent for the first time.
    pub(super) fn began(&self) -> Option<&str> {
        self.entries.first().map(|entry| entry.started_at.as_str())
    }

    pub(super) fn was_paid(&self) -> bool {
        history::was_paid(&self.entries)
    }

    pub(super) fn may_be_anothers(&self) -> bool {
        history::may_be_anothers(&self.entries)
    }
}

impl Call<'_> {
    /// What the journal has about these orders.
    pub(super) fn recorded<'o>(
        &self,
        scope: &CancelScope,
        orders: impl Iterator<Item = &'o str>,
    ) -> Result<HashMap<&'o str, Recorded>, Error> {
        let mut all = HashMap::new();
        for order_id in orders {
            if all.contains_key(order_id) {
                continue;
            }
            let entries = |own| {
                let filter = EntryFilter {
                    own,
                    order_id: Some(order_id),
                    events: own,
                    ..EntryFilter::default()
                };
                self.entries(scope, filter)
            };
            let own = entries(true)?;
            let recorded = Recorded {
                elsewhere: entries(false)?.len() > own.len(),
                entries: own,
            };
            all.insert(order_id, recorded);
        }
        Ok(all)
    }

    /// Waits while another process sends one of these orders, and reads those again.
    pub(super) fn wait_for_senders<'o>(
        &self,
        scope: &CancelScope,
        recorded: &mut HashMap<&'o str, Recorded>,
        time: Duration,
    ) -> Result<(), Error> {
        let until = Instant::now() + time;
        loop {
            let sent_now = recorded.iter().filter(|(_, one)| one.is_sending());
            let sent_now: Vec<&'o str> = sent_now.map(|(order_id, _)| *order_id).collect();
            let left = until.saturating_duration_since(Instant::now());
            if sent_now.is_empty() || left.is_zero() || !scope.sleep(PAUSE.min(left)) {
                return Ok(());
            }
            recorded.extend(self.recorded(scope, sent_now.into_iter())?);
        }
    }
}
