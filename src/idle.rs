//! The thread's own callback while its calls wait.

use std::ffi::c_void;
use std::rc::Rc;

use payorder_core::{Idle, set_idle};

use super::about::payorder_result;
use super::boundary;

/// Runs while a call of its thread waits.
///
/// @param[in] user_data what payorder_set_idle was given, or NULL
/// @return 0 to go on; any other number cancels the call.
///
/// Ownership: you free nothing.
/// Threads: on the thread that called payorder_set_idle, with no lock held. It may call every
///     function and must return normally.
#[allow(non_camel_case_types)]
pub type payorder_idle_fn = Option<unsafe extern "C" fn(user_data: *mut c_void) -> i32>;

/// Sets a callback that runs on this thread while later calls of this thread wait. So a program with
/// one thread can read its keys, offer Cancel, or look for signals.
///
/// It runs for the first time 50 ms after the start of a call and then about every 50 ms; while the
/// journal flushes, it may wait longer. A call that ends sooner never runs it, and costs no system
/// call and no lock more. If it returns anything but 0, the call is cancelled as by its token (see
/// CANCELLING). A call that the callback makes itself runs no callback. A call keeps the callback
/// that it started with.
///
/// @param[in] idle the callback, which is kept for this thread; or NULL for none
/// @param[in] user_data is kept and given to the callback; or NULL
/// @return PAYORDER_OK.
///
/// Ownership: user_data stays yours; it may be freed after payorder_set_idle(NULL, NULL) on this
///     thread, outside its calls.
/// Threads: from any thread, also from a callback. Each thread has its own callback; the thread of a
///     forked child has that of its parent.
/// Failures: nothing was changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_set_idle(
    idle: payorder_idle_fn,
    user_data: *mut c_void,
) -> payorder_result {
    boundary::number(|| {
        set_idle(idle.map(|idle| -> Idle {
            // SAFETY: the caller's promise; a call runs it on this thread.
            Rc::new(move || unsafe { idle(user_data) } != 0)
        }));
        Ok(())
    })
}
