//! The journal's file: creates it, opens it, and detects when another file takes its place.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError, Weak};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::super::problem::JournalProblem;
use super::problem::{self, CLOSED, FOREIGN, LINKED, LOG_WITHOUT_JOURNAL, SHARED};
use crate::lock::lock;
use crate::platform::files::{self, PinnedFile};
use crate::platform::{DatabaseDescriptors, FileId};

/// `payo` in the file's head, and the version of what is in it.
const APPLICATION: i32 = 0x7061_796f;
const VERSION: i32 = 1;

const SCHEMA: &str = "
CREATE TABLE payorder_orders (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    order_id TEXT NOT NULL,
    order_number INTEGER NOT NULL,
    merchant_txn_id TEXT NOT NULL,
    txn_number INTEGER NOT NULL,
    amount TEXT NOT NULL,
    currency_code TEXT NOT NULL,
    body_sha256 TEXT NOT NULL,
    body_bytes INTEGER NOT NULL,
    entry_key TEXT,
    state TEXT NOT NULL
        CHECK (state IN ('sending', 'created', 'rejected', 'not_sent', 'unknown', 'settled')),
    begun_ms INTEGER NOT NULL,
    deadline_ms INTEGER NOT NULL,
    url TEXT,
    result INTEGER,
    transaction_id TEXT,
    transaction_status TEXT,
    note TEXT,
    updated_ms INTEGER NOT NULL,
    UNIQUE (order_id, order_number),
    UNIQUE (merchant_txn_id, txn_number)
) STRICT;
CREATE INDEX payorder_orders_by_state ON payorder_orders (state, entry);
CREATE TABLE payorder_events (
    entry INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    details TEXT NOT NULL,
    connection TEXT,
    PRIMARY KEY (entry, number)
) STRICT, WITHOUT ROWID;
";

#[derive(Default)]
pub(super) struct JournalFile {
    /// The file that this client opened first. It never uses another one.
    file: OnceLock<Arc<OpenFile>>,
}

/// A file that this process opened, shared by its clients. There is only one connection to it:
/// its locks belong to the open file, and SQLite expects connections of one process to share them.
struct OpenFile {
    /// Where it was opened. SQLite keeps its log next to it.
    path: PathBuf,
    id: FileId,
    /// Why this file must not be used any more. This is never reset: what was written in the
    /// meantime, and by whom, is not known.
    lost: OnceLock<Lost>,
    /// It has been set up, so from now on it is never empty.
    is_set_up: AtomicBool,
    opened: Mutex<Opened>,
}

/// What a process has open of a file.
struct Opened {
    pinned: PinnedFile,
    /// `None` before the first work, and after a fork or an error.
    database: Option<Database>,
}

#[derive(Clone, Copy)]
enum Lost {
    /// Another file was found in its place.
    Replaced,
    /// The host closed a descriptor of it.
    Closed,
}

struct Database {
    /// `None` only while it is dropped.
    connection: Option<Connection>,
    descriptors: DatabaseDescriptors,
    /// Leave the log as it is when the database is closed. The last one to close a database removes
    /// the log at its path, which may belong to another file by now.
    keep_log: bool,
}

/// With their ids. A file stays here until its database is closed. No file is dropped while a thread
/// has this list.
static OPEN_FILES: Mutex<Vec<(FileId, Weak<OpenFile>)>> = Mutex::new(Vec::new());

/// Files are opened one at a time, since another client may be creating the same one.
static OPENING: Mutex<()> = Mutex::new(());

/// Closes every database before a fork. SQLite does not allow an open database across a fork: the
/// child would share the file's locks, and closing the file there would release them for both
/// processes. No thread uses a journal at that moment; the next call that needs it opens it again.
pub(super) fn close_all() {
    let all: Vec<_> = lock(&OPEN_FILES)
        .iter()
        .map(|(_, file)| file.upgrade())
        .collect();
    for file in all.into_iter().flatten() {
        if let Ok(mut opened) = file.opened.try_lock() {
            opened.database = None;
        }
    }
}

impl JournalFile {
    /// Runs `work` on the database, and opens the database first if needed.
    pub(super) fn work(
        &self,
        path: &Path,
        work: impl FnOnce(&mut Connection) -> Result<(), JournalProblem>,
    ) -> Result<(), JournalProblem> {
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let _one_at_a_time = try_lock(&OPENING)?;
                // If its folder cannot be flushed, a new file would not be safe.
                let _folder = open_folder_of(path)?;
                create_if_missing(path)?;
                let file = OpenFile::find(path)?;
                file.work(path, |_| Ok(()))?;
                self.file.get_or_init(|| file)
            }
        };
        file.work(path, work)
    }

    /// Ends this client's use of the file.
    pub(super) fn release(&mut self) {
        self.file.take();
    }
}

fn open_folder_of(path: &Path) -> Result<File, JournalProblem> {
    files::open_folder(folder_of(path)).map_err(problem::of_folder)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

fn create_if_missing(path: &Path) -> Result<(), JournalProblem> {
    // Checked before the journal itself, since another process may be creating both.
    let has_log = fs::metadata(with_suffix(path, "-wal")).is_ok_and(|about| about.len() > 0);
    let is_empty = match fs::metadata(path) {
        Ok(about) => about.len() == 0,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if has_log && is_empty {
        // SQLite would remove the log.
        return Err(LOG_WITHOUT_JOURNAL.into());
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
    fn find(path: &Path) -> Result<Arc<OpenFile>, JournalProblem> {
        let pinned = PinnedFile::open(path)?;
        let id = pinned.id;
        let known: Vec<_> = lock(&OPEN_FILES)
            .iter()
            .filter(|(other, _)| *other == id)
            .map(|(_, file)| file.upgrade())
            .collect();
        for file in known {
            // Another thread is closing it.
            let file = file.ok_or_else(problem::busy)?;
            if file.is_usable(path)? {
                return Ok(file);
            }
        }
        let file = Arc::new(OpenFile {
            path: path.to_owned(),
            id,
            lost: OnceLock::new(),
            is_set_up: AtomicBool::new(false),
            opened: Mutex::new(Opened {
                pinned,
                database: None,
            }),
        });
        lock(&OPEN_FILES).push((id, Arc::downgrade(&file)));
        Ok(file)
    }

    /// Whether a client can join those that use this file. If not, its database is closed: there
    /// may be only one connection to a file.
    fn is_usable(&self, path: &Path) -> Result<bool, JournalProblem> {
        let _problem = self.check(path);
        if self.lost.get().is_some() {
            self.close(&mut *try_lock(&self.opened)?);
        }
        Ok(self.lost.get().is_none())
    }

    fn work(
        &self,
        path: &Path,
        work: impl FnOnce(&mut Connection) -> Result<(), JournalProblem>,
    ) -> Result<(), JournalProblem> {
        let mut opened = try_lock(&self.opened)?;
        let result = self.work_with(&mut opened, path, work);
        if self.lost.get().is_some() {
            self.close(&mut opened);
        }
        result
    }

    fn work_with(
        &self,
        opened: &mut Opened,
        path: &Path,
        work: impl FnOnce(&mut Connection) -> Result<(), JournalProblem>,
    ) -> Result<(), JournalProblem> {
        self.check(path)?;
        if opened.database.is_none() {
            // A forked child may have closed what it inherited: daemons do. The old number is
            // forgotten first, because the new descriptor can get it.
            if !opened.pinned.is_intact() {
                opened.pinned.forget();
                opened.pinned = PinnedFile::open(path)?;
            }
            if opened.pinned.id != self.id {
                self.lost.get_or_init(|| Lost::Replaced);
            }
            self.check_lost()?;
            opened.database = Some(self.open(path)?);
        }
        let Some(database) = &mut opened.database else {
            return Err(JournalProblem::replaced());
        };
        self.check_descriptors(&opened.pinned, database)?;
        let result = database.run(work);
        self.check_descriptors(&opened.pinned, database)?;
        // After a disk error, SQLite's view of the file cannot be trusted. A shared descriptor stays
        // shared until the database is closed.
        let is_shared = database.descriptors.are_shared();
        if is_shared || result.as_ref().is_err_and(problem::is_of_engine) {
            self.close(opened);
        }
        result?;
        // Make sure that the work was not done on a file that has been replaced.
        self.check(path)
    }

    fn open(&self, path: &Path) -> Result<Database, JournalProblem> {
        let folder = open_folder_of(path)?;
        // SQLite's own error would only say that it cannot open the file.
        files::check_writable(folder_of(path))?;
        files::check_writable(path)?;
        let path = files::database_path(path);
        // With one of these in use, it would say that the journal cannot be written.
        for ending in ["-wal", "-shm"] {
            match files::check_writable(&with_suffix(&path, ending)) {
                Err(error) if files::is_in_use(&error) => return Err(error.into()),
                _ => {}
            }
        }
        // At every open, since another process may have created the file and ended before this
        // step.
        files::sync_folder(&folder).map_err(problem::of_folder)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        files::replace_system_calls();
        let mut descriptors = DatabaseDescriptors::new(&path);
        let connection = descriptors.during(|| match files::DATABASE_SYSTEM {
            Some(system) => Connection::open_with_flags_and_vfs(&path, flags, system),
            None => Connection::open_with_flags(&path, flags),
        })?;
        let mut database = Database {
            connection: Some(connection),
            descriptors,
            keep_log: false,
        };
        database.run(set_up)?;
        self.is_set_up.store(true, Ordering::Release);
        Ok(database)
    }

    /// Closes the database, but keeps the id of its file.
    fn close(&self, opened: &mut Opened) {
        if let Some(mut database) = opened.database.take() {
            database.keep_log = self.lost.get().is_some();
        }
    }

    /// Checks that the path still leads to this file, and that no other path does.
    fn check(&self, path: &Path) -> Result<(), JournalProblem> {
        self.check_path(path)?;
        // Another client may have opened it under another path.
        if path != self.path {
            self.check_path(&self.path)?;
        }
        self.check_lost()
    }

    fn check_path(&self, path: &Path) -> Result<(), JournalProblem> {
        let is_there = match files::status(path) {
            Ok(about) if about.id == self.id => {
                if about.links > 1 {
                    return Err(LINKED.into());
                }
                about.length > 0 || !self.is_set_up.load(Ordering::Acquire)
            }
            Ok(_) => false,
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => false,
                _ => return Err(error.into()),
            },
        };
        if !is_there {
            self.lost.get_or_init(|| Lost::Replaced);
        }
        Ok(())
    }

    /// Checks that the host has not closed what this file needs.
    fn check_descriptors(
        &self,
        pinned: &PinnedFile,
        database: &mut Database,
    ) -> Result<(), JournalProblem> {
        if !database.descriptors.verify() || !pinned.is_intact() {
            self.lost.get_or_init(|| Lost::Closed);
        }
        self.check_lost()
    }

    fn check_lost(&self) -> Result<(), JournalProblem> {
        match self.lost.get() {
            None => Ok(()),
            Some(Lost::Replaced) => Err(JournalProblem::replaced()),
            Some(Lost::Closed) => Err(CLOSED.into()),
        }
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        let opened = self.opened.get_mut();
        opened.unwrap_or_else(PoisonError::into_inner).database = None;
        lock(&OPEN_FILES).retain(|(_, file)| !ptr::eq(file.as_ptr(), self));
    }
}

impl Database {
    fn run(
        &mut self,
        work: impl FnOnce(&mut Connection) -> Result<(), JournalProblem>,
    ) -> Result<(), JournalProblem> {
        let Some(connection) = &mut self.connection else {
            return Err(CLOSED.into());
        };
        let result = self.descriptors.during(|| work(connection));
        match self.descriptors.are_shared() {
            true => Err(SHARED.into()),
            false => result,
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        if !self.descriptors.verify() || self.keep_log {
            // This also keeps SQLite from using the descriptors.
            let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
        self.descriptors.during(|| drop(connection));
    }
}

/// Sets up an open database, and makes an empty one a journal.
fn set_up(connection: &mut Connection) -> Result<(), JournalProblem> {
    // Waiting is done elsewhere, where it can be cancelled.
    connection.busy_timeout(Duration::ZERO)?;
    // A commit returns once it is on the disk: one write and one flush.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // On macOS, only this flushes the disk's cache.
    connection.pragma_update(None, "fullfsync", true)?;
    // No files other than the journal's three.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    let is_new = is_empty(&connection.transaction()?)?;
    // A copied or restored file may be in another mode.
    let mode = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    if mode != "wal" {
        return Err(problem::not_write_ahead(&mode));
    }
    if !is_new {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it first.
    if is_empty(&transaction)? {
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Whether a database is empty. An error if it is neither that nor a journal. Runs in one
/// transaction: otherwise another process could create the journal between the queries.
fn is_empty(transaction: &Transaction<'_>) -> Result<bool, JournalProblem> {
    let number =
        |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION, VERSION) => Ok(false),
        (APPLICATION, version) => Err(problem::newer(version, VERSION)),
        (0, 0)
            if !transaction
                .prepare("SELECT 1 FROM sqlite_schema")?
                .exists([])? =>
        {
            Ok(true)
        }
        _ => Err(FOREIGN.into()),
    }
}

/// For a mutex that a thread keeps while the disk works. Waiting is done elsewhere, where it can be
/// cancelled.
fn try_lock<T>(mutex: &Mutex<T>) -> Result<MutexGuard<'_, T>, JournalProblem> {
    match mutex.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(problem::busy()),
    }
}

#[cfg(test)]
mod tests {
    use super::JournalFile;
    use crate::error::Cause;
    use std::fs;

    #[test]
    fn what_is_written_while_the_file_is_moved_away_is_not_done() {
        let folder = std::env::temp_dir().join(format!("payorder-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (path, elsewhere) = (folder.join("journal.db"), folder.join("elsewhere.db"));
        let mut file = JournalFile::default();
        // Another test may be opening a journal.
        let opened = loop {
            match file.work(&path, |_| Ok(())) {
                Err(problem) if problem.is_busy() => std::thread::yield_now(),
                other => break other,
            }
        };
        assert!(opened.is_ok());
        let moved = file.work(&path, |_| {
            fs::rename(&path, &elsewhere).unwrap();
            Ok(())
        });
        let is_replaced = |cause| cause == Cause::JournalReplaced;
        assert!(moved.is_err_and(|problem| is_replaced(problem.cause)));
        fs::rename(&elsewhere, &path).unwrap();
        let again = file.work(&path, |_| Ok(()));
        assert!(
            again.is_err_and(|problem| is_replaced(problem.cause)),
            "it stays so"
        );
        file.release();
        fs::remove_dir_all(&folder).unwrap();
    }
}
