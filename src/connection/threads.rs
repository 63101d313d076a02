//! Threads of the library's own: for what the system gives no deadline, and for what is done many
//! at a time. Each ends with the call that began it, but for a name lookup that the system does not
//! give back.

use std::io;
use std::thread::{Builder, JoinHandle};

use super::registers;

/// What the names of all of them begin with.
pub(crate) const OWN: &str = "payorder-";

/// Starts a thread, whose name is [`OWN`] and the rest of it. It has every signal blocked: the
/// host's signals are for the host's threads.
pub(crate) fn start(
    rest_of_name: &str,
    stack: usize,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    // To start a thread, the C library may bind a function of its own late, and then saves the
    // registers on this thread's stack: with the credentials in them that were last put
    // together.
    registers::wipe();
    // SAFETY: both sets live here and are written before they are read; a thread's signal mask is
    // that thread's own, and is inherited.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let thread = Builder::new()
            .name(format!("{OWN}{rest_of_name}"))
            .stack_size(stack)
            .spawn(work);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        thread
    }
}
