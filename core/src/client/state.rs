//! The state that the clones of a client share, and the part of it that belongs to one process.

use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwapOption;

use crate::client::log::Log;
use crate::client::started::answers::Answers;
use crate::client::started::queue::CallQueue;
use crate::connection::{
    CallsInFlight, CancelScope, CancellationToken, Connections, PerProcess, Proxy, Registration,
};
use crate::credentials::{CallCredentials, Credentials};
use crate::platform::watch_for_exit;
use crate::settings::options::CallOptions;
use crate::settings::validation::Settings;

pub(crate) struct Shared {
    pub(crate) settings: Settings,
    state: PerProcess<ProcessState>,
    log: ArcSwapOption<Log>,
    /// The credentials, if they were replaced.
    replaced: ArcSwapOption<Credentials>,
    stopped: AtomicBool,
}

pub(crate) struct ClientCredentials<'a> {
    settings: &'a Settings,
    replaced: Option<Arc<Credentials>>,
}

/// Whether none were replaced in between.
impl PartialEq for ClientCredentials<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.all(), other.all())
    }
}

impl ClientCredentials<'_> {
    /// A call's own credentials; those of the client where it has none.
    pub(crate) fn with<'a>(&'a self, own: &'a CallOptions) -> CallCredentials<'a> {
        let proxy_password = self.settings.route.proxy.as_ref().and_then(Proxy::password);
        let mut all = own.credentials.or(self.all(), proxy_password);
        all.headers = [&own.headers, &self.settings.config.headers];
        all
    }

    fn all(&self) -> &Credentials {
        self.replaced
            .as_deref()
            .unwrap_or(&self.settings.config.credentials)
    }
}

/// Everything that changes while a client lives, for one process. After a fork, the child starts
/// with new state and does not touch its parent's.
pub(crate) struct ProcessState {
    pub(crate) connections: Connections,
    calls: CallsInFlight,
    /// Made for the first started call.
    queue: OnceLock<Arc<CallQueue>>,
    answers: OnceLock<Arc<Answers>>,
    /// Nobody has the client any more.
    is_freed: AtomicBool,
}

impl Shared {
    pub(crate) fn new(settings: Settings) -> Shared {
        // So that a first start is refused as well, once this thread has called `exit`.
        watch_for_exit();
        let state = PerProcess::new(ProcessState::new(&settings));
        Shared {
            settings,
            state,
            log: ArcSwapOption::empty(),
            replaced: ArcSwapOption::empty(),
            stopped: AtomicBool::new(false),
        }
    }

    pub(crate) fn log(&self) -> Option<Arc<Log>> {
        self.log.load_full()
    }

    pub(crate) fn set_log(&self, log: Option<Log>) {
        self.log.store(log.map(Arc::new));
    }

    pub(crate) fn credentials(&self) -> ClientCredentials<'_> {
        ClientCredentials {
            settings: &self.settings,
            replaced: self.replaced.load_full(),
        }
    }

    pub(crate) fn replace_credentials(&self, given: &Credentials) {
        self.replaced.rcu(|before| {
            let before = before
                .as_deref()
                .unwrap_or(&self.settings.config.credentials);
            Some(Arc::new(given.clone().or_those_of(before)))
        });
    }

    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        let state = self.process_state();
        state.cancel();
        if let Some(answers) = state.answers.get() {
            answers.wake();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// The state of this process. After a fork the child gets its own.
    pub(crate) fn process_state(&self) -> Arc<ProcessState> {
        self.state.get(|| ProcessState::new(&self.settings))
    }

    /// Registers a new call, so that cancelling the client or the call that it is part of cancels it.
    pub(crate) fn register(
        &self,
        scope: Arc<CancelScope>,
        whole: Option<&Arc<CancelScope>>,
    ) -> CallRegistration {
        CallRegistration {
            with_client: Registration::new(self.process_state(), &scope),
            _with_whole: whole.map(|whole| Registration::part_of(whole, &scope)),
            with_token: None,
            scope,
        }
    }
}

impl ProcessState {
    fn new(settings: &Settings) -> ProcessState {
        ProcessState {
            calls: CallsInFlight::new(),
            connections: Connections::new(Arc::clone(&settings.route)),
            queue: OnceLock::new(),
            answers: OnceLock::new(),
            is_freed: AtomicBool::new(false),
        }
    }

    /// The started calls of this process.
    pub(super) fn queue(&self, max_calls: usize) -> &Arc<CallQueue> {
        let queue = self.queue.get_or_init(|| CallQueue::new(max_calls));
        if self.was_freed() {
            queue.free();
        }
        queue
    }

    /// Their answers that the program takes.
    pub(super) fn answers(&self) -> Arc<Answers> {
        let answers = self.answers.get_or_init(Arc::default);
        if self.was_freed() {
            answers.close();
        }
        Arc::clone(answers)
    }

    /// Whether the client was freed. If another thread frees it now, it sees what this one has made.
    fn was_freed(&self) -> bool {
        fence(Ordering::SeqCst);
        self.is_freed.load(Ordering::Relaxed)
    }

    /// Ends the started calls that wait for a thread, because nobody has the client any more.
    pub(super) fn free(&self) {
        self.is_freed.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        if let Some(answers) = self.answers.get() {
            answers.close();
        }
        if let Some(queue) = self.queue.get() {
            queue.free();
        }
    }

    pub(crate) fn cancel(&self) {
        self.calls.cancel();
    }
}

impl AsRef<CallsInFlight> for ProcessState {
    fn as_ref(&self) -> &CallsInFlight {
        &self.calls
    }
}

/// A call's entries in the lists of those that can cancel it. They end when this is dropped.
pub(crate) struct CallRegistration {
    scope: Arc<CancelScope>,
    with_client: Registration<ProcessState>,
    with_token: Option<Registration<CallsInFlight>>,
    _with_whole: Option<Registration<CancelScope>>,
}

impl CallRegistration {
    pub(crate) fn scope(&self) -> &Arc<CancelScope> {
        &self.scope
    }

    /// Lets a token cancel the call too.
    pub(crate) fn add_token(&mut self, token: Option<&CancellationToken>) {
        self.with_token = token.map(|token| token.register(&self.scope));
    }

    /// The state of the process that the call started in.
    pub(crate) fn state(&self) -> &ProcessState {
        self.with_client.list()
    }
}
