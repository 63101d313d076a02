//! Opens, locks and closes the journal: an SQLite database that several processes may share, and
//! that is never open during a fork. What is in it: `orders.rs` and `events.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::file::{self, JournalFile};
use super::problem::JournalProblem;
use super::{JournalError, LockWait};
use crate::error::Cause;
use crate::platform::files;
use crate::platform::fork::{JOURNALS, close_before_fork};

pub(crate) struct Journal {
    path: PathBuf,
    file: JournalFile,
    /// The service of the client's own entries.
    pub(super) service: String,
}

/// The pause before a busy journal is tried again.
const PAUSE: Duration = Duration::from_millis(2);

impl Journal {
    /// The journal at a path. It is opened, or created, when it is first needed.
    pub(crate) fn new(path: PathBuf, service: &str) -> Result<Journal, (Cause, String)> {
        let unreadable = |problem| (Cause::UnreadableFile, problem);
        if path.as_os_str().is_empty() || path.as_os_str().as_encoded_bytes().contains(&0) {
            return Err((Cause::InvalidValue, "must be the path of a file".into()));
        }
        // The host process may change its working directory.
        let path = std::path::absolute(&path).map_err(|error| {
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
        Ok(Journal {
            path,
            file: JournalFile::default(),
            service: service.to_owned(),
        })
    }

    pub(super) fn write<T>(
        &self,
        lock_wait: &mut LockWait<'_>,
        mut work: impl FnMut(&Transaction<'_>) -> Result<T, JournalProblem>,
    ) -> Result<T, JournalError> {
        self.read(lock_wait, |connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        })
    }

    /// Runs `work` on the database, and tries again while another thread or process uses it.
    pub(super) fn read<T>(
        &self,
        lock_wait: &mut LockWait<'_>,
        mut work: impl FnMut(&mut Connection) -> Result<T, JournalProblem>,
    ) -> Result<T, JournalError> {
        loop {
            let (done, limit) =
                JOURNALS.run(|| files::protect_host(|| self.file.work(&self.path, &mut work)));
            let busy = match done {
                Ok(done) => return Ok(done),
                Err(problem) if problem.is_busy() => problem,
                Err(problem) => return Err(self.error(problem.at_limit(limit))),
            };
            if !lock_wait(PAUSE)? {
                return Err(self.error(busy));
            }
        }
    }

    fn error(&self, problem: JournalProblem) -> JournalError {
        let (cause, words) = problem.explain();
        let what = format!("the journal {} {words}", self.path.display());
        JournalError::Failed(cause, what, problem.into_source())
    }
}

/// A fork must not interrupt closing either.
impl Drop for Journal {
    fn drop(&mut self) {
        JOURNALS.run(|| files::protect_host(|| self.file.release()));
    }
}
