//! Cancelling calls from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwap;

use super::scope::{CallsInFlight, CancelScope};

/// A call's entry in a list of calls. Dropping it removes the entry.
pub(crate) struct Registration<L: AsRef<CallsInFlight>> {
    list: Arc<L>,
    scope: Arc<CancelScope>,
}

impl<L: AsRef<CallsInFlight>> Registration<L> {
    pub(crate) fn new(list: Arc<L>, scope: &Arc<CancelScope>) -> Registration<L> {
        list.as_ref().as_ref().calls().push(Arc::clone(scope));
        Registration {
            list,
            scope: Arc::clone(scope),
        }
    }

    pub(crate) fn list(&self) -> &L {
        &self.list
    }
}

impl Registration<CancelScope> {
    /// Makes a call a part of another one, which may be cancelled already.
    pub(crate) fn part_of(
        whole: &Arc<CancelScope>,
        scope: &Arc<CancelScope>,
    ) -> Registration<CancelScope> {
        let registered = Registration::new(Arc::clone(whole), scope);
        // Checked after the call was added to the list, as for a token.
        if whole.is_cancelled() {
            scope.cancel();
        }
        registered
    }
}

impl<L: AsRef<CallsInFlight>> Drop for Registration<L> {
    fn drop(&mut self) {
        let list = self.list.as_ref().as_ref();
        // In a forked child the lock of the parent's list may never become free.
        if list.belongs_to_this_process() {
            let mut calls = list.calls();
            if let Some(place) = calls.iter().position(|call| Arc::ptr_eq(call, &self.scope)) {
                calls.swap_remove(place);
            }
        }
    }
}

/// State of one process. A forked child starts with new state and does not touch its parent's:
/// another thread may have been changing it at the moment of the fork.
pub(crate) struct PerProcess<T: AsRef<CallsInFlight>>(ArcSwap<T>);

impl<T: AsRef<CallsInFlight>> PerProcess<T> {
    pub(crate) fn new(state: T) -> PerProcess<T> {
        PerProcess(ArcSwap::from_pointee(state))
    }

    /// The state of this process. In a forked child, `begin` creates it.
    pub(crate) fn get(&self, begin: impl FnOnce() -> T) -> Arc<T> {
        let state = self.0.load_full();
        if state.as_ref().as_ref().belongs_to_this_process() {
            return state;
        }
        let own = Arc::new(begin());
        let before = arc_swap::Guard::into_inner(self.0.compare_and_swap(&state, Arc::clone(&own)));
        if !Arc::ptr_eq(&before, &state) {
            return before;
        }
        // The parent's state may be half changed.
        std::mem::forget(before);
        own
    }
}

impl<T: AsRef<CallsInFlight>> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let state = self.0.load_full();
        if !state.as_ref().as_ref().belongs_to_this_process() {
            std::mem::forget(state);
        }
    }
}

/// Cancels single calls and no others on the same client: one token for each sale that a person
/// can stop. Give it to one or more calls in their options. A clone is the same token.
///
/// ```no_run
/// use payorder_core::{CallOptions, CancellationToken, Client, Code, Config, StatusQuery};
///
/// # fn main() -> Result<(), payorder_core::Error> {
/// let client = Client::new(Config::new("https://pay.example.com"))?;
/// let token = CancellationToken::new();
/// assert!(!token.is_cancelled());
/// let button = token.clone();
/// std::thread::spawn(move || button.cancel());
/// let options = CallOptions {
///     cancellation: Some(token),
///     ..CallOptions::default()
/// };
/// match client.get_status(&StatusQuery::by_order("O-1001")?, &options) {
///     Err(error) if matches!(error.code(), Code::Cancelled | Code::CancelledInFlight) => {
///         println!("cancelled: {error}");
///     }
///     other => println!("{other:?}"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CancellationToken(Arc<Token>);

struct Token {
    cancelled: AtomicBool,
    calls: PerProcess<CallsInFlight>,
}

impl CancellationToken {
    /// Creates a token.
    pub fn new() -> CancellationToken {
        CancellationToken(Arc::new(Token {
            cancelled: AtomicBool::new(false),
            calls: PerProcess::new(CallsInFlight::new()),
        }))
    }

    /// Cancels the calls that have this token, from any thread: those in flight end within 100 ms,
    /// later ones at once. It cannot be undone.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.calls.get(CallsInFlight::new).cancel();
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Registers a call with this token. If the token is cancelled already, the call is too.
    pub(crate) fn register(&self, scope: &Arc<CancelScope>) -> Registration<CallsInFlight> {
        let registered = Registration::new(self.0.calls.get(CallsInFlight::new), scope);
        // Checked after the call was added to the list: a cancellation either finds it there, or
        // happened before this check.
        if self.is_cancelled() {
            scope.cancel();
        }
        registered
    }
}

impl Default for CancellationToken {
    fn default() -> Self {
        CancellationToken::new()
    }
}

impl std::fmt::Debug for CancellationToken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("CancellationToken")
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}
