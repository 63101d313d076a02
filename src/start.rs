//! A call that does not block.

use std::ffi::{CString, c_char, c_void};

use payorder_core::platform::{is_exiting, start_detached};
use payorder_core::{Cause, Client, Error, Operation, StartedCall};

use super::about::payorder_result;
use super::client::payorder_client;
use super::live_calls::{CallToStart, RunningCall};
use super::strings::c_string;
use super::{boundary, strings};

/// Takes the result of a call that payorder_start began.
///
/// @param[in] result what the blocking function would have returned
/// @param[in] json what the blocking function would have given, not NULL; borrowed for the callback
/// @param[in] user_data what payorder_start was given, or NULL
///
/// Ownership: you free nothing.
/// Threads: on the call's own thread, with no lock held. It may call every function, also free the
///     client and start calls, and must return normally.
#[allow(non_camel_case_types)]
pub type payorder_done_fn =
    Option<unsafe extern "C" fn(result: i32, json: *const c_char, user_data: *mut c_void)>;

/// Begins a call on a thread of the library, and returns at once. When the call has ended, `done`
/// runs exactly once on that thread, which then ends. The texts are copied. The arguments are checked
/// first: if this function does not return PAYORDER_OK, `done` never runs.
///
/// The operations are "create_order", "get_status", "wait_for_payment", "journal_resolve" and
/// "recover", with the options of the function of that name. Tokens, payorder_client_cancel and
/// payorder_live_calls work as for every call; it counts as live until `done` has returned. The callback of
/// payorder_set_idle does not run. Each call has a thread with a stack of 256 KiB, so keep what
/// `done` does small. In a forked child nothing runs `done`: the call goes on in the parent. If the
/// process ends during the call, `done` does not run; the journal knows the order.
///
/// @param[in] client a live client; not NULL
/// @param[in] operation the name of the operation; not NULL
/// @param[in] request_json the order, the query or the sales; or NULL for "journal_resolve", which has
///     none, and for "recover" with a journal
/// @param[in] options_json options, or NULL for none
/// @param[in] done the callback: called once with the result; not NULL
/// @param[in] user_data is kept and given to the callback; or NULL
/// @param[out] out_json the error object; not NULL; NULL is written on success
/// @return PAYORDER_OK if the call was begun, or why it was not.
///
/// Ownership: free *out_json with payorder_string_free; user_data may be freed when `done` has run.
/// Threads: from any thread, also from a callback. The callback runs on the call's own thread.
/// Failures: nothing was sent, and `done` never runs.
/// - PAYORDER_INVALID_ARGUMENT: an argument is NULL, the operation is unknown, a text is not a JSON
///   object, or an option is invalid.
/// - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
/// - PAYORDER_CANCELLED: the client was stopped.
/// - PAYORDER_INTERNAL: the system could not start a thread, or the process is exiting.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_start(
    client: *mut payorder_client,
    operation: *const c_char,
    request_json: *const c_char,
    options_json: *const c_char,
    done: payorder_done_fn,
    user_data: *mut c_void,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    let (operation, request, options) = unsafe {
        (
            strings::text(operation, "operation"),
            strings::optional_text(request_json, "request_json"),
            strings::options(options_json),
        )
    };
    let start = |client: &Client| {
        let done = boundary::callback(done, "done", "result")?;
        let call = client.prepare_start(startable(operation?)?, request?, options?)?;
        type Given = unsafe extern "C" fn(i32, *const c_char, *mut c_void);
        let job = Box::into_raw(Box::new(Job {
            call: Some((CallToStart::new(), call)),
            running: None,
            json: CString::default(),
            // SAFETY: the same function with the same arguments.
            done: unsafe { std::mem::transmute::<Given, Done>(done) },
            user_data,
        }));
        start_detached(StartedCall::STACK, run, job.cast()).map_err(|error| {
            // SAFETY: it came from the box, and no thread has it.
            drop(unsafe { Box::from_raw(job) });
            StartedCall::no_thread(error)
        })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::start(client.addr(), out_json, start) }
}

/// The operation with this name.
fn startable(name: &str) -> Result<Operation, Error> {
    const STARTABLE: [Operation; 5] = [
        Operation::CreateOrder,
        Operation::GetStatus,
        Operation::WaitForPayment,
        Operation::JournalResolve,
        Operation::Recover,
    ];
    let named = STARTABLE.into_iter().find(|one| one.name() == name);
    named.ok_or_else(|| {
        let names = STARTABLE.map(Operation::name).join(", ");
        let problem = format!("the operation {name:?} cannot be started: only {names} can");
        Error::argument(Cause::InvalidValue, problem)
    })
}

/// The caller's function. The thread may be ended in it.
type Done = unsafe extern "C-unwind" fn(result: i32, json: *const c_char, user_data: *mut c_void);

/// What the thread of a call has. The pointer to it is given from the caller's thread to that one.
struct Job {
    /// Until the thread makes it.
    call: Option<(CallToStart, StartedCall)>,
    running: Option<RunningCall>,
    json: CString,
    done: Done,
    user_data: *mut c_void,
}

/// The thread of a call. While `done` runs, only plain values are on this stack: the host may end the
/// thread in it, as Python does when the process ends.
extern "C-unwind" fn run(job: *mut c_void) -> *mut c_void {
    let job: *mut Job = job.cast();
    // SAFETY: `payorder_start` gave the job to this thread.
    let (result, json, done, user_data) = unsafe {
        let result = make(&mut *job);
        (result, (*job).json.as_ptr(), (*job).done, (*job).user_data)
    };
    if let Some(result) = result.filter(|_| !is_exiting()) {
        // SAFETY: the text lives in the job; the rest is the caller's promise.
        unsafe { done(result, json, user_data) };
    }
    // SAFETY: it came from the box, and only this thread has it.
    drop(unsafe { Box::from_raw(job) });
    std::ptr::null_mut()
}

/// Makes the call. `None` in a forked child, where nothing runs `done`.
#[inline(never)]
fn make(job: &mut Job) -> Option<i32> {
    let (counted, call) = job.call.take()?;
    job.running = Some(counted.begin());
    let mut is_parents = false;
    let result = boundary::guard(|| {
        let result = call.run();
        is_parents = result.is_none();
        result.unwrap_or(Ok(String::new()))
    });
    let (number, json) = match result {
        _ if is_parents => return None,
        Ok(json) => (0, json),
        Err(error) => (error.code().number(), error.to_json()),
    };
    job.json = c_string(json);
    Some(number)
}
