//! Where a panic ends: inside the library, as a result of the call, and without a word on the
//! host's stderr.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::connection::{OWN_THREADS, wipe_registers};
use crate::error::{Cause, Code, Error};

thread_local! {
    /// How many exports this thread is inside of.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs an export. A panic that comes this far is [`Code::Internal`]: what runs after the first
/// byte of a request has a boundary of its own, in the call, which knows what was sent.
pub(super) fn guard<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    quieten();
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    let result = catch_unwind(AssertUnwindSafe(work));
    DEPTH.with(|depth| depth.set(depth.get() - 1));
    wipe_registers();
    result.unwrap_or_else(|_| {
        let place = PLACE.with(RefCell::take);
        Err(Error::new(
            Code::Internal,
            Cause::Bug,
            format!(
                "a defect of the payorder library at {place}, please report it; nothing was sent"
            ),
        ))
    })
}

/// Keeps panics inside exports, and those of the library's own threads, from being printed; all
/// others go where they went before.
fn quieten() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.load(Ordering::Acquire) || DONE.swap(true, Ordering::AcqRel) {
        return;
    }
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        let own = std::thread::current()
            .name()
            .is_some_and(|name| name.starts_with(OWN_THREADS));
        if DEPTH.with(Cell::get) == 0 && !own {
            before(panic);
        } else if let Some(location) = panic.location() {
            // The place only: a panic's own words can hold what it was working on.
            PLACE.with(|place| {
                *place.borrow_mut() = format!("{}:{}", location.file(), location.line())
            });
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::guard;
    use crate::error::{Code, Error};

    #[test]
    fn a_panic_becomes_a_result_that_names_its_place_and_nothing_else() {
        let result: Result<(), Error> = guard(|| panic!("with a secret"));
        let error = result.err().map(|error| (error.code(), error.to_string()));
        let (code, message) = error.unwrap_or((Code::Ok, String::new()));
        assert_eq!(code, Code::Internal);
        assert!(
            message.contains("boundary.rs:") && !message.contains("secret"),
            "{message}"
        );
    }
}
