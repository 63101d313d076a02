//! The host process, its threads, and the system's errors.

use std::ffi::c_void;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Keeps the thread from being cancelled (`pthread_cancel`) inside the library, in the middle of
/// its work. A cancellation takes effect at the thread's next cancellation point after the guard is
/// dropped.
pub struct ThreadCancelGuard {
    before: libc::c_int,
}

/// Android cannot cancel threads, so there is nothing to do.
#[cfg(not(target_os = "android"))]
mod cancel_state {
    use libc::c_int;

    pub(super) const DISABLED: c_int = if cfg!(target_vendor = "apple") { 0 } else { 1 };

    unsafe extern "C" {
        fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int;
    }

    /// Sets the state of this thread and returns the previous one. It is not a cancellation point.
    pub(super) fn set(state: c_int) -> c_int {
        let mut before = DISABLED;
        // SAFETY: it sets a flag of this thread and writes the previous one to a valid place.
        unsafe { pthread_setcancelstate(state, &mut before) };
        before
    }
}

#[cfg(target_os = "android")]
mod cancel_state {
    pub(super) const DISABLED: libc::c_int = 1;

    pub(super) fn set(_: libc::c_int) -> libc::c_int {
        DISABLED
    }
}

impl ThreadCancelGuard {
    /// Delays cancellation of this thread until the guard is dropped.
    pub fn begin() -> ThreadCancelGuard {
        ThreadCancelGuard {
            before: cancel_state::set(cancel_state::DISABLED),
        }
    }
}

impl Drop for ThreadCancelGuard {
    fn drop(&mut self) {
        if self.before != cancel_state::DISABLED {
            cancel_state::set(self.before);
        }
    }
}

/// Keeps the library loaded until the process ends. On Unix the linker option `-z nodelete` does
/// that.
pub fn stay_loaded() {}

/// Runs `start` with signals blocked on this thread. The threads that it starts inherit that: the
/// host's signals are for the host's threads.
///
/// Signals for a single thread stay as they are. A host's function may run on these threads, and so
/// may threads that it starts. Errors in it arrive as signals such as SIGSEGV, which end the process
/// if they are blocked, and runtimes stop each of their threads by a signal: Mono by a real-time
/// signal, Unity by SIGPWR and SIGXCPU.
pub(crate) fn with_signals_blocked<T>(start: impl FnOnce() -> T) -> T {
    let errors = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGFPE,
        libc::SIGILL,
        libc::SIGTRAP,
        libc::SIGSYS,
    ];
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let stops = [libc::SIGPWR, libc::SIGXCPU]
        .into_iter()
        .chain(libc::SIGRTMIN()..=libc::SIGRTMAX());
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let stops = [libc::SIGXCPU];
    // SAFETY: both sets are local and written before they are read. Each thread has its own signal
    // mask, which new threads inherit.
    unsafe {
        let mut blocked: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut blocked);
        for signal in errors.into_iter().chain(stops) {
            libc::sigdelset(&mut blocked, signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &blocked, &mut before);
        let result = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        result
    }
}

/// Calls these functions at every fork from now on. `in_child` must do only what is allowed in a
/// forked child. They are never unmapped (the library is linked with `-z nodelete`).
pub(crate) fn at_each_fork(
    before: extern "C" fn(),
    in_parent: extern "C" fn(),
    in_child: extern "C" fn(),
) {
    // SAFETY: the caller's promise. It fails only if there is no memory.
    unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
}

pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

pub(crate) fn is_out_of_memory(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOMEM | libc::ENOBUFS))
}

/// The system's message for an error, without Rust's `(os error 111)`.
pub(crate) fn describe_error(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// Whether users who should not may read or write a file. A program of another user reads a file of
/// root's through its group: Kubernetes mounts secrets in this way.
pub(crate) fn is_open_to_others(file: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: the call only reads a number.
    let is_root = unsafe { libc::geteuid() } == 0;
    let forbidden = if file.uid() == 0 && !is_root {
        0o026
    } else {
        0o066
    };
    file.mode() & forbidden != 0
}

static EXITING: AtomicBool = AtomicBool::new(false);

/// Whether the host has called `exit`, after the first `start_detached`. What its functions need
/// may be gone then: a runtime that has ended, or what C++ destroys.
pub fn is_exiting() -> bool {
    EXITING.load(Ordering::Acquire)
}

fn note_exit() {
    extern "C" fn exiting() {
        EXITING.store(true, Ordering::Release);
    }
    static NOTED: AtomicBool = AtomicBool::new(false);
    if !NOTED.swap(true, Ordering::AcqRel) {
        // SAFETY: the function is never unmapped. It fails only if there is no memory.
        unsafe { libc::atexit(exiting) };
    }
}

/// Whether the main thread has begun to `exit`. Functions given to `atexit` may still run.
static EXIT_BEGAN: AtomicBool = AtomicBool::new(false);

/// Dropped when its thread ends or calls `exit`. That is earlier than [`is_exiting`] notices if the
/// host gave functions to `atexit` after the first start.
struct ThreadEnd;

impl Drop for ThreadEnd {
    fn drop(&mut self) {
        // With glibc, this happens to the main thread only in `exit`.
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        // SAFETY: both calls only return a number.
        if unsafe { libc::syscall(libc::SYS_gettid) as libc::pid_t == libc::getpid() } {
            EXIT_BEGAN.store(true, Ordering::Release);
        }
    }
}

thread_local! {
    static THREAD_END: ThreadEnd = const { ThreadEnd };
}

/// Whether the host has begun to exit. Functions that it gave to `atexit` may still run.
pub(crate) fn has_exit_begun() -> bool {
    EXIT_BEGAN.load(Ordering::Acquire) || is_exiting()
}

/// From now on, notices when this thread ends or calls `exit`. False if that has begun.
pub(crate) fn watch_for_exit() -> bool {
    THREAD_END.try_with(|_| ()).is_ok() && !has_exit_begun()
}

/// Starts a thread that nobody waits for. Not with `std::thread`, which aborts the process if the
/// host ends the thread in one of its functions (`pthread_exit`).
pub(crate) fn start_detached(
    stack: usize,
    main: extern "C-unwind" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
) -> io::Result<()> {
    if !watch_for_exit() {
        return Err(io::Error::other("the process is exiting"));
    }
    note_exit();
    // SAFETY: the attributes are initialised before they are used, and destroyed afterwards; both
    // types of `main` are the same for the system, which starts it once with the argument.
    let error = unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        let mut thread: libc::pthread_t = std::mem::zeroed();
        libc::pthread_attr_init(&mut attributes);
        libc::pthread_attr_setstacksize(&mut attributes, stack);
        libc::pthread_attr_setdetachstate(&mut attributes, libc::PTHREAD_CREATE_DETACHED);
        type Main = extern "C" fn(*mut c_void) -> *mut c_void;
        type Unwinding = extern "C-unwind" fn(*mut c_void) -> *mut c_void;
        let main = std::mem::transmute::<Unwinding, Main>(main);
        let error = libc::pthread_create(&mut thread, &attributes, main, argument);
        libc::pthread_attr_destroy(&mut attributes);
        error
    };
    match error {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}
