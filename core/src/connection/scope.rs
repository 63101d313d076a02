//! What can end a call early: its cancellation, and the one place where it waits. A scope has a
//! list of the calls that are part of it; a client and a token have such lists too.

use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::idle;
use super::shared_socket::SharedSocket;
use crate::lock::lock;
use crate::platform;
use crate::platform::fork;

/// What another thread needs to cancel a call. Cancelling it cancels the calls that are part of it.
pub(crate) struct CancelScope {
    cancelled: AtomicBool,
    socket: Mutex<Weak<SharedSocket>>,
    signal: Condvar,
    /// The calls that are part of this one, and the process that it belongs to.
    parts: CallsInFlight,
    /// Learns of a cancellation. No lock of a call is held then, but that of a list of calls may be.
    observer: Option<Arc<dyn CancelObserver>>,
}

/// Who goes on with a call, while it waits for a thread.
pub(crate) trait CancelObserver: Send + Sync {
    fn note_cancelled(&self);
}

/// Why a wait ended without what it waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    TimedOut,
    Cancelled,
    /// The call was started in the parent process.
    Forked,
}

impl From<Ended> for io::Error {
    fn from(ended: Ended) -> io::Error {
        match ended {
            Ended::TimedOut => io::ErrorKind::TimedOut.into(),
            Ended::Cancelled => io::Error::other("the call was cancelled"),
            Ended::Forked => io::Error::other("the call belongs to the parent process"),
        }
    }
}

impl From<Ended> for Failure {
    fn from(ended: Ended) -> Failure {
        match ended {
            Ended::TimedOut => Failure::TimedOut,
            Ended::Cancelled => Failure::Cancelled,
            Ended::Forked => Failure::Forked,
        }
    }
}

impl CancelScope {
    pub(crate) fn new() -> CancelScope {
        CancelScope {
            cancelled: AtomicBool::new(false),
            socket: Mutex::new(Weak::new()),
            signal: Condvar::new(),
            parts: CallsInFlight::new(),
            observer: None,
        }
    }

    pub(crate) fn observed_by(observer: Arc<dyn CancelObserver>) -> CancelScope {
        CancelScope {
            observer: Some(observer),
            ..CancelScope::new()
        }
    }

    /// False in a forked child: the call belongs to the parent.
    pub(crate) fn belongs_to_this_process(&self) -> bool {
        self.parts.belongs_to_this_process()
    }

    /// Cancels the call, from any thread. An operation that blocks on its socket fails at once, and
    /// a pause between attempts ends.
    pub(crate) fn cancel(&self) {
        let socket = lock(&self.socket);
        self.cancelled.store(true, Ordering::Release);
        if let Some(shared) = socket.upgrade() {
            shared.shut_down();
        }
        drop(socket);
        self.signal.notify_all();
        self.parts.cancel();
        if let Some(observer) = &self.observer {
            observer.note_cancelled();
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Sets the socket to shut down when the call is cancelled. Fails if it is cancelled already.
    pub(crate) fn attach_socket(&self, shared: &Arc<SharedSocket>) -> Result<(), Failure> {
        let mut socket = lock(&self.socket);
        *socket = Arc::downgrade(shared);
        if self.is_cancelled() {
            Err(Failure::Cancelled)
        } else {
            Ok(())
        }
    }

    /// Forgets the socket. After the attempt, another call may use it.
    pub(crate) fn detach_socket(&self) {
        *lock(&self.socket) = Weak::new();
    }

    /// Waits until `step` returns something. `step` blocks for at most the time that it is given,
    /// and holds no lock afterwards. Between the steps runs the host's idle function, which may
    /// cancel the call. Every wait of a call goes through here.
    pub(crate) fn wait<T, E: From<Ended>>(
        &self,
        until: Instant,
        mut step: impl FnMut(Duration) -> Result<Option<T>, E>,
    ) -> Result<T, E> {
        loop {
            self.run_idle();
            if !self.belongs_to_this_process() {
                return Err(Ended::Forked.into());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let ended = match self.is_cancelled() {
                    true => Ended::Cancelled,
                    false => Ended::TimedOut,
                };
                return Err(ended.into());
            }
            if let Some(value) = step(idle::limit(left))? {
                return Ok(value);
            }
            if self.is_cancelled() {
                return Err(Ended::Cancelled.into());
            }
        }
    }

    /// Runs the host's idle function if its time has come. True if the call was cancelled.
    pub(crate) fn run_idle(&self) -> bool {
        if idle::run_if_due() && self.belongs_to_this_process() {
            self.cancel();
        }
        self.is_cancelled()
    }

    /// Sleeps. False if the call was cancelled.
    pub(crate) fn sleep(&self, time: Duration) -> bool {
        let slept = self.wait(Instant::now() + time, |time| {
            let socket = lock(&self.socket);
            if !self.is_cancelled() {
                // Whether it ended early does not matter: `wait` looks at everything again.
                drop(self.signal.wait_timeout(socket, time));
            }
            Ok::<Option<Infallible>, Ended>(None)
        });
        matches!(slept, Err(Ended::TimedOut))
    }
}

/// Waits as [`CancelScope::wait`] does, without a call. The host's idle function can end it.
pub(crate) fn wait_without_call<T>(
    until: Instant,
    mut step: impl FnMut(Duration) -> Result<Option<T>, Ended>,
) -> Result<T, Ended> {
    let _idle = idle::begin_idle();
    let scope = CancelScope::new();
    scope.wait(until, |time| {
        step(match scope.is_cancelled() {
            true => Duration::ZERO,
            false => time,
        })
    })
}

impl AsRef<CallsInFlight> for CancelScope {
    fn as_ref(&self) -> &CallsInFlight {
        &self.parts
    }
}

/// The calls in flight that are cancelled together. The list belongs to one process.
pub(crate) struct CallsInFlight {
    generation: u64,
    calls: Mutex<Vec<Arc<CancelScope>>>,
}

impl CallsInFlight {
    pub(crate) fn new() -> CallsInFlight {
        fork::install_handlers();
        platform::stay_loaded();
        CallsInFlight {
            generation: fork::generation(),
            calls: Mutex::new(Vec::new()),
        }
    }

    /// Cancels every call on the list. The lock is held for all of them, so that a call that starts
    /// in the meantime finds its batch cancelled already.
    pub(crate) fn cancel(&self) {
        for call in self.calls().iter() {
            call.cancel();
        }
    }

    pub(super) fn belongs_to_this_process(&self) -> bool {
        self.generation == fork::generation()
    }

    pub(super) fn calls(&self) -> MutexGuard<'_, Vec<Arc<CancelScope>>> {
        lock(&self.calls)
    }
}

impl AsRef<CallsInFlight> for CallsInFlight {
    fn as_ref(&self) -> &CallsInFlight {
        self
    }
}
