//! Calls that do not block.

use std::ffi::{CString, c_char, c_void};
use std::time::Duration;

use payorder_core::platform::{HostFunction, is_exiting};
use payorder_core::{Answer, Cause, Error, Operation, Receiver};

use super::about::payorder_result;
use super::boundary::UserData;
use super::client::payorder_client;
use super::live_calls::{RunningCall, StartedCall};
use super::strings::{answer, c_string};
use super::{boundary, handles, strings};

/// Takes the result of a call that payorder_start began.
///
/// @param[in] result what the blocking function would have returned
/// @param[in] json what the blocking function would have given, not NULL; borrowed for the callback
/// @param[in] user_data what payorder_start was given, or NULL
///
/// Ownership: you free nothing.
/// Threads: on a thread of the library, with no lock held. It may call every function, also free the
///     client and start calls, and must return normally.
#[allow(non_camel_case_types)]
pub type payorder_done_fn =
    Option<unsafe extern "C" fn(result: i32, json: *const c_char, user_data: *mut c_void)>;

/// Puts a call into the client's queue, and returns at once. The texts are copied. The arguments are
/// checked first: if this function does not return PAYORDER_OK, there will be no answer. What is wrong
/// with an order or a query itself is an answer.
///
/// The operations are "create_order", "get_status", "wait_for_payment", "journal_resolve",
/// "recover" and "check", with the options of the function of that name. With `done`, it runs exactly
/// once when the call has ended. Without it, payorder_take_done takes the answer. See CALLS THAT DO
/// NOT BLOCK for the queue: how many calls run at once, what ends those that wait, and when threads
/// end.
///
/// @param[in] client a live client; not NULL
/// @param[in] operation the name of the operation; not NULL
/// @param[in] request_json the order, the query or the sales; or NULL for "journal_resolve" and
///     "check", which have none, and for "recover" with a journal
/// @param[in] options_json options, or NULL for none
/// @param[in] done the callback: called once with the result; or NULL if payorder_take_done takes it
/// @param[in] user_data is kept and given back with the answer; or NULL
/// @param[out] out_json the error object; not NULL; NULL is written on success
/// @return PAYORDER_OK if the call was begun, or why it was not.
///
/// Ownership: free *out_json with payorder_string_free; user_data may be freed when the answer has
///     come.
/// Threads: from any thread, also from a callback. `done` runs on a thread of the library.
/// Failures: nothing was sent, and there will be no answer.
/// - PAYORDER_INVALID_ARGUMENT: an argument is NULL, the operation is unknown, a text is not JSON of
///   the right kind, or an option is invalid.
/// - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
/// - PAYORDER_CANCELLED: the client was stopped.
/// - PAYORDER_INTERNAL: the system could not start a thread, or the process is exiting
///   (on Windows, not in the program's own `atexit` functions).
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
    let _running = RunningCall::begin();
    // SAFETY: the caller's promise.
    let (operation, request, options) = unsafe {
        (
            strings::text(operation, "operation"),
            strings::optional_text(request_json, "request_json"),
            strings::options(options_json),
        )
    };
    let start = || {
        boundary::check_place(out_json, "out_json", "result")?;
        let client = handles::get(client.addr())?;
        let operation = startable(operation?)?;
        let live = StartedCall::begin();
        let receiver = match done {
            Some(done) => receiver(done, UserData(user_data), live),
            None => Receiver::Taken {
                user_data: user_data.expose_provenance(),
                until_ready: Box::new(live),
            },
        };
        client.start_json(operation, request?, options?, receiver)
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::error(out_json, start) }
}

/// Takes one answer of a call that was started with `done` NULL, in the order in which calls ended.
/// Waits for it for at most wait_ms. The callback of payorder_set_idle runs meanwhile.
///
/// Without an answer in that time it returns PAYORDER_OK, with 0, 0, NULL and NULL in the places, and
/// has closed the connections that were idle for longer than maxIdleMs, as every request to the service
/// does. The library has no thread for that: call this with 0 from a timer if the client may rest for
/// long.
/// After payorder_client_stop it waits only while an answer can still come, and payorder_client_free
/// ends the wait. If several threads take, each answer goes to one of them.
///
/// @param[in] client a live client; not NULL
/// @param[in] wait_ms for how many milliseconds it waits; 0 does not wait
/// @param[out] out_taken 1 if there was an answer, otherwise 0; not NULL
/// @param[out] out_result what the blocking function would have returned; not NULL
/// @param[out] out_json what the blocking function would have given; not NULL
/// @param[out] out_user_data what payorder_start was given; or NULL if you do not need it
/// @return PAYORDER_OK, also without an answer. Otherwise the error object, and no answer was taken.
///
/// Ownership: free *out_json with payorder_string_free.
/// Threads: from any thread, also from a callback and in several threads at the same time.
/// Failures: no answer was taken, and none is lost.
/// - PAYORDER_INVALID_ARGUMENT: an argument is NULL.
/// - PAYORDER_INVALID_HANDLE: not a live client.
/// - PAYORDER_CANCELLED: the callback of payorder_set_idle ended the wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_take_done(
    client: *mut payorder_client,
    wait_ms: u32,
    out_taken: *mut i32,
    out_result: *mut i32,
    out_json: *mut *mut c_char,
    out_user_data: *mut *mut c_void,
) -> payorder_result {
    let mut taken = None;
    let take = || {
        boundary::check_place(out_taken, "out_taken", "number of answers")?;
        boundary::check_place(out_result, "out_result", "result of the call")?;
        boundary::check_place(out_json, "out_json", "answer")?;
        let wait = Duration::from_millis(wait_ms.into());
        taken = handles::get(client.addr())?.take_done(wait)?;
        Ok(())
    };
    // SAFETY: the caller's promise. Each place is written once more if there was an answer.
    unsafe {
        let returned = boundary::error(out_json, take);
        let is_taken = i32::from(taken.is_some());
        let Answer { result, user_data } = taken.unwrap_or(Answer {
            result: Ok(String::new()),
            user_data: 0,
        });
        let (number, json) = answer(result);
        strings::write(out_taken, is_taken);
        strings::write(out_result, number);
        strings::write(
            out_user_data,
            std::ptr::with_exposed_provenance_mut(user_data),
        );
        if is_taken == 1 {
            out_json.write(strings::into_c(json));
        }
        returned
    }
}

/// What an event loop can wait for: it is ready while an answer waits for payorder_take_done. On Unix
/// it is a descriptor that is readable then (poll, epoll, kqueue, GLib, Qt); on Windows an event HANDLE
/// that is signalled then (MsgWaitForMultipleObjects).
///
/// @param[in] client a live client; not NULL
/// @return the descriptor or HANDLE; -1 if there is none.
///
/// Ownership: it belongs to the client, and is closed when the client is freed: do not read, write or
///     close it.
/// Threads: from any thread, also from a callback. Each client has one.
/// Failures: none.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_done_handle(client: *mut payorder_client) -> isize {
    let mut handle = None;
    boundary::of_client(client.addr(), |client| handle = client.done_handle());
    handle.unwrap_or(-1)
}

/// The operation with this name.
fn startable(name: &str) -> Result<Operation, Error> {
    const STARTABLE: [Operation; 6] = [
        Operation::CreateOrder,
        Operation::GetStatus,
        Operation::WaitForPayment,
        Operation::JournalResolve,
        Operation::Recover,
        Operation::Check,
    ];
    let named = STARTABLE.into_iter().find(|one| one.name() == name);
    named.ok_or_else(|| {
        let names = STARTABLE.map(Operation::name).join(", ");
        let problem = format!("the operation {name:?} cannot be started: only {names} can");
        Error::argument(Cause::InvalidValue, problem)
    })
}

type Given = unsafe extern "C" fn(result: i32, json: *const c_char, user_data: *mut c_void);
/// The caller's function. The thread may be ended in it.
type Done = unsafe extern "C-unwind" fn(result: i32, json: *const c_char, user_data: *mut c_void);

/// A result that is about to be given to the caller's function.
struct Ended {
    result: i32,
    json: CString,
    done: Done,
    user_data: *mut c_void,
    _running: RunningCall,
}

fn receiver(done: Given, user_data: UserData, live: StartedCall) -> Receiver {
    // SAFETY: the same function with the same arguments.
    let done = unsafe { std::mem::transmute::<Given, Done>(done) };
    Receiver::Done(Box::new(move |result| {
        // The closure has the struct, and not only the pointer in it.
        let UserData(user_data) = { user_data };
        let running = live.ends_here();
        if is_exiting() {
            return None;
        }
        let (result, json) = answer(result);
        let mut ended = Box::new(Ended {
            result,
            json: c_string(json),
            done,
            user_data,
            _running: running,
        });
        Some(HostFunction {
            function: run_done,
            argument: (&raw mut *ended).cast(),
            kept: ended,
        })
    }))
}

/// Gives the result to the caller's function. Meanwhile only plain values are on this stack: the host
/// may end the thread in it, as Python does when the process ends.
extern "C-unwind" fn run_done(ended: *mut c_void) {
    let ended: *mut Ended = ended.cast();
    // SAFETY: `receiver` made it for this function, after which it is dropped. The text lives in it,
    // and the rest is the caller's promise.
    unsafe {
        let (result, json) = ((*ended).result, (*ended).json.as_ptr());
        ((*ended).done)(result, json, (*ended).user_data);
    }
}
