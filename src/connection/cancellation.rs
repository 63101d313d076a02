//! Ending calls from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;

use super::context::CallContext;
use super::fork;

/// The calls in flight that are cancelled together. The list belongs to one process.
pub(crate) struct CallsInFlight {
    generation: u64,
    calls: Mutex<Vec<Arc<CallContext>>>,
}

impl CallsInFlight {
    pub(crate) fn new() -> CallsInFlight {
        fork::install_handlers();
        CallsInFlight {
            generation: fork::generation(),
            calls: Mutex::new(Vec::new()),
        }
    }

    /// Cancels every call on the list. All are told under the lock, so that a call that begins
    /// meanwhile finds the batch that it is a part of cancelled already.
    pub(crate) fn cancel(&self) {
        for call in self.calls().iter() {
            call.cancel();
        }
    }

    fn belongs_to_this_process(&self) -> bool {
        self.generation == fork::generation()
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Arc<CallContext>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsRef<CallsInFlight> for CallsInFlight {
    fn as_ref(&self) -> &CallsInFlight {
        self
    }
}

/// A call's place on a list, until it is dropped.
pub(crate) struct Registration<L: AsRef<CallsInFlight>> {
    list: Arc<L>,
    context: Arc<CallContext>,
}

impl<L: AsRef<CallsInFlight>> Registration<L> {
    /// Puts a call on the list of whatever holds it.
    pub(crate) fn new(list: Arc<L>, context: &Arc<CallContext>) -> Registration<L> {
        list.as_ref().as_ref().calls().push(Arc::clone(context));
        Registration {
            list,
            context: Arc::clone(context),
        }
    }

    /// What holds the list.
    pub(crate) fn list(&self) -> &L {
        &self.list
    }
}

impl<L: AsRef<CallsInFlight>> Drop for Registration<L> {
    fn drop(&mut self) {
        let list = self.list.as_ref().as_ref();
        // A forked child may never get the lock of its parent's list.
        if list.belongs_to_this_process() {
            let mut calls = list.calls();
            if let Some(place) = calls
                .iter()
                .position(|call| Arc::ptr_eq(call, &self.context))
            {
                calls.swap_remove(place);
            }
        }
    }
}

/// State of one process. A forked child begins with new state and leaves its parent's alone:
/// another thread may have been changing it at the moment of the fork.
pub(crate) struct PerProcess<T: AsRef<CallsInFlight>>(ArcSwap<T>);

impl<T: AsRef<CallsInFlight>> PerProcess<T> {
    pub(crate) fn new(state: T) -> PerProcess<T> {
        PerProcess(ArcSwap::from_pointee(state))
    }

    /// The state of this process, which `begin` makes in a forked child.
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
        leak(before);
        own
    }
}

impl<T: AsRef<CallsInFlight>> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let state = self.0.load_full();
        if !state.as_ref().as_ref().belongs_to_this_process() {
            leak(state);
        }
    }
}

/// Keeps a parent's state from being dropped in its child: it may be half changed.
fn leak<T>(state: Arc<T>) {
    std::mem::forget(state);
}

/// Cancels single calls, without touching others on the same client: one token per cashier, or per
/// task. It is given to calls in their options, also to several at once; a clone is the same token.
///
/// ```no_run
/// use payorder::{CallOptions, CancellationToken, Client, Code, Config, StatusQuery};
///
/// # fn main() -> Result<(), payorder::Error> {
/// let client = Client::new(Config::new("https://pay.example.com"))?;
/// let token = CancellationToken::new();
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
    /// A token that is not cancelled.
    pub fn new() -> CancellationToken {
        CancellationToken(Arc::new(Token {
            cancelled: AtomicBool::new(false),
            calls: PerProcess::new(CallsInFlight::new()),
        }))
    }

    /// Ends the calls that were given this token, from any thread: those in flight within 100 ms,
    /// later ones at once. It cannot be undone.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.calls.get(CallsInFlight::new).cancel();
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Has this token cancel a call, also where the token was cancelled already.
    pub(crate) fn register(&self, context: &Arc<CallContext>) -> Registration<CallsInFlight> {
        let registered = Registration::new(self.0.calls.get(CallsInFlight::new), context);
        // After the call is on the list: a cancel either finds it there or was before this look.
        if self.is_cancelled() {
            context.cancel();
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

#[cfg(test)]
mod tests {
    use super::{CallContext, CancellationToken};
    use std::sync::Arc;
    use std::time::Duration;

    fn context() -> Arc<CallContext> {
        Arc::new(CallContext::new(Duration::ZERO))
    }

    #[test]
    fn a_token_cancels_the_calls_that_have_it_and_no_others() {
        let token = CancellationToken::new();
        let (one, ended, other) = (context(), context(), context());
        let _one = token.register(&one);
        drop(token.register(&ended));
        let _other = CancellationToken::new().register(&other);
        token.clone().cancel();
        assert!(one.is_cancelled() && !ended.is_cancelled() && !other.is_cancelled());
    }

    #[test]
    fn a_cancelled_token_stays_cancelled() {
        let token = CancellationToken::new();
        token.cancel();
        let later = context();
        let _later = token.register(&later);
        assert!(token.is_cancelled() && later.is_cancelled());
    }
}
