//! What the clones of a client share, and what of it belongs to one process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, ArcSwapOption};

use crate::client::log::Log;
use crate::connection::{self, Connections, Delivery};
use crate::settings::config::Settings;

/// What the clones of a client share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    era: ArcSwap<Era>,
    log: ArcSwapOption<Log>,
}

/// All that changes while a client lives, for one process: after a fork the child begins an era of
/// its own and leaves its parent's alone.
pub(crate) struct Era {
    generation: u64,
    pub(crate) connections: Connections,
    calls: Mutex<Vec<Arc<Delivery>>>,
}

impl Shared {
    pub(crate) fn new(settings: Settings) -> Shared {
        connection::watch();
        let era = ArcSwap::from_pointee(Era::new(&settings));
        Shared {
            settings,
            era,
            log: ArcSwapOption::empty(),
        }
    }

    /// What takes log events now.
    pub(crate) fn log(&self) -> Option<Arc<Log>> {
        self.log.load_full()
    }

    pub(crate) fn set_log(&self, log: Option<Log>) {
        self.log.store(log.map(Arc::new));
    }

    /// The era of this process: after a fork, the child's own.
    pub(crate) fn era(&self) -> Arc<Era> {
        let era = self.era.load_full();
        if era.generation == connection::generation() {
            return era;
        }
        let own = Arc::new(Era::new(&self.settings));
        let before = arc_swap::Guard::into_inner(self.era.compare_and_swap(&era, Arc::clone(&own)));
        if !Arc::ptr_eq(&before, &era) {
            return before;
        }
        leave_alone(before);
        own
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let era = self.era.load_full();
        if era.generation != connection::generation() {
            leave_alone(era);
        }
    }
}

/// Keeps the era of a parent process from being dropped in its child: another thread may have been
/// at work on it in the moment of the fork, and so have left it half changed.
fn leave_alone(era: Arc<Era>) {
    std::mem::forget(era);
}

impl Era {
    fn new(settings: &Settings) -> Era {
        Era {
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
            era: Arc::clone(self),
            delivery: Arc::clone(delivery),
        }
    }
}

/// A call that can be cancelled.
pub(crate) struct InFlight {
    era: Arc<Era>,
    delivery: Arc<Delivery>,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        // A lock of the parent's era might never be released in a forked child.
        if self.era.generation == connection::generation() {
            let mut calls = self.era.calls();
            if let Some(place) = calls
                .iter()
                .position(|call| Arc::ptr_eq(call, &self.delivery))
            {
                calls.swap_remove(place);
            }
        }
    }
}
