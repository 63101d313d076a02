//! Only one bridge works in a folder. The system ends the lock with the process, also if it is
//! killed.

use std::fs::File;
use std::io;
use std::path::Path;

/// The folder is locked until this is dropped.
pub struct Lock {
    _file: File,
}

#[cfg(unix)]
pub fn lock(path: &Path) -> io::Result<Lock> {
    use std::os::fd::AsRawFd;

    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    // SAFETY: the descriptor is open as long as `file`.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
        Ok(Lock { _file: file })
    } else {
        Err(in_use(io::Error::last_os_error()))
    }
}

#[cfg(windows)]
pub fn lock(path: &Path) -> io::Result<Lock> {
    use std::os::windows::fs::OpenOptionsExt;

    // Without sharing, nobody else can open the file.
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .share_mode(0)
        .open(path)
        .map_err(in_use)?;
    Ok(Lock { _file: file })
}

fn in_use(error: io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("another bridge works in this folder ({error})"),
    )
}
