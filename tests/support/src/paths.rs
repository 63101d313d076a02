//! Long paths, and other forms of a path.

use super::built;
use super::tls::Folder;
use std::path::{Path, PathBuf};

/// A folder next to the test programs. On Windows, it is on the drive of the current folder.
pub fn near_folder() -> Folder {
    Folder::within(&std::path::absolute(built::folder()).unwrap())
}

/// Creates a folder whose path has more than 260 characters, in Hindi.
pub fn long_folder(start: &Path) -> PathBuf {
    let mut path = start.to_owned();
    while path.to_str().unwrap().chars().count() < 300 {
        path.push("दुकान का हिसाब और रसीदें");
    }
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The path relative to the current folder, by way of the root.
pub fn relative(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap();
    let up: PathBuf = here.components().map(|_| "..").collect();
    // On Windows, a drive comes before the root.
    let below = path.components().skip(if cfg!(windows) { 2 } else { 1 });
    up.join(below.collect::<PathBuf>())
}
