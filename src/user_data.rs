//! The caller's data for a callback that may run on another thread.

use std::ffi::c_void;

/// The caller's pointer, which the library only passes to the callback.
pub(super) struct UserData(pub(super) *mut c_void);

// SAFETY: the library never dereferences it, and the caller promises that the callback may be
// called from any thread.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl UserData {
    /// A method, so that a closure captures the whole struct and not the pointer in it.
    pub(super) fn pointer(&self) -> *mut c_void {
        self.0
    }
}
