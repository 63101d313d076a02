//! The answers of started calls, until the program takes them.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::connection::{Ended, wait_without_call};
use crate::error::{Cause, Code, Error};
use crate::lock::{lock, wait_for};
use crate::platform::{HostFunction, ReadySignal};

/// What a started call has given.
pub struct Answer {
    /// What the blocking method would have given.
    pub result: Result<String, Error>,
    /// What was given at the start.
    pub user_data: usize,
}

#[derive(Default)]
pub(crate) struct Answers {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    ready: VecDeque<Answer>,
    /// How many answers will still come.
    expected: usize,
    /// Set while an answer is ready. Made when the program first asks for it.
    signal: Option<ReadySignal>,
    is_closed: bool,
}

impl Answers {
    pub(super) fn take(
        &self,
        wait: Duration,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Answer>, Error> {
        // Without a wait, the time is over before it begins.
        if let Some(answer) = lock(&self.state).pop() {
            return Ok(Some(answer));
        }
        // Any longer, and there is no such time.
        let wait = wait.min(Duration::from_secs(u32::MAX.into()));
        let taken = wait_without_call(Instant::now() + wait, |time| {
            let mut state = lock(&self.state);
            if state.ready.is_empty() && !state.can_end(is_stopped) {
                state = wait_for(&self.changed, state, time);
            }
            let answer = state.pop();
            let ends = answer.is_some() || state.can_end(is_stopped);
            Ok(ends.then_some(answer))
        });
        match taken {
            Ok(answer) => Ok(answer),
            Err(Ended::Cancelled) => Err(Error::new(
                Code::Cancelled,
                Cause::Cancelled,
                "the idle function ended the wait for an answer; the calls go on",
            )),
            Err(Ended::TimedOut | Ended::Forked) => Ok(None),
        }
    }

    pub(super) fn handle(&self) -> Option<isize> {
        let handle = |state: &State| state.signal.as_ref().and_then(ReadySignal::handle);
        let mut state = lock(&self.state);
        if handle(&state).is_none() {
            state.signal = ReadySignal::new().ok();
            if let Some(signal) = state.signal.as_ref().filter(|_| !state.ready.is_empty()) {
                signal.set();
            }
        }
        handle(&state)
    }

    /// Lets those that wait look again.
    pub(in crate::client) fn wake(&self) {
        // With the lock, nobody is about to wait.
        let _state = lock(&self.state);
        self.changed.notify_all();
    }

    /// No answer can be taken any more: the client was freed.
    pub(in crate::client) fn close(&self) {
        let mut state = lock(&self.state);
        state.is_closed = true;
        let untaken = std::mem::take(&mut state.ready);
        drop(state);
        drop(untaken);
        self.changed.notify_all();
    }
}

impl State {
    fn pop(&mut self) -> Option<Answer> {
        let answer = self.ready.pop_front();
        if let (Some(_), true, Some(signal)) = (&answer, self.ready.is_empty(), &self.signal) {
            signal.clear();
        }
        answer
    }

    /// Whether waiting is of no use.
    fn can_end(&self, is_stopped: &dyn Fn() -> bool) -> bool {
        self.is_closed || (self.expected == 0 && is_stopped())
    }
}

/// The place of an answer that will come.
pub(super) struct Waiting {
    answers: Arc<Answers>,
    user_data: usize,
    /// Dropped when the answer can be taken.
    until_ready: Option<Box<dyn Any + Send>>,
}

impl Waiting {
    pub(super) fn new(
        answers: Arc<Answers>,
        user_data: usize,
        until_ready: Box<dyn Any + Send>,
    ) -> Waiting {
        lock(&answers.state).expected += 1;
        Waiting {
            answers,
            user_data,
            until_ready: Some(until_ready),
        }
    }

    pub(super) fn answer(mut self, result: Result<String, Error>) -> Option<HostFunction> {
        self.settle(Some(result));
        None
    }

    fn settle(&mut self, result: Option<Result<String, Error>>) {
        let Some(until_ready) = self.until_ready.take() else {
            return;
        };
        let mut state = lock(&self.answers.state);
        if let Some(result) = result.filter(|_| !state.is_closed) {
            if let (true, Some(signal)) = (state.ready.is_empty(), &state.signal) {
                signal.set();
            }
            let user_data = self.user_data;
            state.ready.push_back(Answer { result, user_data });
        }
        state.expected -= 1;
        let is_last = state.expected == 0;
        // Under the lock: who sees that no call is live can take every answer.
        drop(until_ready);
        drop(state);
        match is_last {
            // After a stop, nobody waits for more.
            true => self.answers.changed.notify_all(),
            false => self.answers.changed.notify_one(),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.settle(None);
    }
}
