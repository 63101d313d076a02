//! A client.

use std::ffi::{c_char, c_void};

use payorder_core::{Client, Error, Log, LogEvent};

use super::about::payorder_result;
use super::boundary::UserData;
use super::live_calls::RunningCall;
use super::strings::c_string;
use super::{boundary, handles, strings};

/// A client of one payment service. The pointer is a key: do not dereference it. A freed client
/// stays invalid.
#[allow(non_camel_case_types)]
pub struct payorder_client {
    _opaque: (),
}

/// Takes log events, each as one JSON object (see LOG EVENTS).
///
/// @param[in] event_json the event, not NULL; borrowed for the callback
/// @param[in] user_data what payorder_client_set_log was given, or NULL
///
/// Ownership: you free nothing.
/// Threads: on the thread that is inside a payorder call, or for a started call on a thread of the
///     library, with no lock held; in several threads at the same time. It may call every function
///     and must return normally.
#[allow(non_camel_case_types)]
pub type payorder_log_fn =
    Option<unsafe extern "C" fn(event_json: *const c_char, user_data: *mut c_void)>;

/// Creates a client from its configuration (see CONFIGURATION). It makes no connection. It reads
/// the files that the configuration names. The first call that needs the journal creates it.
///
/// @param[in] config_json the configuration; not NULL
/// @param[out] out_client the new client; not NULL; NULL is written on failure
/// @param[out] out_json the error object, or NULL if you do not need it; NULL is written on success
/// @return PAYORDER_OK, or why there is no client.
///
/// Ownership: free *out_client with payorder_client_free and *out_json with payorder_string_free.
/// Failures: nothing was sent.
/// - PAYORDER_INVALID_ARGUMENT: an argument is NULL; config_json is not a JSON object or has a key
///   twice.
/// - PAYORDER_INVALID_CONFIG: a key is unknown, invalid or out of range, or a named file cannot be
///   used; the message names every one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_client_new(
    config_json: *const c_char,
    out_client: *mut *mut payorder_client,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let config = strings::text(config_json, "config_json");
        create(out_client, out_json, || Client::from_json(config?))
    }
}

/// Creates a client from the environment, as payorder_client_new does from a text. The variables:
/// PAYORDER_BASE_URL, PAYORDER_ACCESS_TOKEN, PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID,
/// PAYORDER_SECRET_KEY, PAYORDER_JOURNAL, PAYORDER_CA_FILE (`caFile` of `tls`), and PAYORDER_CONFIG: the
/// path of a JSON file with the keys of the configuration. On Unix only the file's owner may be able
/// to read or write it; if that is root, a program of another user may read it through its group. An
/// empty variable counts as absent.
///
/// @param[in] config_json keys that win over the variables, which win over the file; or NULL for none
/// @param[out] out_client the new client; not NULL; NULL is written on failure
/// @param[out] out_json the error object, or NULL if you do not need it; NULL is written on success
/// @return PAYORDER_OK, or why there is no client.
///
/// Ownership: free *out_client with payorder_client_free and *out_json with payorder_string_free.
/// Threads: from any thread, also from a callback; not while another thread changes the environment.
/// Failures: nothing was sent.
/// - PAYORDER_INVALID_ARGUMENT: out_client is NULL; config_json is not a JSON object or has a key
///   twice.
/// - PAYORDER_INVALID_CONFIG: a setting is missing or wrong, or the file cannot be used; the message
///   names the variable, or the file and the key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_client_from_env(
    config_json: *const c_char,
    out_client: *mut *mut payorder_client,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let config = strings::optional_text(config_json, "config_json");
        create(out_client, out_json, || Client::from_env(config?))
    }
}

/// Writes the client's key, or NULL and the error object.
///
/// # Safety
/// Both places are NULL or places for a pointer.
unsafe fn create(
    out_client: *mut *mut payorder_client,
    out_json: *mut *mut c_char,
    make: impl FnOnce() -> Result<Client, Error>,
) -> payorder_result {
    let mut key = 0;
    let work = || {
        boundary::check_place(out_client, "out_client", "client")?;
        key = handles::insert(make()?);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe {
        let result = boundary::error(out_json, work);
        strings::write(out_client, std::ptr::without_provenance_mut(key));
        result
    }
}

/// Frees a client. Calls that run finish on their own, and it does not wait for them: if the process is
/// to end, wait until payorder_live_calls() is 0. Started calls that are queued end as
/// PAYORDER_CANCELLED, and answers that nobody took are lost. If no call runs, its connections and its
/// journal are closed when this function returns.
///
/// @param[in] client the client that is freed, or NULL
/// @return PAYORDER_OK, also for NULL.
///
/// Ownership: the client is no longer valid; for user_data see THREADS AND CALLBACKS.
/// Failures: nothing was freed.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_client_free(client: *mut payorder_client) -> payorder_result {
    let _running = RunningCall::begin();
    boundary::number(|| match client.addr() {
        0 => Ok(()),
        key => handles::remove(key),
    })
}

/// Ends all calls in flight on a client, and those that are queued. Each returns within 100 ms:
/// with PAYORDER_CANCELLED if nothing was sent, otherwise with PAYORDER_CANCELLED_IN_FLIGHT.
/// payorder_get_statuses, payorder_journal_resolve and payorder_recover, once it has begun to ask,
/// return PAYORDER_OK with what they have and "stopped":true. The client can be used again at once.
///
/// @param[in] client a live client; not NULL
/// @return PAYORDER_OK, also if no call is in flight.
///
/// Failures: nothing was cancelled.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_client_cancel(client: *mut payorder_client) -> payorder_result {
    boundary::of_client(client.addr(), Client::cancel)
}

/// Ends all calls in flight on a client, as payorder_client_cancel does, and refuses later ones: they
/// end with PAYORDER_CANCELLED and the cause client_stopped, and send nothing. payorder_journal_list
/// still works. This is the first step of a clean end: wait until payorder_live_calls() is 0, and
/// free the client.
///
/// @param[in] client a live client; not NULL
/// @return PAYORDER_OK, also if it was stopped before.
///
/// Ownership: you free nothing; free the client with payorder_client_free.
/// Failures: nothing was stopped.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_client_stop(client: *mut payorder_client) -> payorder_result {
    boundary::of_client(client.addr(), Client::stop)
}

/// Replaces credentials of a client, for example because a token has changed. Attempts that begin
/// later use the new ones, also those of waits and of many statuses that are running. Credentials in
/// a call's options still win.
///
/// @param[in] client a live client; not NULL
/// @param[in] credentials_json those that change: accessToken, clientKey, clientId, secretKey, with
///     the rules of the configuration; not NULL
/// @param[out] out_json the error object, or NULL if you do not need it; NULL is written on success
/// @return PAYORDER_OK, or why nothing was changed.
///
/// Failures: nothing was changed.
/// - PAYORDER_INVALID_ARGUMENT: credentials_json is NULL, not a JSON object or has a key twice.
/// - PAYORDER_INVALID_CONFIG: a key is unknown or a credential invalid; the message names every one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_client_set_credentials(
    client: *mut payorder_client,
    credentials_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let _running = RunningCall::begin();
    // SAFETY: the caller's promise.
    unsafe {
        let credentials = strings::text(credentials_json, "credentials_json");
        boundary::error(out_json, || {
            handles::get(client.addr())?.set_credentials_json(credentials?)
        })
    }
}

/// Sends log events to a callback, from the next call on. A call keeps the callback and the
/// user_data that it started with.
///
/// @param[in] client a live client; not NULL
/// @param[in] log the callback, which is kept; or NULL to stop logging
/// @param[in] user_data is kept and given to the callback; or NULL
/// @return PAYORDER_OK.
///
/// Ownership: user_data stays yours; to free it, see THREADS AND CALLBACKS.
/// Threads: from any thread, also from a callback. The callback may run in several threads at the
///     same time.
/// Failures: nothing was changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_client_set_log(
    client: *mut payorder_client,
    log: payorder_log_fn,
    user_data: *mut c_void,
) -> payorder_result {
    boundary::of_client(client.addr(), |client| {
        client.set_log(log.map(|log| callback(log, UserData(user_data))));
    })
}

fn callback(log: unsafe extern "C" fn(*const c_char, *mut c_void), user_data: UserData) -> Log {
    Box::new(move |event: &LogEvent<'_>| {
        // The closure has the struct, and not only the pointer in it.
        let UserData(pointer) = &user_data;
        // SAFETY: the string lives until the callback returns; for the rest, the caller's promise
        // when it set the callback.
        unsafe { log(c_string(event.to_json()).as_ptr(), *pointer) };
    })
}
