//! A channel from the worker threads to the calling thread. A worker's next result waits until the
//! previous one was handled; log events do not wait.
//!
//! `std::sync::mpsc` is not used because waiting on it leaves a block of memory with the host's
//! thread, which leak checkers report.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

pub(crate) struct Channel<T> {
    state: Mutex<State<T>>,
    /// Signalled when an item arrives or the last sender is gone.
    arrived: Condvar,
    /// Signalled when a result was handled or the channel was closed.
    acknowledged: Condvar,
}

struct State<T> {
    items: VecDeque<(Option<usize>, T)>,
    /// For each sender: whether its last result is not handled yet.
    open: Vec<bool>,
    /// How many senders are left.
    senders: usize,
    closed: bool,
}

/// A worker's end of the channel.
pub(crate) struct Sender<T> {
    channel: Arc<Channel<T>>,
    number: usize,
}

impl<T> Channel<T> {
    pub(crate) fn new() -> Arc<Channel<T>> {
        let state = State {
            items: VecDeque::new(),
            open: Vec::new(),
            senders: 0,
            closed: false,
        };
        Arc::new(Channel {
            state: Mutex::new(state),
            arrived: Condvar::new(),
            acknowledged: Condvar::new(),
        })
    }

    pub(crate) fn sender(self: &Arc<Self>) -> Sender<T> {
        let mut state = self.state();
        state.senders += 1;
        state.open.push(false);
        Sender {
            channel: Arc::clone(self),
            number: state.open.len() - 1,
        }
    }

    /// Sends an item that needs no acknowledgement.
    pub(crate) fn post(&self, item: T) {
        let mut state = self.state();
        if !state.closed {
            state.items.push_back((None, item));
            self.arrived.notify_one();
        }
    }

    /// Waits for the next item and says which sender's result it is. `None` when no sender is left.
    pub(crate) fn next(&self) -> Option<(Option<usize>, T)> {
        let mut state = self.state();
        loop {
            if let Some(item) = state.items.pop_front() {
                return Some(item);
            }
            if state.senders == 0 {
                return None;
            }
            state = self
                .arrived
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The sender's result was handled: it may send the next one.
    pub(crate) fn acknowledge(&self, number: usize) {
        if let Some(open) = self.state().open.get_mut(number) {
            *open = false;
        }
        self.acknowledged.notify_all();
    }

    /// Refuses further items.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.items.clear();
        self.acknowledged.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Sender<T> {
    /// Sends a result as soon as the one before it was handled. False once the channel is closed.
    pub(crate) fn send(&self, result: T) -> bool {
        let mut state = self.channel.state();
        while !state.closed && state.open.get(self.number).is_some_and(|open| *open) {
            state = self
                .channel
                .acknowledged
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
        self.channel.arrived.notify_one();
        true
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.channel.state().senders -= 1;
        self.channel.arrived.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::Channel;

    #[test]
    fn results_come_one_by_one_and_nobody_is_left_waiting_at_the_end() {
        let channel = Channel::new();
        let sender = channel.sender();
        std::thread::scope(|scope| {
            let brought =
                scope.spawn(move || (1..).take_while(|number| sender.send(*number)).count());
            assert_eq!(channel.next(), Some((Some(0), 1)));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(
                channel.state().items.is_empty(),
                "the second came before the first was dealt with"
            );
            channel.acknowledge(0);
            assert_eq!(channel.next(), Some((Some(0), 2)));
            channel.close();
            assert_eq!(brought.join().ok(), Some(2));
        });
        assert_eq!(channel.next(), None);
    }
}
