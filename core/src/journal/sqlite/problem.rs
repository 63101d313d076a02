//! Why the journal's file cannot be used, and what to do about it.

use std::io;
use std::sync::Arc;

use rusqlite::{ErrorCode, ffi};

use super::super::problem::{JournalProblem, Kind};
use crate::error::Cause;
use crate::platform;

type Words = (Cause, &'static str);

const NEEDS_FOLDER: Words = (
    Cause::JournalReadOnly,
    "cannot be kept safely: its folder cannot be opened and flushed; give the program the right to \
     read the folder",
);
pub(super) const FOREIGN: Words = (
    Cause::JournalForeign,
    "is a database of another program: name another file in the configuration",
);
pub(super) const CLOSED: Words = (
    Cause::JournalReplaced,
    "was closed by a part of this program that closes file descriptors (handles) which are not its \
     own: find that part, and make a new client",
);
pub(super) const SHARED: Words = (
    Cause::JournalUnavailable,
    "cannot be locked, because another part of this program has it open with SQLite: close it \
     there, or read a copy",
);
pub(super) const LINKED: Words = (
    Cause::JournalReplaced,
    "has more than one name (hard link), so two programs could use it without seeing each other's \
     entries: remove the other names",
);
pub(super) const LOG_WITHOUT_JOURNAL: Words = (
    Cause::JournalDamaged,
    "is missing or empty, but the file next to it that ends in -wal holds its entries: put the \
     journal back in its place",
);
const LIMIT: Words = (
    Cause::JournalFull,
    "cannot be written: the process may not write larger files (RLIMIT_FSIZE); raise the limit and \
     call again",
);
const BUSY: Words = (
    Cause::JournalLocked,
    "is still being written by another thread of this process: its disk is slow; call again",
);
const LOCKED: Words = (
    Cause::JournalLocked,
    "is locked by another process: find out what that process does, and call again",
);
const IN_USE: Words = (
    Cause::JournalLocked,
    "is open in another program, such as a backup, which does not let others write to it: let that \
     program finish, and call again",
);
const DAMAGED: Words = (
    Cause::JournalDamaged,
    "is damaged or not a journal: keep the file, name another one in the configuration, and ask \
     Get Status for the orders of the day",
);
const CANNOT_OPEN: Words = (
    Cause::JournalUnavailable,
    "cannot be opened: check its folder, and the files next to it that end in -wal and -shm",
);
const NO_MEMORY: Words = (
    Cause::NoResources,
    "cannot be used: this machine has no memory left",
);
const FULL: Words = (
    Cause::JournalFull,
    "cannot be written: the disk is full; free some space and call again",
);
const DISK_FAILED: Words = (
    Cause::JournalDamaged,
    "cannot be read or written: the disk failed or is full",
);
const NO_LOCKS: Words = (
    Cause::JournalUnavailable,
    "cannot be kept safely: its file system has no locks that work; keep it on a local disk",
);
const READ_ONLY: Words = (
    Cause::JournalReadOnly,
    "cannot be written: give the program the right to write to it and to its folder",
);
const NO_DESCRIPTORS: Words = (
    Cause::NoDescriptors,
    "cannot be opened: this process or the system has no file descriptor left",
);

impl From<Words> for JournalProblem {
    fn from((cause, words): Words) -> Self {
        JournalProblem::new(cause, words)
    }
}

/// Another thread of this process works with the file.
pub(super) fn busy() -> JournalProblem {
    JournalProblem::from(BUSY).of_kind(Kind::Busy)
}

/// The version of the file, and the newest that this library reads.
pub(super) fn newer(version: i32, newest_readable: i32) -> JournalProblem {
    let words = format!(
        "was made by a newer payorder (version {version} of the file, this one reads \
         {newest_readable}): use that payorder, or name another journal"
    );
    JournalProblem::new(Cause::JournalNewer, words)
}

/// SQLite uses this mode, in which a commit may return before it is on the disk.
pub(super) fn not_write_ahead(mode: &str) -> JournalProblem {
    let words =
        format!("cannot be kept in write-ahead mode (SQLite uses {mode}): keep it on a local disk");
    JournalProblem::new(Cause::JournalUnavailable, words)
}

/// The folder cannot be opened, or flushed to the disk.
pub(super) fn of_folder(error: io::Error) -> JournalProblem {
    match error.kind() {
        io::ErrorKind::PermissionDenied => JournalProblem {
            source: Some(Arc::new(error)),
            ..NEEDS_FOLDER.into()
        },
        _ => error.into(),
    }
}

impl From<io::Error> for JournalProblem {
    fn from(error: io::Error) -> Self {
        let problem = match error.kind() {
            _ if platform::is_out_of_descriptors(&error) => NO_DESCRIPTORS.into(),
            _ if platform::files::is_disk_failure(&error) => DISK_FAILED.into(),
            _ if platform::files::is_in_use(&error) => {
                JournalProblem::from(IN_USE).of_kind(Kind::Busy)
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => READ_ONLY.into(),
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => FULL.into(),
            _ => JournalProblem::new(
                Cause::JournalUnavailable,
                format!("cannot be opened: {}", platform::describe_error(&error)),
            ),
        };
        JournalProblem {
            source: Some(Arc::new(error)),
            ..problem
        }
    }
}

impl From<rusqlite::Error> for JournalProblem {
    fn from(error: rusqlite::Error) -> Self {
        // Without SQLite's message, which could show what is in the file.
        let problem = match error.sqlite_error_code() {
            Some(code) if is_busy(code) => JournalProblem::from(LOCKED).of_kind(Kind::Busy),
            Some(ErrorCode::DiskFull) => FULL.into(),
            Some(
                ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::AuthorizationForStatementDenied,
            ) => READ_ONLY.into(),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => DAMAGED.into(),
            Some(ErrorCode::CannotOpen) => CANNOT_OPEN.into(),
            Some(ErrorCode::SystemIoFailure) if is_without_room_for_index(&error) => FULL.into(),
            Some(ErrorCode::SystemIoFailure) if is_of_lock(&error) => NO_LOCKS.into(),
            Some(ErrorCode::SystemIoFailure) => DISK_FAILED.into(),
            Some(ErrorCode::OutOfMemory) => NO_MEMORY.into(),
            Some(code) => JournalProblem::new(
                Cause::JournalDamaged,
                format!("cannot be used: SQLite reports {code:?}"),
            ),
            None => JournalProblem::not_ours(),
        };
        JournalProblem {
            source: match error {
                rusqlite::Error::SqliteFailure(number, _) => Some(Arc::new(number)),
                _ => None,
            },
            ..problem
        }
    }
}

/// Another thread works with the file, or another process has it locked.
fn is_busy(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed
    )
}

/// There is no disk space for the file that ends in -shm.
fn is_without_room_for_index(error: &rusqlite::Error) -> bool {
    extended_code(error) == ffi::SQLITE_IOERR_SHMSIZE
}

fn is_of_lock(error: &rusqlite::Error) -> bool {
    matches!(
        extended_code(error),
        ffi::SQLITE_IOERR_LOCK
            | ffi::SQLITE_IOERR_SHMLOCK
            | ffi::SQLITE_IOERR_RDLOCK
            | ffi::SQLITE_IOERR_UNLOCK
            | ffi::SQLITE_IOERR_CHECKRESERVEDLOCK
    )
}

fn extended_code(error: &rusqlite::Error) -> i32 {
    error.sqlite_error().map_or(0, |error| error.extended_code)
}

/// The error's number in SQLite.
fn code_of(problem: &JournalProblem) -> Option<ErrorCode> {
    let source = problem.source.as_deref()?;
    source.downcast_ref::<ffi::Error>().map(|error| error.code)
}

/// The error is SQLite's, and its view of the file cannot be trusted any more.
pub(super) fn is_of_engine(problem: &JournalProblem) -> bool {
    let is_ours = problem.cause == Cause::JournalDamaged && problem.source.is_none();
    !problem.is_busy() && (code_of(problem).is_some() || is_ours)
}

/// The same problem, unless a limit on file sizes was its reason.
pub(super) fn at_limit(problem: JournalProblem, limit: bool) -> JournalProblem {
    match code_of(&problem) {
        Some(ErrorCode::SystemIoFailure) if limit => LIMIT.into(),
        _ => problem,
    }
}
