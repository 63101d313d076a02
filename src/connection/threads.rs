//! Threads of the library's own: for what the system gives no deadline, and for what is done many
//! at a time. Each ends with the call that began it, but for a name lookup that the system does not
//! give back.

use std::io;
use std::thread::{Builder, JoinHandle};

use super::sys;

/// What the names of all of them begin with.
pub(crate) const NAME_PREFIX: &str = "payorder-";

/// Starts a thread, whose name is [`NAME_PREFIX`] and the rest of it. It has every signal blocked: the
/// host's signals are for the host's threads.
pub(crate) fn start(
    rest_of_name: &str,
    stack: usize,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    // To start a thread, the C library may bind a function of its own late, and then saves the
    // registers on this thread's stack: with the credentials in them that were last put
    // together.
    sys::wipe_registers();
    sys::stay_loaded();
    sys::with_signals_blocked(|| {
        Builder::new()
            .name(format!("{NAME_PREFIX}{rest_of_name}"))
            .stack_size(stack)
            .spawn(work)
    })
}
