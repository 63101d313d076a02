//! What the journal needs of the system for its file: which file it is, and that nothing that
//! happens while it is written harms the host process.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};

use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ADD_FILE, FILE_FLAG_BACKUP_SEMANTICS, FILE_READ_ATTRIBUTES,
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, GetFileInformationByHandle,
};

/// Other programs may do with the file what they like while this one has it open.
const SHARE_ALL: u32 = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Which file it is: two names that lead to the same file have the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    volume: u32,
    number: u64,
}

/// What the system says of a file.
pub(crate) struct FileStatus {
    pub(crate) id: FileId,
    pub(crate) length: u64,
    /// How many names it has.
    pub(crate) links: u64,
}

/// Asks about the file at a path.
pub(crate) fn status(path: &Path) -> io::Result<FileStatus> {
    status_of(&open_place(path)?)
}

/// Opens a file only to ask about it.
fn open_place(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .access_mode(FILE_READ_ATTRIBUTES)
        .share_mode(SHARE_ALL)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        .open(path)
}

fn status_of(file: &File) -> io::Result<FileStatus> {
    let mut about = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open while it is borrowed, and the structure lives here.
    if unsafe { GetFileInformationByHandle(file.as_raw_handle(), &mut about) } == 0 {
        return Err(io::Error::last_os_error());
    }
    let wide = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    Ok(FileStatus {
        id: FileId {
            volume: about.dwVolumeSerialNumber,
            number: wide(about.nFileIndexHigh, about.nFileIndexLow),
        },
        length: wide(about.nFileSizeHigh, about.nFileSizeLow),
        links: about.nNumberOfLinks.into(),
    })
}

/// A file that is kept from giving up its number. Were it deleted, a new file could get the same
/// one.
pub(crate) struct PinnedFile {
    pub(crate) id: FileId,
    _place: File,
}

impl PinnedFile {
    pub(crate) fn open(path: &Path) -> io::Result<PinnedFile> {
        let place = open_place(path)?;
        Ok(PinnedFile {
            id: status_of(&place)?.id,
            _place: place,
        })
    }
}

/// Makes a file. Who may read it is decided by its folder. An error of kind `AlreadyExists` where
/// there is one.
pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)?
        .sync_all()
}

/// A folder, for [`sync_folder`].
pub(crate) fn open_folder(path: &Path) -> io::Result<File> {
    open_place(path)
}

/// The file system keeps a list of its changes of its own, so a new file outlasts a power cut.
pub(crate) fn sync_folder(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether this process may write to a file: the error says why not.
pub(crate) fn check_writable_file(path: &Path) -> io::Result<()> {
    OpenOptions::new()
        .write(true)
        .share_mode(SHARE_ALL)
        .open(path)
        .map(drop)
}

/// Whether this process may make files in a folder: the error says why not.
pub(crate) fn check_writable_folder(path: &Path) -> io::Result<()> {
    OpenOptions::new()
        .access_mode(FILE_ADD_FILE)
        .share_mode(SHARE_ALL)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        .open(path)
        .map(drop)
}

/// SQLite's name for the set of system functions that it shall use: those for paths of more than
/// 260 characters.
pub(crate) const DATABASE_SYSTEM: Option<&str> = Some("win32-longpath");

/// The path as SQLite needs it: a long one must start with `\\?\`, so all do.
pub(crate) fn database_path(path: &Path) -> Cow<'_, Path> {
    let Some(text) = path.to_str() else {
        // The configuration is UTF-8, so this is a Rust program's own.
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

/// Does work that opens and writes files. Nothing that happens to a file ends the host here.
pub(crate) fn protect_host<T>(work: impl FnOnce() -> T) -> (T, bool) {
    (work(), false)
}
