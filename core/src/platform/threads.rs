//! The library's own threads: for name lookups, which have no deadline, for queries that run at the
//! same time, for started calls, and for ending what a database still does for a call that has ended.
//! The first two end with the call that started them, except a name lookup that is still blocked in
//! the system.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, JoinHandle};

/// The start of the names of the library's threads.
const NAME_PREFIX: &str = "payorder-";

/// A function of the program that a worker thread runs. The program may end the thread in it
/// (`pthread_exit`, as Python does at its end), so nothing must catch that on the way, and only plain
/// values are on the stack meanwhile.
pub struct HostFunction {
    /// Called once.
    pub function: extern "C-unwind" fn(*mut c_void),
    /// What it is called with.
    pub argument: *mut c_void,
    /// Dropped afterwards, also if the program ends the thread.
    pub kept: Box<dyn Any>,
}

type Worker = Box<dyn FnMut() -> Option<HostFunction> + Send>;

thread_local! {
    /// Dropped when the thread ends, also if the program ends it.
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
    static WORKS: Cell<bool> = const { Cell::new(false) };
    static KEPT: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Starts a thread that nobody waits for. It runs `worker` and each function that it returns, until
/// there is none.
pub(crate) fn start_worker(
    stack: usize,
    worker: impl FnMut() -> Option<HostFunction> + Send + 'static,
) -> io::Result<()> {
    let worker: Box<Worker> = Box::new(Box::new(worker));
    let argument = Box::into_raw(worker);
    let started = super::with_signals_blocked(|| {
        super::system::process::start_detached(stack, worker_main, argument.cast())
    });
    // SAFETY: it came from the box, and no thread has it.
    started.inspect_err(|_| drop(unsafe { Box::from_raw(argument) }))
}

extern "C-unwind" fn worker_main(argument: *mut c_void) -> *mut c_void {
    // SAFETY: `start_worker` gave it to this thread.
    unsafe { begin_worker(argument.cast()) };
    while let Some((function, argument)) = next_function() {
        function(argument);
    }
    std::ptr::null_mut()
}

/// # Safety
/// The pointer came from a box, and only this thread has it.
unsafe fn begin_worker(worker: *mut Worker) {
    // SAFETY: the caller's promise.
    let worker = unsafe { *Box::from_raw(worker) };
    WORKER.set(Some(worker));
}

#[inline(never)]
fn next_function() -> Option<(extern "C-unwind" fn(*mut c_void), *mut c_void)> {
    KEPT.set(None);
    let next = WORKER.with_borrow_mut(|worker| {
        WORKS.set(true);
        let work = worker.as_mut()?;
        let next = catch_unwind(AssertUnwindSafe(work)).unwrap_or(None);
        WORKS.set(false);
        if next.is_none() {
            *worker = None;
        }
        next
    })?;
    KEPT.set(Some(next.kept));
    Some((next.function, next.argument))
}

/// Whether this is a thread of the library that runs no function of the program as a [`HostFunction`].
pub fn is_own_thread() -> bool {
    let is_named = || {
        let thread = std::thread::current();
        thread
            .name()
            .is_some_and(|name| name.starts_with(NAME_PREFIX))
    };
    WORKS.get() || is_named()
}

/// Starts a thread with the name [`NAME_PREFIX`] and `rest_of_name`. Signals for the process are
/// blocked on it, since they are for the host's threads.
pub(crate) fn start(
    rest_of_name: &str,
    stack: usize,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    super::with_signals_blocked(|| {
        Builder::new()
            .name(format!("{NAME_PREFIX}{rest_of_name}"))
            .stack_size(stack)
            .spawn(work)
    })
}
