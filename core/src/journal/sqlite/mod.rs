//! A journal in an SQLite file that several processes may share, and that is never open during a
//! fork.

mod file;
mod problem;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, ToSql, TransactionBehavior};

use self::file::JournalFile;
use super::events::{INSERT, REMOVE_ORPHANS};
use super::problem::JournalProblem;
use super::sql::{Access, Database, Dialect, Engine, NewEvent, Row, Value, Work, values};
use super::time::since_1970;
use super::wait::JournalWait;
use super::{JournalError, may_have_password};
use crate::error::Cause;
use crate::platform::files;
use crate::platform::fork::{JOURNALS, close_before_fork};

pub(super) struct FileJournal {
    path: PathBuf,
    file: JournalFile,
}

/// The pause before a busy journal is tried again.
const PAUSE: Duration = Duration::from_millis(2);

static DIALECT: Dialect = Dialect {
    now: || since_1970(SystemTime::now()).to_string(),
    current: || since_1970(SystemTime::now()).to_string(),
    clock: "this machine's clock",
    // SQLite has no dates outside this range.
    time: |column| {
        format!(
            "strftime('%Y-%m-%dT%H:%M:%fZ', \
             min(max({column}, 0), 253402300799999) / 1000.0, 'unixepoch')"
        )
    },
    indexed: str::to_owned,
    locks: true,
};

impl FileJournal {
    /// The journal at a path. It is opened, or created, when it is first needed.
    pub(super) fn new(path: &Path) -> Result<FileJournal, (Cause, String)> {
        let unreadable = |problem| (Cause::UnreadableFile, problem);
        if may_have_password(&path.to_string_lossy()) {
            let problem = "must be the path of a file, or a URI that begins with postgresql://";
            return Err((Cause::InvalidValue, problem.into()));
        }
        if path.as_os_str().is_empty() || path.as_os_str().as_encoded_bytes().contains(&0) {
            return Err((Cause::InvalidValue, "must be the path of a file".into()));
        }
        // The host process may change its working directory.
        let path = std::path::absolute(path).map_err(|error| {
            unreadable(format!(
                "names {}, which is not a path: {}",
                path.display(),
                error.kind()
            ))
        })?;
        let length = path.as_os_str().len();
        if length > files::LONGEST_DATABASE_PATH {
            let words = format!(
                "names a path of {length} bytes; SQLite opens paths of at most {}",
                files::LONGEST_DATABASE_PATH
            );
            return Err((Cause::InvalidValue, words));
        }
        match fs::metadata(&path) {
            Ok(about) if !about.is_file() => {
                return Err(unreadable(format!(
                    "names {}, which is not a file",
                    path.display()
                )));
            }
            Ok(_) => {}
            Err(_) if path.parent().is_some_and(Path::is_dir) => {}
            Err(_) => {
                return Err(unreadable(format!(
                    "names {}, whose folder does not exist or cannot be read",
                    path.display()
                )));
            }
        }
        close_before_fork(file::close_all);
        Ok(FileJournal {
            path,
            file: JournalFile::default(),
        })
    }

    fn error(&self, problem: JournalProblem) -> JournalError {
        JournalError::of(problem, &self.path.display())
    }
}

impl Engine for FileJournal {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn run(
        &self,
        access: Access,
        wait: &mut JournalWait<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), JournalError> {
        let behavior = match access {
            Access::Read => TransactionBehavior::Deferred,
            Access::Write | Access::WriteOnce | Access::WriteLater => {
                TransactionBehavior::Immediate
            }
        };
        let mut in_transaction = |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(behavior)?;
            if access == Access::Read {
                // What is read stands still from here on. A time that is taken later is not before
                // that of any entry in it.
                transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            }
            work(&mut Session(&transaction))?;
            Ok(transaction.commit()?)
        };
        loop {
            let (done, limit) = JOURNALS
                .run(|| files::protect_host(|| self.file.work(&self.path, &mut in_transaction)));
            let busy = match done {
                Ok(()) => return Ok(()),
                Err(problem) if problem.is_busy() => problem,
                Err(problem) => return Err(self.error(problem::at_limit(problem, limit))),
            };
            if !wait.pause(PAUSE)? {
                return Err(self.error(busy));
            }
        }
    }
}

/// A fork must not interrupt closing either.
impl Drop for FileJournal {
    fn drop(&mut self) {
        JOURNALS.run(|| files::protect_host(|| self.file.release()));
    }
}

/// An open file, in a transaction.
struct Session<'a>(&'a Connection);

impl Database for Session<'_> {
    fn each(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        read: &mut dyn FnMut(&dyn Row) -> Result<(), JournalProblem>,
    ) -> Result<(), JournalProblem> {
        let mut statement = self.0.prepare(sql)?;
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            read(row)?;
        }
        Ok(())
    }

    fn remove(
        &mut self,
        age_ms: i64,
        service: &str,
        condition: &str,
        _removed: &mut u64,
    ) -> Result<u64, JournalProblem> {
        let count = self.0.execute(
            &format!(
                "DELETE FROM payorder_orders
                 WHERE updated_ms < {} - ?1 AND service = ?2 AND {condition}",
                (DIALECT.now)()
            ),
            rusqlite::params![age_ms, service],
        )?;
        self.0.execute(REMOVE_ORPHANS, [])?;
        Ok(count as u64)
    }

    fn change(
        &mut self,
        update: &str,
        values: &[Value<'_>],
        events: &[NewEvent],
    ) -> Result<Vec<(i64, i64)>, JournalProblem> {
        let this: &mut dyn Database = self;
        let changed = this.rows(&format!("{update} RETURNING entry"), values, |row| {
            row.integer(0)
        })?;
        let mut all = Vec::with_capacity(changed.len());
        for entry in changed {
            let mut last = 0;
            for event in events {
                let values = values![
                    entry,
                    event.age_ms,
                    event.name,
                    &event.details,
                    event.connection.as_deref()
                ];
                this.each(INSERT, &values, &mut |row| {
                    last = row.integer(0)?;
                    Ok(())
                })?;
            }
            all.push((entry, last));
        }
        Ok(all)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(match self {
            Value::Integer(number) => (*number).into(),
            Value::Flag(flag) => (*flag).into(),
            Value::Text(text) => return text.to_sql(),
        })
    }
}

impl Row for rusqlite::Row<'_> {
    fn optional_text(&self, column: usize) -> Result<Option<String>, JournalProblem> {
        Ok(self.get(column)?)
    }

    fn optional_integer(&self, column: usize) -> Result<Option<i64>, JournalProblem> {
        Ok(self.get(column)?)
    }

    fn flag(&self, column: usize) -> Result<bool, JournalProblem> {
        Ok(self.get(column)?)
    }
}
