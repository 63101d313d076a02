//! Why the journal cannot be used, and what to do about it.

use std::io;
use std::sync::Arc;

use rusqlite::ErrorCode;

use crate::error::{Cause, Source};
use crate::platform;

pub(super) enum JournalProblem {
    Sqlite(rusqlite::Error),
    File(io::Error),
    /// The folder cannot be opened, or flushed to the disk.
    Folder(io::Error),
    /// The version of the file, and the newest that this library reads.
    Newer(i32, i32),
    Foreign,
    /// The path no longer leads to the file that this process has open.
    Replaced,
    /// A descriptor of the file was closed, not by this library.
    Closed,
    /// The file has more than one name.
    Linked,
    /// The file is missing or empty, but its log is there.
    LogWithoutJournal,
    /// SQLite uses this mode, in which a commit may return before it is on the disk.
    NotWriteAhead(String),
    /// It has entries with a time in the future.
    Future,
    /// The process may not write larger files.
    Limit,
    /// Another thread of this process works with the file.
    Busy,
}

impl From<rusqlite::Error> for JournalProblem {
    fn from(error: rusqlite::Error) -> Self {
        JournalProblem::Sqlite(error)
    }
}

impl From<io::Error> for JournalProblem {
    fn from(error: io::Error) -> Self {
        JournalProblem::File(error)
    }
}

impl JournalProblem {
    /// Another thread works with the file, or another process has it locked.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, JournalProblem::Busy)
            || matches!(
                self.sqlite_code(),
                Some(
                    ErrorCode::DatabaseBusy
                        | ErrorCode::DatabaseLocked
                        | ErrorCode::FileLockingProtocolFailed
                )
            )
    }

    fn sqlite_code(&self) -> Option<ErrorCode> {
        match self {
            JournalProblem::Sqlite(error) => error.sqlite_error_code(),
            _ => None,
        }
    }

    /// There is no disk space for the file that ends in -shm.
    fn is_without_room_for_index(&self) -> bool {
        let JournalProblem::Sqlite(rusqlite::Error::SqliteFailure(error, _)) = self else {
            return false;
        };
        error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE
    }

    /// The same problem, unless a limit on file sizes was its reason.
    pub(super) fn at_limit(self, limit: bool) -> JournalProblem {
        match self.sqlite_code() {
            Some(ErrorCode::SystemIoFailure) if limit => JournalProblem::Limit,
            _ => self,
        }
    }

    /// The error of the system or of SQLite behind it. Of SQLite only the number: its own message
    /// could show what is in the file.
    pub(super) fn into_source(self) -> Option<Source> {
        match self {
            JournalProblem::Sqlite(rusqlite::Error::SqliteFailure(error, _)) => {
                Some(Arc::new(error))
            }
            JournalProblem::File(error) | JournalProblem::Folder(error) => Some(Arc::new(error)),
            _ => None,
        }
    }

    /// The cause, and a message that follows the journal's name and says what to do.
    pub(super) fn explain(&self) -> (Cause, String) {
        let (cause, words) = match self {
            JournalProblem::Newer(version, newest_readable) => {
                let words = format!(
                    "was made by a newer payorder (version {version} of the file, this one reads \
                     {newest_readable}): use that payorder, or name another journal"
                );
                return (Cause::JournalNewer, words);
            }
            JournalProblem::Folder(error) if error.kind() == io::ErrorKind::PermissionDenied => (
                Cause::JournalReadOnly,
                "cannot be kept safely: its folder cannot be opened and flushed; give the program \
                 the right to read the folder",
            ),
            JournalProblem::NotWriteAhead(mode) => {
                let words = format!(
                    "cannot be kept in write-ahead mode (SQLite uses {mode}): keep it on a local \
                     disk"
                );
                return (Cause::JournalUnavailable, words);
            }
            JournalProblem::Foreign => (
                Cause::JournalForeign,
                "is a database of another program: name another file in the configuration",
            ),
            JournalProblem::Replaced => (
                Cause::JournalReplaced,
                "was moved, deleted or replaced while this process had it open: put the file back \
                 in its place, and make a new client",
            ),
            JournalProblem::Closed => (
                Cause::JournalReplaced,
                "was closed by a part of this program that closes file descriptors which are not \
                 its own: find that part, and make a new client",
            ),
            JournalProblem::Linked => (
                Cause::JournalReplaced,
                "has more than one name (hard link), so two programs could use it without seeing \
                 each other's entries: remove the other names",
            ),
            JournalProblem::LogWithoutJournal => (
                Cause::JournalDamaged,
                "is missing or empty, but the file next to it that ends in -wal holds its entries: \
                 put the journal back in its place",
            ),
            JournalProblem::Future => (
                Cause::JournalInFuture,
                "has entries that were written at a later time than now: set this machine's \
                 clock, then call again",
            ),
            JournalProblem::Limit => (
                Cause::JournalFull,
                "cannot be written: the process may not write larger files (RLIMIT_FSIZE); raise \
                 the limit and call again",
            ),
            JournalProblem::Busy => (
                Cause::JournalLocked,
                "is still being written by another thread of this process: its disk is slow; call \
                 again",
            ),
            JournalProblem::File(error) | JournalProblem::Folder(error) => match error.kind() {
                _ if platform::is_out_of_descriptors(error) => NO_DESCRIPTORS,
                _ if platform::files::is_disk_failure(error) => DISK_FAILED,
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => READ_ONLY,
                io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::FileTooLarge => FULL,
                kind => {
                    let words = format!("cannot be opened: {kind}");
                    return (Cause::JournalUnavailable, words);
                }
            },
            JournalProblem::Sqlite(_) => return self.explain_sqlite(),
        };
        (cause, words.into())
    }

    fn explain_sqlite(&self) -> (Cause, String) {
        let (cause, words) = match self.sqlite_code() {
            Some(_) if self.is_busy() => (
                Cause::JournalLocked,
                "is locked by another process: find out what that process does, and call again",
            ),
            Some(ErrorCode::DiskFull) => FULL,
            Some(
                ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::AuthorizationForStatementDenied,
            ) => READ_ONLY,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => (
                Cause::JournalDamaged,
                "is damaged or not a journal: keep the file, name another one in the \
                 configuration, and ask Get Status for the orders of the day",
            ),
            Some(ErrorCode::CannotOpen) => (
                Cause::JournalUnavailable,
                "cannot be opened: check its folder, and the files next to it that end in -wal and \
                 -shm",
            ),
            Some(ErrorCode::SystemIoFailure) if self.is_without_room_for_index() => FULL,
            Some(ErrorCode::SystemIoFailure) => DISK_FAILED,
            Some(ErrorCode::OutOfMemory) => (
                Cause::NoResources,
                "cannot be used: this machine has no memory left",
            ),
            // Without SQLite's message, which could show what is in the file.
            Some(code) => {
                let words = format!("cannot be used: SQLite reports {code:?}");
                return (Cause::JournalDamaged, words);
            }
            None => (
                Cause::JournalDamaged,
                "contains data that this library did not write",
            ),
        };
        (cause, words.into())
    }
}

const FULL: (Cause, &str) = (
    Cause::JournalFull,
    "cannot be written: the disk is full; free some space and call again",
);
const DISK_FAILED: (Cause, &str) = (
    Cause::JournalDamaged,
    "cannot be read or written: the disk failed or is full",
);
const READ_ONLY: (Cause, &str) = (
    Cause::JournalReadOnly,
    "cannot be written: give the program the right to write to it and to its folder",
);
const NO_DESCRIPTORS: (Cause, &str) = (
    Cause::NoDescriptors,
    "cannot be opened: this process or the system has no file descriptor left",
);
