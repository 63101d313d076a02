//! Waiting for a payment, and many statuses at once.

use std::ffi::{CString, c_char, c_void};

use super::about::payorder_result;
use super::boundary;
use super::calls::texts;
use super::client::payorder_client;
use crate::client::Client;
use crate::error::{Cause, Error};

/// Takes the result of one query of payorder_get_statuses: the query's place in the array from 0,
/// and what payorder_get_status would have returned and given, the JSON being borrowed for the
/// callback. Returns 0 to stop asking. Runs on the thread that called, with no lock held: every
/// payorder function may be called from it. It must return: no C++ exception, no longjmp.
#[allow(non_camel_case_types)]
pub type payorder_status_fn = Option<
    unsafe extern "C" fn(
        index: usize,
        result: i32,
        json: *const c_char,
        user_data: *mut c_void,
    ) -> i32,
>;

/// Asks payorder_get_status about one query again and again until the payment is final, the time is
/// over, or the call is cancelled, which ends it at once. Each question is one attempt with log
/// events of its own. options_json may be NULL: those of payorder_get_status, timeoutMs being that
/// of one question; waitMs (1 to 86400000, 300000); intervalMs (10 to 600000, 3000), which grows by
/// half each time to at most maxIntervalMs (10 to 600000, 15000; intervalMs where that is more),
/// less a random part of up to a quarter; final, an array of further texts of transactionStatus
/// that end the wait beside "Completed". A service that asks to be left alone (Retry-After) is for
/// that long.
///
/// On PAYORDER_OK *out_json is {"final": …, "timedOut": …, "polls": n, "status": {…}}, the status
/// being the last one seen; where none ever was, it has the last question's "error" instead.
/// "timedOut" says that the time was over before the payment was final. Otherwise *out_json is the
/// error object. Either is to be freed by payorder_string_free. From any thread.
///
/// PAYORDER_UNAUTHORIZED ends the wait, as do payorder_client_cancel and what forbids to ask at all
/// (PAYORDER_INVALID_ARGUMENT to PAYORDER_MISSING_CREDENTIALS); no other failure does: an order can
/// be unknown to the service for a moment.
///
/// # Safety
/// query_json and options_json are NULL or NUL-terminated strings; out_json is NULL or a place for
/// a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_wait_for_payment(
    client: *mut payorder_client,
    query_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = |client: &Client| {
        // SAFETY: the caller's promise.
        client.wait_for_payment_json(|| unsafe { texts(query_json, "query_json", options_json) })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::call(client, out_json, work) }
}

/// Asks for many statuses, some at a time, and hands each result to `each` as it comes.
/// queries_json is an array of status queries, at most 64 MiB; a broken one is that query's own
/// result. options_json may be NULL: those of payorder_get_status, for each question; concurrency
/// (1 to 64, 8), how many are under way at once; ratePerSecond (above 0; none), how many are asked
/// in any second at most, evenly spaced, those asked again included. When the service says 429 with
/// Retry-After, all of it waits for that long, at most 600 seconds.
///
/// Once `each` has returned 0, or payorder_client_cancel was called, nothing more is asked; what
/// was asked already is handed over still.
///
/// On PAYORDER_OK *out_json is {"asked": n, "ok": n, "rejected": n, "unknown": n, "notSent": n,
/// "stopped": false, "elapsedMs": n, "transactionStatus": {"Completed": n, …}}: "asked" counts the
/// calls of `each`, "stopped" says that it ended early. Otherwise *out_json is the error object,
/// and `each` was not called. Either is to be freed by payorder_string_free. From any thread. The
/// threads that it starts end before it returns.
///
/// PAYORDER_INVALID_ARGUMENT: queries_json is no JSON array, an option is broken, `each` or
/// out_json is NULL. PAYORDER_INTERNAL: the system gives the process no thread.
///
/// # Safety
/// queries_json and options_json are NULL or NUL-terminated strings; out_json is NULL or a place
/// for a pointer; `each` may be called with user_data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_get_statuses(
    client: *mut payorder_client,
    queries_json: *const c_char,
    options_json: *const c_char,
    each: payorder_status_fn,
    user_data: *mut c_void,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = |client: &Client| {
        let each = each.ok_or_else(|| {
            Error::argument(
                Cause::Null,
                "each is NULL: there is nobody to take the results",
            )
        })?;
        let mut hand_over = |index, result: Result<crate::Status, Error>| {
            let (number, json) = match result {
                Ok(status) => (0, status.json),
                Err(error) => (error.code().number(), error.to_json()),
            };
            // JSON has no NUL in it: it would be escaped.
            let json = CString::new(json).unwrap_or_default();
            // SAFETY: the string lives until the callback returns; the rest is the caller's
            // promise.
            unsafe { each(index, number, json.as_ptr(), user_data) != 0 }
        };
        // SAFETY: the caller's promise.
        client.get_statuses_json(
            || unsafe { texts(queries_json, "queries_json", options_json) },
            &mut hand_over,
        )
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::call(client, out_json, work) }
}
