//! What threads that ask bring to the one that called: their results one by one, and their log
//! events at once.
//!
//! A channel of the standard library would do, but for what waiting on one leaves with the host's
//! thread until that ends: a block that leak checkers report.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

pub(crate) struct Inbox<T> {
    state: Mutex<State<T>>,
    /// There is something to take, or nobody to bring anything.
    arrived: Condvar,
    /// A result was dealt with, or nothing is taken any more.
    dealt_with: Condvar,
}

struct State<T> {
    items: VecDeque<(Option<usize>, T)>,
    /// Of each who brings results, whether the last one is still to be dealt with.
    open: Vec<bool>,
    /// How many may bring something yet.
    bringers: usize,
    closed: bool,
}

/// One who brings results.
pub(crate) struct Bringer<T> {
    inbox: Arc<Inbox<T>>,
    number: usize,
}

impl<T> Inbox<T> {
    pub(crate) fn new() -> Arc<Inbox<T>> {
        let state = State {
            items: VecDeque::new(),
            open: Vec::new(),
            bringers: 0,
            closed: false,
        };
        Arc::new(Inbox {
            state: Mutex::new(state),
            arrived: Condvar::new(),
            dealt_with: Condvar::new(),
        })
    }

    pub(crate) fn bringer(self: &Arc<Self>) -> Bringer<T> {
        let mut state = self.state();
        state.bringers += 1;
        state.open.push(false);
        Bringer {
            inbox: Arc::clone(self),
            number: state.open.len() - 1,
        }
    }

    /// Brings what need not be dealt with.
    pub(crate) fn post(&self, item: T) {
        let mut state = self.state();
        if !state.closed {
            state.items.push_back((None, item));
            self.arrived.notify_one();
        }
    }

    /// Waits for the next, and tells whose result it is; `None` when nobody is left to bring any.
    pub(crate) fn next(&self) -> Option<(Option<usize>, T)> {
        let mut state = self.state();
        loop {
            if let Some(item) = state.items.pop_front() {
                return Some(item);
            }
            if state.bringers == 0 {
                return None;
            }
            state = self
                .arrived
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A result was dealt with: the one who brought it may bring the next.
    pub(crate) fn dealt_with(&self, number: usize) {
        if let Some(open) = self.state().open.get_mut(number) {
            *open = false;
        }
        self.dealt_with.notify_all();
    }

    /// Takes nothing any more.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.items.clear();
        self.dealt_with.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Bringer<T> {
    /// Brings a result, as soon as the one before it is dealt with; false when nothing is taken any
    /// more.
    pub(crate) fn bring(&self, result: T) -> bool {
        let mut state = self.inbox.state();
        while !state.closed && state.open.get(self.number).is_some_and(|open| *open) {
            state = self
                .inbox
                .dealt_with
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return false;
        }
        if let Some(open) = state.open.get_mut(self.number) {
            *open = true;
        }
        state.items.push_back((Some(self.number), result));
        self.inbox.arrived.notify_one();
        true
    }
}

impl<T> Drop for Bringer<T> {
    fn drop(&mut self) {
        self.inbox.state().bringers -= 1;
        self.inbox.arrived.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::Inbox;

    #[test]
    fn results_come_one_by_one_and_nobody_is_left_waiting_at_the_end() {
        let inbox = Inbox::new();
        let bringer = inbox.bringer();
        std::thread::scope(|scope| {
            let brought =
                scope.spawn(move || (1..).take_while(|number| bringer.bring(*number)).count());
            assert_eq!(inbox.next(), Some((Some(0), 1)));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(
                inbox.state().items.is_empty(),
                "the second came before the first was dealt with"
            );
            inbox.dealt_with(0);
            assert_eq!(inbox.next(), Some((Some(0), 2)));
            inbox.close();
            assert_eq!(brought.join().ok(), Some(2));
        });
        assert_eq!(inbox.next(), None);
    }
}
