//! Between the calling thread and the worker threads: queries go to the workers, and results and log
//! events come back. What comes back waits while too much is there already, so a slow callback slows
//! the workers down, and memory stays bounded.
//!
//! `std::sync::mpsc` is not used because waiting on it leaves a block of memory with the host's
//! thread, which leak checkers report.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) struct Channel<Q, A> {
    state: Mutex<State<Q, A>>,
    /// Signalled when the calling thread should look.
    arrived: Condvar,
    /// Signalled when there is a query, and when no more will come.
    given: Condvar,
    /// Signalled when there is room for answers, and when the channel was closed.
    room: Condvar,
}

/// How many answers wait for the calling thread at most: a few for each worker.
const MOST: usize = 64;

struct State<Q, A> {
    queries: VecDeque<Q>,
    /// No more queries will come.
    complete: bool,
    answers: VecDeque<A>,
    /// How many workers are left.
    workers: usize,
    closed: bool,
}

/// A worker's end of the channel.
pub(crate) struct Worker<Q, A> {
    channel: Arc<Channel<Q, A>>,
}

impl<Q, A> Channel<Q, A> {
    pub(crate) fn new() -> Arc<Channel<Q, A>> {
        Arc::new(Channel {
            state: Mutex::new(State {
                queries: VecDeque::new(),
                complete: false,
                answers: VecDeque::new(),
                workers: 0,
                closed: false,
            }),
            arrived: Condvar::new(),
            given: Condvar::new(),
            room: Condvar::new(),
        })
    }

    pub(crate) fn worker(self: &Arc<Self>) -> Worker<Q, A> {
        self.state().workers += 1;
        Worker {
            channel: Arc::clone(self),
        }
    }

    /// Gives a query to the workers.
    pub(crate) fn give(&self, query: Q) {
        self.state().queries.push_back(query);
        self.given.notify_one();
    }

    /// No more queries will come.
    pub(crate) fn end_queries(&self) {
        self.state().complete = true;
        self.given.notify_all();
    }

    /// Sends an answer, as soon as there is room for it. False once the channel is closed.
    pub(crate) fn send(&self, answer: A) -> bool {
        let mut state = self.state();
        while !state.closed && state.answers.len() >= MOST {
            state = wait(&self.room, state);
        }
        if state.closed {
            return false;
        }
        state.answers.push_back(answer);
        drop(state);
        self.arrived.notify_one();
        true
    }

    /// The next answer; `Some(None)` when no worker is left. `None` if nothing came in that time.
    pub(crate) fn next(&self, time: Duration) -> Option<Option<A>> {
        let mut state = self.state();
        if state.answers.is_empty() && state.workers > 0 {
            let waited = self.arrived.wait_timeout(state, time);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let answer = state.answers.pop_front();
        if answer.is_none() && state.workers > 0 {
            return None;
        }
        drop(state);
        self.room.notify_one();
        Some(answer)
    }

    /// Refuses further answers, and ends the queries.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.answers.clear();
        state.queries.clear();
        drop(state);
        self.room.notify_all();
        self.end_queries();
    }

    fn state(&self) -> MutexGuard<'_, State<Q, A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q, A> Worker<Q, A> {
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
            state = wait(&self.channel.given, state);
        }
    }

    /// The channel that it belongs to.
    pub(crate) fn channel(&self) -> &Arc<Channel<Q, A>> {
        &self.channel
    }
}

impl<Q, A> Drop for Worker<Q, A> {
    fn drop(&mut self) {
        self.channel.state().workers -= 1;
        self.channel.arrived.notify_one();
    }
}

fn wait<'s, T>(condition: &Condvar, state: MutexGuard<'s, T>) -> MutexGuard<'s, T> {
    condition
        .wait(state)
        .unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Channel, MOST};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    type Numbers = Channel<usize, usize>;

    /// Long enough for other threads to go on, if they could.
    const A_WHILE: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_secs(60);

    /// Answers each query with its own number until there are none.
    fn work(channel: &Arc<Numbers>, sent: &AtomicUsize) {
        let worker = channel.worker();
        while let Some(number) = worker.next() {
            sent.fetch_add(1, Ordering::SeqCst);
            if !channel.send(number) {
                break;
            }
        }
    }

    #[test]
    fn each_query_has_an_answer() {
        let channel = Numbers::new();
        let (sent, mut answers) = (AtomicUsize::new(0), Vec::new());
        std::thread::scope(|scope| {
            let end = channel.worker();
            for _ in 0..2 {
                scope.spawn(|| work(&channel, &sent));
            }
            (0..100).for_each(|number| channel.give(number));
            while answers.len() < 100 {
                answers.extend(channel.next(LONG).flatten());
            }
            channel.end_queries();
            drop(end);
        });
        answers.sort_unstable();
        assert_eq!(answers, (0..100).collect::<Vec<_>>());
        assert_eq!(channel.next(LONG), Some(None));
    }

    #[test]
    fn nobody_waits_any_longer_once_it_is_closed() {
        let channel = Numbers::new();
        let sent = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| work(&channel, &sent));
            }
            (0..2).for_each(|number| channel.give(number));
            std::thread::sleep(A_WHILE);
            channel.close();
        });
        assert_eq!(sent.into_inner(), 2);
        assert!(!channel.send(7));
        assert_eq!(channel.next(LONG), Some(None));
    }

    #[test]
    fn answers_wait_while_there_are_too_many_and_end_when_nobody_takes_them() {
        let channel = Numbers::new();
        let worker = channel.worker();
        let sent = AtomicUsize::new(0);
        let most = || {
            std::thread::sleep(A_WHILE);
            sent.load(Ordering::SeqCst)
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for number in 0..MOST {
                        channel.send(number);
                        sent.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
            while sent.load(Ordering::SeqCst) < MOST {
                std::thread::yield_now();
            }
            assert_eq!(most(), MOST, "more wait than there is room for");
            assert!(channel.next(LONG).flatten().is_some());
            while sent.load(Ordering::SeqCst) < MOST + 1 {
                std::thread::yield_now();
            }
            assert_eq!(most(), MOST + 1, "more than was taken");
            channel.close();
        });
        assert_eq!(sent.into_inner(), 3 * MOST);
        drop(worker);
        assert_eq!(channel.next(LONG), Some(None));
    }
}
