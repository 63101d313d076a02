//! The program's function that runs on a thread while a call of that thread waits.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The time from the start of a call to the first run, and between two runs.
const INTERVAL: Duration = Duration::from_millis(50);

/// A function of the program. Returns whether to cancel the call that waits.
pub type Idle = Rc<dyn Fn() -> bool>;

/// The function that the current call started with.
#[derive(Clone)]
struct OfCall {
    idle: Idle,
    due: Instant,
}

struct OfThread {
    /// For later calls.
    later: RefCell<Option<Idle>>,
    of_call: RefCell<Option<OfCall>>,
    /// The function is running. Calls that it makes have none.
    runs: Cell<bool>,
}

thread_local! {
    static STATE: OfThread = const {
        OfThread {
            later: RefCell::new(None),
            of_call: RefCell::new(None),
            runs: Cell::new(false),
        }
    };
}

/// What `work` makes of the thread's state, or the default if the thread is ending.
fn with_state<T: Default>(work: impl FnOnce(&OfThread) -> T) -> T {
    STATE.try_with(work).unwrap_or_default()
}

/// Sets a function that runs on this thread while later calls of this thread wait: for the first
/// time 50 ms after the start of a call, and then about every 50 ms. So a program with one thread can
/// read its keys, set its lights, or offer to cancel. A program with a window starts its calls
/// instead, as with [`crate::Client::start_create_order`]. If the function returns true, or panics,
/// the call is cancelled. A call that the function makes itself runs no function, and a call keeps
/// the function that it started with.
///
/// ```
/// payorder_core::set_idle(Some(std::rc::Rc::new(|| {
///     println!("still waiting");
///     false
/// })));
/// payorder_core::set_idle(None);
/// ```
pub fn set_idle(idle: Option<Idle>) {
    with_state(|state| drop(state.later.replace(idle)));
}

/// Ends the current call's use of the function, and returns to that of the call around it.
#[derive(Default)]
pub(crate) struct IdleGuard(Option<OfCall>);

/// From here on, the current call uses the thread's function. Costs no system call and no lock.
pub(crate) fn begin_idle() -> IdleGuard {
    with_state(|state| {
        let idle = state.later.borrow().clone();
        let idle = idle.filter(|_| !state.runs.get());
        let own = idle.map(|idle| OfCall {
            idle,
            due: Instant::now() + INTERVAL,
        });
        IdleGuard(state.of_call.replace(own))
    })
}

impl Drop for IdleGuard {
    fn drop(&mut self) {
        with_state(|state| drop(state.of_call.replace(self.0.take())));
    }
}

/// Runs the current call's function if its time has come. True if it asks to cancel the call; then
/// it does not run again.
pub(super) fn run_if_due() -> bool {
    with_state(|state| {
        let of_call = state.of_call.borrow().clone();
        let Some(OfCall { idle, due }) = of_call else {
            return false;
        };
        let now = Instant::now();
        if now < due {
            return false;
        }
        state.runs.set(true);
        // A panic must not end the call, which may have a checkout URL. It cancels what waits.
        let cancel = catch_unwind(AssertUnwindSafe(|| idle())).unwrap_or(true);
        state.runs.set(false);
        let due = now + INTERVAL;
        let next = (!cancel).then_some(OfCall { idle, due });
        drop(state.of_call.replace(next));
        cancel
    })
}

/// How long the thread may block: for `time`, or until the function is due.
pub(super) fn limit(time: Duration) -> Duration {
    let due = with_state(|state| state.of_call.borrow().as_ref().map(|call| call.due));
    due.map_or(time, |due| {
        time.min(due.saturating_duration_since(Instant::now()))
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{INTERVAL, begin_idle, run_if_due, set_idle};

    #[test]
    fn a_panic_in_the_function_cancels_the_call_and_does_not_end_it() {
        set_idle(Some(Rc::new(|| panic!("a defect of the program"))));
        let _call = begin_idle();
        std::thread::sleep(INTERVAL);
        assert!(run_if_due());
        // It does not run again in this call, but in the next one.
        assert!(!run_if_due());
        let _next = begin_idle();
        std::thread::sleep(INTERVAL);
        assert!(run_if_due());
    }
}
