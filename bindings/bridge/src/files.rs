//! Files that survive a power cut.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Creates a folder, if it is not there, that only its owner may enter: requests and answers have
/// customers' data.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Writes a file to the disk under a temporary name, and gives it its name when it is complete.
pub fn write(path: &Path, temporary: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    drop(file);
    rename(temporary, path)
}

/// Renames a file, and returns when the new name is on the disk.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder_of(to)
}

/// Removes a file that may already be gone, and returns when that is on the disk.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Ok(()) => sync_folder_of(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Locks a file until it is closed, also if the process is killed.
pub fn lock(path: &Path) -> io::Result<File> {
    let in_use = |error: io::Error| {
        io::Error::other(format!("another bridge works in this folder ({error})"))
    };
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        let file = options.open(path)?;
        file.try_lock().map_err(|error| in_use(error.into()))?;
        Ok(file)
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        // Without sharing, nobody else can open the file.
        options.share_mode(0).open(path).map_err(in_use)
    }
}

/// Writes the contents of another program's file to the disk.
pub fn sync(path: &Path) -> io::Result<()> {
    // Windows flushes only what was opened for writing.
    let file = File::options().read(true).write(cfg!(windows)).open(path)?;
    file.sync_all()
}

/// Writes a folder's new or removed names to the disk.
#[cfg(unix)]
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Windows cannot flush a folder; NTFS keeps the order of its changes.
#[cfg(not(unix))]
pub fn sync_folder_of(_: &Path) -> io::Result<()> {
    Ok(())
}
