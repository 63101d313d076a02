//! What the calling thread and the worker threads give to each other: one channel for the queries,
//! and one for what comes back. It has no limit of its own: the calling thread gives only as many
//! queries ahead of the results as there are workers.
//!
//! `std::sync::mpsc` is not used because waiting on it leaves a block of memory with the host's
//! thread, which leak checkers report.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::lock::{lock, wait_for};

pub(crate) struct Channel<T> {
    state: Mutex<Waiting<T>>,
    changed: Condvar,
}

struct Waiting<T> {
    items: VecDeque<T>,
    ended: bool,
}

impl<T> Channel<T> {
    pub(crate) fn new() -> Channel<T> {
        Channel {
            state: Mutex::new(Waiting {
                items: VecDeque::new(),
                ended: false,
            }),
            changed: Condvar::new(),
        }
    }

    pub(crate) fn push(&self, item: T) {
        lock(&self.state).items.push_back(item);
        self.changed.notify_one();
    }

    pub(crate) fn end(&self) {
        lock(&self.state).ended = true;
        self.changed.notify_all();
    }

    /// The next item; `None` after the end.
    pub(crate) fn next(&self) -> Option<T> {
        let waits = |state: &mut Waiting<T>| state.items.is_empty() && !state.ended;
        let state = self.changed.wait_while(lock(&self.state), waits);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.items.pop_front()
    }

    /// The next item, or `None` if nothing came in that time.
    pub(crate) fn next_within(&self, time: Duration) -> Option<T> {
        let mut state = lock(&self.state);
        if state.items.is_empty() {
            state = wait_for(&self.changed, state, time);
        }
        state.items.pop_front()
    }
}
