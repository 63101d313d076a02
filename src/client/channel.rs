//! Between the calling thread and the worker threads: queries go to the workers, and results and
//! log events come back. The calling thread gives a limited number of queries ahead of the results
//! that it has handled, and an event waits while too many others do. So a slow callback slows the
//! workers down, and memory stays bounded.
//!
//! To wake a thread can cost as much as the rest of a query. So a result wakes the calling thread at
//! once only if nothing came for a while. Otherwise the thread takes all results together: when
//! there are enough of them, or after a millisecond.
//!
//! `std::sync::mpsc` is not used because waiting on it leaves a block of memory with the host's
//! thread, which leak checkers report.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(crate) struct Channel<Q, R, E> {
    state: Mutex<State<Q, R, E>>,
    /// Signalled when the calling thread should look.
    arrived: Condvar,
    /// Signalled when there are queries, and when no more will come.
    given: Condvar,
    /// Signalled when there is room for events, and when the channel was closed.
    room: Condvar,
    /// How many results are worth waking the calling thread.
    enough: usize,
}

/// How many events wait for the calling thread at most: a few for each worker.
const MOST_EVENTS: usize = 64;
/// How long a result waits for others at most.
const SHORT_WAIT: Duration = Duration::from_millis(1);

/// What comes from a worker.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Item<R, E> {
    Result(R),
    Event(E),
}

struct State<Q, R, E> {
    queries: VecDeque<Q>,
    /// No more queries will come.
    complete: bool,
    items: VecDeque<Item<R, E>>,
    /// How many of these are results.
    results: usize,
    /// How many events wait, or are in the hands of the calling thread.
    events: usize,
    /// How many workers are left.
    workers: usize,
    /// How many workers wait for a query.
    idle: usize,
    caller: Caller,
    closed: bool,
}

/// What the calling thread does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caller {
    Works,
    WaitsForAny,
    WaitsForEnough,
}

/// A worker's end of the channel.
pub(crate) struct Worker<Q, R, E> {
    channel: Arc<Channel<Q, R, E>>,
}

impl<Q, R, E> Channel<Q, R, E> {
    /// A channel that is meant for so many queries given ahead.
    pub(crate) fn new(ahead: usize) -> Arc<Channel<Q, R, E>> {
        let state = State {
            queries: VecDeque::with_capacity(ahead),
            complete: false,
            items: VecDeque::with_capacity(ahead),
            results: 0,
            events: 0,
            workers: 0,
            idle: 0,
            caller: Caller::Works,
            closed: false,
        };
        Arc::new(Channel {
            state: Mutex::new(state),
            arrived: Condvar::new(),
            given: Condvar::new(),
            room: Condvar::new(),
            // Early enough that the other queries last until the calling thread gives more.
            enough: (ahead / 4).max(1),
        })
    }

    pub(crate) fn worker(self: &Arc<Self>) -> Worker<Q, R, E> {
        self.state().workers += 1;
        Worker {
            channel: Arc::clone(self),
        }
    }

    /// Gives queries to the workers. They keep their order.
    pub(crate) fn give(&self, queries: impl ExactSizeIterator<Item = Q>) {
        let mut state = self.state();
        let woken = queries.len().min(state.idle);
        state.queries.extend(queries);
        let all = woken == state.idle;
        drop(state);
        match woken {
            0 => {}
            _ if all => self.given.notify_all(),
            _ => (0..woken).for_each(|_| self.given.notify_one()),
        }
    }

    /// No more queries will come.
    pub(crate) fn end_queries(&self) {
        self.state().complete = true;
        self.given.notify_all();
    }

    /// Sends an event, as soon as there is room for it.
    pub(crate) fn post(&self, event: E) {
        let mut state = self.state();
        while !state.closed && state.events >= MOST_EVENTS {
            state = wait(&self.room, state);
        }
        if !state.closed {
            state.events += 1;
            state.items.push_back(Item::Event(event));
            self.wake_caller(state);
        }
    }

    /// Waits, and moves everything that has come into `items`, whose former content must have been
    /// handled. False when no worker is left.
    pub(crate) fn next(&self, items: &mut VecDeque<Item<R, E>>) -> bool {
        items.clear();
        let mut state = self.state();
        // The events that were taken before have been handled now.
        let waiting = state.items.len() - state.results;
        if state.events >= MOST_EVENTS && waiting < MOST_EVENTS {
            self.room.notify_all();
        }
        state.events = waiting;
        if !state.is_worth_waking(self.enough) && state.workers > 0 {
            state = self.wait_for_enough(state);
        }
        while state.items.is_empty() {
            if state.workers == 0 {
                return false;
            }
            state.caller = Caller::WaitsForAny;
            state = wait(&self.arrived, state);
        }
        state.caller = Caller::Works;
        state.results = 0;
        std::mem::swap(&mut state.items, items);
        true
    }

    /// Waits until there is enough to do, for a short time.
    fn wait_for_enough<'s>(
        &self,
        mut state: MutexGuard<'s, State<Q, R, E>>,
    ) -> MutexGuard<'s, State<Q, R, E>> {
        let end = Instant::now() + SHORT_WAIT;
        state.caller = Caller::WaitsForEnough;
        while state.caller == Caller::WaitsForEnough {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.arrived.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }

    /// Wakes the calling thread if it waits for what is there.
    fn wake_caller(&self, mut state: MutexGuard<'_, State<Q, R, E>>) {
        let wake = match state.caller {
            Caller::Works => false,
            Caller::WaitsForAny => true,
            Caller::WaitsForEnough => state.is_worth_waking(self.enough),
        };
        if wake {
            state.caller = Caller::Works;
            drop(state);
            self.arrived.notify_one();
        }
    }

    /// Refuses further items, and ends the queries.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.items.clear();
        state.results = 0;
        state.queries.clear();
        drop(state);
        self.room.notify_all();
        self.end_queries();
    }

    fn state(&self) -> MutexGuard<'_, State<Q, R, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q, R, E> State<Q, R, E> {
    fn is_worth_waking(&self, enough: usize) -> bool {
        self.workers == 0 || self.results >= enough || self.events >= MOST_EVENTS / 2
    }
}

impl<Q, R, E> Worker<Q, R, E> {
    /// Waits for the next query. `None` when no more will come.
    pub(crate) fn next(&self) -> Option<Q> {
        let mut state = self.channel.state();
        loop {
            if let Some(query) = state.queries.pop_front() {
                return Some(query);
            }
            if state.complete {
                return None;
            }
            state.idle += 1;
            state = wait(&self.channel.given, state);
            state.idle -= 1;
        }
    }

    /// No more queries should be sent by anyone.
    pub(crate) fn end_queries(&self) {
        self.channel.end_queries();
    }

    /// Sends a result. False once the channel is closed.
    pub(crate) fn send(&self, result: R) -> bool {
        let mut state = self.channel.state();
        if state.closed {
            return false;
        }
        state.results += 1;
        state.items.push_back(Item::Result(result));
        self.channel.wake_caller(state);
        true
    }
}

impl<Q, R, E> Drop for Worker<Q, R, E> {
    fn drop(&mut self) {
        let mut state = self.channel.state();
        state.workers -= 1;
        if state.workers == 0 {
            self.channel.wake_caller(state);
        }
    }
}

fn wait<'s, T>(condition: &Condvar, state: MutexGuard<'s, T>) -> MutexGuard<'s, T> {
    condition
        .wait(state)
        .unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Channel, Item, MOST_EVENTS};
    use std::collections::VecDeque;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    type Numbers = Channel<usize, usize, usize>;

    /// Long enough for other threads to go on, if they could.
    const A_WHILE: Duration = Duration::from_millis(100);

    /// Answers each query with its own number until there are none.
    fn work(channel: &Arc<Numbers>, sent: &AtomicUsize) {
        let worker = channel.worker();
        while let Some(number) = worker.next() {
            sent.fetch_add(1, Ordering::SeqCst);
            if !worker.send(number) {
                break;
            }
        }
    }

    #[test]
    fn each_query_has_a_result_and_no_more_are_sent_than_were_given() {
        let channel = Numbers::new(4);
        let (sent, mut results, mut items) = (AtomicUsize::new(0), Vec::new(), VecDeque::new());
        channel.give(0..4);
        std::thread::scope(|scope| {
            let _end = channel.worker();
            for _ in 0..2 {
                scope.spawn(|| work(&channel, &sent));
            }
            let mut given = 4;
            while results.len() < 100 {
                assert!(channel.next(&mut items));
                assert!(sent.load(Ordering::SeqCst) <= given);
                let handled = items.len();
                results.extend(items.drain(..).filter_map(|item| match item {
                    Item::Result(number) => Some(number),
                    Item::Event(_) => None,
                }));
                channel.give(given..(given + handled).min(100));
                given = (given + handled).min(100);
            }
            channel.end_queries();
        });
        results.sort_unstable();
        assert_eq!(results, (0..100).collect::<Vec<_>>());
        assert!(!channel.next(&mut items));
    }

    #[test]
    fn a_result_that_stays_alone_is_not_held_back() {
        let channel = Numbers::new(128);
        let (worker, mut items) = (channel.worker(), VecDeque::new());
        for number in 0..20 {
            let began = Instant::now();
            assert!(worker.send(number));
            assert!(channel.next(&mut items));
            assert_eq!(items, [Item::Result(number)]);
            assert!(began.elapsed() < Duration::from_secs(1));
        }
    }

    #[test]
    fn nobody_waits_any_longer_once_it_is_closed() {
        let channel = Numbers::new(2);
        let sent = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| work(&channel, &sent));
            }
            channel.give(0..2);
            std::thread::sleep(A_WHILE);
            channel.close();
        });
        assert_eq!(sent.into_inner(), 2);
        assert!(!channel.worker().send(7));
        assert!(!channel.next(&mut VecDeque::new()));
    }

    #[test]
    fn events_wait_while_there_are_too_many_and_end_when_nobody_takes_them() {
        let channel = Numbers::new(4);
        let (worker, mut items) = (channel.worker(), VecDeque::new());
        let posted = AtomicUsize::new(0);
        let most = || {
            std::thread::sleep(A_WHILE);
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
            assert!(worker.send(7), "a result needs no room");
            assert!(channel.next(&mut items));
            assert_eq!(items.len(), MOST_EVENTS + 1);
            assert_eq!(most(), MOST_EVENTS, "those that were taken are not handled");
            assert!(channel.next(&mut items));
            while posted.load(Ordering::SeqCst) < MOST_EVENTS + items.len() {
                std::thread::yield_now();
            }
            channel.close();
        });
        assert_eq!(posted.into_inner(), 3 * MOST_EVENTS);
        drop(worker);
        assert!(!channel.next(&mut items));
    }
}
