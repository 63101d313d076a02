//! The journal of a client that has one.

use std::ffi::c_char;

use super::about::payorder_result;
use super::client::payorder_client;
use super::{boundary, strings};
use crate::client::Client;

/// Lists the journal's entries, oldest first. options_json may be NULL: state ("sending",
/// "created", "rejected", "not_sent", "unknown", or "unresolved" for the first and the last of
/// these; all), limit (1 to 10000, 1000), after (an entry's number, to page on).
///
/// On PAYORDER_OK *out_json is {"entries": [{"entry": 7, "orderId": …, "merchantTxnId": …,
/// "amount": …, "currencyCode": …, "state": …, "url": …, "result": …, "transactionId": …,
/// "transactionStatus": …, "updatedAt": "2026-11-21T14:05:06.789Z"}]}, with null for what is not
/// known; otherwise the error object. Either is to be freed by payorder_string_free. From any
/// thread.
///
/// PAYORDER_INVALID_ARGUMENT: the client, or this build of the library, has no journal, or an
/// option is broken. PAYORDER_JOURNAL_FAILED: the journal cannot be read; the message says why.
///
/// # Safety
/// options_json is NULL or a NUL-terminated string; out_json is NULL or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_journal_list(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = |client: &Client| {
        // SAFETY: the caller's promise.
        client.journal_list_json(|| unsafe { strings::optional_text(options_json, "options_json") })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::call(client, out_json, work) }
}

/// Asks Get Status by orderId for every entry that is "sending" or "unknown", and for every
/// "created" one that is not "Completed", and writes down what it learns: an order that the service
/// knows becomes "created", without a URL. That the service does not know an order is no proof that
/// it never will: such an entry stays as it is. options_json may be NULL: those of
/// payorder_get_statuses.
///
/// On PAYORDER_OK *out_json is {"summary": {as of payorder_get_statuses}, "entries": [those still
/// unresolved]}; otherwise the error object. Either is to be freed by payorder_string_free. From
/// any thread; payorder_client_cancel ends it early.
///
/// PAYORDER_INVALID_ARGUMENT, PAYORDER_JOURNAL_FAILED: as payorder_journal_list.
///
/// # Safety
/// options_json is NULL or a NUL-terminated string; out_json is NULL or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_journal_resolve(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = |client: &Client| {
        // SAFETY: the caller's promise.
        client.journal_resolve_json(|| unsafe {
            strings::optional_text(options_json, "options_json")
        })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::call(client, out_json, work) }
}

/// Removes settled entries, "rejected", "not_sent", and "created" whose payment is "Completed",
/// that were last written more than olderThanDays ago. options_json may be NULL: olderThanDays (1
/// to 3650, 90).
///
/// On PAYORDER_OK *out_json is {"removed": n}; otherwise the error object. Either is to be freed by
/// payorder_string_free. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT, PAYORDER_JOURNAL_FAILED: as payorder_journal_list.
///
/// # Safety
/// options_json is NULL or a NUL-terminated string; out_json is NULL or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_journal_prune(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = |client: &Client| {
        // SAFETY: the caller's promise.
        client
            .journal_prune_json(|| unsafe { strings::optional_text(options_json, "options_json") })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::call(client, out_json, work) }
}
