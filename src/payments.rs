//! Waiting for a payment, and the statuses of many orders.

use std::ffi::{c_char, c_void};

use payorder_core::{Call, Error, Operation, Status, StatusQuery, StatusesOptions};

use super::about::payorder_result;
use super::client::payorder_client;
use super::strings::{answer, c_string};
use super::{boundary, handles, strings};

/// Takes the result of one query of payorder_get_statuses or payorder_stream_statuses.
///
/// @param[in] index the query's place in the array or in the stream, from 0
/// @param[in] result what payorder_get_status would have returned
/// @param[in] json what payorder_get_status would have given, not NULL; borrowed for the callback
/// @param[in] user_data what the function was given, or NULL
/// @return 0 to stop; any other number to continue.
///
/// Ownership: you free nothing.
/// Threads: on the thread that called the function, with no lock held. It may call every function
///     and must return normally.
#[allow(non_camel_case_types)]
pub type payorder_status_fn = Option<
    unsafe extern "C" fn(
        index: usize,
        result: i32,
        json: *const c_char,
        user_data: *mut c_void,
    ) -> i32,
>;

/// Asks for a status until the payment is final, the time runs out or the call is cancelled. Blocks
/// for at most `waitMs`. Each query is one attempt, and `timeoutMs` is for one query. Each pause
/// between two queries is shortened by a random part of up to a quarter. A `Retry-After` header
/// makes the pause longer.
///
/// Results 1 to 5 and PAYORDER_UNAUTHORIZED end the wait. After any other failed query the wait
/// continues, because the service may not know a new order for a moment. After
/// PAYORDER_UNAUTHORIZED it also continues if payorder_client_set_credentials was called since that
/// query began, for example by the log function at the event attempt_failed. A final status does not
/// prove a payment: see PAID OR NOT.
///
/// @param[in] client a live client; not NULL
/// @param[in] query_json the query, as in payorder_get_status; not NULL
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json {"final":...,"timedOut":...,"polls":n,"status":{...}}: the
///     last status seen. If the time ran out, "timedOut" is true, and there is also the "error" of
///     the last query if that failed; if no status was ever seen, there is only the "error".
///     Otherwise the error object, with "statusQuery" and the last "status" seen.
///
/// Failures: results that end the wait.
/// - PAYORDER_UNAUTHORIZED: the service does not accept the credentials. Set others, and wait again.
/// - PAYORDER_CANCELLED, PAYORDER_CANCELLED_IN_FLIGHT: the wait was cancelled.
/// - PAYORDER_INVALID_ARGUMENT, PAYORDER_INVALID_HANDLE, PAYORDER_INVALID_REQUEST,
///   PAYORDER_MISSING_CREDENTIALS: nothing was sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_wait_for_payment(
    client: *mut payorder_client,
    query_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let query = strings::text(query_json, "query_json");
        let options = strings::options(options_json);
        boundary::blocking(out_json, || {
            let text = query.as_ref().ok().copied();
            let client = handles::get(client.addr());
            let made = client.and_then(|client| {
                let make = |call: &mut Call<'_>| call.make(Some(query?), options?);
                client.call(Operation::WaitForPayment, make)
            });
            // Also if there is no client.
            made.map_err(|mut error| {
                if let Some(Ok(query)) = text.map(StatusQuery::from_json) {
                    error.set_status_query(&query);
                }
                error
            })
        })
    }
}

/// Asks for many statuses, several at the same time, and gives each result to a callback as it
/// arrives. Blocks until all queries are done; `timeoutMs` is for one query with its attempts. The
/// array of queries may be up to 64 MiB. The result of an invalid query is an error. If the service
/// answers 429 with Retry-After, all queries pause for that time, at most 600 seconds.
///
/// The callback or a cancellation can stop the call. Then no more queries are sent, the callback
/// still gets the result of each query in flight, and the call returns PAYORDER_OK with
/// "stopped":true. The threads that the call started end before it returns.
/// - If the callback returns 0, queries in flight end as usual, without further attempts.
/// - If the call is cancelled, queries in flight end within 100 ms, as PAYORDER_CANCELLED or
///   PAYORDER_CANCELLED_IN_FLIGHT.
///
/// @param[in] client a live client; not NULL
/// @param[in] queries_json an array of queries; not NULL
/// @param[in] options_json options, or NULL for none
/// @param[in] each the callback: called once per query, on this thread; not NULL
/// @param[in] user_data given to the callback, or NULL
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json {"asked":n, "ok":n, "rejected":n, "unknown":n,
///     "notSent":n, "stopped":false, "elapsedMs":n, "transactionStatus":{"Completed":n,...}};
///     "asked" counts the calls of the callback. "transactionStatus" counts up to 1000 different
///     texts of at most 64 bytes; longer ones count as "(other)". Otherwise the error object.
///
/// Ownership: free *out_json with payorder_string_free; user_data may be freed when the call has
///     returned.
/// Failures: the callback was not called.
/// - PAYORDER_INVALID_ARGUMENT: queries_json is not a JSON array, an option is invalid, or an
///   argument is NULL.
/// - PAYORDER_INTERNAL: the system could not start a thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_get_statuses(
    client: *mut payorder_client,
    queries_json: *const c_char,
    options_json: *const c_char,
    each: payorder_status_fn,
    user_data: *mut c_void,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let queries = strings::text(queries_json, "queries_json");
        let options = strings::options(options_json);
        boundary::call(client.addr(), Operation::GetStatuses, out_json, |call| {
            call.get_statuses_json(queries?, options?, &mut taking(each, user_data)?)
        })
    }
}

/// Gives the next query of payorder_stream_statuses.
///
/// @param[in] user_data what payorder_stream_statuses was given, or NULL
/// @return the query, as in payorder_get_status; or NULL if there are no more.
///
/// Ownership: the text stays yours; it is borrowed until the callback runs again or the call returns.
/// Threads: on the thread that called payorder_stream_statuses, with no lock held. It may call every
///     function and must return normally.
#[allow(non_camel_case_types)]
pub type payorder_query_fn = Option<unsafe extern "C" fn(user_data: *mut c_void) -> *const c_char>;

/// As payorder_get_statuses, with queries from a callback: there may be any number of them, and the
/// memory does not grow with it. The callback runs only as queries are needed, at most `concurrency`
/// ahead of the results that were given to `each`, and not again after it has returned NULL. A text
/// that is not a query has an error as its result.
///
/// @param[in] client a live client; not NULL
/// @param[in] next the callback for the queries: called on this thread; not NULL
/// @param[in] each the callback for the results: called once per query, on this thread; not NULL
/// @param[in] user_data given to both callbacks, or NULL
/// @param[in] options_json options, as in payorder_get_statuses, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json the counts, as in payorder_get_statuses. Otherwise the error
///     object.
///
/// Ownership: free *out_json with payorder_string_free; user_data may be freed when the call has
///     returned.
/// Failures: no result was given to `each`.
/// - PAYORDER_INVALID_ARGUMENT: an option is invalid, or an argument is NULL.
/// - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
/// - PAYORDER_INTERNAL: the system could not start a thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_stream_statuses(
    client: *mut payorder_client,
    next: payorder_query_fn,
    each: payorder_status_fn,
    user_data: *mut c_void,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise. The text of a query is read before the callback runs again.
    unsafe {
        let options = strings::options(options_json);
        boundary::call(client.addr(), Operation::GetStatuses, out_json, |call| {
            let next = boundary::callback(next, "next", "queries")?;
            let queries = std::iter::from_fn(|| {
                let query = strings::text_or_null(next(user_data), "the query").transpose()?;
                let read = |query| StatusQuery::from_json(query).map(StatusQuery::into_owned);
                Some(query.and_then(read))
            });
            let options = StatusesOptions::from_json(options?)?;
            let summary = call.get_statuses(queries, options, &mut taking(each, user_data)?)?;
            Ok(summary.to_json())
        })
    }
}

/// Gives each result to the caller's callback.
///
/// # Safety
/// `each` may be called with user_data as long as the export runs.
unsafe fn taking(
    each: payorder_status_fn,
    user_data: *mut c_void,
) -> Result<impl FnMut(usize, Result<Status, Error>) -> bool, Error> {
    let each = boundary::callback(each, "each", "results")?;
    Ok(move |index, result: Result<Status, Error>| {
        let (number, json) = answer(result.map(|status| status.json().to_owned()));
        let json = c_string(json);
        // SAFETY: the string lives until the callback returns; the rest is the caller's promise.
        unsafe { each(index, number, json.as_ptr(), user_data) != 0 }
    })
}
