//! What the entries of one order prove together. An order that was sent again has several. They need
//! their events.

use crate::entry::{Entry, JournalEvent};
use crate::error::{Cause, Code};
use crate::gateway::status::may_mean_completed;

/// Whether the service's only answers to Create Order were that the order exists already: it may be
/// another sale's. A response that was cut after the status 409 said so too.
pub(crate) fn may_be_anothers(entries: &[Entry]) -> bool {
    let was_created = |entry: &Entry| entry.result == Some(Code::Ok.number());
    let exists = Some(Cause::OrderExists.name());
    let says_exists = |event: &JournalEvent| {
        event.details.cause.as_deref() == exists || event.details.http_status == Some(409)
    };
    events(entries).any(says_exists) && !entries.iter().any(was_created)
}

/// Whether any status of the order ever said, or may have meant, that money was paid.
pub(crate) fn was_paid(entries: &[Entry]) -> bool {
    let mut last = entries
        .iter()
        .filter_map(|entry| entry.transaction_status.as_deref());
    let mut said = events(entries).map(|event| &event.details);
    last.any(may_mean_completed)
        || said.any(|details| {
            let of_payments = [
                &details.refund_status,
                &details.refund_type,
                &details.settlement_status,
                &details.settlement_date,
            ];
            let status = details.transaction_status.as_deref();
            status.is_some_and(may_mean_completed)
                || of_payments
                    .into_iter()
                    .flatten()
                    .any(|text| !text.trim().is_empty())
        })
}

fn events(entries: &[Entry]) -> impl Iterator<Item = &JournalEvent> {
    entries
        .iter()
        .filter_map(|entry| entry.events.as_ref())
        .flatten()
}
