//! A channel from the worker threads to the calling thread. A worker's next result waits until the
//! previous one was handled, and a log event waits while too many others do: a slow callback slows
//! the workers down, and memory stays bounded.
//!
//! `std::sync::mpsc` is not used because waiting on it leaves a block of memory with the host's
//! thread, which leak checkers report.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

pub(crate) struct Channel<T> {
    state: Mutex<State<T>>,
    /// Signalled when an item arrives or the last sender is gone.
    arrived: Condvar,
    /// Signalled when a result was handled, when there is room for an event again, and when the
    /// channel was closed.
    acknowledged: Condvar,
}

/// How many events wait for the calling thread at most: a few for each worker.
const MOST_EVENTS: usize = 64;

struct State<T> {
    items: VecDeque<(Option<usize>, T)>,
    /// How many of these are events.
    events: usize,
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
            events: 0,
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

    /// Sends an event, which needs no acknowledgement, as soon as there is room for it.
    pub(crate) fn post(&self, event: T) {
        let mut state = self.state();
        while !state.closed && state.events >= MOST_EVENTS {
            state = self
                .acknowledged
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if !state.closed {
            state.events += 1;
            state.items.push_back((None, event));
            self.arrived.notify_one();
        }
    }

    /// Waits for the next item and says which sender's result it is. `None` when no sender is left.
    pub(crate) fn next(&self) -> Option<(Option<usize>, T)> {
        let mut state = self.state();
        loop {
            if let Some((sender, item)) = state.items.pop_front() {
                if sender.is_none() {
                    if state.events == MOST_EVENTS {
                        self.acknowledged.notify_all();
                    }
                    state.events -= 1;
                }
                return Some((sender, item));
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
        state.events = 0;
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
    use super::{Channel, MOST_EVENTS};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_come_one_by_one_and_nobody_is_left_waiting_at_the_end() {
        let channel = Channel::new();
        let sender = channel.sender();
        std::thread::scope(|scope| {
            let brought =
                scope.spawn(move || (1..).take_while(|number| sender.send(*number)).count());
            assert_eq!(channel.next(), Some((Some(0), 1)));
            std::thread::sleep(Duration::from_millis(20));
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

    #[test]
    fn events_wait_while_there_are_too_many_and_end_when_nobody_takes_them() {
        let channel = Channel::new();
        let sender = channel.sender();
        let posted = AtomicUsize::new(0);
        let most = || {
            // Long enough for the others to go on, if they could.
            std::thread::sleep(Duration::from_millis(100));
            posted.load(Ordering::SeqCst)
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for number in 0..MOST_EVENTS {
                        channel.post(number);
                        posted.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
            while posted.load(Ordering::SeqCst) < MOST_EVENTS {
                std::thread::yield_now();
            }
            assert_eq!(most(), MOST_EVENTS, "more wait than there is room for");
            assert!(sender.send(7), "a result needs no room");
            for taken in 1..=10 {
                assert!(matches!(channel.next(), Some((None, _))));
                while posted.load(Ordering::SeqCst) < MOST_EVENTS + taken {
                    std::thread::yield_now();
                }
            }
            assert_eq!(most(), MOST_EVENTS + 10);
            channel.close();
        });
        assert_eq!(posted.into_inner(), 3 * MOST_EVENTS);
        drop(sender);
        assert_eq!(channel.next(), None);
    }
}
