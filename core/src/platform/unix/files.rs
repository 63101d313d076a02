//! Functions for the journal's file: which file it is, and protection of the host process while the
//! file is written.

use std::borrow::Cow;
use std::ffi::CString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Mutex;

use super::super::{FileId, FileStatus};
pub(crate) use super::database::replace_system_calls;
use super::descriptors::file_id;
use crate::lock::lock;

/// Opens only the path: the file's status can be read, and closing it releases no lock.
#[cfg(target_os = "linux")]
const PATH_ONLY: i32 = libc::O_PATH;
#[cfg(not(target_os = "linux"))]
const PATH_ONLY: i32 = 0;

/// Checks the rights of the effective user. Android knows only those of the real user.
#[cfg(not(target_os = "android"))]
const EFFECTIVE_USER: i32 = libc::AT_EACCESS;
#[cfg(target_os = "android")]
const EFFECTIVE_USER: i32 = 0;

pub(crate) fn status(path: &Path) -> io::Result<FileStatus> {
    let about = fs::metadata(path)?;
    Ok(FileStatus {
        id: FileId {
            device: about.dev(),
            number: about.ino(),
        },
        length: about.len(),
        links: about.nlink(),
    })
}

/// Keeps a file's id from being used again. If the file were deleted, a new file could otherwise
/// get the same id.
pub(crate) struct PinnedFile {
    pub(crate) id: FileId,
    file: Option<File>,
}

impl PinnedFile {
    pub(crate) fn open(path: &Path) -> io::Result<PinnedFile> {
        // On systems other than Linux, closing any descriptor of a file releases the locks that the
        // process has on it. There, only the id is kept.
        if PATH_ONLY == 0 {
            return Ok(PinnedFile {
                id: status(path)?.id,
                file: None,
            });
        }
        let place = open_path_only(path, 0)?;
        Ok(PinnedFile {
            id: file_id(place.as_raw_fd())?,
            file: Some(place),
        })
    }

    /// Whether its descriptor is still open: the host may have closed it by mistake.
    pub(crate) fn is_intact(&self) -> bool {
        let descriptor = self.file.as_ref().map(AsRawFd::as_raw_fd);
        descriptor.is_none_or(|descriptor| file_id(descriptor).is_ok_and(|id| id == self.id))
    }

    /// Leaves its descriptor's number to the host.
    pub(crate) fn forget(&mut self) {
        let _the_hosts = self.file.take().map(IntoRawFd::into_raw_fd);
    }
}

impl Drop for PinnedFile {
    fn drop(&mut self) {
        if !self.is_intact() {
            self.forget();
        }
    }
}

/// Opens a file as [`PATH_ONLY`] says. Not with `OpenOptions`: with musl it removes this flag.
fn open_path_only(path: &Path, flags: i32) -> io::Result<File> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let flags = libc::O_RDONLY | libc::O_CLOEXEC | PATH_ONLY | flags;
    loop {
        // SAFETY: the path ends with NUL.
        let descriptor = unsafe { libc::open(path.as_ptr(), flags) };
        if descriptor != -1 {
            // SAFETY: the descriptor is open, and nothing else has it.
            return Ok(unsafe { File::from_raw_fd(descriptor) });
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Creates a file that only its owner may read and write, whatever the process's umask. Fails with
/// `AlreadyExists` if it exists. On a file system without such rights, its mount decides.
pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    // The umask can only have removed rights. If they are needed, opening the file fails and says so.
    let _ = file.set_permissions(Permissions::from_mode(0o600));
    file.sync_all()
}

/// Checks that this process may write to a file, or create files in a folder. The error says why not.
/// If that cannot be found out, opening the file decides: older containers forbid the system call.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the path ends with NUL.
    let denied =
        unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::W_OK, EFFECTIVE_USER) };
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::EACCES | libc::EROFS) if denied != 0 => Err(error),
        _ => Ok(()),
    }
}

pub(crate) fn open_folder(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Flushes a folder's list of files. Without that, a new file could be lost in a power cut.
pub(crate) fn sync_folder(folder: &File) -> io::Result<()> {
    let result = folder.sync_all();
    match result.as_ref().map_err(io::Error::raw_os_error) {
        // Some file systems have nothing to flush there.
        Err(Some(libc::EINVAL | libc::EOPNOTSUPP)) => Ok(()),
        _ => result,
    }
}

pub(crate) fn is_disk_failure(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EIO)
}

/// A program that has a file open does not keep others from opening it.
pub(crate) fn is_in_use(_: &io::Error) -> bool {
    false
}

/// The name of the SQLite VFS to use; `None` for the default.
pub(crate) const DATABASE_SYSTEM: Option<&str> = None;

pub(crate) const LONGEST_DATABASE_PATH: usize = 504;

/// The path in the form that SQLite needs.
pub(crate) fn database_path(path: &Path) -> Cow<'_, Path> {
    path.into()
}

/// Runs work that opens and writes files, without side effects for the host. The descriptors 0 to 2
/// are not used, even if the host has closed them. A file that may not grow is an error and not a
/// signal; the flag says whether that happened.
pub(crate) fn protect_host<T>(work: impl FnOnce() -> T) -> (T, bool) {
    let signal = BlockedSignal::begin();
    let _descriptors = ReservedDescriptors::reserve();
    let result = work();
    (result, signal.is_some_and(|signal| signal.has_arrived()))
}

const STANDARD_STREAMS: std::ops::Range<RawFd> = 0..3;

/// The placeholders for closed standard streams, and how many pieces of work need them.
static RESERVED: Mutex<(usize, Vec<File>)> = Mutex::new((0, Vec::new()));

/// Keeps the descriptors 0 to 2 in use. Otherwise SQLite would get one of them for a file, close it
/// again (which releases the process's locks on that file), and leave `/dev/null` open there.
struct ReservedDescriptors;

impl ReservedDescriptors {
    fn reserve() -> ReservedDescriptors {
        let mut reserved = lock(&RESERVED);
        reserved.0 += 1;
        for _ in STANDARD_STREAMS.filter(|descriptor| !is_open(*descriptor)) {
            // Reading and writing fail, as they do on a closed descriptor.
            reserved
                .1
                .extend(open_path_only(Path::new("/"), libc::O_DIRECTORY));
        }
        ReservedDescriptors
    }
}

impl Drop for ReservedDescriptors {
    fn drop(&mut self) {
        let mut reserved = lock(&RESERVED);
        reserved.0 -= 1;
        if reserved.0 > 0 {
            return;
        }
        for folder in reserved.1.drain(..) {
            // The host may have replaced it with its own file (`dup2`), which must not be closed.
            if !folder.metadata().is_ok_and(|about| about.is_dir()) {
                let _the_hosts = folder.into_raw_fd();
            }
        }
    }
}

fn is_open(descriptor: RawFd) -> bool {
    // SAFETY: the function accepts any number.
    unsafe { libc::fcntl(descriptor, libc::F_GETFD) != -1 }
}

/// Blocks SIGXFSZ on this thread. The system sends it to a thread that writes beyond
/// `RLIMIT_FSIZE`, and by default it ends the process.
struct BlockedSignal {
    before: libc::sigset_t,
    /// The host already had one pending, which must stay pending.
    was_pending: bool,
}

impl BlockedSignal {
    fn begin() -> Option<BlockedSignal> {
        let mut before = MaybeUninit::uninit();
        // SAFETY: both point to a set of signals, and `before` is filled in on success.
        let before = unsafe {
            if libc::pthread_sigmask(libc::SIG_BLOCK, &sigxfsz(), before.as_mut_ptr()) != 0 {
                return None;
            }
            before.assume_init()
        };
        // SAFETY: `before` is a set of signals.
        let was_blocked = unsafe { libc::sigismember(&before, libc::SIGXFSZ) == 1 };
        Some(BlockedSignal {
            before,
            was_pending: was_blocked && is_pending(),
        })
    }

    fn has_arrived(&self) -> bool {
        !self.was_pending && is_pending()
    }
}

impl Drop for BlockedSignal {
    fn drop(&mut self) {
        let mut taken = 0;
        // SAFETY: all pointers are valid; a pending signal is taken at once.
        unsafe {
            if self.has_arrived() {
                libc::sigwait(&sigxfsz(), &mut taken);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, std::ptr::null_mut());
        }
    }
}

fn sigxfsz() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` fills the set in, and the signal's number is valid.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGXFSZ);
        set.assume_init()
    }
}

fn is_pending() -> bool {
    let mut pending = MaybeUninit::uninit();
    // SAFETY: `sigpending` fills the set in on success.
    unsafe {
        libc::sigpending(pending.as_mut_ptr()) == 0
            && libc::sigismember(pending.as_ptr(), libc::SIGXFSZ) == 1
    }
}
