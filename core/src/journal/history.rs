//! What the entries of one order prove together. An order that was sent again has several. They need
//! their events.

use crate::entry::{Entry, EntryState, JournalEvent};
use crate::error::{Cause, Code};
use crate::gateway::refusal::{ORDER_EXISTS, is_order_exists};
use crate::gateway::status_data::{may_mean_completed, said_paid};

/// How much an entry says about its order, compared with the other entries of the order.
pub(crate) fn weight(entry: &Entry) -> u8 {
    match entry.state {
        EntryState::Sending => 5,
        // A person decided about the order.
        EntryState::Settled => 4,
        EntryState::Created => 3,
        EntryState::Unknown => 2,
        EntryState::Rejected => 1,
        EntryState::NotSent => 0,
    }
}

/// Whether the service's only answers to Create Order were that the order exists already: it may be
/// another sale's. A response that was cut after the status 409 said so too.
pub(crate) fn may_be_anothers(entries: &[Entry]) -> bool {
    let was_created = |entry: &Entry| entry.result == Some(Code::Ok.number());
    let exists = Some(Cause::OrderExists.name());
    let says_exists = |event: &JournalEvent| {
        let details = &event.details;
        let code = details.response_code.as_deref();
        details.cause.as_deref() == exists
            || details.http_status == Some(ORDER_EXISTS)
            || code.is_some_and(is_order_exists)
    };
    events(entries).any(says_exists) && !entries.iter().any(was_created)
}

/// Whether any status of the order ever said, or may have meant, that money was paid.
pub(crate) fn was_paid(entries: &[Entry]) -> bool {
    let mut last = entries
        .iter()
        .filter_map(|entry| entry.transaction_status.as_deref());
    let mut said = events(entries).map(|event| &event.details);
    last.any(may_mean_completed) || said.any(said_paid)
}

fn events(entries: &[Entry]) -> impl Iterator<Item = &JournalEvent> {
    entries
        .iter()
        .filter_map(|entry| entry.events.as_ref())
        .flatten()
}
