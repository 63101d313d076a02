//! A client.

use std::ffi::{CString, c_char, c_void};

use super::about::payorder_result;
use super::{boundary, handles, strings};
use crate::client::Client;
use crate::client::log::{Log, LogEvent};
use crate::error::{Cause, Error};

/// A client of one payment service. Opaque: a key, never to be dereferenced, that stays dead once
/// it was freed.
#[allow(non_camel_case_types)]
pub struct payorder_client {
    _opaque: (),
}

/// Takes log events, each one JSON object that is borrowed for the callback. Runs on the thread
/// that is inside a payorder call, during that call, with no lock held: every payorder function may
/// be called from it. It must return: no C++ exception, no longjmp.
#[allow(non_camel_case_types)]
pub type payorder_log_fn =
    Option<unsafe extern "C" fn(event_json: *const c_char, user_data: *mut c_void)>;

/// Makes a client from its configuration. No connection is made; files that the configuration names
/// are read now.
///
/// *out_client is the new client, to be freed by payorder_client_free, or NULL on failure. out_json
/// may be NULL; *out_json is NULL on success, and otherwise the error object, to be freed by
/// payorder_string_free. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: out_client or config_json is NULL, or config_json is no JSON object,
/// or has a key twice. PAYORDER_INVALID_CONFIG: a key is unknown, broken or out of range, or a
/// named file cannot be used; the message names every one.
///
/// # Safety
/// config_json is NULL or a NUL-terminated string; out_client and out_json are NULL or places for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_client_new(
    config_json: *const c_char,
    out_client: *mut *mut payorder_client,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let create = || {
        if out_client.is_null() {
            return Err(Error::argument(
                Cause::Null,
                "out_client is NULL: there is no place for the client",
            ));
        }
        // SAFETY: the caller's promise.
        let config = unsafe { strings::text(config_json, "config_json") }?;
        Client::from_json(config).map(|client| handles::insert(&client))
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::client(out_client, out_json, create) }
}

/// Frees a client; NULL is none, and done. Calls in flight on it finish on their own. From any
/// thread, from a callback too.
///
/// PAYORDER_INVALID_HANDLE: not a live client; nothing was freed.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_client_free(client: *mut payorder_client) -> payorder_result {
    boundary::of_client(|| match client.addr() {
        0 => Ok(()),
        key => handles::remove(key),
    })
}

/// Ends the calls in flight on a client: each returns soon, with PAYORDER_CANCELLED where nothing
/// was sent and with PAYORDER_CANCELLED_IN_FLIGHT otherwise; payorder_get_statuses and
/// payorder_journal_resolve return what there is by then, as "stopped". The client lives on. From
/// any thread, from a callback too.
///
/// PAYORDER_INVALID_HANDLE: not a live client.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_client_cancel(client: *mut payorder_client) -> payorder_result {
    boundary::of_client(|| {
        handles::get(client.addr())?.cancel();
        Ok(())
    })
}

/// Sends log events to `log` from the next call on; NULL ends that. A call keeps the callback and
/// the user_data that it began with, so these must outlive the calls in flight. From any thread.
///
/// PAYORDER_INVALID_HANDLE: not a live client.
///
/// # Safety
/// `log` may be called with user_data from every thread that makes a call on this client.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_client_set_log(
    client: *mut payorder_client,
    log: payorder_log_fn,
    user_data: *mut c_void,
) -> payorder_result {
    boundary::of_client(|| {
        let client = handles::get(client.addr())?;
        client.set_log(log.map(|log| callback(log, UserData(user_data))));
        Ok(())
    })
}

/// The caller's own pointer, which the library only hands back.
struct UserData(*mut c_void);

// SAFETY: the library never looks at what it points to; that the callback may be called from any
// thread is promised by the caller.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl UserData {
    /// By a method, so that a closure captures the whole and not the bare pointer in it.
    fn pointer(&self) -> *mut c_void {
        self.0
    }
}

fn callback(log: unsafe extern "C" fn(*const c_char, *mut c_void), user_data: UserData) -> Log {
    Box::new(move |event: &LogEvent<'_>| {
        if let Ok(json) = CString::new(event.to_json()) {
            // SAFETY: the string lives until the callback returns; the rest is the promise of who
            // set it.
            unsafe { log(json.as_ptr(), user_data.pointer()) };
        }
    })
}
