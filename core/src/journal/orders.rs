//! The table of orders: what is written before, during and after a sale, and what is read.

use std::time::Duration;

use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, params};

use super::events::{self, SENDING, SETTLED, STATUS};
use super::problem::JournalProblem;
use super::store::Journal;
use super::time::{milliseconds, now, time};
use super::{
    AttemptRecord, BegunEntry, EntryFilter, ExistingEntry, JournalError, LockWait, NewEntry,
    SettleResult, StatusUpdate, hex, history,
};
use crate::entry::{Entry, EntryState, EventDetails};
use crate::error::{Code, Error};
use crate::gateway::status_data::COMPLETED;
use crate::limits::LONGEST_CALL;
use crate::payment::checkout::Checkout;

/// The state of an entry at the time `?1`. An entry that is `sending` after its call's deadline is
/// `unknown`, since its process is gone. So is an entry with impossible times, because the clock
/// was changed: it starts in the future, or its deadline is further away than the longest call's.
fn state() -> String {
    format!(
        "CASE WHEN state = 'sending'
             AND (deadline_ms <= ?1 OR begun_ms > ?1 OR deadline_ms > ?1 + {})
         THEN 'unknown' ELSE state END",
        LONGEST_CALL.as_millis()
    )
}

/// An entry that is neither closed nor completed: its status may still change.
fn open() -> String {
    format!(
        "(state IN ('sending', 'unknown')
            OR (state = 'created' AND transaction_status IS NOT '{COMPLETED}'))"
    )
}

/// The order of a `rejected` or `not_sent` entry was not sent again after it: a status that names
/// the order is about this entry.
const LAST_OF_ITS_ORDER: &str = "NOT EXISTS (SELECT 1 FROM orders AS other
    WHERE other.order_id = orders.order_id AND other.service = orders.service
        AND other.entry <> orders.entry
        AND (other.entry > orders.entry OR other.state NOT IN ('rejected', 'not_sent')))";

/// What is paid stays paid. With the status `?3` of the transaction `?2`, which was refunded if
/// `?5`, a completed entry keeps its own transaction and status.
fn stays_paid() -> String {
    format!(
        "(transaction_status IS '{COMPLETED}'
            AND (transaction_id IS NOT ?2 OR (?3 IS NOT '{COMPLETED}' AND NOT ?5)))"
    )
}

/// The columns of an entry, in the order of [`read_entry`].
fn columns() -> String {
    format!(
        "entry, order_id, merchant_txn_id, amount, currency_code, {} AS state_now, url, \
         result, transaction_id, transaction_status, {}, {}, {}, note, service",
        state(),
        time("begun_ms"),
        time("deadline_ms"),
        time("updated_ms")
    )
}

impl Journal {
    /// The SHA-256 of what is recorded by its digest only.
    pub(crate) fn digest(bytes: &[u8]) -> [u8; 32] {
        let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
        let mut copy = [0; 32];
        copy.copy_from_slice(digest.as_ref());
        copy
    }

    /// Records that an order is about to be sent, and returns once that is on the disk. Returns the
    /// new entry, or the earlier entry because of which the order must not be sent.
    pub(crate) fn begin(
        &self,
        new: &NewEntry<'_>,
        resend: bool,
        lock_wait: &mut LockWait<'_>,
    ) -> Result<Result<BegunEntry, ExistingEntry>, JournalError> {
        let body = Journal::digest(new.body.as_bytes());
        self.write(lock_wait, |transaction| {
            let now = now();
            let mut find = transaction.prepare(&format!(
                "SELECT {}, body_sha256 = ?4, service = ?5 FROM orders
                 WHERE (order_id = ?2 OR merchant_txn_id = ?3)
                    AND state IN ('sending', 'created', 'unknown', 'settled')
                 ORDER BY entry DESC",
                columns()
            ))?;
            let existing = find.query_map(
                params![now, new.order_id, new.merchant_txn_id, body, self.service],
                |row| {
                    Ok(ExistingEntry {
                        entry: read_entry(row)?,
                        is_same_order: row.get(15)?,
                        is_own_service: row.get(16)?,
                        was_paid: false,
                        may_be_anothers: false,
                    })
                },
            )?;
            let mut existing = existing.collect::<Result<Vec<_>, _>>()?;
            let is_resend = !existing.is_empty();
            let prevents = |one: &ExistingEntry| {
                let may_be_sent_again = one.is_own_service
                    && one.is_same_order
                    && one.entry.state == EntryState::Unknown;
                !(resend && may_be_sent_again)
            };
            if let Some(place) = existing.iter().position(prevents) {
                let mut one = existing.swap_remove(place);
                // An order that was sent again has several entries: any of them may have the URL.
                let others = existing.into_iter().filter(|other| {
                    other.is_own_service && other.entry.order_id == one.entry.order_id
                });
                let mut all = vec![one.entry.clone()];
                all.extend(others.map(|other| other.entry));
                events::read(transaction, &mut all)?;
                one.was_paid = history::was_paid(&all);
                one.may_be_anothers = history::may_be_anothers(&all);
                one.entry.url = all.into_iter().find_map(|entry| entry.url);
                return Ok(Err(one));
            }
            transaction
                .prepare(
                    "INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code,
                        body_sha256, state, begun_ms, deadline_ms, updated_ms, service)
                     VALUES (?1, ?2, ?3, ?4, ?5, 'sending', ?6, ?7, ?6, ?8)",
                )?
                .execute(params![
                    new.order_id,
                    new.merchant_txn_id,
                    new.amount,
                    new.currency_code,
                    body,
                    now,
                    now.saturating_add(milliseconds(new.left)),
                    self.service,
                ])?;
            let entry = transaction.last_insert_rowid();
            let mut earlier: Vec<_> = existing.into_iter().map(|one| one.entry).collect();
            events::read(transaction, &mut earlier)?;
            let details = EventDetails {
                body_sha256: Some(hex(&body)),
                body_bytes: Some(new.body.len() as u64),
                ..EventDetails::default()
            };
            events::add(transaction, entry, now, SENDING, &details, None)?;
            Ok(Ok(BegunEntry {
                entry,
                is_resend,
                may_be_anothers: history::may_be_anothers(&earlier),
            }))
        })
    }

    /// Records the result of sending an order. If the entry was resolved or settled in the
    /// meantime, it keeps that state.
    pub(crate) fn finish(
        &self,
        entry: i64,
        order_id: &str,
        result: &Result<Checkout, Error>,
        attempts: &[AttemptRecord],
        lock_wait: &mut LockWait<'_>,
    ) -> Result<(), JournalError> {
        let (state, url, number) = match result {
            Ok(checkout) => (EntryState::Created, Some(checkout.url()), Code::Ok.number()),
            Err(error) => (
                error.outcome().into(),
                error.checkout_url(),
                error.code().number(),
            ),
        };
        self.write(lock_wait, |transaction| {
            let written = transaction
                .prepare(
                    "UPDATE orders SET state = CASE state WHEN 'sending' THEN ?2 ELSE state END,
                        url = ?3, result = ?4, updated_ms = ?5
                     WHERE entry = ?1 AND order_id = ?6",
                )?
                .execute(params![entry, state.name(), url, number, now(), order_id])?;
            // The file was overwritten with another one.
            if written == 0 {
                return Err(JournalProblem::Replaced);
            }
            for one in attempts {
                events::add_attempt(transaction, entry, one)?;
            }
            Ok(())
        })
    }

    /// The chosen entries, oldest first.
    pub(crate) fn list(
        &self,
        filter: &EntryFilter<'_>,
        lock_wait: &mut LockWait<'_>,
    ) -> Result<Vec<Entry>, JournalError> {
        let states: Vec<&str> = filter.states.iter().map(|state| state.name()).collect();
        let states = (!states.is_empty()).then(|| states.join(","));
        // Without a condition on orderId, the entries are read in the order of their numbers.
        let of_order = match filter.order_id {
            Some(_) => "order_id = ?5",
            None => "?5 IS NULL",
        };
        let open = open();
        self.read(lock_wait, |connection| {
            // The entries and their events as of one moment.
            let transaction = connection.transaction()?;
            let mut find = transaction.prepare(&format!(
                "SELECT {} FROM orders
                 WHERE entry > ?2
                    AND (?3 IS NULL OR instr(',' || ?3 || ',', ',' || state_now || ',') > 0)
                    AND (NOT ?6 OR {open}) AND (?7 IS NULL OR service = ?7)
                    AND {of_order}
                 ORDER BY entry LIMIT ?4",
                columns()
            ))?;
            let found = find.query_map(
                params![
                    now(),
                    filter.after,
                    states,
                    filter.limit,
                    filter.order_id,
                    filter.open,
                    filter.own.then_some(&self.service),
                ],
                read_entry,
            )?;
            let mut entries = found.collect::<Result<Vec<_>, _>>()?;
            if filter.events {
                events::read(&transaction, &mut entries)?;
            }
            Ok(entries)
        })
    }

    pub(crate) fn other_services(&self, lock_wait: &mut LockWait<'_>) -> Result<i64, JournalError> {
        self.read(lock_wait, |connection| {
            let count = "SELECT count(*) FROM orders
                 WHERE state IN ('sending', 'unknown') AND service <> ?1";
            Ok(connection.query_row(count, [&self.service], |row| row.get(0))?)
        })
    }

    /// Records that the service has these orders, and their statuses. Writes nothing for an order
    /// that the journal does not have, or whose last status said the same. (Events have the first
    /// 200 characters of a text.)
    pub(crate) fn record_statuses(
        &self,
        updates: &[StatusUpdate],
        lock_wait: &mut LockWait<'_>,
    ) -> Result<(), JournalError> {
        let stays_paid = stays_paid();
        let which = format!(
            "order_id = ?1 AND service = ?6 AND CASE
                WHEN state IN ('rejected', 'not_sent') THEN {LAST_OF_ITS_ORDER}
                ELSE ({}) IS NOT ?4
                    OR NOT {stays_paid}
                        AND (transaction_id IS NOT ?2 OR transaction_status IS NOT ?3) END",
            events::LAST_STATUS
        );
        let is_new = self.read(lock_wait, |connection| {
            let mut find = connection.prepare(&format!("SELECT 1 FROM orders WHERE {which}"))?;
            for one in updates {
                if find.exists(params![
                    one.order_id,
                    one.transaction_id,
                    one.transaction_status,
                    events::json(&one.details),
                    one.refunded,
                    self.service
                ])? {
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        if !is_new {
            return Ok(());
        }
        self.write(lock_wait, |transaction| {
            let mut update = transaction.prepare(&format!(
                "UPDATE orders SET state = CASE state WHEN 'settled' THEN state ELSE 'created' END,
                    transaction_id = iif({stays_paid}, transaction_id, ?2),
                    transaction_status = iif({stays_paid}, transaction_status, ?3),
                    updated_ms = ?7
                 WHERE {which} RETURNING entry"
            ))?;
            for one in updates {
                let now = now();
                let of_update = params![
                    one.order_id,
                    one.transaction_id,
                    one.transaction_status,
                    events::json(&one.details),
                    one.refunded,
                    self.service,
                    now
                ];
                let changed = update.query_map(of_update, |row| row.get(0))?;
                for entry in changed.collect::<Result<Vec<i64>, _>>()? {
                    events::make_room(transaction, entry)?;
                    let connection = Some(&one.connection);
                    events::add(transaction, entry, now, STATUS, &one.details, connection)?;
                }
            }
            Ok(())
        })
    }

    pub(crate) fn settle(
        &self,
        entry: i64,
        note: Option<&str>,
        lock_wait: &mut LockWait<'_>,
    ) -> Result<SettleResult, JournalError> {
        self.write(lock_wait, |transaction| {
            let now = now();
            let settled = transaction
                .prepare(&format!(
                    "UPDATE orders SET state = 'settled', note = ?2, updated_ms = ?3
                     WHERE entry = ?1 AND service = ?4 AND {}",
                    open()
                ))?
                .execute(params![entry, note, now, self.service])?;
            if settled > 0 {
                let details = EventDetails {
                    note: note.map(str::to_owned),
                    ..EventDetails::default()
                };
                events::add(transaction, entry, now, SETTLED, &details, None)?;
            }
            let found = transaction
                .prepare(&format!(
                    "SELECT {} FROM orders WHERE entry = ?2",
                    columns()
                ))?
                .query_row(params![now, entry], read_entry)
                .optional()?;
            Ok(match found {
                Some(entry) if settled > 0 => SettleResult::Settled(entry),
                Some(entry) if entry.service != self.service => {
                    SettleResult::OtherService(entry.service)
                }
                Some(entry) if entry.transaction_status.as_deref() == Some(COMPLETED) => {
                    SettleResult::Paid
                }
                Some(entry) => SettleResult::AlreadyClosed(entry),
                None => SettleResult::NotFound,
            })
        })
    }

    /// Removes closed entries that were last written longer ago than `age`.
    pub(crate) fn prune(
        &self,
        age: Duration,
        lock_wait: &mut LockWait<'_>,
    ) -> Result<u64, JournalError> {
        self.write(lock_wait, |transaction| {
            let now = now();
            let future = "SELECT 1 FROM orders WHERE begun_ms > ?1 OR updated_ms > ?1";
            // With a wrong clock, the age of entries is not known.
            if transaction.prepare(future)?.exists([now])? {
                return Err(JournalProblem::Future);
            }
            let removed = transaction.execute(
                &format!(
                    "DELETE FROM orders WHERE updated_ms < ?1 AND service = ?2
                        AND NOT {}",
                    open()
                ),
                params![now.saturating_sub(milliseconds(age)), self.service],
            )?;
            events::remove_orphans(transaction)?;
            Ok(removed as u64)
        })
    }
}

fn read_entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let state: String = row.get(5)?;
    Ok(Entry {
        entry: row.get(0)?,
        order_id: row.get(1)?,
        merchant_txn_id: row.get(2)?,
        amount: row.get(3)?,
        currency_code: row.get(4)?,
        state: EntryState::of(&state)
            .ok_or_else(|| rusqlite::Error::InvalidColumnType(5, "state".into(), Type::Text))?,
        url: row.get(6)?,
        result: row.get(7)?,
        transaction_id: row.get(8)?,
        transaction_status: row.get(9)?,
        started_at: row.get(10)?,
        deadline: row.get(11)?,
        updated_at: row.get(12)?,
        note: row.get(13)?,
        service: row.get(14)?,
        events: None,
    })
}
