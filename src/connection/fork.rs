//! Noticing a fork, at no cost to a call: the child gets another generation number, and gives its
//! copies of the parent's sockets back. No fork falls into the midst of a name lookup, or finds a
//! journal open.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::sys::{self, Descriptor, NO_DESCRIPTOR};

static GENERATION: AtomicU64 = AtomicU64::new(1);
static INSTALLED: AtomicBool = AtomicBool::new(false);

/// The open sockets. A plain list of numbers: it can be read in a forked child, where no lock can
/// be relied on.
static OPEN_SOCKETS: [AtomicI32; MAX_SOCKETS] =
    [const { AtomicI32::new(NO_DESCRIPTOR) }; MAX_SOCKETS];
const MAX_SOCKETS: usize = 1024;

/// A place in the list of open sockets.
#[derive(Debug)]
pub(crate) struct SocketEntry(Option<&'static AtomicI32>);

/// Lists a socket, so that a forked child closes its copy: were that to stay open, the service
/// would not see the parent hang up. A socket beyond those that the list has room for is not closed
/// in a child.
pub(crate) fn register_socket(socket: Descriptor) -> SocketEntry {
    let free = |place: &&AtomicI32| {
        place
            .compare_exchange(NO_DESCRIPTOR, socket, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    };
    SocketEntry(OPEN_SOCKETS.iter().find(free))
}

impl SocketEntry {
    /// Takes the socket off the list. To be called before it is closed, since its number may be
    /// another file's right after.
    pub(crate) fn unregister(&self) {
        if let Some(place) = self.0 {
            place.store(NO_DESCRIPTOR, Ordering::Release);
        }
    }
}

/// Work that a fork had better not cut in two, since the system or a library takes locks of its own
/// in it: a child that was forked in its midst would wait for them for ever. So a fork waits for
/// its end, for a while, and what would begin meanwhile waits for the fork.
pub(crate) struct ForkLock {
    running: AtomicUsize,
    max_wait: Duration,
}

/// Name lookups. A system that does not answer holds no fork up.
pub(crate) static LOOKUPS: ForkLock = ForkLock::new(Duration::from_millis(100));
/// Work on journals. A disk writes within that, or is broken.
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

    /// Runs `work` while no fork is in progress. Gives up waiting for a fork after `max_wait`.
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

    /// Waits until none is running; false where that took too long.
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

/// One piece of work, counted until it ends or panics: a fork waits for those that are counted.
struct RunningGuard<'a>(&'a ForkLock);

impl Drop for RunningGuard<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Has something closed before each fork, with no work on journals running. There is one place that
/// needs it.
pub(crate) fn close_before_fork(close: fn()) {
    // That it was set before is as good: by the same place.
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
    // What ran in the parent's threads does not run here.
    LOOKUPS.running.store(0, Ordering::SeqCst);
    JOURNALS.running.store(0, Ordering::SeqCst);
    FORKING.store(0, Ordering::SeqCst);
    GENERATION.fetch_add(1, Ordering::Relaxed);
    for place in &OPEN_SOCKETS {
        let socket = place.swap(NO_DESCRIPTOR, Ordering::AcqRel);
        if socket != NO_DESCRIPTOR {
            // A socket that was open in the moment of the fork, and whose owner does not close it in
            // this process: see `SharedSocket`.
            sys::close_copy(socket);
        }
    }
}

/// Counts forks from now on. To be called before there is anything that a fork could share.
pub(crate) fn install_handlers() {
    if INSTALLED.load(Ordering::Acquire) {
        return;
    }
    // Two threads may both come here first: two handlers count a fork twice, which is as good. A
    // lock could be held at the fork itself.
    sys::at_each_fork(before_fork, after_fork_in_parent, after_fork_in_child);
    INSTALLED.store(true, Ordering::Release);
}

/// The number of this process's generation: another one than its parent's.
pub(crate) fn generation() -> u64 {
    GENERATION.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::ForkLock;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    #[test]
    fn work_that_panics_keeps_no_fork_waiting() {
        let fork_lock = ForkLock::new(Duration::from_millis(50));
        let work = || fork_lock.run(|| panic!("a bug in the work"));
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert!(fork_lock.wait_until_idle(), "a fork would wait for it");
    }
}
