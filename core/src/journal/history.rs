//! What the entries of one order prove together. An order that was sent again has several.

use crate::entry::{Entry, JournalEvent};
use crate::error::{Cause, Code};
use crate::gateway::status::may_mean_completed;

/// Whether the service's only answers to Create Order were that the order exists already: it may be
/// another sale's. The entries need their events.
pub(crate) fn may_be_anothers(entries: &[Entry]) -> bool {
    let was_created = |entry: &Entry| entry.result == Some(Code::Ok.number());
    let exists = Some(Cause::OrderExists.name());
    events(entries).any(|event| event.details.cause.as_deref() == exists)
        && !entries.iter().any(was_created)
}

/// Whether any status of the order ever said, or may have meant, that money was paid. The entries
/// need their events.
pub(crate) fn was_paid(entries: &[Entry]) -> bool {
    let mut last = entries
        .iter()
        .filter_map(|entry| entry.transaction_status.as_deref());
    let mut said = events(entries).map(|event| &event.details);
    last.any(may_mean_completed)
        || said.any(|details| {
            let status = details.transaction_status.as_deref();
            status.is_some_and(may_mean_completed) || details.refund_status.is_some()
        })
}

fn events(entries: &[Entry]) -> impl Iterator<Item = &JournalEvent> {
    entries
        .iter()
        .filter_map(|entry| entry.events.as_ref())
        .flatten()
}
