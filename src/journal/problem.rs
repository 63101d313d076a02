//! Why the journal cannot be used, and what to do about it.

use std::io;

use rusqlite::ErrorCode;

use super::file::VERSION;

pub(super) enum Problem {
    Sqlite(rusqlite::Error),
    File(io::Error),
    /// Its folder's list of files cannot be flushed to the disk.
    Folder(io::Error),
    Newer(i32),
    /// Made by the first draft of this library, which was never released.
    Draft,
    Foreign,
    /// The path no longer leads to the file that this process has open.
    Replaced,
    /// The file has more than one name.
    Linked,
    /// The file is missing or empty, but its log is there.
    LogWithoutJournal,
    /// SQLite keeps it in this mode, which does not make commits durable before they return.
    NotWriteAhead(String),
    /// It has entries that were written at a later time than now.
    Future,
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

impl Problem {
    /// Another process is at work on the file.
    pub(super) fn is_busy(&self) -> bool {
        matches!(
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
            Problem::Sqlite(error) => error.sqlite_error_code(),
            _ => None,
        }
    }

    /// What is wrong and what to do, to stand after the journal's name.
    pub(super) fn words(&self) -> String {
        match self {
            Problem::Newer(version) => {
                return format!(
                    "was made by a newer payorder (version {version} of the file, this one reads \
                     {VERSION}): use that payorder, or name another journal"
                );
            }
            Problem::Folder(error) => {
                return format!(
                    "cannot be kept safely: its folder cannot be opened and flushed ({}); give \
                     the program the right to read the folder",
                    error.kind()
                );
            }
            Problem::NotWriteAhead(mode) => {
                return format!(
                    "cannot be kept in write-ahead mode (SQLite uses {mode}): keep it on a local \
                     disk"
                );
            }
            _ => {}
        }
        let words = match self {
            Problem::Draft => {
                "was made by an unreleased draft of payorder: keep the file and name another one"
            }
            Problem::Foreign => {
                "is a database of another program: name another file in the configuration"
            }
            Problem::Replaced => {
                "was moved, deleted or replaced while this process had it open: put the file back \
                 in its place, and make a new client"
            }
            Problem::Linked => {
                "has more than one name (hard link), so two programs could use it without seeing \
                 each other's entries: remove the other names"
            }
            Problem::LogWithoutJournal => {
                "is missing or empty, but the file beside it that ends in -wal holds its entries: \
                 put the journal back in its place"
            }
            Problem::Future => {
                "has entries that were written at a later time than now: set this machine's clock, \
                 then call again"
            }
            Problem::File(error) => match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => READ_ONLY,
                io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::FileTooLarge => FULL,
                kind => return format!("cannot be opened: {kind}"),
            },
            Problem::Sqlite(_) => return self.sqlite_words(),
            Problem::Newer(_) | Problem::Folder(_) | Problem::NotWriteAhead(_) => "",
        };
        words.into()
    }

    fn sqlite_words(&self) -> String {
        let words = match self.sqlite_code() {
            Some(_) if self.is_busy() => {
                "is locked by another process: see what that process does, and call again"
            }
            Some(ErrorCode::DiskFull) => FULL,
            Some(
                ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::AuthorizationForStatementDenied,
            ) => READ_ONLY,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                "is damaged or not a journal: keep the file, name another one in the \
                 configuration, and ask Get Status for the orders of the day"
            }
            Some(ErrorCode::CannotOpen) => {
                "cannot be opened: check its folder, and the files beside it that end in -wal and \
                 -shm"
            }
            Some(ErrorCode::SystemIoFailure) => {
                "cannot be read or written: the disk failed or is full, or the process may not \
                 write larger files"
            }
            Some(ErrorCode::OutOfMemory) => "cannot be used: this machine has no memory left",
            // Without SQLite's own words, which could show what is in the file.
            Some(code) => return format!("cannot be used: SQLite reports {code:?}"),
            None => "contains data that this library did not write",
        };
        words.into()
    }
}

const FULL: &str = "cannot be written: the disk is full; free some space and call again";
const READ_ONLY: &str =
    "cannot be written: give the program the right to write to it and to its folder";
