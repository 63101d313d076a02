//! Which file each descriptor of an open database leads to. A host may close descriptors that are not
//! its own, and open files of its own, which then have the same numbers. Windows calls them handles.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::ptr;

use super::FileId;
use super::files::status;
use super::system::descriptors::{FileDescriptor, file_id};

/// The descriptors of an open database.
pub(crate) struct DatabaseDescriptors {
    path: PathBuf,
    /// With the file that each was opened for.
    pub(super) opened: Vec<(FileDescriptor, FileId)>,
    pub(super) are_shared: bool,
    /// The host has closed at least one.
    pub(super) are_damaged: bool,
}

thread_local! {
    /// Of the database that this thread works on; NULL if there is none. SQLite may be used by
    /// other parts of a Rust program, whose databases are left alone.
    static CURRENT: Cell<*mut DatabaseDescriptors> = const { Cell::new(ptr::null_mut()) };
}

impl DatabaseDescriptors {
    pub(crate) fn new(path: &Path) -> DatabaseDescriptors {
        DatabaseDescriptors {
            path: path.to_owned(),
            opened: Vec::new(),
            are_shared: false,
            are_damaged: false,
        }
    }

    pub(crate) fn during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        struct Restore(*mut DatabaseDescriptors);
        impl Drop for Restore {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _outer = Restore(CURRENT.replace(self));
        work()
    }

    /// Forgets the descriptors that no longer belong to their file; false if there are any. SQLite
    /// cannot lock or close those any more: then the database must be closed without further work.
    pub(crate) fn verify(&mut self) -> bool {
        let before = self.opened.len();
        self.opened.retain(|one| is_intact(*one));
        let are_intact = self.opened.len() == before;
        self.are_damaged = self.are_damaged || !are_intact;
        are_intact
    }

    /// Whether SQLite needed a lock on a descriptor that another part of the process opened. The
    /// connections of a process share one descriptor of the file that ends in -shm. Their locks
    /// belong to the process, those of the journal to the descriptor: together they protect nothing.
    pub(crate) fn are_shared(&self) -> bool {
        self.are_shared
    }

    /// SQLite has opened a file.
    pub(super) fn add(&mut self, descriptor: FileDescriptor) {
        if let Ok(id) = file_id(descriptor) {
            self.opened.push((descriptor, id));
        }
    }

    /// SQLite closes a descriptor. Whether it is still that of a file of this database.
    pub(super) fn remove(&mut self, descriptor: FileDescriptor) -> bool {
        match self.opened.iter().position(|one| one.0 == descriptor) {
            Some(place) => is_intact(self.opened.swap_remove(place)),
            None => self.is_of_database(descriptor),
        }
    }

    /// Whether a descriptor leads to this database, whoever opened it.
    pub(super) fn is_of_database(&self, descriptor: FileDescriptor) -> bool {
        let mut index = self.path.clone().into_os_string();
        index.push("-shm");
        file_id(descriptor).is_ok_and(|id| {
            let is_its = |path: &Path| status(path).is_ok_and(|about| about.id == id);
            is_its(&self.path) || is_its(index.as_ref())
        })
    }
}

fn is_intact((descriptor, id): (FileDescriptor, FileId)) -> bool {
    file_id(descriptor).is_ok_and(|now| now == id)
}

/// Uses the descriptors of the database that this thread works on; `None` if there is none.
pub(super) fn current<T>(use_them: impl FnOnce(&mut DatabaseDescriptors) -> T) -> Option<T> {
    let current = CURRENT.get();
    // SAFETY: it is NULL, or points to the value that `during` borrows until its work ends. Only
    // this thread has the pointer, and nothing calls this function again from `use_them`.
    unsafe { current.as_mut() }.map(use_them)
}
