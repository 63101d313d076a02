//! The journal's events: what happened to each entry, for a person who asks later. The first, that
//! an order is being sent, is made from the order's own row.

use serde::de::DeserializeOwned;

use super::problem::JournalProblem;
use super::sql::{Database, NewEvent, Row, values};
use super::time::milliseconds;
use super::{AttemptRecord, StatusUpdate};
use crate::entry::{Entry, EventConnection, EventDetails, JournalEvent};
use crate::text::json::written;

const SENDING: &str = "sending";
const ATTEMPT: &str = "attempt";
const STATUS: &str = "status";
pub(super) const SETTLED: &str = "settled";

/// The most events of an entry. A new status then replaces the oldest one.
const MOST: i64 = 1000;

/// SQL for the details of an entry's last status. Where a status came from is not compared: a
/// service may answer with several certificates in turn.
pub(super) const LAST_STATUS: &str = "SELECT details FROM payorder_events AS event
    WHERE event.entry = payorder_orders.entry AND event.event = 'status'
    ORDER BY event.number DESC LIMIT 1";

/// SQL that removes the events of entries that are not there any more, whoever removed them.
pub(super) const REMOVE_ORPHANS: &str = "DELETE FROM payorder_events
    WHERE NOT EXISTS (SELECT 1 FROM payorder_orders
        WHERE payorder_orders.entry = payorder_events.entry)";

/// SQL for the number before that of an entry's next event. The first number is the order's own.
pub(super) const LAST_NUMBER: &str =
    "SELECT coalesce(max(event.number), 1) FROM payorder_events AS event";

/// The times are those of the order's change, less the age of the event.
pub(super) const INSERT: &str = "INSERT INTO payorder_events
        (entry, number, at_ms, event, details, connection)
    SELECT entry, 1 + (SELECT coalesce(max(event.number), 1) FROM payorder_events AS event
        WHERE event.entry = ?1), updated_ms - ?2, ?3, ?4, ?5
    FROM payorder_orders WHERE entry = ?1
    RETURNING number";

impl NewEvent {
    pub(super) fn new(
        name: &'static str,
        details: &EventDetails,
        connection: Option<&EventConnection>,
    ) -> NewEvent {
        NewEvent {
            name,
            age_ms: 0,
            details: written(details),
            connection: connection.map(written),
        }
    }

    // These are made when they are written: before that, a try may have waited for the journal.

    pub(super) fn of_attempt(attempt: &AttemptRecord) -> NewEvent {
        NewEvent {
            age_ms: milliseconds(attempt.at.elapsed()),
            ..NewEvent::new(ATTEMPT, &attempt.details, Some(&attempt.connection))
        }
    }

    pub(super) fn of_status(update: &StatusUpdate) -> NewEvent {
        NewEvent {
            age_ms: milliseconds(update.at.elapsed()),
            ..NewEvent::new(STATUS, &update.details, Some(&update.connection))
        }
    }
}

/// Drops the oldest status of an entry that has too many events since the one with this number.
pub(super) fn limit(
    database: &mut dyn Database,
    entry: i64,
    number: i64,
) -> Result<(), JournalProblem> {
    if number <= MOST {
        return Ok(());
    }
    database.each(
        "DELETE FROM payorder_events WHERE entry = ?1
            AND number = (SELECT min(number) FROM payorder_events
                WHERE entry = ?1 AND event = 'status')
            AND (SELECT count(*) FROM payorder_events WHERE entry = ?1) >= ?2",
        &values![entry, MOST],
        &mut |_| Ok(()),
    )
}

/// SQL for the columns of an event, in the order of [`read`].
pub(super) fn columns(time: fn(&str) -> String) -> String {
    let at = time("event.at_ms");
    format!("event.number, {at}, event.event, event.details, event.connection")
}

/// Reads a row of an entry with one of its events, which may be none, and adds it to the entry of
/// the row before, if that is the same one. The columns of the event begin at `first`.
pub(super) fn read(row: &dyn Row, first: usize, entry: &mut Entry) -> Result<(), JournalProblem> {
    let Some(number) = row.optional_integer(first)? else {
        return Ok(());
    };
    let event = JournalEvent {
        number,
        at: row.text(first + 1)?,
        event: row.text(first + 2)?,
        details: from_json(row.optional_text(first + 3)?)?.unwrap_or_default(),
        connection: from_json(row.optional_text(first + 4)?)?,
    };
    entry.events.get_or_insert_default().push(event);
    Ok(())
}

/// The event that an order is being sent.
pub(super) fn sending(at: String, body_sha256: String, body_bytes: u64) -> JournalEvent {
    JournalEvent {
        number: 1,
        at,
        event: SENDING.into(),
        details: EventDetails {
            body_sha256: Some(body_sha256),
            body_bytes: Some(body_bytes),
            ..EventDetails::default()
        },
        connection: None,
    }
}

fn from_json<T: DeserializeOwned>(text: Option<String>) -> Result<Option<T>, JournalProblem> {
    let read = text.map(|text| serde_json::from_str(&text)).transpose();
    read.map_err(|_| JournalProblem::not_ours())
}
