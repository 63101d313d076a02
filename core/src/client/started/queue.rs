//! The started calls of a client in one process: which of them run, which wait for a thread, and
//! which sleep between two queries. Threads are there only while there is work.
//!
//! A call of the queue is never dropped while the queue is locked: a cancellation locks the list of
//! calls first, and then the queue.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::client::started::job::{Job, Lane, Listener, Progress, QueueEnd};
use crate::connection::CancelObserver;
use crate::lock::{lock, wait_for};
use crate::platform::threads::start_worker;
use crate::platform::{HostFunction, generation, has_exit_begun};

/// How many calls that ask many times run at once.
const MOST_LONG: usize = 8;
/// How many threads run functions of the program for calls that ended in the queue.
const MOST_ENDING: usize = 2;
/// The place of a cancelled call stays taken until no call was cancelled for this long: a program that
/// cancels its calls one after the other has then reached those that would get the place.
const QUIET: Duration = Duration::from_millis(100);
/// The longest time that it stays taken.
const LONGEST_HELD: Duration = Duration::from_secs(1);
/// How long a thread without work waits for some. A started call is then cheaper than a thread.
const LINGER: Duration = Duration::from_millis(500);
/// The stack of a thread: enough for TLS and for a function of the program in any language. 1 MiB on
/// 64-bit systems, and a half of it on others.
const STACK: usize = usize::BITS as usize * 16 * 1024;

pub(crate) struct CallQueue {
    generation: u64,
    max_calls: usize,
    ids: AtomicU64,
    state: Mutex<State>,
    /// For the threads without work.
    called: Condvar,
    /// For the one of them that watches the time.
    watcher: Condvar,
}

type Ended = VecDeque<(Box<dyn Job>, QueueEnd)>;

#[derive(Default)]
struct State {
    /// Those that have a place, and get a thread at once.
    granted: VecDeque<Box<dyn Job>>,
    /// In the order of their start.
    calls: VecDeque<Box<dyn Job>>,
    questions: VecDeque<Box<dyn Job>>,
    long: VecDeque<Box<dyn Job>>,
    /// Waits between two queries, by the time of the next one and their id.
    asleep: BTreeMap<(Instant, u64), Box<dyn Job>>,
    wakes: HashMap<u64, Instant>,
    /// Those that ended without a thread. Their results were not given yet. The second ones have a
    /// function of the program.
    ended: Ended,
    ended_with_function: Ended,
    /// How many of each kind have a place.
    call_places: usize,
    question_places: usize,
    long_places: usize,
    /// The places of cancelled calls that stay taken, and until when at most.
    held: VecDeque<(Instant, Lane)>,
    last_cancelled: Option<Instant>,
    /// How many threads run functions of calls that ended in the queue.
    ending: usize,
    /// How many threads give results that need no such function, which takes no time.
    giving: usize,
    threads: usize,
    /// How many threads were started or called, and are not here yet.
    coming: usize,
    /// How many of those were called, and how many of them were not notified yet.
    calls_to_threads: usize,
    to_notify: usize,
    idle: usize,
    /// Until when a thread watches the time, if one does.
    watched_until: Option<Instant>,
    /// The first deadline of those that wait for a thread.
    next_deadline: Option<Instant>,
    /// These were cancelled.
    cancelled: Vec<u64>,
    is_freed: bool,
}

/// What a thread does for the queue.
#[derive(Clone, Copy)]
enum Place {
    Of(Lane),
    Ending,
    /// It gives a result to who takes it, or to a future.
    Giving,
}

enum Step {
    GoOn(Box<dyn Job>),
    End(Box<dyn Job>, QueueEnd),
}

fn first(times: impl IntoIterator<Item = Option<Instant>>) -> Option<Instant> {
    times.into_iter().flatten().min()
}

impl State {
    /// Puts a call behind those of its kind.
    fn add(&mut self, job: Box<dyn Job>) {
        if job.is_cancelled() {
            // A cancellation that came before is not noted again.
            return self.end(job, QueueEnd::Cancelled);
        }
        self.next_deadline = first([self.next_deadline, job.deadline()]);
        self.waiting(job.lane()).push_back(job);
    }

    fn end(&mut self, job: Box<dyn Job>, why: QueueEnd) {
        match job.listener() {
            Listener::Function => self.ended_with_function.push_back((job, why)),
            Listener::Taker | Listener::Future => self.ended.push_back((job, why)),
        }
    }

    fn sleep(&mut self, until: Instant, job: Box<dyn Job>) {
        if self.is_freed && job.listener() == Listener::Taker {
            self.end(job, QueueEnd::ClientFreed);
        } else if job.is_cancelled() {
            self.end(job, QueueEnd::Cancelled);
        } else {
            let id = job.id();
            self.wakes.insert(id, until);
            self.asleep.insert((until, id), job);
        }
    }

    fn wake(&mut self, id: u64) -> Option<Box<dyn Job>> {
        let until = self.wakes.remove(&id)?;
        self.asleep.remove(&(until, id))
    }

    /// Notes what the time and cancellations have changed, and gives free places to those that wait.
    fn advance(&mut self, max_calls: usize) {
        if has_exit_begun() {
            return self.end_everything();
        }
        let now = Instant::now();
        while let Some((&(until, id), _)) = self.asleep.first_key_value()
            && until <= now
            && let Some(job) = self.wake(id)
        {
            self.add(job);
        }
        while self.held_until().is_some_and(|until| until <= now) {
            self.held.pop_front();
        }
        let mut looks = self.next_deadline.is_some_and(|first| first <= now);
        for id in std::mem::take(&mut self.cancelled) {
            match self.wake(id) {
                Some(job) => self.end(job, QueueEnd::Cancelled),
                None => looks = true,
            }
        }
        if looks {
            self.find_ended(now);
        }
        for lane in [Lane::Call, Lane::Question, Lane::Long] {
            while self.has_place(lane, max_calls)
                && let Some(job) = self.waiting(lane).pop_front()
            {
                if job.is_too_late(now) {
                    self.end(job, QueueEnd::TimedOut);
                } else {
                    *self.places(lane) += 1;
                    self.granted.push_back(job);
                }
            }
        }
    }

    /// Questions leave one place free, so that a service that answers none of them delays no order. A
    /// slow function of the program holds the place that was free when it began.
    fn has_place(&self, lane: Lane, max_calls: usize) -> bool {
        let lent = self.ending.saturating_sub(MOST_ENDING);
        let taken = self.call_places + self.question_places + self.held.len();
        let is_free = taken + lent < max_calls;
        match lane {
            Lane::Call => is_free,
            Lane::Question => {
                let held = self.held.iter().filter(|(_, lane)| *lane == Lane::Question);
                is_free && self.question_places + held.count() < (max_calls - 1).max(1)
            }
            Lane::Long => self.long_places < MOST_LONG,
        }
    }

    fn places(&mut self, lane: Lane) -> &mut usize {
        match lane {
            Lane::Call => &mut self.call_places,
            Lane::Question => &mut self.question_places,
            Lane::Long => &mut self.long_places,
        }
    }

    fn waiting(&mut self, lane: Lane) -> &mut VecDeque<Box<dyn Job>> {
        match lane {
            Lane::Call => &mut self.calls,
            Lane::Question => &mut self.questions,
            Lane::Long => &mut self.long,
        }
    }

    /// Ends those that wait for a thread and were cancelled, or whose time is over.
    fn find_ended(&mut self, now: Instant) {
        self.next_deadline = None;
        for job in self.take_waiting() {
            let is_over = job.deadline().is_some_and(|deadline| deadline <= now);
            match is_over && !job.is_cancelled() {
                true => self.end(job, QueueEnd::TimedOut),
                // This ends one that was cancelled.
                false => self.add(job),
            }
        }
    }

    /// Those that wait for a thread, in their order.
    fn take_waiting(&mut self) -> Vec<Box<dyn Job>> {
        let waiting = [&mut self.calls, &mut self.questions, &mut self.long];
        waiting.into_iter().flat_map(std::mem::take).collect()
    }

    /// The process is exiting: nothing more is sent.
    fn end_everything(&mut self) {
        for job in std::mem::take(&mut self.granted) {
            self.leave(Place::Of(job.lane()), false);
            self.end(job, QueueEnd::Cancelled);
        }
        self.wakes.clear();
        let asleep = std::mem::take(&mut self.asleep);
        let waiting = self.take_waiting();
        for job in asleep.into_values().chain(waiting) {
            self.end(job, QueueEnd::Cancelled);
        }
    }

    /// How many threads may begin to run functions of calls that ended in the queue.
    fn free_to_end(&self, max_calls: usize) -> usize {
        let free_places = max_calls.saturating_sub(self.call_places + self.question_places);
        MOST_ENDING.max(free_places).saturating_sub(self.ending)
    }

    /// Takes the next thing to do. Those that ended come first: they were promised to end soon.
    fn take(&mut self, max_calls: usize) -> Option<(Place, Step)> {
        if let Some((job, why)) = self.ended.pop_front() {
            self.giving += 1;
            return Some((Place::Giving, Step::End(job, why)));
        }
        if self.free_to_end(max_calls) > 0
            && let Some((job, why)) = self.ended_with_function.pop_front()
        {
            self.ending += 1;
            return Some((Place::Ending, Step::End(job, why)));
        }
        let job = self.granted.pop_front()?;
        Some((Place::Of(job.lane()), Step::GoOn(job)))
    }

    fn leave(&mut self, place: Place, was_cancelled: bool) {
        match place {
            Place::Of(lane) => {
                *self.places(lane) -= 1;
                if was_cancelled && lane != Lane::Long {
                    self.held.push_back((Instant::now() + LONGEST_HELD, lane));
                }
            }
            Place::Ending => self.ending -= 1,
            Place::Giving => self.giving -= 1,
        }
    }

    /// Until when the first place of a cancelled call stays taken.
    fn held_until(&self) -> Option<Instant> {
        let (longest, _) = *self.held.front()?;
        let quiet = self.last_cancelled.map(|last| last + QUIET);
        first([Some(longest), quiet])
    }

    /// When the time changes something for those that wait.
    fn next_event(&self) -> Option<Instant> {
        let due = self.asleep.first_key_value().map(|((due, _), _)| *due);
        first([due, self.next_deadline, self.held_until()])
    }

    /// Whether time and cancellations can change something.
    fn has_waiting(&self) -> bool {
        let waiting = [&self.calls, &self.questions, &self.long];
        !self.asleep.is_empty() || waiting.iter().any(|jobs| !jobs.is_empty())
    }

    /// Whether a thread must watch them, and none does.
    fn needs_watcher(&self) -> bool {
        self.has_waiting() && self.watched_until.is_none()
    }

    /// How many threads are enough: one for each place, one that watches the time, and one that is
    /// free for what comes next.
    fn most_threads(&self, max_calls: usize) -> usize {
        max_calls + self.long_places + MOST_ENDING + 2
    }

    /// How many threads have something to do at once.
    fn wanted(&self, max_calls: usize) -> usize {
        let functions = self.ended_with_function.len();
        self.granted.len()
            + usize::from(!self.ended.is_empty() && self.giving < MOST_ENDING)
            + functions.min(self.free_to_end(max_calls))
            + usize::from(self.needs_watcher())
    }

    /// Whether the thread that watches must look again.
    fn wakes_watcher(&self) -> bool {
        self.watched_until.is_some_and(|until| {
            let is_earlier = self.next_event().is_some_and(|event| event < until);
            // If the system has no other thread for it.
            let is_left = self.coming == 0 && !(self.granted.is_empty() && self.ended.is_empty());
            is_left || is_earlier || !self.cancelled.is_empty() || !self.has_waiting()
        })
    }
}

impl CallQueue {
    pub(crate) fn new(max_calls: usize) -> Arc<CallQueue> {
        Arc::new(CallQueue {
            generation: generation(),
            max_calls,
            ids: AtomicU64::new(0),
            state: Mutex::default(),
            called: Condvar::new(),
            watcher: Condvar::new(),
        })
    }

    /// The id of a new call, and who must learn of its cancellation.
    pub(super) fn observer(self: &Arc<Self>) -> (u64, Arc<dyn CancelObserver>) {
        let id = self.ids.fetch_add(1, Ordering::Relaxed);
        let queue = Arc::clone(self);
        (id, Arc::new(Observer { queue, id }))
    }

    /// Adds a call.
    ///
    /// # Errors
    /// If the system has no thread for it. Nothing of the call is left then.
    pub(super) fn push(self: &Arc<Self>, job: Box<dyn Job>) -> io::Result<()> {
        let mut state = lock(&self.state);
        let runs_at_once = state.has_place(job.lane(), self.max_calls);
        // A thread for the call itself, or one that watches the time of those that wait.
        let needs_thread = runs_at_once || state.watched_until.is_none();
        let wanted = state.wanted(self.max_calls) + usize::from(needs_thread);
        if state.coming + state.idle < wanted {
            // If there is none, the call is dropped after the lock.
            self.start_thread(&mut state)?;
        }
        match state.is_freed {
            true => state.end(job, QueueEnd::ClientFreed),
            false => state.add(job),
        }
        state.advance(self.max_calls);
        self.hire(&mut state);
        self.release(state);
        Ok(())
    }

    /// Ends the calls that have no place, because the client was freed. Those that run finish on
    /// their own, and so do waits that have begun, if somebody can learn what they find.
    pub(crate) fn free(self: &Arc<Self>) {
        let mut state = lock(&self.state);
        state.is_freed = true;
        for job in state.take_waiting() {
            match job.has_begun() && job.listener() != Listener::Taker {
                true => state.add(job),
                false => state.end(job, QueueEnd::ClientFreed),
            }
        }
        for ((until, _), job) in std::mem::take(&mut state.asleep) {
            state.sleep(until, job);
        }
        self.hire(&mut state);
        self.release(state);
        // Threads without work need not wait for more.
        self.called.notify_all();
    }

    /// Calls or starts threads for everything that can be done now. Without a thread for it, those
    /// that are there go on with it later.
    fn hire(self: &Arc<Self>, state: &mut State) {
        while state.coming < state.wanted(self.max_calls) {
            if state.idle > 0 {
                state.idle -= 1;
                state.calls_to_threads += 1;
                state.to_notify += 1;
                state.coming += 1;
            } else if state.threads >= state.most_threads(self.max_calls)
                || self.start_thread(state).is_err()
            {
                return;
            }
        }
    }

    /// Unlocks the queue, and only then wakes threads: they need the lock at once.
    fn release(&self, mut state: MutexGuard<'_, State>) {
        let calls = std::mem::take(&mut state.to_notify);
        let wakes_watcher = state.wakes_watcher();
        drop(state);
        for _ in 0..calls {
            self.called.notify_one();
        }
        if wakes_watcher {
            self.watcher.notify_one();
        }
    }

    fn start_thread(self: &Arc<Self>, state: &mut State) -> io::Result<()> {
        let queue = Arc::clone(self);
        // Made on the thread: if there is none, the queue is locked when this is dropped.
        let mut thread = None;
        start_worker(STACK, move || {
            let thread = thread.get_or_insert_with(|| QueueThread::of(&queue));
            thread.next_function()
        })?;
        state.threads += 1;
        state.coming += 1;
        Ok(())
    }

    /// Does a piece of work. Returns the function of the program that is left to run, and whether
    /// the call has ended because it was cancelled.
    fn work(&self, step: Step) -> (Option<HostFunction>, bool) {
        let progress = match step {
            Step::GoOn(job) => job.go_on(),
            Step::End(job, why) => job.end(why),
        };
        match progress {
            Progress::Ended {
                was_cancelled,
                deliver,
            } => (deliver(), was_cancelled),
            Progress::Sleeps(until, job) => {
                let mut state = lock(&self.state);
                state.sleep(until, job);
                self.release(state);
                (None, false)
            }
        }
    }

    /// Waits for the next piece of work, and takes its place. `None` if there was none for some time:
    /// then the thread no longer counts.
    fn next<'q>(self: &'q Arc<Self>, mut state: MutexGuard<'q, State>) -> Option<(Place, Step)> {
        let mut is_timed_out = false;
        loop {
            state.advance(self.max_calls);
            if let Some(taken) = state.take(self.max_calls) {
                self.hire(&mut state);
                self.release(state);
                return Some(taken);
            }
            if state.needs_watcher() {
                let now = Instant::now();
                let until = state.next_event().unwrap_or(now + LINGER);
                state.watched_until = Some(until);
                let time = until.saturating_duration_since(now);
                state = wait_for(&self.watcher, state, time);
                state.watched_until = None;
                is_timed_out = false;
                continue;
            }
            if state.wakes_watcher() {
                self.watcher.notify_one();
            }
            if is_timed_out || state.is_freed {
                state.threads -= 1;
                return None;
            }
            state.idle += 1;
            let is_not_called = |state: &mut State| state.calls_to_threads == 0 && !state.is_freed;
            let woken = self.called.wait_timeout_while(state, LINGER, is_not_called);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
            is_timed_out = state.calls_to_threads == 0;
            match is_timed_out {
                true => state.idle -= 1,
                false => {
                    state.calls_to_threads -= 1;
                    state.coming -= 1;
                }
            }
        }
    }
}

/// A thread of the queue. The program may end it in one of its own functions; then it is dropped.
struct QueueThread {
    queue: Arc<CallQueue>,
    place: Option<Place>,
    was_cancelled: bool,
    is_coming: bool,
    has_left: bool,
}

impl QueueThread {
    fn of(queue: &Arc<CallQueue>) -> QueueThread {
        QueueThread {
            queue: Arc::clone(queue),
            place: None,
            was_cancelled: false,
            is_coming: true,
            has_left: false,
        }
    }

    /// Works until there is a function of the program to run, or nothing to do.
    fn next_function(&mut self) -> Option<HostFunction> {
        loop {
            if !self.is_in_its_process() {
                return None;
            }
            let queue = Arc::clone(&self.queue);
            let mut state = lock(&queue.state);
            self.settle(&mut state);
            let Some((place, step)) = queue.next(state) else {
                self.has_left = true;
                return None;
            };
            self.place = Some(place);
            // A panic in the program's code, such as a waker, must not end the thread.
            let worked = catch_unwind(AssertUnwindSafe(|| queue.work(step)));
            let (function, was_cancelled) = worked.unwrap_or_default();
            self.was_cancelled = was_cancelled;
            if function.is_some() {
                return function;
            }
        }
    }

    fn settle(&mut self, state: &mut State) {
        if std::mem::take(&mut self.is_coming) {
            state.coming -= 1;
        }
        if let Some(place) = self.place.take() {
            state.leave(place, self.was_cancelled);
        }
    }

    /// In a forked child the queue may stay locked forever.
    fn is_in_its_process(&self) -> bool {
        self.queue.generation == generation()
    }
}

impl Drop for QueueThread {
    fn drop(&mut self) {
        if self.has_left || !self.is_in_its_process() {
            return;
        }
        // The program has ended the thread. Others go on with what waits for its place.
        let queue = Arc::clone(&self.queue);
        let mut state = lock(&queue.state);
        self.settle(&mut state);
        state.threads -= 1;
        state.advance(queue.max_calls);
        queue.hire(&mut state);
        queue.release(state);
    }
}

struct Observer {
    queue: Arc<CallQueue>,
    id: u64,
}

impl CancelObserver for Observer {
    fn note_cancelled(&self) {
        let mut state = lock(&self.queue.state);
        state.cancelled.push(self.id);
        state.last_cancelled = Some(Instant::now());
        self.queue.release(state);
    }
}
