//! An event that message loops can wait for.

use std::io;
use std::ptr::null;

use windows_sys::Win32::Foundation::{CloseHandle, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_UNKNOWN, GetFileType};
use windows_sys::Win32::System::Threading::{CreateEventW, ResetEvent, SetEvent};

/// An event that stays signalled until it is cleared.
pub(crate) struct ReadySignal(HANDLE);

// SAFETY: an event may be used from any thread.
unsafe impl Send for ReadySignal {}

impl ReadySignal {
    pub(crate) fn new() -> io::Result<ReadySignal> {
        // SAFETY: an event without a name and with the usual rights.
        let event = unsafe { CreateEventW(null(), 1, 0, null()) };
        match event.is_null() {
            true => Err(io::Error::last_os_error()),
            false => Ok(ReadySignal(event)),
        }
    }

    /// What a message loop waits for.
    pub(crate) fn handle(&self) -> Option<isize> {
        Some(self.0.expose_provenance().cast_signed())
    }

    /// Makes it ready, which it was not.
    pub(crate) fn set(&self) {
        // SAFETY: the event is open. It fails only if the program has closed it.
        unsafe { SetEvent(self.0) };
    }

    pub(crate) fn clear(&self) {
        // SAFETY: as above.
        unsafe { ResetEvent(self.0) };
    }
}

impl Drop for ReadySignal {
    fn drop(&mut self) {
        // SAFETY: the functions accept any handle. If the program has closed the event, the handle
        // may lead to a file or a connection of its own.
        unsafe {
            if GetFileType(self.0) == FILE_TYPE_UNKNOWN {
                CloseHandle(self.0);
            }
        }
    }
}
