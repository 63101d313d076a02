//! What the journal has about the orders that are open, if the client has a journal.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::client::call::{Call, RegisteredCall};
use crate::connection::CancelScope;
use crate::entry::{Entry, EntryState};
use crate::error::Error;
use crate::gateway::status::COMPLETED;
use crate::journal::{EntryFilter, Journal};
use crate::settings::options::RecoverOptions;

/// The pause before the journal is read again while another process sends.
const PAUSE: Duration = Duration::from_millis(100);
const PAGE: u32 = 1000;

/// The journal's entries of one order.
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

    pub(super) fn is_completed(&self) -> bool {
        let mut statuses = self.entries.iter().map(|entry| &entry.transaction_status);
        statuses.any(|status| status.as_deref() == Some(COMPLETED))
    }
}

/// The journal, if the client has one.
pub(super) struct JournaledOrders {
    journal: Option<Arc<Journal>>,
    registered: RegisteredCall,
}

impl JournaledOrders {
    pub(super) fn of(
        call: &mut Call<'_>,
        options: &RecoverOptions,
    ) -> Result<JournaledOrders, Error> {
        let token = options.statuses.call.cancellation.as_ref();
        Ok(JournaledOrders {
            registered: call.register_unless_cancelled(token)?,
            journal: call.settings().journal.clone(),
        })
    }

    /// What cancels the whole call.
    pub(super) fn scope(&self) -> &Arc<CancelScope> {
        &self.registered.scope
    }

    pub(super) fn journal(&self) -> Option<&Arc<Journal>> {
        self.journal.as_ref()
    }

    fn list(&self, call: &Call<'_>, filter: &EntryFilter<'_>) -> Result<Vec<Entry>, Error> {
        let Some(journal) = &self.journal else {
            return Ok(Vec::new());
        };
        call.with_lock(self.scope(), |wait| journal.list(filter, wait))
    }

    /// The orders with open entries, oldest first.
    pub(super) fn open(&self, call: &Call<'_>) -> Result<Vec<String>, Error> {
        let mut orders = Vec::new();
        let mut after = 0;
        loop {
            let filter = EntryFilter {
                open: true,
                own: true,
                after,
                limit: PAGE,
                ..EntryFilter::default()
            };
            let page = self.list(call, &filter)?;
            let Some(last) = page.last() else {
                return Ok(orders);
            };
            after = last.entry;
            orders.extend(page.into_iter().map(|entry| entry.order_id));
        }
    }

    /// What it has about these orders.
    pub(super) fn read<'o>(
        &self,
        call: &Call<'_>,
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
                    limit: PAGE,
                    ..EntryFilter::default()
                };
                self.list(call, &filter)
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
        call: &Call<'_>,
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
            recorded.extend(self.read(call, sent_now.into_iter())?);
        }
    }

    pub(super) fn other_services(&self, call: &Call<'_>) -> Result<i64, Error> {
        let Some(journal) = &self.journal else {
            return Ok(0);
        };
        call.with_lock(self.scope(), |wait| journal.other_services(wait))
    }
}
