//! The library's own threads: for name lookups, which have no deadline, and for queries that run at
//! the same time. Each ends with the call that started it, except a name lookup that is still
//! blocked in the system.

use std::ffi::c_void;
use std::io;
use std::thread::{Builder, JoinHandle};

/// The start of the names of the library's threads.
pub const THREAD_NAME_PREFIX: &str = "payorder-";

/// What a thread without a handle runs. The host may end the thread in one of its own functions
/// (`pthread_exit`, as Python does at its end), so nothing must catch that on the way.
pub type DetachedMain = extern "C-unwind" fn(*mut c_void) -> *mut c_void;

/// Starts a thread that nobody waits for.
pub fn start_detached(stack: usize, main: DetachedMain, argument: *mut c_void) -> io::Result<()> {
    super::with_signals_blocked(|| super::system::process::start_detached(stack, main, argument))
}

/// Starts a thread with the name [`THREAD_NAME_PREFIX`] and `rest_of_name`. Signals for the process are
/// blocked on it, since they are for the host's threads.
pub(crate) fn start(
    rest_of_name: &str,
    stack: usize,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    super::with_signals_blocked(|| {
        Builder::new()
            .name(format!("{THREAD_NAME_PREFIX}{rest_of_name}"))
            .stack_size(stack)
            .spawn(work)
    })
}
