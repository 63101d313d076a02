//! A small disk of its own, to fill it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system in memory, until it is dropped.
pub struct Disk(PathBuf);

impl Disk {
    /// `None` if this process may not mount one: the test says so and ends.
    pub fn of(folder: &Path, kib: usize) -> Option<Disk> {
        fs::create_dir(folder).expect("a folder");
        let size = format!("size={kib}k,mode=0777");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "none"])
            .arg(folder)
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Disk(folder.to_owned()));
        }
        // Not `eprintln!`: its output is shown only when the test fails.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: a disk of its own: this process may not mount one"
        );
        None
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn fill(folder: &Path) {
        let mut file = fs::File::create(folder.join("filler")).expect("a file");
        while file.write_all(&[0x20; 256]).is_ok() {}
    }

    pub fn make_room(folder: &Path) {
        fs::remove_file(folder.join("filler")).expect("the filler");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily, because what the test started can still have it open.
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}
