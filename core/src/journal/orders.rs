//! The table of orders: what is written before, during and after a sale, and what is read.

use std::time::{Duration, Instant};

use super::events::{self, LAST_STATUS, SETTLED};
use super::problem::{JournalProblem, Kind};
use super::sql::{Access, Database, Dialect, NewEvent, Row, values};
use super::store::Journal;
use super::time::milliseconds;
use super::wait::JournalWait;
use super::{BegunEntry, EntryFilter, ExistingEntry, JournalError, StatusUpdate, hex, history};
use crate::entry::{Entry, EntryState, EventDetails};
use crate::gateway::status_data::COMPLETED;
use crate::limits::LONGEST_CALL;
use crate::payment::order::OrderRequest;
use crate::text::json::written;

/// The states of an entry whose order is not sent again.
const TAKEN: &str = "state IN ('sending', 'created', 'unknown', 'settled')";

/// An entry that is neither closed nor completed: its status may still change.
fn open() -> String {
    format!(
        "(state IN ('sending', 'unknown') OR (state = 'created'
            AND transaction_status IS DISTINCT FROM '{COMPLETED}'))"
    )
}

/// The order of a `rejected` or `not_sent` entry was not sent again after it: a status that names
/// the order is about this entry.
fn last_of_its_order(dialect: &Dialect) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM payorder_orders AS other
            WHERE {} AND other.service = payorder_orders.service
                AND other.entry <> payorder_orders.entry AND (other.entry > payorder_orders.entry
                    OR other.state NOT IN ('rejected', 'not_sent')))",
        dialect.same("other.order_id", "payorder_orders.order_id")
    )
}

/// What is paid stays paid. With the status `?3` of the transaction `?2`, which was refunded if
/// `?5`, a completed entry keeps its own transaction and status.
fn stays_paid() -> String {
    format!(
        "(transaction_status IS NOT DISTINCT FROM '{COMPLETED}'
            AND (transaction_id IS DISTINCT FROM ?2 OR (?3 <> '{COMPLETED}' AND NOT ?5)))"
    )
}

impl Dialect {
    /// The condition that two identifiers are the same. An index finds them.
    fn same(&self, one: &str, other: &str) -> String {
        let (indexed, of_other) = ((self.indexed)(one), (self.indexed)(other));
        match indexed == one {
            true => format!("{one} = {other}"),
            false => format!("({indexed} = {of_other} AND {one} = {other})"),
        }
    }

    /// SQL that makes an entry of the values of [`Journal::begin`], with this state and result.
    pub(super) fn insert(&self, state: &str, condition: &str) -> String {
        let now = (self.now)();
        let next = |number: &str, identifier: &str, value: &str| {
            let (indexed, of_value) = ((self.indexed)(identifier), (self.indexed)(value));
            format!(
                "(SELECT coalesce(max({number}), 0) + 1 FROM payorder_orders
                    WHERE {indexed} = {of_value})"
            )
        };
        format!(
            "INSERT INTO payorder_orders (order_id, merchant_txn_id, amount, currency_code,
                body_sha256, service, deadline_ms, body_bytes, entry_key, begun_ms, updated_ms,
                order_number, txn_number, state, result)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, {now} + ?7, ?8, ?9, {now}, {now}, {}, {}, {state}
             WHERE {condition}",
            next("order_number", "order_id", "?1"),
            next("txn_number", "merchant_txn_id", "?2")
        )
    }

    /// The conditions that an entry has the orderId `?1`, and the merchantTxnId `?2`.
    fn identified(&self) -> (String, String) {
        (
            self.same("order_id", "?1"),
            self.same("merchant_txn_id", "?2"),
        )
    }

    /// The condition that the call of an entry without a result may still run. After its deadline its
    /// process is gone. An entry with impossible times says nothing, because the clock was changed:
    /// it starts in the future, or its deadline is further away than the longest call's.
    fn may_run(&self) -> String {
        let now = (self.current)();
        format!(
            "(deadline_ms > {now} AND begun_ms <= {now} AND deadline_ms <= {now} + {})",
            LONGEST_CALL.as_millis()
        )
    }

    /// The state of an entry now: `unknown` if it is `sending` and its call cannot run any more.
    fn state(&self) -> String {
        format!(
            "CASE WHEN state = 'sending' AND NOT {} THEN 'unknown' ELSE state END",
            self.may_run()
        )
    }

    /// The columns of an entry, in the order of [`read_entry`].
    fn columns(&self) -> String {
        format!(
            "entry, order_id, merchant_txn_id, amount, currency_code, {}, url, result, \
             transaction_id, transaction_status, {}, {}, {}, note, service, \
             result IS NULL AND {}",
            self.state(),
            (self.time)("begun_ms"),
            (self.time)("deadline_ms"),
            (self.time)("updated_ms"),
            self.may_run()
        )
    }

    /// The columns of an entry and of one of its events, in the order of [`read_with_event`].
    fn columns_with_event(&self) -> String {
        let events = events::columns(self.time);
        format!("{}, body_sha256, body_bytes, {events}", self.columns())
    }
}

/// SQL that adds to each entry its events, one in each row.
const WITH_EVENTS: &str = "LEFT JOIN payorder_events AS event USING (entry)";

impl Journal {
    /// The SHA-256 of what is recorded by its digest only.
    pub(crate) fn digest(bytes: &[u8]) -> [u8; 32] {
        let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
        let mut copy = [0; 32];
        copy.copy_from_slice(digest.as_ref());
        copy
    }

    /// Records that an order is about to be sent, and returns once that is on the disk. Returns the
    /// new entry, or the earlier entry because of which the order must not be sent. The call's
    /// deadline is the end of the wait.
    ///
    /// One statement decides and writes. Two of them at the same moment would write the same number
    /// for the order or for its transaction, which the table's indexes refuse to the second one.
    pub(crate) fn begin(
        &self,
        order: &OrderRequest<'_>,
        resend: bool,
        wait: &mut JournalWait<'_>,
    ) -> Result<Result<BegunEntry, ExistingEntry>, JournalError> {
        self.write_late(wait)?;
        let dialect = self.dialect();
        let body = hex(&Journal::digest(order.body.as_bytes()));
        let until = wait.until;
        let key = self.engine.key();
        let values = || {
            // It may have waited for others.
            let left = until.saturating_duration_since(Instant::now());
            values![
                &*order.order_id,
                &*order.merchant_txn_id,
                &*order.amount,
                &*order.currency_code,
                &body,
                &self.service,
                milliseconds(left),
                order.body.len() as i64,
                key.as_deref(),
            ]
        };
        // The same order, if its outcome is unknown, may be sent again.
        let unless = match resend {
            true => "AND NOT (service = ?6 AND body_sha256 = ?5 AND STATE = 'unknown')",
            false => "",
        };
        let mut may_exist = false;
        let begun = self.run(Access::WriteOnce, wait, |database| {
            let (same_order, same_txn) = dialect.identified();
            let is_free = format!(
                "NOT EXISTS (SELECT 1 FROM payorder_orders
                    WHERE ({same_order} OR {same_txn}) AND {TAKEN} {})",
                unless.replace("STATE", &dialect.state())
            );
            let insert = database.beginning(dialect.insert("'sending', NULL", &is_free));
            let insert = format!("{insert} RETURNING entry");
            let inserted = database.rows(&insert, &values(), |row| row.integer(0));
            may_exist |= match &inserted {
                Ok(entries) => !entries.is_empty(),
                Err(problem) => problem.is_uncertain(),
            };
            let entry = inserted?.pop();
            if let (Some(entry), false) = (entry, resend) {
                return Ok(Ok(BegunEntry {
                    entry,
                    key: key.clone(),
                    is_resend: false,
                    may_be_anothers: false,
                }));
            }
            let existing = self.existing(database, order, &body, entry);
            // Done again, it would find the entry that it has made.
            let existing = existing.map_err(|problem| match entry {
                Some(_) if problem.is_busy() => problem.of_kind(Kind::Passes),
                _ => problem,
            })?;
            match entry {
                Some(entry) => {
                    let earlier: Vec<_> = existing.into_iter().map(|one| one.entry).collect();
                    Ok(Ok(BegunEntry {
                        entry,
                        key: key.clone(),
                        is_resend: !earlier.is_empty(),
                        may_be_anothers: history::may_be_anothers(&earlier),
                    }))
                }
                // It was taken by an entry that changed since.
                None => match prevents(existing, resend) {
                    Some(existing) => Ok(Err(existing)),
                    None => Err(JournalProblem::changed()),
                },
            }
        });
        // In a forked child the order is the parent's.
        if begun.is_err() && may_exist && wait.scope.belongs_to_this_process() {
            self.engine.withdraw(&values(), wait);
        }
        begun
    }

    /// The other entries of an order and of its transaction, newest first, with their events.
    fn existing(
        &self,
        database: &mut dyn Database,
        order: &OrderRequest<'_>,
        body: &str,
        entry: Option<i64>,
    ) -> Result<Vec<ExistingEntry>, JournalProblem> {
        let (same_order, same_txn) = self.dialect().identified();
        let find = format!(
            "SELECT {}, body_sha256 = ?3, service = ?4 FROM payorder_orders {WITH_EVENTS}
             WHERE ({same_order} OR {same_txn}) AND {TAKEN} AND entry <> ?5
             ORDER BY entry DESC, event.number",
            self.dialect().columns_with_event()
        );
        let of_find = values![
            &*order.order_id,
            &*order.merchant_txn_id,
            body,
            &self.service,
            entry.unwrap_or(0)
        ];
        let (mut entries, mut same) = (Vec::new(), Vec::new());
        database.each(&find, &of_find, &mut |row| {
            read_with_event(row, &mut entries)?;
            same.truncate(entries.len() - 1);
            same.push((row.flag(AFTER_EVENT)?, row.flag(AFTER_EVENT + 1)?));
            Ok(())
        })?;
        let existing = entries.into_iter().zip(same);
        Ok(existing
            .map(|(entry, (is_same_order, is_own_service))| ExistingEntry {
                entry,
                is_same_order,
                is_own_service,
                was_paid: false,
                may_be_anothers: false,
            })
            .collect())
    }

    /// The chosen entries, oldest first.
    pub(crate) fn list(
        &self,
        filter: &EntryFilter<'_>,
        wait: &mut JournalWait<'_>,
    ) -> Result<Vec<Entry>, JournalError> {
        self.write_late(wait)?;
        self.run(Access::Read, wait, |database| {
            let dialect = self.dialect();
            let names: Vec<String> = filter
                .states
                .iter()
                .map(|state| format!("'{}'", state.name()))
                .collect();
            let mut conditions = vec!["entry > ?1".to_owned()];
            let mut values = values![filter.after, i64::from(filter.limit)].to_vec();
            if !names.is_empty() {
                conditions.push(format!("{} IN ({})", dialect.state(), names.join(", ")));
            }
            if filter.open {
                conditions.push(open());
            }
            if filter.own {
                values.push((&self.service).into());
                conditions.push(format!("service = ?{}", values.len()));
            }
            if !filter.order_ids.is_empty() {
                let mut any = Vec::new();
                for order_id in filter.order_ids {
                    values.push((*order_id).into());
                    any.push(dialect.same("order_id", &format!("?{}", values.len())));
                }
                conditions.push(format!("({})", any.join(" OR ")));
            }
            let (columns, join, order) = match filter.events {
                true => (dialect.columns_with_event(), WITH_EVENTS, ", event.number"),
                false => (dialect.columns(), "", ""),
            };
            // One statement, so that entries and events are of one moment.
            let find = format!(
                "SELECT {columns} FROM (SELECT * FROM payorder_orders WHERE {} ORDER BY entry LIMIT ?2)
                    AS payorder_orders {join}
                 ORDER BY entry{order}",
                conditions.join(" AND ")
            );
            let mut entries = Vec::new();
            database.each(&find, &values, &mut |row| match filter.events {
                true => read_with_event(row, &mut entries),
                false => {
                    entries.push(read_entry(row)?);
                    Ok(())
                }
            })?;
            Ok(entries)
        })
    }

    pub(crate) fn other_services(&self, wait: &mut JournalWait<'_>) -> Result<i64, JournalError> {
        let count = "SELECT count(*) FROM payorder_orders
             WHERE state IN ('sending', 'unknown') AND service <> ?1";
        self.run(Access::Read, wait, |database| {
            let rows = database.rows(count, &values![&self.service], |row| row.integer(0))?;
            Ok(rows.into_iter().sum())
        })
    }

    /// Records that the service has these orders, and their statuses. Writes nothing for an order
    /// that the journal does not have, or whose last status said the same. (Events have the first
    /// 200 characters of a text.)
    pub(crate) fn record_statuses(
        &self,
        updates: &[StatusUpdate],
        wait: &mut JournalWait<'_>,
    ) -> Result<(), JournalError> {
        self.write_late(wait)?;
        let stays_paid = stays_paid();
        let which = format!(
            "{} AND service = ?6 AND CASE
                WHEN state IN ('rejected', 'not_sent') THEN {}
                ELSE ({LAST_STATUS}) IS DISTINCT FROM ?4
                    OR NOT {stays_paid} AND (transaction_id IS DISTINCT FROM ?2
                        OR transaction_status IS DISTINCT FROM ?3) END",
            self.dialect().same("order_id", "?1"),
            last_of_its_order(self.dialect()),
        );
        let details: Vec<_> = updates.iter().map(|one| written(&one.details)).collect();
        let all: Vec<_> = updates
            .iter()
            .zip(&details)
            .map(|(one, details)| {
                values![
                    &one.order_id,
                    &one.transaction_id,
                    &one.transaction_status,
                    details,
                    one.refunded,
                    &self.service
                ]
            })
            .collect();
        let find = format!("SELECT 1 FROM payorder_orders WHERE {which}");
        let is_new = |database: &mut dyn Database| {
            for values in &all {
                if database.exists(&find, values)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        if self.dialect().locks && !self.run(Access::Read, wait, is_new)? {
            return Ok(());
        }
        self.run(Access::Write, wait, |database| {
            let update = format!(
                "UPDATE payorder_orders SET
                    state = CASE state WHEN 'settled' THEN state ELSE 'created' END,
                    transaction_id = CASE WHEN {stays_paid} THEN transaction_id ELSE ?2 END,
                    transaction_status = CASE WHEN {stays_paid} THEN transaction_status ELSE ?3 END,
                    updated_ms = {}
                 WHERE {which}",
                (self.dialect().now)()
            );
            for (one, values) in updates.iter().zip(&all) {
                let event = NewEvent::of_status(one);
                for (entry, number) in database.change(&update, values, &[event])? {
                    // A role may have no right to remove. The status is recorded already.
                    events::limit(database, entry, number)
                        .or_else(|problem| problem.unless_denied())?;
                }
            }
            Ok(())
        })
    }

    /// Closes an open entry of this service. Returns the entry, if there is one with this number, and
    /// whether it was closed now.
    pub(crate) fn settle(
        &self,
        entry: i64,
        note: Option<&str>,
        wait: &mut JournalWait<'_>,
    ) -> Result<(Option<Entry>, bool), JournalError> {
        let details = EventDetails {
            note: note.map(str::to_owned),
            ..EventDetails::default()
        };
        let event = [NewEvent::new(SETTLED, &details, None)];
        let uncertain = |problem: JournalProblem| match entry {
            // No entry has this number: `payorder_check` tries whether the journal can be written.
            i64::MAX => problem,
            _ => problem.may_be_settled(),
        };
        self.run(Access::WriteOnce, wait, |database| {
            let dialect = self.dialect();
            let update = format!(
                "UPDATE payorder_orders SET state = 'settled', note = ?2, updated_ms = {}
                 WHERE entry = ?1 AND service = ?3 AND {}",
                (dialect.now)(),
                open()
            );
            let find = format!(
                "SELECT {} FROM payorder_orders WHERE entry = ?1",
                dialect.columns()
            );
            let changed = database.change(&update, &values![entry, note, &self.service], &event);
            let changed = changed.map_err(uncertain)?;
            let found = database.rows(&find, &values![entry], read_entry);
            let found = found.map_err(uncertain)?.pop();
            Ok((found, !changed.is_empty()))
        })
    }

    /// Removes closed entries that were last written longer ago than `age`.
    pub(crate) fn prune(
        &self,
        age: Duration,
        wait: &mut JournalWait<'_>,
    ) -> Result<u64, JournalError> {
        let mut removed = 0;
        let done = self.run(Access::Write, wait, |database| {
            let now = (self.dialect().current)();
            let future = format!(
                "SELECT 1 FROM payorder_orders WHERE begun_ms > {now} OR updated_ms > {now}"
            );
            // With a wrong clock, the age of entries is not known.
            if database.exists(&future, &[])? {
                return Err(JournalProblem::future(self.dialect().clock));
            }
            let closed = format!("NOT {}", open());
            database.remove(milliseconds(age), &self.service, &closed, &mut removed)
        });
        match done {
            // What is left is removed the next time.
            Err(_) if removed > 0 => Ok(removed),
            done => done,
        }
    }
}

/// The earlier entry because of which the order must not be sent.
fn prevents(mut existing: Vec<ExistingEntry>, resend: bool) -> Option<ExistingEntry> {
    let prevents = |one: &ExistingEntry| {
        let may_be_sent_again =
            one.is_own_service && one.is_same_order && one.entry.state == EntryState::Unknown;
        !(resend && may_be_sent_again)
    };
    let newest = existing.iter().find(|one| prevents(one))?.entry.clone();
    // An order that was sent again has several entries: any of them may have the URL.
    let is_of_its_order =
        |other: &ExistingEntry| other.is_own_service && other.entry.order_id == newest.order_id;
    let (place, _) = existing
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, one)| one.entry.entry == newest.entry || prevents(one) && is_of_its_order(one))
        .max_by_key(|(_, one)| history::weight(&one.entry))?;
    let mut one = existing.swap_remove(place);
    let others = existing.into_iter().filter(is_of_its_order);
    let mut all = vec![one.entry.clone()];
    all.extend(others.map(|other| other.entry));
    one.was_paid = history::was_paid(&all);
    one.may_be_anothers = history::may_be_anothers(&all);
    one.entry.url = all.into_iter().find_map(|entry| entry.url);
    one.entry.events = None;
    Some(one)
}

fn read_entry(row: &dyn Row) -> Result<Entry, JournalProblem> {
    let state = EntryState::of(&row.text(5)?).ok_or_else(JournalProblem::not_ours)?;
    let number = row.optional_integer(7)?.map(i32::try_from).transpose();
    Ok(Entry {
        entry: row.integer(0)?,
        order_id: row.text(1)?,
        merchant_txn_id: row.text(2)?,
        amount: row.text(3)?,
        currency_code: row.text(4)?,
        state,
        url: row.optional_text(6)?,
        result: number.map_err(|_| JournalProblem::not_ours())?,
        transaction_id: row.optional_text(8)?,
        transaction_status: row.optional_text(9)?,
        started_at: row.text(10)?,
        deadline: row.text(11)?,
        updated_at: row.text(12)?,
        note: row.optional_text(13)?,
        service: row.text(14)?,
        may_run: row.flag(15)?,
        events: None,
    })
}

/// The columns of an event follow those of an entry and of its body.
const EVENT: usize = 18;
const AFTER_EVENT: usize = 23;

/// Reads a row of an entry with one of its events, or none. The rows of one entry follow each other.
fn read_with_event(row: &dyn Row, entries: &mut Vec<Entry>) -> Result<(), JournalProblem> {
    let number = row.integer(0)?;
    if entries.last().is_none_or(|last| last.entry != number) {
        let mut entry = read_entry(row)?;
        let bytes = u64::try_from(row.integer(17)?).map_err(|_| JournalProblem::not_ours())?;
        let begun = events::sending(entry.started_at.clone(), row.text(16)?, bytes);
        entry.events = Some(vec![begun]);
        entries.push(entry);
    }
    match entries.last_mut() {
        Some(entry) => events::read(row, EVENT, entry),
        None => Ok(()),
    }
}
