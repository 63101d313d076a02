//! Noticing a fork, at no cost to a call: the child gets another generation number, and gives its copies of the parent's sockets back. No fork
//! falls into the midst of a name lookup.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static GENERATION: AtomicU64 = AtomicU64::new(1);
static WATCHING: AtomicBool = AtomicBool::new(false);

/// The open sockets. A plain list of numbers: it can be read in a forked child, where no lock can be relied on.
static OPEN: [AtomicI32; MOST_LISTED] = [const { AtomicI32::new(NONE) }; MOST_LISTED];
const MOST_LISTED: usize = 1024;
const NONE: RawFd = -1;

/// A place in the list of open sockets.
#[derive(Debug)]
pub(crate) struct Listed(Option<&'static AtomicI32>);

/// Lists a socket, so that a forked child closes its copy: were that to stay open, the service would not see the parent hang up. A socket
/// beyond those that the list has room for is not closed in a child.
pub(crate) fn list(socket: RawFd) -> Listed {
    let free = |place: &&AtomicI32| place.compare_exchange(NONE, socket, Ordering::AcqRel, Ordering::Relaxed).is_ok();
    Listed(OPEN.iter().find(free))
}

impl Listed {
    /// Takes the socket off the list. To be called before it is closed, since its number may be another file's right after.
    pub(crate) fn end(&self) {
        if let Some(place) = self.0 {
            place.store(NONE, Ordering::Release);
        }
    }
}

/// What runs now that a fork had better not cut in two, and the forks that wait for its end.
static RUNNING: AtomicUsize = AtomicUsize::new(0);
static FORKING: AtomicUsize = AtomicUsize::new(0);
/// How long a fork waits at most, and how long what would run waits for a fork.
const MOST_WAITED: Duration = Duration::from_millis(100);

/// Runs a system's function that takes locks of its own, as a name lookup does. A child that was forked in its midst would wait for them for
/// ever when it calls the same, so a fork waits for its end, for a moment: a system that does not answer holds no fork up for longer.
pub(crate) fn whole<T>(work: impl FnOnce() -> T) -> T {
    let most = Instant::now() + MOST_WAITED;
    RUNNING.fetch_add(1, Ordering::SeqCst);
    while FORKING.load(Ordering::SeqCst) > 0 && Instant::now() < most {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        pause();
        RUNNING.fetch_add(1, Ordering::SeqCst);
    }
    let result = work();
    RUNNING.fetch_sub(1, Ordering::SeqCst);
    result
}

fn pause() {
    std::thread::sleep(Duration::from_micros(500));
}

extern "C" fn before_fork() {
    let most = Instant::now() + MOST_WAITED;
    FORKING.fetch_add(1, Ordering::SeqCst);
    while RUNNING.load(Ordering::SeqCst) > 0 && Instant::now() < most {
        pause();
    }
}

extern "C" fn in_parent() {
    FORKING.fetch_sub(1, Ordering::SeqCst);
}

extern "C" fn in_child() {
    // What ran in the parent's threads does not run here.
    RUNNING.store(0, Ordering::SeqCst);
    FORKING.store(0, Ordering::SeqCst);
    GENERATION.fetch_add(1, Ordering::Relaxed);
    for place in &OPEN {
        let socket = place.swap(NONE, Ordering::AcqRel);
        if socket != NONE {
            // SAFETY: the number is of a socket that was open in the moment of the fork, and whose owner does not close it in this process:
            // see `Wire`. Closing is allowed in a forked child.
            unsafe { libc::close(socket) };
        }
    }
}

/// Counts forks from now on. To be called before there is anything that a fork could share.
pub(crate) fn watch() {
    if WATCHING.load(Ordering::Acquire) {
        return;
    }
    // Two threads may both come here first: two handlers count a fork twice, which is as good. A lock could be held at the fork itself.
    // SAFETY: `in_child` does only what is allowed in a forked child, and none is ever unmapped (the library is linked with `-z nodelete`).
    unsafe {
        libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child));
    }
    WATCHING.store(true, Ordering::Release);
}

/// The number of this process's generation: another one than its parent's.
pub(crate) fn generation() -> u64 {
    GENERATION.load(Ordering::Relaxed)
}
