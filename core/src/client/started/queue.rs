//! The started calls of a client in one process: which of them run, which wait for a thread, and
//! which sleep between two queries. Threads are there only while there is work.
//!
//! A call of the queue is never dropped while the queue is locked: a cancellation locks the list of
//! calls first, and then the queue.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::connection::CancelObserver;
use crate::platform::threads::start_worker;
use crate::platform::{HostFunction, generation, is_exiting};

/// How many calls that ask many times run at once.
const MOST_LONG: usize = 8;
/// How many threads give the results of calls that ended in the queue.
const MOST_ENDING: usize = 2;
/// How long a thread without work waits for some. A started call is then cheaper than a thread.
const LINGER: Duration = Duration::from_millis(500);
/// The stack of a thread: enough for TLS and for a function of the program in any language. 1 MiB on
/// 64-bit systems, and a half of it on others.
const STACK: usize = usize::BITS as usize * 16 * 1024;

/// A call that waits for a thread, or for its next query.
pub(super) trait Job: Send {
    fn lane(&self) -> Lane;

    /// When it ends if it has no thread by then.
    fn deadline(&self) -> Option<Instant>;

    fn is_cancelled(&self) -> bool;

    /// Whether a thread has worked on it.
    fn has_begun(&self) -> bool;

    /// Nobody can learn its result any more once the client is freed.
    fn ends_with_client(&self) -> bool;

    /// Does the next piece of its work.
    fn go_on(self: Box<Self>) -> Progress;

    /// Ends it without a further piece.
    fn end(self: Box<Self>, why: QueueEnd) -> Progress;
}

/// What comes after a piece of work.
pub(super) enum Progress {
    Sleeps(Instant, Box<dyn Job>),
    /// Gives the result to the program, once nothing else of the call is left.
    Ended(Box<dyn FnOnce() -> Option<HostFunction>>),
}

/// Why a call ends before a thread could go on with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueueEnd {
    TimedOut,
    Cancelled,
    ClientFreed,
}

/// Which calls are done first, and how many at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// Orders and statuses.
    Call,
    /// The queries of waits: behind the calls.
    Question,
    /// What asks many times: with places of its own, so that it delays no order.
    Long,
}

pub(crate) struct CallQueue {
    generation: u64,
    max_calls: usize,
    state: Mutex<State>,
    /// For the threads without work.
    called: Condvar,
    /// For the one of them that watches the time.
    watcher: Condvar,
}

#[derive(Default)]
struct State {
    /// Those that have a place, and get a thread at once.
    granted: VecDeque<Box<dyn Job>>,
    /// In the order of their start.
    calls: VecDeque<Box<dyn Job>>,
    questions: VecDeque<Box<dyn Job>>,
    long: VecDeque<Box<dyn Job>>,
    /// Waits between two queries, by the time of the next one.
    asleep: BTreeMap<(Instant, u64), Box<dyn Job>>,
    /// How many ever slept: two may have the same time.
    slept: u64,
    /// Those that ended without a thread. Their results were not given yet.
    ended: VecDeque<(Box<dyn Job>, QueueEnd)>,
    /// How many calls and questions have a place.
    short_places: usize,
    long_places: usize,
    /// How many threads give results of calls that ended in the queue.
    ending: usize,
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
    /// A call may have been cancelled.
    look: bool,
    is_freed: bool,
}

/// What a thread does for the queue.
#[derive(Clone, Copy)]
enum Place {
    Short,
    Long,
    Ending,
}

enum Step {
    GoOn(Box<dyn Job>),
    End(Box<dyn Job>, QueueEnd),
}

fn place_of(job: &dyn Job) -> Place {
    match job.lane() {
        Lane::Long => Place::Long,
        Lane::Call | Lane::Question => Place::Short,
    }
}

fn ended_by(job: &dyn Job, now: Instant) -> Option<QueueEnd> {
    let is_over = || job.deadline().is_some_and(|deadline| deadline <= now);
    match job.is_cancelled() {
        true => Some(QueueEnd::Cancelled),
        false => is_over().then_some(QueueEnd::TimedOut),
    }
}

impl State {
    /// Puts a call behind those of its kind.
    fn add(&mut self, job: Box<dyn Job>) {
        // A cancellation that came before is not noted again.
        self.look |= job.is_cancelled();
        self.next_deadline = earlier(self.next_deadline, job.deadline());
        match job.lane() {
            Lane::Call => self.calls.push_back(job),
            Lane::Question => self.questions.push_back(job),
            Lane::Long => self.long.push_back(job),
        }
    }

    /// Notes what the time and cancellations have changed, and gives free places to those that wait.
    fn advance(&mut self, max_calls: usize) {
        let now = Instant::now();
        while let Some(first) = self.asleep.first_entry()
            && first.key().0 <= now
        {
            let job = first.remove();
            self.add(job);
        }
        if self.look || self.next_deadline.is_some_and(|first| first <= now) {
            self.find_ended(now);
        }
        while self.short_places < max_calls
            && let Some(job) = self
                .calls
                .pop_front()
                .or_else(|| self.questions.pop_front())
        {
            self.short_places += 1;
            self.granted.push_back(job);
        }
        while self.long_places < MOST_LONG
            && let Some(job) = self.long.pop_front()
        {
            self.long_places += 1;
            self.granted.push_back(job);
        }
    }

    fn find_ended(&mut self, now: Instant) {
        self.next_deadline = None;
        for waiting in [&mut self.calls, &mut self.questions, &mut self.long] {
            for job in std::mem::take(waiting) {
                match ended_by(job.as_ref(), now) {
                    Some(why) => self.ended.push_back((job, why)),
                    None => {
                        self.next_deadline = earlier(self.next_deadline, job.deadline());
                        waiting.push_back(job);
                    }
                }
            }
        }
        if std::mem::take(&mut self.look) {
            let (ended, asleep) = std::mem::take(&mut self.asleep)
                .into_iter()
                .partition(|(_, job)| job.is_cancelled());
            self.asleep = asleep;
            self.end_all(BTreeMap::into_values(ended), QueueEnd::Cancelled);
        }
    }

    fn end_all(&mut self, jobs: impl IntoIterator<Item = Box<dyn Job>>, why: QueueEnd) {
        self.ended.extend(jobs.into_iter().map(|job| (job, why)));
    }

    /// Takes the next thing to do.
    fn take(&mut self) -> Option<(Place, Step)> {
        // These were promised to end soon.
        if self.ending < MOST_ENDING
            && let Some((job, why)) = self.ended.pop_front()
        {
            self.ending += 1;
            return Some((Place::Ending, Step::End(job, why)));
        }
        let job = self.granted.pop_front()?;
        Some((place_of(job.as_ref()), Step::GoOn(job)))
    }

    fn leave(&mut self, place: Place) {
        match place {
            Place::Short => self.short_places -= 1,
            Place::Long => self.long_places -= 1,
            Place::Ending => self.ending -= 1,
        }
    }

    /// When the time changes something for those that wait.
    fn next_event(&self) -> Option<Instant> {
        let due = self.asleep.first_key_value().map(|((due, _), _)| *due);
        earlier(due, self.next_deadline)
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

    /// Whether the thread that watches must look again.
    fn wakes_watcher(&self) -> bool {
        self.watched_until.is_some_and(|until| {
            let is_earlier = self.next_event().is_some_and(|event| event < until);
            self.look || is_earlier || !self.has_waiting()
        })
    }
}

fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    one.into_iter().chain(other).min()
}

impl CallQueue {
    pub(crate) fn new(max_calls: usize) -> Arc<CallQueue> {
        Arc::new(CallQueue {
            generation: generation(),
            max_calls,
            state: Mutex::default(),
            called: Condvar::new(),
            watcher: Condvar::new(),
        })
    }

    /// Adds a call.
    ///
    /// # Errors
    /// If the system has no thread for it. Nothing of the call is left then.
    pub(super) fn push(self: &Arc<Self>, job: Box<dyn Job>) -> io::Result<()> {
        let refused;
        let mut state = self.state();
        state.add(job);
        state.advance(self.max_calls);
        match self.hire(&mut state) {
            // Nothing else can be in the queue.
            Err(error) if state.threads == 0 => {
                refused = state.granted.pop_back();
                if let Some(job) = &refused {
                    state.leave(place_of(job.as_ref()));
                }
                self.release(state);
                drop(refused);
                Err(error)
            }
            _ => {
                self.release(state);
                Ok(())
            }
        }
    }

    /// Ends the calls that have no place, because the client was freed. Those that run finish on
    /// their own, and so do waits that have begun, if somebody can learn what they find.
    pub(crate) fn free(self: &Arc<Self>) {
        let mut state = self.state();
        state.is_freed = true;
        let waiting = [
            std::mem::take(&mut state.calls),
            std::mem::take(&mut state.questions),
            std::mem::take(&mut state.long),
        ];
        let waits = std::mem::take(&mut state.asleep);
        let (go_on, ended): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .flatten()
            .partition(|job| job.has_begun() && !job.ends_with_client());
        let (asleep, woken) = waits
            .into_iter()
            .partition(|(_, job)| !job.ends_with_client());
        state.questions.extend(go_on);
        state.asleep = asleep;
        let woken = BTreeMap::into_values(woken);
        state.end_all(ended.into_iter().chain(woken), QueueEnd::ClientFreed);
        // If there is no thread, those that run give the results.
        let _ = self.hire(&mut state);
        self.release(state);
    }

    /// Calls or starts threads for everything that can be done now.
    fn hire(self: &Arc<Self>, state: &mut State) -> io::Result<()> {
        let can_end = state.ended.len().min(MOST_ENDING - state.ending);
        let wanted = state.granted.len() + can_end + usize::from(state.needs_watcher());
        while state.coming < wanted {
            if state.idle > 0 {
                state.idle -= 1;
                state.calls_to_threads += 1;
                state.to_notify += 1;
            } else {
                self.start_thread()?;
                state.threads += 1;
            }
            state.coming += 1;
        }
        Ok(())
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

    fn start_thread(self: &Arc<Self>) -> io::Result<()> {
        let queue = Arc::clone(self);
        // Made on the thread: if there is none, the queue is locked when this is dropped.
        let mut thread = None;
        start_worker(STACK, move || {
            let thread = thread.get_or_insert_with(|| QueueThread::of(&queue));
            thread.next_function()
        })
    }

    /// Does a piece of work. Returns the function of the program that is left to run.
    fn work(&self, step: Step) -> Option<HostFunction> {
        let progress = match step {
            Step::GoOn(job) => job.go_on(),
            Step::End(job, why) => job.end(why),
        };
        match progress {
            Progress::Ended(deliver) => deliver(),
            Progress::Sleeps(until, job) => {
                self.sleep(until, job);
                None
            }
        }
    }

    fn sleep(&self, until: Instant, job: Box<dyn Job>) {
        let mut state = self.state();
        if state.is_freed && job.ends_with_client() {
            state.ended.push_back((job, QueueEnd::ClientFreed));
            return;
        }
        // It may have been cancelled before it was here.
        state.look |= job.is_cancelled();
        state.slept += 1;
        let key = (until, state.slept);
        state.asleep.insert(key, job);
        self.release(state);
    }

    /// Waits for the next piece of work, and takes its place. `None` if there was none for some time.
    fn next<'q>(self: &'q Arc<Self>, mut state: MutexGuard<'q, State>) -> Option<(Place, Step)> {
        let mut is_timed_out = false;
        while !is_exiting() {
            state.advance(self.max_calls);
            if let Some(taken) = state.take() {
                // Without a thread for the rest, this one goes on with it later.
                let _ = self.hire(&mut state);
                self.release(state);
                return Some(taken);
            }
            if state.needs_watcher() {
                let now = Instant::now();
                let until = state.next_event().unwrap_or(now + LINGER);
                state.watched_until = Some(until);
                let time = until.saturating_duration_since(now);
                let woken = self.watcher.wait_timeout(state, time);
                state = woken.unwrap_or_else(PoisonError::into_inner).0;
                state.watched_until = None;
                is_timed_out = false;
            } else if is_timed_out {
                break;
            } else {
                state.idle += 1;
                let is_not_called = |state: &mut State| state.calls_to_threads == 0;
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
        None
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread of the queue. The program may end it in one of its own functions; then it is dropped.
struct QueueThread {
    queue: Arc<CallQueue>,
    place: Option<Place>,
    /// It was here before.
    is_here: bool,
}

impl QueueThread {
    fn of(queue: &Arc<CallQueue>) -> QueueThread {
        QueueThread {
            queue: Arc::clone(queue),
            place: None,
            is_here: false,
        }
    }

    /// Works until there is a function of the program to run, or nothing to do.
    fn next_function(&mut self) -> Option<HostFunction> {
        loop {
            if !self.is_in_its_process() {
                return None;
            }
            let queue = Arc::clone(&self.queue);
            let mut state = queue.state();
            self.settle(&mut state);
            let (place, step) = queue.next(state)?;
            self.place = Some(place);
            let function = queue.work(step);
            if function.is_some() {
                return function;
            }
        }
    }

    fn settle(&mut self, state: &mut State) {
        if !std::mem::replace(&mut self.is_here, true) {
            state.coming -= 1;
        }
        if let Some(place) = self.place.take() {
            state.leave(place);
        }
    }

    /// In a forked child the queue may stay locked forever.
    fn is_in_its_process(&self) -> bool {
        self.queue.generation == generation()
    }
}

impl Drop for QueueThread {
    fn drop(&mut self) {
        if self.is_in_its_process() {
            let queue = Arc::clone(&self.queue);
            let mut state = queue.state();
            self.settle(&mut state);
            state.threads -= 1;
        }
    }
}

impl CancelObserver for CallQueue {
    fn note_cancelled(&self) {
        let mut state = self.state();
        state.look = true;
        self.release(state);
    }
}
