//! The journal's file: creates it, opens it, and detects when another file takes its place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior};

use super::events;
use super::problem::Problem;
use crate::connection::files::{self, PinnedFile};

/// `payo` in the file's head, and the version of what is in it.
const APPLICATION: i32 = 0x7061_796f;
const VERSION: i32 = 1;

const SCHEMA: &str = "
CREATE TABLE orders (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id TEXT NOT NULL,
    merchant_txn_id TEXT NOT NULL,
    amount TEXT NOT NULL,
    currency_code TEXT NOT NULL,
    body_sha256 BLOB NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('sending', 'created', 'rejected', 'not_sent', 'unknown', 'settled')),
    begun_ms INTEGER NOT NULL,
    deadline_ms INTEGER NOT NULL,
    url TEXT,
    result INTEGER,
    transaction_id TEXT,
    transaction_status TEXT,
    note TEXT,
    updated_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_by_order_id ON orders (order_id);
CREATE INDEX orders_by_merchant_txn_id ON orders (merchant_txn_id);
CREATE INDEX orders_by_state ON orders (state, entry);
";

/// A client's open journal.
#[derive(Default)]
pub(super) struct JournalFile {
    /// The file that this client opened first. It never uses another one.
    file: Option<Arc<OpenFile>>,
    connection: Option<Connection>,
}

/// A file that this process opened, shared by its clients.
struct OpenFile {
    pinned: PinnedFile,
    /// Another file was found in its place. This is never reset: what was written in the meantime,
    /// and by whom, is not known.
    replaced: AtomicBool,
}

static OPEN_FILES: Mutex<Vec<Weak<OpenFile>>> = Mutex::new(Vec::new());

/// Files are opened one at a time, since another client may be creating the same one.
static OPENING: Mutex<()> = Mutex::new(());

impl JournalFile {
    /// Runs `work` on the database, and opens the database first if needed.
    pub(super) fn work<T>(
        &mut self,
        path: &Path,
        work: impl FnOnce(&mut Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if let Some(file) = &self.file {
            file.check(path).inspect_err(|_| self.close())?;
        }
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.open(path)?,
        };
        let result = work(&mut connection);
        // After a disk error, SQLite's view of the file cannot be trusted.
        if result
            .as_ref()
            .err()
            .is_none_or(|problem| !matches!(problem, Problem::Sqlite(_)) || problem.is_busy())
        {
            self.connection = Some(connection);
        }
        let result = result?;
        // Make sure that the work was not done on a file that has been replaced.
        if let Some(file) = &self.file {
            file.check(path).inspect_err(|_| self.close())?;
        }
        Ok(result)
    }

    /// Closes the database, but keeps the id of its file.
    pub(super) fn close(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        if self.file.as_ref().is_some_and(|file| file.is_replaced()) {
            // The last one to close a database removes the log at its path, which may belong to
            // another file by now.
            let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }

    fn open(&mut self, path: &Path) -> Result<Connection, Problem> {
        let _one_at_a_time = lock(&OPENING);
        // Before the file is created: if its folder cannot be flushed, the file would not be safe.
        let parent = path.parent().unwrap_or(path);
        let folder = files::open_folder(parent).map_err(Problem::Folder)?;
        if self.file.is_none() {
            create_if_missing(path)?;
        }
        // SQLite's own error would only say that it cannot open the file.
        files::check_writable_folder(parent)?;
        files::check_writable_file(path)?;
        // At every open, since another process may have created the file and ended before this
        // step.
        files::sync_folder(&folder).map_err(Problem::Folder)?;
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => OpenFile::open(path)?,
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let database = files::database_path(path);
        let mut connection = match files::DATABASE_SYSTEM {
            Some(system) => Connection::open_with_flags_and_vfs(&database, flags, system)?,
            None => Connection::open_with_flags(&database, flags)?,
        };
        set_up(&mut connection)?;
        file.check(path)?;
        self.file = Some(file);
        Ok(connection)
    }
}

/// Creates the file if it does not exist.
fn create_if_missing(path: &Path) -> Result<(), Problem> {
    // Checked before the journal itself, since another process may be creating both.
    let has_log = fs::metadata(with_suffix(path, "-wal")).is_ok_and(|about| about.len() > 0);
    let is_empty = match fs::metadata(path) {
        Ok(about) => about.len() == 0,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if has_log && is_empty {
        // SQLite would remove the log.
        return Err(Problem::LogWithoutJournal);
    }
    match files::create_private(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

impl OpenFile {
    /// The file at a path. This process may have opened it already.
    fn open(path: &Path) -> Result<Arc<OpenFile>, Problem> {
        let pinned = PinnedFile::open(path)?;
        let mut all = lock(&OPEN_FILES);
        all.retain(|file| file.strong_count() > 0);
        let known = all
            .iter()
            .filter_map(Weak::upgrade)
            .find(|file| file.pinned.id == pinned.id && !file.is_replaced());
        let file = known.unwrap_or_else(|| {
            let file = Arc::new(OpenFile {
                pinned,
                replaced: AtomicBool::new(false),
            });
            all.push(Arc::downgrade(&file));
            file
        });
        drop(all);
        match files::status(path)? {
            about if about.links > 1 => Err(Problem::Linked),
            _ => Ok(file),
        }
    }

    fn is_replaced(&self) -> bool {
        self.replaced.load(Ordering::Acquire)
    }

    /// Checks that the path still leads to this file, and that no other path does.
    fn check(&self, path: &Path) -> Result<(), Problem> {
        let is_there = match files::status(path) {
            // An open journal is never empty.
            Ok(about) if about.id == self.pinned.id && about.length > 0 => {
                if about.links > 1 {
                    return Err(Problem::Linked);
                }
                true
            }
            Ok(_) => false,
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => false,
                _ => return Err(error.into()),
            },
        };
        if !is_there {
            self.replaced.store(true, Ordering::Release);
        }
        if self.is_replaced() {
            return Err(Problem::Replaced);
        }
        Ok(())
    }
}

/// Sets up an open database, and makes an empty one a journal.
fn set_up(connection: &mut Connection) -> Result<(), Problem> {
    // Waiting is done elsewhere, where it can be cancelled.
    connection.busy_timeout(Duration::ZERO)?;
    // A commit returns once it is on the disk: one write and one flush.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // On macOS, only this flushes the disk's cache.
    connection.pragma_update(None, "fullfsync", true)?;
    // No files other than the journal's three.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    let kind = kind_of(&connection.transaction()?)?;
    match kind {
        DatabaseKind::Current | DatabaseKind::WithoutEvents | DatabaseKind::Empty => {}
        DatabaseKind::Newer(version) => return Err(Problem::Newer(version, VERSION)),
        DatabaseKind::Draft => return Err(Problem::Draft),
        DatabaseKind::Foreign => return Err(Problem::Foreign),
    }
    // A copied or restored file may be in another mode.
    let mode = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    if mode != "wal" {
        return Err(Problem::NotWriteAhead(mode));
    }
    if let DatabaseKind::Empty | DatabaseKind::WithoutEvents = kind {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have done it first.
        if let DatabaseKind::Empty = kind_of(&transaction)? {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.execute_batch(events::SCHEMA)?;
        transaction.commit()?;
    }
    Ok(())
}

enum DatabaseKind {
    Empty,
    Current,
    /// A journal that was made before there were events.
    WithoutEvents,
    Newer(i32),
    Draft,
    Foreign,
}

/// Runs in one transaction: otherwise another process could create the journal between the queries.
fn kind_of(transaction: &Transaction<'_>) -> rusqlite::Result<DatabaseKind> {
    let number =
        |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let has = |what: &str| {
        let found: Option<i64> = transaction
            .query_row(what, [], |row| row.get(0))
            .optional()?;
        Ok::<bool, rusqlite::Error>(found.is_some())
    };
    Ok(match (number("application_id")?, number("user_version")?) {
        (APPLICATION, VERSION) if has(NOTES)? => match has(EVENTS)? {
            true => DatabaseKind::Current,
            false => DatabaseKind::WithoutEvents,
        },
        (APPLICATION, VERSION) => DatabaseKind::Draft,
        (APPLICATION, version) => DatabaseKind::Newer(version),
        (0, 0) if !has(TABLES)? => DatabaseKind::Empty,
        _ => DatabaseKind::Foreign,
    })
}

const TABLES: &str = "SELECT 1 FROM sqlite_schema LIMIT 1";
const EVENTS: &str = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'events'";
const NOTES: &str = "SELECT 1 FROM pragma_table_info('orders') WHERE name = 'note'";

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{JournalFile, Problem};
    use std::fs;

    #[test]
    fn what_is_written_while_the_file_is_moved_away_is_not_done() {
        let folder = std::env::temp_dir().join(format!("payorder-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (path, elsewhere) = (folder.join("journal.db"), folder.join("elsewhere.db"));
        let mut file = JournalFile::default();
        assert!(file.work(&path, |_| Ok(())).is_ok());
        let moved = file.work(&path, |_| {
            fs::rename(&path, &elsewhere).unwrap();
            Ok(())
        });
        assert!(matches!(moved, Err(Problem::Replaced)));
        fs::rename(&elsewhere, &path).unwrap();
        let again = file.work(&path, |_| Ok(()));
        assert!(matches!(again, Err(Problem::Replaced)), "it stays so");
        file.close();
        fs::remove_dir_all(&folder).unwrap();
    }
}
