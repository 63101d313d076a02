//! A connection to the database: connects, makes the tables, and runs statements. Each wait ends
//! with the call's.

use std::ffi::CString;
use std::time::{Duration, Instant};

use super::super::events::{LAST_NUMBER, REMOVE_ORPHANS};
use super::super::problem::JournalProblem;
use super::super::sql::{Database, NewEvent, Row, Value, values};
use super::super::wait::JournalWait;
use super::address::Address;
use super::{DURABLY, problem};
use crate::connection::{Resolver, share};
use crate::error::Cause;
use crate::platform::libpq::{Libpq, Parameter, PgConnection, PgResult, Waits};

pub(super) struct Session {
    connection: PgConnection,
    /// When it was last used.
    used: Instant,
    /// The server may still work on a statement.
    is_running: bool,
    /// The number of the tables; 0 without tables.
    pub(super) tables: i64,
}

const SCHEMA: &str = include_str!("schema.sql");
const VERSION: i64 = 1;
/// How many entries that may be removed are looked for at once, and how many are removed at once.
const FOUND: usize = 50_000;
const BATCH: usize = 1000;
/// So many pauses after another client has made the tables, every connection knows them.
const KNOWN_AFTER: usize = 20;
const PAUSE: Duration = Duration::from_millis(10);
/// So long, a statement that was asked to end may take for that.
const ANSWER: Duration = Duration::from_millis(200);

/// The numbers of types in PostgreSQL.
const BOOL: u32 = 16;
const INT8: u32 = 20;
const TEXT: u32 = 25;

impl Session {
    /// Connects to the first host that can be used, each of which has its share of the time.
    pub(super) fn connect(
        libpq: &'static Libpq,
        address: &Address,
        resolvers: &[Resolver],
        until: Instant,
        wait: &mut JournalWait<'_>,
    ) -> Result<Session, JournalProblem> {
        let mut problem = problem::unreachable("no address");
        let all = address.parameters(resolvers, until, wait)?;
        for (at, parameters) in all.iter().enumerate() {
            match Session::connect_to(libpq, parameters, share(until, all.len() - at), wait) {
                Err(failed) if !failed.is_uncertain() => problem = failed,
                ended => return ended,
            }
        }
        Err(problem)
    }

    fn connect_to(
        libpq: &'static Libpq,
        parameters: &[(String, String)],
        until: Instant,
        wait: &mut JournalWait<'_>,
    ) -> Result<Session, JournalProblem> {
        let connection =
            PgConnection::start(libpq, parameters).ok_or_else(problem::no_resources)?;
        let mut session = Session {
            connection,
            used: Instant::now(),
            is_running: false,
            tables: 0,
        };
        let mut waits = Waits::Write;
        let done = session.wait(until, wait, |connection, time| {
            if connection.wait(waits, time).is_ok_and(|ready| !ready) {
                return None;
            }
            waits = connection.poll();
            matches!(waits, Waits::Done | Waits::Failed).then_some(waits == Waits::Done)
        })?;
        match done {
            Some(true) => Ok(session),
            Some(false) => Err(problem::unreachable(&session.connection.message())),
            None => {
                let host = parameters.iter().find(|(key, _)| key == "host");
                let host = host.map_or("the database", |(_, host)| host);
                Err(problem::unreachable(&format!(
                    "{host} gave no answer in time"
                )))
            }
        }
    }

    /// Fails if the database does not answer, since a pooler lets clients connect without it, or if it
    /// is a standby: one that is behind would hide orders that were sent.
    pub(super) fn ping(
        &mut self,
        until: Instant,
        wait: &mut JournalWait<'_>,
    ) -> Result<(), JournalProblem> {
        let sent = self.connection.send(c"SELECT pg_is_in_recovery()", &[]);
        match self.finish(sent, Some(until), wait) {
            Err(Failed::Journal(problem)) if problem.cause == Cause::JournalLocked => {
                Err(problem::unreachable("the database gave no answer in time"))
            }
            Ok(result) if PgRow(&result, 0).flag(0)? => Err(problem::standby()),
            ended => Ok(ended.map(drop)?),
        }
    }

    /// Looks at the tables. Makes them if there are none and `make` is set.
    pub(super) fn find_tables(
        &mut self,
        make: bool,
        wait: &mut JournalWait<'_>,
    ) -> Result<(), JournalProblem> {
        let encoding = self
            .connection
            .parameter(c"server_encoding")
            .unwrap_or_default();
        if encoding != "UTF8" {
            return Err(problem::not_utf8(&encoding));
        }
        let mut found = self.find(wait)?;
        if found.is_none() && make {
            let script = CString::new(SCHEMA).unwrap_or_default();
            let sent = self.connection.send_script(&script);
            let made = self.finish(sent, None, wait);
            // The call ended, or the connection did: there is nothing more to ask it.
            if let Err(Failed::Journal(problem)) = made {
                return Err(problem);
            }
            found = self.find(wait)?;
            if found.is_none() {
                match made {
                    Err(failed) if failed.is_denied() => {
                        return Err(problem::no_tables(&failed.message()));
                    }
                    Err(Failed::Server(result)) if is_taken(&result) => {}
                    Err(failed) => return Err(failed.into()),
                    Ok(_) => return Err(problem::foreign()),
                }
                // Another client has just made them, and this connection does not know it yet; or
                // some of the names are another program's.
                for _ in 0..KNOWN_AFTER {
                    if found.is_none() && wait.pause(PAUSE).map_err(|_| problem::ended())? {
                        found = self.find(wait)?;
                    }
                }
            }
            if found.is_none() {
                return Err(problem::foreign());
            }
        }
        self.tables = found.unwrap_or_default();
        Ok(())
    }

    /// The number of the tables; `None` without tables.
    fn find(&mut self, wait: &mut JournalWait<'_>) -> Result<Option<i64>, JournalProblem> {
        // Uses all columns with their types, so that tables of another program are found at once.
        let sql = c"SELECT version, tables FROM payorder_version
             WHERE NOT EXISTS (SELECT 1 FROM payorder_orders WHERE entry < 0
                AND entry + order_number + txn_number + body_bytes + begun_ms + deadline_ms + result
                    + updated_ms < 0
                AND ARRAY[service, order_id, merchant_txn_id, amount, currency_code, body_sha256,
                    entry_key, state, url, transaction_id, transaction_status, note] = '{}'::text[])
             AND NOT EXISTS (SELECT 1 FROM payorder_events WHERE entry < 0
                AND entry + number + at_ms < 0
                AND ARRAY[event, details, connection] = '{}'::text[])
             AND 4 <= (SELECT count(*) FROM pg_index WHERE indisunique AND indisvalid
                AND indrelid = 'payorder_orders'::regclass)";
        let sent = self.connection.send(sql, &[]);
        match self.finish(sent, None, wait) {
            Ok(result) if result.rows() == 1 => {
                let row = PgRow(&result, 0);
                match row.integer(0)? {
                    VERSION => Ok(Some(row.integer(1)?)),
                    version => Err(problem::other_version(version, VERSION)),
                }
            }
            Ok(_) => Err(problem::foreign()),
            Err(Failed::Server(result)) if result.sqlstate() == "42P01" => {
                match result.message().contains("payorder_version") {
                    true => Ok(None),
                    // There is a version, but one of the other tables is missing.
                    false => Err(problem::foreign()),
                }
            }
            Err(failed) => Err(failed.into()),
        }
    }

    /// Whether it can still be used. There is nothing to read unless it was closed.
    pub(super) fn is_usable(&self, longest: Duration) -> bool {
        let readable = || self.connection.wait(Waits::Read, Duration::ZERO);
        self.used.elapsed() < longest && readable().is_ok_and(|readable| !readable)
    }

    /// Whether the server may still work on a statement, and can be asked to end it.
    pub(super) fn is_running(&self) -> bool {
        self.is_running && self.connection.is_intact()
    }

    /// Ends that statement. Blocks. A busy server may read the request before the statement, and then
    /// it ends nothing: so it is made again until there is an answer, or the time is over.
    pub(super) fn cancel(&self, longest: Duration) {
        let until = Instant::now() + longest;
        loop {
            self.connection.cancel_statement();
            let answered = self.connection.wait(Waits::Read, ANSWER);
            if answered.unwrap_or(true) || Instant::now() >= until {
                return;
            }
        }
    }

    fn run(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        wait: &mut JournalWait<'_>,
    ) -> Result<PgResult, Failed> {
        let sql = CString::new(sql.replace('?', "$")).unwrap_or_default();
        let owned: Vec<_> = values.iter().map(binary).collect();
        let parameters: Vec<_> = owned
            .iter()
            .map(|(oid, bytes)| Parameter {
                oid: *oid,
                bytes: bytes.as_deref(),
            })
            .collect();
        // The server may have warned of something else, when the connection was made.
        self.connection.take_warning();
        let sent = self.connection.send(&sql, &parameters);
        self.finish(sent, None, wait)
    }

    /// Waits for the result of what was sent, which is one transaction; with a limit, only until then.
    fn finish(
        &mut self,
        sent: bool,
        limit: Option<Instant>,
        wait: &mut JournalWait<'_>,
    ) -> Result<PgResult, Failed> {
        if !sent {
            return Err(Failed::Journal(problem::broken()));
        }
        self.is_running = true;
        let mut is_sent = false;
        let mut last = None;
        loop {
            let until = limit.unwrap_or(wait.until);
            let ready = self.wait(until, wait, |connection, time| {
                let waits = if is_sent { Waits::Read } else { Waits::Write };
                if is_sent && connection.read() == Some(true) {
                    return Some(true);
                }
                match connection.wait(waits, time) {
                    Ok(false) => return None,
                    Ok(true) => {}
                    Err(_) => return Some(false),
                }
                if is_sent {
                    return match connection.read() {
                        Some(true) => Some(true),
                        Some(false) => None,
                        None => Some(false),
                    };
                }
                match connection.flush() {
                    Some(true) => is_sent = true,
                    Some(false) => {}
                    None => return Some(false),
                }
                None
            });
            match ready.map_err(Failed::Journal)? {
                Some(true) => {}
                Some(false) => return Err(Failed::Journal(problem::broken())),
                None => return Err(Failed::Journal(problem::timed_out())),
            }
            match self.connection.result() {
                // Not what was asked: such a state would not end.
                Some(result) if result.is_copy() => {
                    return Err(Failed::Journal(problem::broken()));
                }
                // The first failure ends a script.
                Some(result) => {
                    last = last
                        .filter(|last: &PgResult| !last.is_ok())
                        .or(Some(result))
                }
                None => break,
            }
        }
        self.is_running = false;
        self.used = Instant::now();
        wait.renew();
        match last {
            Some(result) if result.is_ok() => Ok(result),
            Some(result) => Err(Failed::Server(result)),
            None => Err(Failed::Journal(problem::broken())),
        }
    }

    fn wait<T>(
        &mut self,
        until: Instant,
        wait: &mut JournalWait<'_>,
        mut step: impl FnMut(&mut PgConnection, Duration) -> Option<T>,
    ) -> Result<Option<T>, JournalProblem> {
        let connection = &mut self.connection;
        wait.wait(until, |time| step(connection, time))
            .map_err(|_| problem::ended())
    }
}

/// Why a statement failed.
enum Failed {
    Server(PgResult),
    Journal(JournalProblem),
}

impl Failed {
    /// The role may not make tables, or there is no schema where it could.
    fn is_denied(&self) -> bool {
        matches!(self, Failed::Server(result) if ["42501", "3F000"].contains(&&*result.sqlstate()))
    }

    fn message(&self) -> String {
        match self {
            Failed::Server(result) => result.message(),
            Failed::Journal(problem) => problem.words.to_string(),
        }
    }
}

/// A table, or the type of a table, has this name already.
fn is_taken(result: &PgResult) -> bool {
    ["42P07", "42710", "23505"].contains(&&*result.sqlstate())
}

impl From<Failed> for JournalProblem {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Server(result) => problem::of(&result),
            Failed::Journal(problem) => problem,
        }
    }
}

/// The type of a value, and its bytes in PostgreSQL's binary form.
fn binary(value: &Value<'_>) -> (u32, Option<Vec<u8>>) {
    match value {
        Value::Integer(number) => (INT8, Some(number.to_be_bytes().to_vec())),
        Value::Flag(flag) => (BOOL, Some(vec![u8::from(*flag)])),
        // A text in PostgreSQL has no NUL.
        Value::Text(text) => (
            TEXT,
            text.map(|text| text.replace('\0', "\u{fffd}").into_bytes()),
        ),
    }
}

/// A session during a piece of work.
pub(super) struct Working<'s, 'w, 'a> {
    pub(super) session: &'s mut Session,
    pub(super) wait: &'w mut JournalWait<'a>,
    /// An order depends on what is written.
    pub(super) decides: bool,
}

impl Working<'_, '_, '_> {
    /// Removes those of these entries that are still old, with their events. Returns how many.
    fn remove_batch(&mut self, entries: &[i64], is_old: &str) -> Result<u64, JournalProblem> {
        let entries: Vec<String> = entries.iter().map(i64::to_string).collect();
        // A script has no values. It is one transaction, also for a pooler. It has few entries, because
        // no order begins meanwhile.
        let script = format!(
            "SELECT set_config('lock_timeout', '200ms', true);
             LOCK TABLE payorder_orders IN SHARE ROW EXCLUSIVE MODE;
             WITH gone AS (DELETE FROM payorder_orders
                 WHERE entry = ANY ('{{{}}}'::bigint[]) AND {is_old} RETURNING entry),
             events AS (DELETE FROM payorder_events
                 WHERE entry = ANY (ARRAY(SELECT entry FROM gone)))
             SELECT count(*) FROM gone",
            entries.join(", ")
        );
        let script = CString::new(script).unwrap_or_default();
        let sent = self.session.connection.send_script(&script);
        let result = self.session.finish(sent, None, self.wait)?;
        Ok(PgRow(&result, 0).integer(0)?.unsigned_abs())
    }
}

impl Database for Working<'_, '_, '_> {
    fn each(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        read: &mut dyn FnMut(&dyn Row) -> Result<(), JournalProblem>,
    ) -> Result<(), JournalProblem> {
        let result = self.session.run(sql, values, self.wait)?;
        if self.decides && self.session.connection.take_warning() {
            return Err(problem::not_durable());
        }
        (0..result.rows()).try_for_each(|row| read(&PgRow(&result, row)))
    }

    fn beginning(&self, insert: String) -> String {
        // After a lock that outlasted the call, or with other tables, nothing may be written. Nobody
        // may have switched off the warning that a standby did not answer.
        format!(
            "WITH update_right AS (UPDATE payorder_orders SET state = state, url = url,
                    result = result, updated_ms = updated_ms WHERE false),
                insert_right AS (INSERT INTO payorder_events
                    (entry, number, at_ms, event, details, connection)
                    SELECT 0, 0, 0, '', '', '' WHERE false)
             {insert}
                AND clock_timestamp() < now() + ?7 * interval '1 millisecond'
                AND {} = (SELECT tables FROM payorder_version)
                AND set_config('client_min_messages', 'warning', true) IS NOT NULL
                AND {DURABLY}",
            self.session.tables
        )
    }

    fn remove(
        &mut self,
        age_ms: i64,
        service: &str,
        condition: &str,
        removed: &mut u64,
    ) -> Result<u64, JournalProblem> {
        let now = (super::DIALECT.now)();
        let is_old = format!("updated_ms < {now} - {age_ms} AND {condition}");
        let find = format!(
            "SELECT entry FROM payorder_orders WHERE entry > ?1 AND service = ?2 AND {is_old}
             ORDER BY entry LIMIT {FOUND}"
        );
        // Without the right to remove, it fails also where there is nothing to remove.
        self.remove_batch(&[], &is_old)?;
        let mut last = i64::MIN;
        loop {
            let this: &mut dyn Database = self;
            let found = this.rows(&find, &values![last, service], |row| row.integer(0))?;
            let Some(newest) = found.last() else {
                break;
            };
            last = *newest;
            for batch in found.chunks(BATCH) {
                *removed += self.remove_batch(batch, &is_old)?;
            }
        }
        // Of entries that are not there: nobody adds any, so no lock is needed.
        self.each(REMOVE_ORPHANS, &[], &mut |_| Ok(()))?;
        Ok(*removed)
    }

    fn change(
        &mut self,
        update: &str,
        values: &[Value<'_>],
        events: &[NewEvent],
    ) -> Result<Vec<(i64, i64)>, JournalProblem> {
        let this: &mut dyn Database = self;
        let update = format!("{update} AND {DURABLY}");
        if events.is_empty() {
            let update = format!("{update} RETURNING entry");
            return this.rows(&update, values, |row| Ok((row.integer(0)?, 0)));
        }
        let mut values = values.to_vec();
        let mut rows = Vec::new();
        for (place, event) in events.iter().enumerate() {
            let first = values.len() + 1;
            values.extend(values![
                event.age_ms,
                event.name,
                &event.details,
                event.connection.as_deref()
            ]);
            rows.push(format!(
                "({place} + 1, ?{first}, ?{}, ?{}, ?{})",
                first + 1,
                first + 2,
                first + 3
            ));
        }
        // One statement, and so one transaction.
        let sql = format!(
            "WITH changed AS ({update} RETURNING entry, updated_ms)
             INSERT INTO payorder_events (entry, number, at_ms, event, details, connection)
             SELECT changed.entry,
                ({LAST_NUMBER} WHERE event.entry = changed.entry) + new.place,
                changed.updated_ms - new.age, new.event, new.details, new.connection
             FROM changed CROSS JOIN (VALUES {}) AS new (place, age, event, details, connection)
             ORDER BY changed.entry, new.place
             RETURNING entry, number",
            rows.join(", ")
        );
        let mut changed = this.rows(&sql, &values, |row| Ok((row.integer(0)?, row.integer(1)?)))?;
        // The last event of each.
        changed.reverse();
        changed.dedup_by_key(|(entry, _)| *entry);
        changed.reverse();
        Ok(changed)
    }
}

/// A row of a result.
struct PgRow<'a>(&'a PgResult, usize);

impl Row for PgRow<'_> {
    fn optional_text(&self, column: usize) -> Result<Option<String>, JournalProblem> {
        Ok(self.0.value(self.1, column))
    }

    fn optional_integer(&self, column: usize) -> Result<Option<i64>, JournalProblem> {
        let number = self
            .0
            .value(self.1, column)
            .map(|text| text.parse())
            .transpose();
        number.map_err(|_| JournalProblem::not_ours())
    }

    fn flag(&self, column: usize) -> Result<bool, JournalProblem> {
        Ok(self.0.value(self.1, column).as_deref() == Some("t"))
    }
}
