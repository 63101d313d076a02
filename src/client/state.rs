//! The state that the clones of a client share, and the part of it that belongs to one process.

use std::sync::Arc;

use arc_swap::ArcSwapOption;

use crate::client::log::Log;
use crate::connection::{
    CancellationToken, Connections, Delivery, InFlight, PerProcess, Registered,
};
use crate::settings::config::Settings;

/// What the clones of a client share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    state: PerProcess<ProcessState>,
    log: ArcSwapOption<Log>,
}

/// Everything that changes while a client lives, for one process. After a fork the child starts
/// with new state and leaves its parent's alone.
pub(crate) struct ProcessState {
    pub(crate) connections: Connections,
    calls: InFlight,
}

impl Shared {
    pub(crate) fn new(settings: Settings) -> Shared {
        let state = PerProcess::new(ProcessState::new(&settings));
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
        self.state.get(|| ProcessState::new(&self.settings))
    }

    /// Has a call cancelled with the others on this client, and with those that have the same
    /// token, until what this returns is dropped.
    pub(crate) fn cancellable(
        &self,
        delivery: &Arc<Delivery>,
        token: Option<&CancellationToken>,
    ) -> Cancellable {
        Cancellable {
            registered: Registered::with(self.process_state(), delivery),
            _token: token.map(|token| token.register(delivery)),
        }
    }
}

impl ProcessState {
    fn new(settings: &Settings) -> ProcessState {
        ProcessState {
            calls: InFlight::new(),
            connections: Connections::new(Arc::clone(&settings.route)),
        }
    }

    /// Cancels every call in flight.
    pub(crate) fn cancel(&self) {
        self.calls.cancel();
    }
}

impl AsRef<InFlight> for ProcessState {
    fn as_ref(&self) -> &InFlight {
        &self.calls
    }
}

/// A call that can be cancelled.
pub(crate) struct Cancellable {
    registered: Registered<ProcessState>,
    _token: Option<Registered<InFlight>>,
}

impl Cancellable {
    /// The state of the process that the call began in.
    pub(crate) fn state(&self) -> &ProcessState {
        self.registered.list()
    }
}
