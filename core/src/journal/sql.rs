//! What the journal needs of a database: statements with values, and rows. Each engine is a folder
//! next to this file.

use super::JournalError;
use super::problem::JournalProblem;
use super::wait::JournalWait;

/// A database that holds a journal.
pub(super) trait Engine: Send + Sync {
    fn dialect(&self) -> &'static Dialect;

    /// Does a piece of work, and does it again while others use the database.
    fn run(
        &self,
        access: Access,
        wait: &mut JournalWait<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), JournalError>;

    /// A key by which a database can be asked whether it has an entry.
    fn key(&self) -> Option<String> {
        None
    }

    /// Closes an entry that a server may have made, or is making, and whose order is not sent. The
    /// values are those of [`Dialect::insert`].
    fn withdraw(&self, _values: &[Value<'_>], _wait: &JournalWait<'_>) {}
}

pub(super) type Work<'a> = dyn FnMut(&mut dyn Database) -> Result<(), JournalProblem> + 'a;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    /// Writes, and must not be done again if it may have been done.
    WriteOnce,
    /// Writes what is true also if nobody waits for it: a database may write it later.
    WriteLater,
}

/// A database during a piece of work. In SQLite the work is one transaction. In PostgreSQL each
/// statement is one, so the work is written for that: what must be decided together is one statement.
pub(super) trait Database {
    /// Runs a statement, with `?1` for its first value, and reads its rows.
    fn each(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        read: &mut dyn FnMut(&dyn Row) -> Result<(), JournalProblem>,
    ) -> Result<(), JournalProblem>;

    /// A statement that makes an entry, from one that ends with its conditions. A server makes none
    /// once `?7` milliseconds have passed since the statement came, and waits for its disk. The
    /// statement fails without the rights that the outcome needs, so that no order is sent whose
    /// outcome cannot be written.
    fn beginning(&self, insert: String) -> String {
        insert
    }

    /// Removes the orders of a service that were last written longer ago than this, and to which the
    /// condition applies, with their events. While one is removed, nobody begins an order: its number
    /// could be that of the one that is removed. Returns how many there were, with those that
    /// `removed` counts: they are gone also if the rest of the work fails.
    fn remove(
        &mut self,
        age_ms: i64,
        service: &str,
        condition: &str,
        removed: &mut u64,
    ) -> Result<u64, JournalProblem>;

    /// Runs an `UPDATE` of orders, and adds these events to each order that it changed. Returns
    /// the number of each order, and that of its last event.
    fn change(
        &mut self,
        update: &str,
        values: &[Value<'_>],
        events: &[NewEvent],
    ) -> Result<Vec<(i64, i64)>, JournalProblem>;
}

impl dyn Database + '_ {
    pub(super) fn rows<T>(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&dyn Row) -> Result<T, JournalProblem>,
    ) -> Result<Vec<T>, JournalProblem> {
        let mut rows = Vec::new();
        self.each(sql, values, &mut |row| {
            rows.push(read(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Whether the statement has a row.
    pub(super) fn exists(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<bool, JournalProblem> {
        Ok(!self.rows(sql, values, |_| Ok(()))?.is_empty())
    }
}

/// An event that is added to an entry.
pub(super) struct NewEvent {
    pub(super) name: &'static str,
    /// How long ago it happened.
    pub(super) age_ms: i64,
    /// As JSON.
    pub(super) details: String,
    /// As JSON.
    pub(super) connection: Option<String>,
}

/// What the engines write differently, as SQL.
pub(super) struct Dialect {
    /// The time of a statement, in milliseconds since 1970, for what is written.
    pub(super) now: fn() -> String,
    /// The time at this moment, with which times are compared: an entry that was written while the
    /// statement waited is not of the future.
    pub(super) current: fn() -> String,
    /// Whose time that is.
    pub(super) clock: &'static str,
    /// A time in milliseconds as text, in UTC.
    pub(super) time: fn(&str) -> String,
    /// What the index of an identifier has of it. Several identifiers may have the same.
    pub(super) indexed: fn(&str) -> String,
    /// Beginning to write locks out everybody else, also if nothing is written then.
    pub(super) locks: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Integer(i64),
    Flag(bool),
    Text(Option<&'a str>),
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Integer(number)
    }
}

impl From<bool> for Value<'_> {
    fn from(flag: bool) -> Self {
        Value::Flag(flag)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(Some(text))
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Value::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Value::Text(Some(text))
    }
}

/// The values of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        [$($crate::journal::sql::Value::from($value)),*]
    };
}
pub(super) use values;

/// A row that a statement found. A column that does not have the type makes the journal unreadable.
pub(super) trait Row {
    fn optional_text(&self, column: usize) -> Result<Option<String>, JournalProblem>;
    fn optional_integer(&self, column: usize) -> Result<Option<i64>, JournalProblem>;
    fn flag(&self, column: usize) -> Result<bool, JournalProblem>;

    fn text(&self, column: usize) -> Result<String, JournalProblem> {
        self.optional_text(column)?
            .ok_or_else(JournalProblem::not_ours)
    }

    fn integer(&self, column: usize) -> Result<i64, JournalProblem> {
        self.optional_integer(column)?
            .ok_or_else(JournalProblem::not_ours)
    }
}
