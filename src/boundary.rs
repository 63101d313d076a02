//! Runs every export, and catches panics: a panic becomes the result of the call, and prints
//! nothing on the host's stderr.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};

use payorder_core::platform::{ThreadCancelGuard, is_own_thread, stay_loaded};
use payorder_core::{Call, Cause, Client, Code, Error, Operation};

use super::about::payorder_result;
use super::live_calls::RunningCall;
use super::{handles, strings};

thread_local! {
    /// How many exports run on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static PANIC_LOCATION: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs an export that returns a text: on success its own, otherwise the error object.
///
/// # Safety
/// `out` is NULL or a place for a pointer.
pub(super) unsafe fn text(
    out: *mut *mut c_char,
    work: impl FnOnce() -> Result<String, Error>,
) -> payorder_result {
    let _cancel_guard = ThreadCancelGuard::begin();
    // SAFETY: the caller's promise.
    unsafe { strings::write_result(guard(|| work().map(Some)), out) }
}

/// Runs an export that returns NULL on success, and the error object on failure.
///
/// # Safety
/// `out` is NULL or a place for a pointer.
pub(super) unsafe fn error(
    out: *mut *mut c_char,
    work: impl FnOnce() -> Result<(), Error>,
) -> payorder_result {
    let _cancel_guard = ThreadCancelGuard::begin();
    // SAFETY: the caller's promise.
    unsafe { strings::write_result(guard(|| work().map(|()| None)), out) }
}

/// Runs an export that copies a text into a buffer of the caller.
///
/// # Safety
/// As [`strings::copy`].
pub(super) unsafe fn copy<'a>(
    buffer: *mut c_char,
    size: usize,
    out_length: *mut usize,
    work: impl FnOnce() -> Result<Cow<'a, str>, Error>,
) -> payorder_result {
    let _cancel_guard = ThreadCancelGuard::begin();
    // SAFETY: the caller's promise.
    unsafe { strings::copy(guard(work), buffer, size, out_length) }
}

/// Runs an export that returns no text.
pub(super) fn number(work: impl FnOnce() -> Result<(), Error>) -> payorder_result {
    let _cancel_guard = ThreadCancelGuard::begin();
    guard(work).map_or_else(|error| error.code().number(), |()| 0)
}

/// Runs an export that changes a client and returns no text.
pub(super) fn of_client(client: usize, work: impl FnOnce(&Client)) -> payorder_result {
    let _running = RunningCall::begin();
    number(|| handles::get(client).map(|client| work(&client)))
}

/// An error if there is no place for `what`.
pub(super) fn check_place<T>(out: *mut T, name: &str, what: &str) -> Result<(), Error> {
    match out.is_null() {
        false => Ok(()),
        true => Err(Error::argument(
            Cause::Null,
            format!("{name} is NULL: it must point to a place for the {what}"),
        )),
    }
}

/// The caller's pointer, which the library only passes to a callback.
pub(super) struct UserData(pub(super) *mut c_void);

// SAFETY: the caller promises that the callback may be called from any thread.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

/// A callback, or an error if there is none.
pub(super) fn callback<F>(callback: Option<F>, name: &str, what: &str) -> Result<F, Error> {
    callback.ok_or_else(|| {
        Error::argument(
            Cause::Null,
            format!("{name} is NULL: give a callback for the {what}"),
        )
    })
}

/// Makes a network or journal call of one text, which the call may do without, and its options.
///
/// # Safety
/// As [`blocking`]; `options` is NULL or a NUL-terminated string.
pub(super) unsafe fn make(
    client: usize,
    operation: Operation,
    request: Result<Option<&str>, Error>,
    options: *const c_char,
    out: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let options = strings::options(options);
        call(client, operation, out, |call| call.make(request?, options?))
    }
}

/// Makes a network or journal call.
///
/// # Safety
/// As [`blocking`].
pub(super) unsafe fn call(
    client: usize,
    operation: Operation,
    out: *mut *mut c_char,
    work: impl FnOnce(&mut Call<'_>) -> Result<String, Error>,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe { blocking(out, || handles::get(client)?.call(operation, work)) }
}

/// Runs an export that may wait. Its result must never be lost, so `out` must not be NULL.
///
/// # Safety
/// `out` is NULL or a place for a pointer.
pub(super) unsafe fn blocking(
    out: *mut *mut c_char,
    work: impl FnOnce() -> Result<String, Error>,
) -> payorder_result {
    let _cancel_guard = ThreadCancelGuard::begin();
    let _running = RunningCall::begin();
    let result = guard(|| {
        check_place(out, "out_json", "result")?;
        work()
    });
    // SAFETY: the caller's promise.
    unsafe { strings::write_result(result.map(Some), out) }
}

/// Runs the work of an export, and catches a panic in it: nothing was sent, because a panic within a
/// call does not get here. [`Client::call`] catches that one, and knows what was sent.
pub(super) fn guard<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    install_panic_hook();
    // Looks up the thread-local once for both.
    let result = DEPTH.with(|depth| {
        depth.set(depth.get() + 1);
        let result = catch_unwind(AssertUnwindSafe(work));
        depth.set(depth.get() - 1);
        result
    });
    result.unwrap_or_else(|_| {
        let place = PANIC_LOCATION.with(RefCell::take);
        Err(Error::new(
            Code::Internal,
            Cause::Bug,
            format!("a bug in the payorder library at {place}, please report it; nothing was sent"),
        ))
    })
}

/// Keeps panics inside exports and on the library's own threads from being printed. All others go
/// to the previous hook.
fn install_panic_hook() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.load(Ordering::Acquire) || DONE.swap(true, Ordering::AcqRel) {
        return;
    }
    // What std keeps for each thread, and the hook, would be left behind.
    stay_loaded();
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        if DEPTH.with(Cell::get) == 0 && !is_own_thread() {
            before(panic);
        } else if let Some(location) = panic.location() {
            // Only the location: a panic's message can contain the data that it was working on.
            PANIC_LOCATION.with(|place| {
                *place.borrow_mut() = format!("{}:{}", location.file(), location.line())
            });
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::guard;
    use payorder_core::{Code, Error};

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
