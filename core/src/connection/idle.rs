//! The host's function that runs on a thread while a call of that thread waits.

use std::cell::Cell;
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// The time from the start of a call to the first run, and between two runs.
const INTERVAL: Duration = Duration::from_millis(50);

/// A function of the host, and its data.
#[derive(Clone, Copy)]
pub struct Idle {
    /// Calls `function`. Returns whether the host asks to cancel the call.
    pub run: fn(&Idle) -> bool,
    /// For `run`, which knows its type.
    pub function: *const (),
    /// For the function.
    pub user_data: *mut c_void,
}

/// The function that the current call started with.
#[derive(Clone, Copy)]
struct OfCall {
    idle: Idle,
    due: Instant,
}

struct OfThread {
    /// For later calls.
    later: Cell<Option<Idle>>,
    of_call: Cell<Option<OfCall>>,
    /// The function is running. Calls that it makes have none.
    runs: Cell<bool>,
}

thread_local! {
    static STATE: OfThread = const {
        OfThread {
            later: Cell::new(None),
            of_call: Cell::new(None),
            runs: Cell::new(false),
        }
    };
}

/// Sets the function for the later calls of this thread.
pub fn set(idle: Option<Idle>) {
    STATE.with(|state| state.later.set(idle));
}

/// Ends the current call's use of the function, and returns to that of the call around it.
pub struct IdleGuard(Option<OfCall>);

/// From here on, the current call uses the thread's function. Costs no system call and no lock.
pub fn begin_call() -> IdleGuard {
    STATE.with(|state| {
        let idle = state.later.get().filter(|_| !state.runs.get());
        let own = idle.map(|idle| OfCall {
            idle,
            due: Instant::now() + INTERVAL,
        });
        IdleGuard(state.of_call.replace(own))
    })
}

impl Drop for IdleGuard {
    fn drop(&mut self) {
        STATE.with(|state| state.of_call.set(self.0));
    }
}

/// Runs the current call's function if its time has come. True if it asks to cancel the call; then
/// it does not run again.
pub(super) fn run_if_due() -> bool {
    STATE.with(|state| {
        let Some(OfCall { idle, due }) = state.of_call.get() else {
            return false;
        };
        let now = Instant::now();
        if now < due {
            return false;
        }
        state.runs.set(true);
        let cancel = (idle.run)(&idle);
        state.runs.set(false);
        let due = now + INTERVAL;
        state.of_call.set((!cancel).then_some(OfCall { idle, due }));
        cancel
    })
}

/// How long the thread may block: for `time`, or until the function is due.
pub(super) fn limit(time: Duration) -> Duration {
    STATE.with(|state| match state.of_call.get() {
        Some(call) => time.min(call.due.saturating_duration_since(Instant::now())),
        None => time,
    })
}
