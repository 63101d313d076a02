//! The state that the clones of a client share, and the part of it that belongs to one process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, ArcSwapOption};

use crate::client::log::Log;
use crate::connection::{self, Connections, Delivery};
use crate::settings::config::Settings;

/// What the clones of a client share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    state: ArcSwap<ProcessState>,
    log: ArcSwapOption<Log>,
}

/// Everything that changes while a client lives, for one process. After a fork the child starts
/// with new state and leaves its parent's alone.
pub(crate) struct ProcessState {
    generation: u64,
    pub(crate) connections: Connections,
    calls: Mutex<Vec<Arc<Delivery>>>,
}

impl Shared {
    pub(crate) fn new(settings: Settings) -> Shared {
        connection::watch();
        let state = ArcSwap::from_pointee(ProcessState::new(&settings));
        Shared {
            settings,
            state,
            log: ArcSwapOption::empty(),
        }
    }

    /// The log callback that is set now.
    pub(crate) fn log(&self) -> Option<Arc<Log>> {
        self.log.load_full()
    }

    pub(crate) fn set_log(&self, log: Option<Log>) {
        self.log.store(log.map(Arc::new));
    }

    /// The state of this process: after a fork, the child's own.
    pub(crate) fn process_state(&self) -> Arc<ProcessState> {
        let state = self.state.load_full();
        if state.generation == connection::generation() {
            return state;
        }
        let own = Arc::new(ProcessState::new(&self.settings));
        let before =
            arc_swap::Guard::into_inner(self.state.compare_and_swap(&state, Arc::clone(&own)));
        if !Arc::ptr_eq(&before, &state) {
            return before;
        }
        leave_alone(before);
        own
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let state = self.state.load_full();
        if state.generation != connection::generation() {
            leave_alone(state);
        }
    }
}

/// Keeps the state of a parent process from being dropped in its child: another thread may have been
/// at work on it in the moment of the fork, and so have left it half changed.
fn leave_alone(state: Arc<ProcessState>) {
    std::mem::forget(state);
}

impl ProcessState {
    fn new(settings: &Settings) -> ProcessState {
        ProcessState {
            generation: connection::generation(),
            connections: Connections::new(Arc::clone(&settings.route)),
            calls: Mutex::new(Vec::new()),
        }
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Arc<Delivery>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends every call in flight. All are told under the lock, so that a call that begins meanwhile
    /// finds what it is a part of cancelled already.
    pub(crate) fn cancel(&self) {
        for call in self.calls().iter() {
            call.cancel();
        }
    }

    /// Lists a call among those that can be cancelled, until the guard is dropped.
    pub(crate) fn in_flight(self: &Arc<Self>, delivery: &Arc<Delivery>) -> InFlight {
        self.calls().push(Arc::clone(delivery));
        InFlight {
            state: Arc::clone(self),
            delivery: Arc::clone(delivery),
        }
    }
}

/// A call that can be cancelled.
pub(crate) struct InFlight {
    state: Arc<ProcessState>,
    delivery: Arc<Delivery>,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        // A lock of the parent's state might never be released in a forked child.
        if self.state.generation == connection::generation() {
            let mut calls = self.state.calls();
            if let Some(place) = calls
                .iter()
                .position(|call| Arc::ptr_eq(call, &self.delivery))
            {
                calls.swap_remove(place);
            }
        }
    }
}
