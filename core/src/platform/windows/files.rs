//! Functions for the journal's file: which file it is, and protection of the host process while the
//! file is written.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, IntoRawHandle};
use std::path::{Path, PathBuf};

use windows_sys::Win32::Storage::FileSystem::{
    FILE_ADD_FILE, FILE_FLAG_BACKUP_SEMANTICS, FILE_READ_ATTRIBUTES, FILE_SHARE_DELETE,
    FILE_SHARE_READ, FILE_SHARE_WRITE,
};

use super::super::{FileId, FileStatus};
pub(crate) use super::database::replace_system_calls;
use super::descriptors::{about, id_in, wide};

/// Other programs may read, write and delete the file while this one has it open.
const SHARE_ALL: u32 = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

pub(crate) fn status(path: &Path) -> io::Result<FileStatus> {
    status_of(&open_place(path)?)
}

/// Opens a file only to read its status.
fn open_place(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .access_mode(FILE_READ_ATTRIBUTES)
        .share_mode(SHARE_ALL)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        .open(path)
}

fn status_of(file: &File) -> io::Result<FileStatus> {
    let about = about(file.as_raw_handle())?;
    Ok(FileStatus {
        id: id_in(&about),
        length: wide(about.nFileSizeHigh, about.nFileSizeLow),
        links: about.nNumberOfLinks.into(),
    })
}

pub(crate) struct PinnedFile {
    pub(crate) id: FileId,
    /// `None` if the host has closed it.
    place: Option<File>,
}

impl PinnedFile {
    pub(crate) fn open(path: &Path) -> io::Result<PinnedFile> {
        let place = open_place(path)?;
        Ok(PinnedFile {
            id: status_of(&place)?.id,
            place: Some(place),
        })
    }

    /// Whether its handle is still open: the host may have closed it by mistake.
    pub(crate) fn is_intact(&self) -> bool {
        let status = self.place.as_ref().map(status_of);
        status.is_some_and(|status| status.is_ok_and(|status| status.id == self.id))
    }

    /// Leaves its handle to the host.
    pub(crate) fn forget(&mut self) {
        let _the_hosts = self.place.take().map(IntoRawHandle::into_raw_handle);
    }
}

impl Drop for PinnedFile {
    fn drop(&mut self) {
        if !self.is_intact() {
            self.forget();
        }
    }
}

/// Creates a file. The folder's permissions decide who may read it. Fails with `AlreadyExists` if
/// it exists.
pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)?
        .sync_all()
}

pub(crate) fn open_folder(path: &Path) -> io::Result<File> {
    open_place(path)
}

/// Does nothing: the file system's own journal keeps a new file through a power cut.
pub(crate) fn sync_folder(_: &File) -> io::Result<()> {
    Ok(())
}

pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    match path.is_dir() {
        true => options
            .access_mode(FILE_ADD_FILE)
            .custom_flags(FILE_FLAG_BACKUP_SEMANTICS),
        false => options.write(true),
    };
    options.share_mode(SHARE_ALL).open(path).map(drop)
}

/// ERROR_CRC, ERROR_WRITE_FAULT, ERROR_READ_FAULT, ERROR_GEN_FAILURE, ERROR_IO_DEVICE.
pub(crate) fn is_disk_failure(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(23 | 29 | 30 | 31 | 1117))
}

/// Another program has the file open and does not share it: ERROR_SHARING_VIOLATION,
/// ERROR_LOCK_VIOLATION.
pub(crate) fn is_in_use(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(32 | 33))
}

/// The name of the SQLite VFS to use: the one for paths of more than 260 characters.
pub(crate) const DATABASE_SYSTEM: Option<&str> = Some("win32-longpath");

/// The longest path that SQLite opens, in bytes. Windows has a limit of 32767 UTF-16 units.
pub(crate) const LONGEST_DATABASE_PATH: usize = 32_000;

/// The path in the form that SQLite needs: a long one must start with `\\?\`, so all do. SQLite keeps
/// its log next to the name that it is given, so links and short names (`PAYO~1.DB`) are resolved:
/// with two names, two processes would have two logs.
pub(crate) fn database_path(path: &Path) -> Cow<'_, Path> {
    // Some drivers of file systems cannot tell the name.
    if let Some(real) = path
        .canonicalize()
        .ok()
        .filter(|real| real.to_str().is_some())
    {
        return real.into();
    }
    let Some(text) = path.to_str() else {
        // The configuration is UTF-8, so only a Rust program can give this path.
        return path.into();
    };
    if text.starts_with(r"\\?\") || text.starts_with(r"\\.\") {
        path.into()
    } else if let Some(share) = text.strip_prefix(r"\\") {
        PathBuf::from(format!(r"\\?\UNC\{share}")).into()
    } else {
        PathBuf::from(format!(r"\\?\{text}")).into()
    }
}

/// Runs work that opens and writes files. On Windows this has no side effects for the host.
pub(crate) fn protect_host<T>(work: impl FnOnce() -> T) -> (T, bool) {
    (work(), false)
}
