//! The journal's file: an SQLite database that several processes may share, and that a fork never
//! finds open.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::types::Type;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior,
    params,
};

use super::{Ending, Intent, Learnt, Patience, Trouble};
use crate::connection::{self, before_each_fork};
use crate::entry::{Entry, EntryState};

/// The journal of a client.
pub(crate) struct Journal {
    path: PathBuf,
    kept: Arc<Kept>,
}

/// The open database. Its own type, so that a fork can close it.
type Kept = Mutex<Option<Open>>;

struct Open {
    connection: Connection,
    /// The file's device and number: another file under the same path is another journal.
    file: (u64, u64),
}

/// All journals of the process.
static JOURNALS: Mutex<Vec<Weak<Kept>>> = Mutex::new(Vec::new());

static OPENING: Mutex<()> = Mutex::new(());

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
    state TEXT NOT NULL CHECK (state IN ('sending', 'created', 'rejected', 'not_sent', 'unknown')),
    begun_ms INTEGER NOT NULL,
    deadline_ms INTEGER NOT NULL,
    url TEXT,
    result INTEGER,
    transaction_id TEXT,
    transaction_status TEXT,
    updated_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_by_order_id ON orders (order_id);
CREATE INDEX orders_by_merchant_txn_id ON orders (merchant_txn_id);
CREATE INDEX orders_by_state ON orders (state, entry);
";

/// An entry that is still `sending` when its call's deadline has passed is `unknown`: its process
/// is gone. `?1` is now.
const COLUMNS: &str = "entry, order_id, merchant_txn_id, amount, currency_code,
    CASE WHEN state = 'sending' AND deadline_ms <= ?1 THEN 'unknown' ELSE state END AS state_now, url, result, transaction_id, transaction_status,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_ms / 1000.0, 'unixepoch')";

/// How long one who found the journal held by another waits before looking again.
const PAUSE: Duration = Duration::from_millis(2);

impl Journal {
    /// The journal at a path. It is opened when it is first needed, and made where it is missing.
    pub(crate) fn at(path: PathBuf) -> Result<Journal, String> {
        if path.as_os_str().is_empty() || path.as_os_str().as_encoded_bytes().contains(&0) {
            return Err("must be the path of a file".into());
        }
        // The host may change its folder.
        let path = std::path::absolute(&path).map_err(|error| {
            format!(
                "names {}, which is no path: {}",
                path.display(),
                error.kind()
            )
        })?;
        match fs::metadata(&path) {
            Ok(about) if !about.is_file() => {
                return Err(format!("names {}, which is no file", path.display()));
            }
            Ok(_) => {}
            Err(_) if path.parent().is_some_and(Path::is_dir) => {}
            Err(_) => {
                return Err(format!(
                    "names {}, whose folder does not exist or cannot be read",
                    path.display()
                ));
            }
        }
        before_each_fork(close_all);
        let kept = Arc::new(Kept::default());
        connection::JOURNALS.run(|| {
            let mut journals = lock(&JOURNALS);
            journals.retain(|journal| journal.strong_count() > 0);
            journals.push(Arc::downgrade(&kept));
        });
        Ok(Journal { path, kept })
    }

    /// Writes down that an order is about to be sent, for good, and gives the entry's number; or
    /// the entry that forbids it.
    pub(crate) fn begin(
        &self,
        intent: &Intent<'_>,
        resend: bool,
        patience: &mut Patience<'_>,
    ) -> Result<Result<i64, Entry>, Trouble> {
        self.write(patience, |transaction| {
            let now = now();
            let mut find = transaction.prepare(&format!(
                "SELECT {COLUMNS} FROM orders WHERE (order_id = ?2 OR merchant_txn_id = ?3) AND state IN ('sending', 'created', 'unknown')
                 ORDER BY entry DESC"
            ))?;
            let earlier = find.query_map(params![now, intent.order_id, intent.merchant_txn_id], read_entry)?;
            for entry in earlier {
                let entry = entry?;
                if !(resend && entry.state == EntryState::Unknown) {
                    return Ok(Err(entry));
                }
            }
            transaction
                .prepare(
                    "INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code, body_sha256, state, begun_ms, deadline_ms, updated_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, 'sending', ?6, ?7, ?6)",
                )?
                .execute(params![
                    intent.order_id,
                    intent.merchant_txn_id,
                    intent.amount,
                    intent.currency_code,
                    ring::digest::digest(&ring::digest::SHA256, intent.body.as_bytes()).as_ref(),
                    now,
                    now.saturating_add(milliseconds(intent.left)),
                ])?;
            Ok(Ok(transaction.last_insert_rowid()))
        })
    }

    /// Writes down what became of an order. What has been learnt of it meanwhile, that the service
    /// has it, is not taken back.
    pub(crate) fn finish(
        &self,
        entry: i64,
        ending: &Ending<'_>,
        patience: &mut Patience<'_>,
    ) -> Result<(), Trouble> {
        let written = self.write(patience, |transaction| {
            transaction
                .prepare(
                    "UPDATE orders SET state = CASE state WHEN 'sending' THEN ?2 ELSE state END, url = ?3, result = ?4, updated_ms = ?5
                     WHERE entry = ?1 AND order_id = ?6",
                )?
                .execute(params![entry, ending.state.name(), ending.url, ending.result, now(), ending.order_id])
        })?;
        // Another file can have been put in its place.
        if written == 0 {
            Err(self.trouble(&Problem::Gone))
        } else {
            Ok(())
        }
    }

    /// The entries after one that are in these states (all, where there are none), oldest first.
    pub(crate) fn list(
        &self,
        states: &[EntryState],
        after: i64,
        limit: u32,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Entry>, Trouble> {
        let states: Vec<&str> = states.iter().map(|state| state.name()).collect();
        let states = (!states.is_empty()).then(|| states.join(","));
        self.read(patience, |connection| {
            let mut find = connection.prepare(&format!(
                "SELECT {COLUMNS} FROM orders WHERE entry > ?2 AND (?3 IS NULL OR instr(',' || ?3 || ',', ',' || state_now || ',') > 0)
                 ORDER BY entry LIMIT ?4"
            ))?;
            find.query_map(params![now(), after, states, limit], read_entry)?.collect()
        })
    }

    /// The number of the last entry; 0 where there is none.
    pub(crate) fn last(&self, patience: &mut Patience<'_>) -> Result<i64, Trouble> {
        self.read(patience, |connection| {
            connection.query_row("SELECT coalesce(max(entry), 0) FROM orders", [], |row| {
                row.get(0)
            })
        })
    }

    /// The next entries, after one and up to another, of which the service has more to tell:
    /// neither settled nor `Completed`.
    pub(crate) fn unsettled(
        &self,
        after: i64,
        last: i64,
        limit: u32,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<(i64, String)>, Trouble> {
        self.read(patience, |connection| {
            let mut find = connection.prepare(
                "SELECT entry, order_id FROM orders WHERE entry > ?1 AND entry <= ?2 AND (state IN ('sending', 'unknown')
                    OR (state = 'created' AND transaction_status IS NOT 'Completed')) ORDER BY entry LIMIT ?3",
            )?;
            find.query_map(params![after, last, limit], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    /// Writes down that the service has these orders, and what it says of them.
    pub(crate) fn learn(
        &self,
        learnt: &[Learnt],
        patience: &mut Patience<'_>,
    ) -> Result<(), Trouble> {
        self.write(patience, |transaction| {
            let mut update = transaction.prepare(
                "UPDATE orders SET state = 'created', transaction_id = ?2, transaction_status = ?3, updated_ms = ?4 WHERE entry = ?1",
            )?;
            for one in learnt {
                update.execute(params![one.entry, one.transaction_id, one.transaction_status, now()])?;
            }
            Ok(())
        })
    }

    /// Removes settled entries that are older than this.
    pub(crate) fn prune(&self, age: Duration, patience: &mut Patience<'_>) -> Result<u64, Trouble> {
        self.write(patience, |transaction| {
            let removed = transaction.execute(
                "DELETE FROM orders WHERE updated_ms < ?1 AND (state IN ('rejected', 'not_sent')
                    OR (state = 'created' AND transaction_status = 'Completed'))",
                params![now().saturating_sub(milliseconds(age))],
            )?;
            Ok(removed as u64)
        })
    }

    fn write<T>(
        &self,
        patience: &mut Patience<'_>,
        mut work: impl FnMut(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Trouble> {
        self.read(patience, |connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        })
    }

    /// Works on the database, again while another process holds it.
    fn read<T>(
        &self,
        patience: &mut Patience<'_>,
        mut work: impl FnMut(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Trouble> {
        loop {
            let busy = match connection::JOURNALS.run(|| self.once(&mut work)) {
                Err(problem @ Problem::Sqlite(_)) if problem.is_busy() => problem,
                Err(problem) => return Err(self.trouble(&problem)),
                Ok(done) => return Ok(done),
            };
            if !patience(PAUSE)? {
                return Err(self.trouble(&busy));
            }
        }
    }

    fn once<T>(
        &self,
        work: &mut impl FnMut(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Problem> {
        let mut kept = lock(&self.kept);
        let there = fs::metadata(&self.path).map(|about| (about.dev(), about.ino()));
        let mut open = match kept.take() {
            Some(open) if there.is_ok_and(|file| file == open.file) => open,
            _ => self.open_file()?,
        };
        let result = work(&mut open.connection);
        // After an error of the disk nothing is certain about what SQLite has kept of the file.
        if result.as_ref().err().is_none_or(is_busy) {
            *kept = Some(open);
        }
        Ok(result?)
    }

    fn open_file(&self) -> Result<Open, Problem> {
        // Closing a file gives up the locks that the whole process has on it: none may be opened
        // while another client makes the file.
        let _one_at_a_time = lock(&OPENING);
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&self.path)
        {
            Ok(file) => {
                file.sync_all()?;
                // Or a power cut could take the file away again.
                if let Some(folder) = self.path.parent() {
                    File::open(folder)?.sync_all()?;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&self.path, flags)?;
        let about = fs::metadata(&self.path)?;
        // Waiting is done outside, where it can be cancelled.
        connection.busy_timeout(Duration::ZERO)?;
        // What is committed is on the disk: one write and one flush.
        connection.pragma_update(None, "synchronous", "FULL")?;
        let kind = kind_of(&connection.transaction()?)?;
        match kind {
            Kind::Current => {}
            Kind::Newer(version) => return Err(Problem::Newer(version)),
            Kind::Foreign => return Err(Problem::Foreign),
            Kind::Empty => {
                connection.pragma_update(None, "journal_mode", "WAL")?;
                let transaction =
                    connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                // Another process may have been faster.
                if let Kind::Empty = kind_of(&transaction)? {
                    transaction.execute_batch(SCHEMA)?;
                    transaction.pragma_update(None, "application_id", APPLICATION)?;
                    transaction.pragma_update(None, "user_version", VERSION)?;
                }
                transaction.commit()?;
            }
        }
        Ok(Open {
            connection,
            file: (about.dev(), about.ino()),
        })
    }

    fn trouble(&self, problem: &Problem) -> Trouble {
        Trouble::Failed(format!(
            "the journal {} {}",
            self.path.display(),
            problem.words()
        ))
    }
}

/// Closing is work that a fork had better not cut in two, too.
impl Drop for Journal {
    fn drop(&mut self) {
        connection::JOURNALS.run(|| drop(lock(&self.kept).take()));
    }
}

enum Kind {
    Empty,
    Current,
    Newer(i32),
    Foreign,
}

/// In one transaction, or another process could make the journal between the questions.
fn kind_of(transaction: &Transaction<'_>) -> rusqlite::Result<Kind> {
    let number =
        |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: Option<i64> = transaction
        .query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |row| row.get(0))
        .optional()?;
    Ok(match (application, version) {
        (APPLICATION, VERSION) => Kind::Current,
        (APPLICATION, version) => Kind::Newer(version),
        (0, 0) if tables.is_none() => Kind::Empty,
        _ => Kind::Foreign,
    })
}

/// Why the journal cannot be used.
enum Problem {
    Sqlite(rusqlite::Error),
    File(io::Error),
    Newer(i32),
    Foreign,
    /// It has no entry of an order that was written to it.
    Gone,
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Problem::Sqlite(error)
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Problem::File(error)
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

impl Problem {
    fn is_busy(&self) -> bool {
        matches!(self, Problem::Sqlite(error) if is_busy(error))
    }

    /// What is wrong, and what to do, after the journal's name.
    fn words(&self) -> String {
        match self {
            Problem::Newer(version) => {
                format!("was made by a newer payorder (its version is {version}, this one reads {VERSION}): use that one, or another journal")
            }
            Problem::Foreign => "is a database of another program: name another file in the configuration".into(),
            Problem::Gone => "is another file than the order was written to".into(),
            Problem::File(error) => match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => READ_ONLY.into(),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FULL.into(),
                kind => format!("cannot be opened: {kind}"),
            },
            Problem::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "is held by another process: see what it does, and call again".into(),
                Some(ErrorCode::DiskFull) => FULL.into(),
                Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied) => READ_ONLY.into(),
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    "is damaged, or no journal: keep the file, name another one in the configuration, and ask Get Status for the orders of the day".into()
                }
                Some(ErrorCode::CannotOpen) => "cannot be opened: check its folder, and the files beside it that end in -wal and -shm".into(),
                Some(ErrorCode::SystemIoFailure) => "cannot be read or written: the disk failed, or is full".into(),
                Some(ErrorCode::OutOfMemory) => "cannot be used: this machine has no memory left".into(),
                // Without the database's own words, which could show what is in it.
                Some(code) => format!("cannot be used: SQLite says {code:?}"),
                None => "holds what this library did not write".into(),
            },
        }
    }
}

const FULL: &str = "cannot be written: the disk is full; make room and call again";
const READ_ONLY: &str =
    "cannot be written: give the program the right to write to it and to its folder";

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
        updated_at: row.get(10)?,
    })
}

/// Milliseconds since 1970, as the journal has times.
fn now() -> i64 {
    milliseconds(
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default(),
    )
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Closes every journal before a fork. SQLite forbids to carry an open database across one: the
/// child would share the file's locks, which closing a file in it gives up for both. Nobody is at
/// work on one then; the next to need it opens it again.
fn close_all() {
    for journal in lock(&JOURNALS).iter().filter_map(Weak::upgrade) {
        if let Ok(mut kept) = journal.try_lock() {
            *kept = None;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
