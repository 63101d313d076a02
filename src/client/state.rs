//! The state that the clones of a client share, and the part of it that belongs to one process.

use std::sync::Arc;

use arc_swap::ArcSwapOption;

use crate::client::log::Log;
use crate::connection::{
    CallsInFlight, CancelScope, CancellationToken, Connections, PerProcess, Registration,
};
use crate::settings::validation::Settings;

/// What the clones of a client share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    state: PerProcess<ProcessState>,
    log: ArcSwapOption<Log>,
}

/// Everything that changes while a client lives, for one process. After a fork, the child starts
/// with new state and does not touch its parent's.
pub(crate) struct ProcessState {
    pub(crate) connections: Connections,
    calls: CallsInFlight,
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

    /// The current log callback.
    pub(crate) fn log(&self) -> Option<Arc<Log>> {
        self.log.load_full()
    }

    pub(crate) fn set_log(&self, log: Option<Log>) {
        self.log.store(log.map(Arc::new));
    }

    /// The state of this process. After a fork the child gets its own.
    pub(crate) fn process_state(&self) -> Arc<ProcessState> {
        self.state.get(|| ProcessState::new(&self.settings))
    }

    /// Registers a call, so that cancelling the client, the token or the call that it is part of
    /// cancels it. The registration ends when the returned value is dropped.
    pub(crate) fn cancellable(
        &self,
        scope: &Arc<CancelScope>,
        token: Option<&CancellationToken>,
        whole: Option<&Arc<CancelScope>>,
    ) -> CallRegistration {
        CallRegistration {
            registered: Registration::new(self.process_state(), scope),
            _token: token.map(|token| token.register(scope)),
            _whole: whole.map(|whole| Registration::new(Arc::clone(whole), scope)),
        }
    }
}

impl ProcessState {
    fn new(settings: &Settings) -> ProcessState {
        ProcessState {
            calls: CallsInFlight::new(),
            connections: Connections::new(Arc::clone(&settings.route)),
        }
    }

    /// Cancels every call in flight.
    pub(crate) fn cancel(&self) {
        self.calls.cancel();
    }
}

impl AsRef<CallsInFlight> for ProcessState {
    fn as_ref(&self) -> &CallsInFlight {
        &self.calls
    }
}

/// The registration of a call that can be cancelled.
pub(crate) struct CallRegistration {
    registered: Registration<ProcessState>,
    _token: Option<Registration<CallsInFlight>>,
    _whole: Option<Registration<CancelScope>>,
}

impl CallRegistration {
    /// The state of the process that the call started in.
    pub(crate) fn state(&self) -> &ProcessState {
        self.registered.list()
    }
}
