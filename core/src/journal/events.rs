//! The journal's events: what happened to each entry, for a person who asks later.

use rusqlite::types::Type;
use rusqlite::{Row, Transaction, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::AttemptRecord;
use super::time::{since_1970, time};
use crate::entry::{Entry, EventConnection, EventDetails, JournalEvent};

pub(super) const SCHEMA: &str = "
CREATE TABLE events (
    entry INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    details TEXT NOT NULL,
    connection TEXT,
    PRIMARY KEY (entry, number)
) STRICT, WITHOUT ROWID;
";

pub(super) const SENDING: &str = "sending";
pub(super) const ATTEMPT: &str = "attempt";
pub(super) const STATUS: &str = "status";
pub(super) const SETTLED: &str = "settled";

/// The most events of an entry. A new status then replaces the oldest one.
const MOST: i64 = 1000;

/// SQL for the details of an entry's last status. Where a status came from is not compared: a
/// service may answer with several certificates in turn.
pub(super) const LAST_STATUS: &str = "SELECT details FROM events
    WHERE events.entry = orders.entry AND event = 'status' ORDER BY number DESC LIMIT 1";

pub(super) fn add(
    transaction: &Transaction<'_>,
    entry: i64,
    at_ms: i64,
    event: &str,
    details: &EventDetails,
    connection: Option<&EventConnection>,
) -> rusqlite::Result<()> {
    transaction
        .prepare(
            "INSERT INTO events (entry, number, at_ms, event, details, connection)
             VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM events WHERE entry = ?1),
                ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            entry,
            at_ms,
            event,
            json(details),
            connection.map(json)
        ])?;
    Ok(())
}

pub(super) fn add_attempt(
    transaction: &Transaction<'_>,
    entry: i64,
    attempt: &AttemptRecord,
) -> rusqlite::Result<()> {
    let connection = Some(&attempt.connection);
    let at_ms = since_1970(attempt.at);
    add(
        transaction,
        entry,
        at_ms,
        ATTEMPT,
        &attempt.details,
        connection,
    )
}

/// Drops the oldest status of an entry that has the most events.
pub(super) fn make_room(transaction: &Transaction<'_>, entry: i64) -> rusqlite::Result<()> {
    transaction
        .prepare(
            "DELETE FROM events WHERE entry = ?1
                AND number = (SELECT min(number) FROM events WHERE entry = ?1 AND event = 'status')
                AND (SELECT count(*) FROM events WHERE entry = ?1) >= ?2",
        )?
        .execute(params![entry, MOST])?;
    Ok(())
}

pub(super) fn read(transaction: &Transaction<'_>, entries: &mut [Entry]) -> rusqlite::Result<()> {
    let mut find = transaction.prepare(&format!(
        "SELECT number, {}, event, details, connection FROM events
         WHERE entry = ?1 ORDER BY number",
        time("at_ms")
    ))?;
    for entry in entries {
        let events = find.query_map([entry.entry], |row| {
            Ok(JournalEvent {
                number: row.get(0)?,
                at: row.get(1)?,
                event: row.get(2)?,
                details: from_json(row, 3)?.unwrap_or_default(),
                connection: from_json(row, 4)?,
            })
        })?;
        entry.events = Some(events.collect::<Result<_, _>>()?);
    }
    Ok(())
}

pub(super) fn remove_orphans(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute(
        "DELETE FROM events WHERE entry NOT IN (SELECT entry FROM orders)",
        [],
    )?;
    Ok(())
}

pub(super) fn json(value: &impl Serialize) -> String {
    // Writing texts and numbers cannot fail.
    serde_json::to_string(value).unwrap_or_else(|_| "{}".into())
}

fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    let read = text.map(|text| serde_json::from_str(&text)).transpose();
    read.map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
    })
}
