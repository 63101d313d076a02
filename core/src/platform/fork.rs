//! Detects a fork, at no cost to a call. The child gets a new generation number and closes its
//! copies of the parent's sockets. A fork waits for the end of name lookups, and of work on journals,
//! for a limited time: see [`ForkLock`].

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{Descriptor, NO_DESCRIPTOR};

static GENERATION: AtomicU64 = AtomicU64::new(1);
static INSTALLED: AtomicBool = AtomicBool::new(false);

/// The open sockets. A plain list of numbers can be read in a forked child, where a lock may never
/// become free.
static OPEN_SOCKETS: [OpenSocket; MAX_SOCKETS] = [const { OpenSocket::none() }; MAX_SOCKETS];
const MAX_SOCKETS: usize = 1024;

#[derive(Debug)]
struct OpenSocket {
    descriptor: AtomicI32,
    /// See [`super::socket_number`]; 0 if there is no socket.
    number: AtomicU64,
}

impl OpenSocket {
    const fn none() -> OpenSocket {
        OpenSocket {
            descriptor: AtomicI32::new(NO_DESCRIPTOR),
            number: AtomicU64::new(0),
        }
    }
}

#[derive(Debug)]
pub(crate) struct SocketEntry(Option<&'static OpenSocket>);

/// Registers a socket, so that a forked child closes its copy. If the copy stayed open, the service
/// would not notice when the parent closes the connection. If the list is full, the socket is not
/// registered.
pub(crate) fn register_socket(socket: Descriptor, number: u64) -> SocketEntry {
    let free = |place: &&OpenSocket| {
        place
            .descriptor
            .compare_exchange(NO_DESCRIPTOR, socket, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    };
    let place = OPEN_SOCKETS.iter().find(free);
    if let Some(place) = place {
        place.number.store(number, Ordering::Release);
    }
    SocketEntry(place)
}

impl SocketEntry {
    /// Changes the socket's number.
    pub(crate) fn renumber(&self, number: u64) {
        if let Some(place) = self.0 {
            place.number.store(number, Ordering::Release);
        }
    }

    /// Removes the socket from the list. Call it before the socket is closed: afterwards its number
    /// may belong to another file.
    pub(crate) fn unregister(&self) {
        if let Some(place) = self.0 {
            place.number.store(0, Ordering::Release);
            place.descriptor.store(NO_DESCRIPTOR, Ordering::Release);
        }
    }
}

/// Protects work that a fork should not interrupt, because the system or a library holds locks
/// during it: a child that was forked at that moment would wait for them forever. A fork waits for
/// the work to end, for a limited time, and new work waits for the fork.
pub(crate) struct ForkLock {
    running: AtomicUsize,
    max_wait: Duration,
}

/// Name lookups. A lookup without an answer delays a fork only briefly.
pub(crate) static LOOKUPS: ForkLock = ForkLock::new(Duration::from_millis(100));
/// Work on journals. A working disk is faster than this.
pub(crate) static JOURNALS: ForkLock = ForkLock::new(Duration::from_secs(10));
/// Closes what must not be open in a fork.
static CLOSE_BEFORE_FORK: OnceLock<fn()> = OnceLock::new();
static FORKING: AtomicUsize = AtomicUsize::new(0);

impl ForkLock {
    const fn new(max_wait: Duration) -> ForkLock {
        ForkLock {
            running: AtomicUsize::new(0),
            max_wait,
        }
    }

    /// Runs `work` while no fork is in progress. After `max_wait` it no longer waits for the fork.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let most = Instant::now() + self.max_wait;
        self.running.fetch_add(1, Ordering::SeqCst);
        while FORKING.load(Ordering::SeqCst) > 0 && Instant::now() < most {
            self.running.fetch_sub(1, Ordering::SeqCst);
            pause();
            self.running.fetch_add(1, Ordering::SeqCst);
        }
        let _running = RunningGuard(self);
        work()
    }

    /// Waits until no work is running; false if that took too long.
    fn wait_until_idle(&self) -> bool {
        let most = Instant::now() + self.max_wait;
        while self.running.load(Ordering::SeqCst) > 0 {
            if Instant::now() > most {
                return false;
            }
            pause();
        }
        true
    }
}

/// Counts one piece of work until it ends or panics. A fork waits for counted work.
struct RunningGuard<'a>(&'a ForkLock);

impl Drop for RunningGuard<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Calls `close` before each fork, while no work on journals is running. Only one function can be
/// set.
pub(crate) fn close_before_fork(close: fn()) {
    // If it was set before, it was set to the same function.
    let _ = CLOSE_BEFORE_FORK.set(close);
    install_handlers();
}

fn pause() {
    std::thread::sleep(Duration::from_micros(500));
}

extern "C" fn before_fork() {
    FORKING.fetch_add(1, Ordering::SeqCst);
    LOOKUPS.wait_until_idle();
    if JOURNALS.wait_until_idle()
        && let Some(close) = CLOSE_BEFORE_FORK.get()
    {
        close();
    }
}

extern "C" fn after_fork_in_parent() {
    FORKING.fetch_sub(1, Ordering::SeqCst);
}

extern "C" fn after_fork_in_child() {
    // The parent's other threads do not exist here.
    LOOKUPS.running.store(0, Ordering::SeqCst);
    JOURNALS.running.store(0, Ordering::SeqCst);
    FORKING.store(0, Ordering::SeqCst);
    GENERATION.fetch_add(1, Ordering::Relaxed);
    for place in &OPEN_SOCKETS {
        let socket = place.descriptor.swap(NO_DESCRIPTOR, Ordering::AcqRel);
        let number = place.number.swap(0, Ordering::AcqRel);
        if socket != NO_DESCRIPTOR && super::is_socket(socket, number) {
            // A socket that was open in the moment of the fork, and whose owner does not close it
            // in this process: see `SharedSocket`.
            super::close_copy(socket);
        }
    }
}

/// Counts forks from now on. Call it before there is anything that a fork could share.
pub(crate) fn install_handlers() {
    if INSTALLED.load(Ordering::Acquire) {
        return;
    }
    // Two threads may both install the handlers. A fork is then counted twice, which is harmless. A
    // lock would be worse: it could be held at the moment of the fork.
    super::at_each_fork(before_fork, after_fork_in_parent, after_fork_in_child);
    INSTALLED.store(true, Ordering::Release);
}

/// The generation of this process: a forked child has a different one than its parent.
pub fn generation() -> u64 {
    GENERATION.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::ForkLock;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    #[test]
    fn work_that_panics_does_not_delay_a_fork() {
        let fork_lock = ForkLock::new(Duration::from_millis(50));
        let work = || fork_lock.run(|| panic!("a bug in the work"));
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert!(fork_lock.wait_until_idle(), "a fork would wait for it");
    }
}
