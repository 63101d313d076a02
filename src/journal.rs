//! The journal of a client.

use std::ffi::c_char;

use payorder_core::Operation;

use super::about::payorder_result;
use super::boundary;
use super::client::payorder_client;

/// Lists the journal's entries, oldest first. With the option `events`, each has what happened to
/// it: when it was sent, how many bytes to whom, what came back, and what was learned later.
///
/// @param[in] client a live client with a journal; not NULL
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json {"entries":[...]} (see AN ENTRY OF THE JOURNAL). Otherwise
///     the error object.
///
/// Failures: nothing was changed.
/// - PAYORDER_INVALID_ARGUMENT: the client or this build of the library has no journal, an option
///   is invalid, or out_json is NULL.
/// - PAYORDER_JOURNAL_FAILED: the journal cannot be used; the message says why.
/// - PAYORDER_CANCELLED: cancelled while another process had the journal locked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_journal_list(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe { call(client, Operation::JournalList, options_json, out_json) }
}

/// Asks Get Status by orderId for every entry that is "sending" or "unknown" and for every
/// "created" one that is not "Completed", and records the statuses: an order that the service knows
/// becomes "created", without a URL. An order that the service does not know yet keeps its state,
/// since it may still be created. It asks only about entries of the client's own service, and counts
/// the unresolved ones of others in "otherServices". It verifies no payment: for the sales that are
/// not finished in your own records, give the status to payorder_verify_payment (see THE JOURNAL).
/// Blocks until all queries are done; `timeoutMs` is for one query with its attempts. If it is
/// cancelled, it returns PAYORDER_OK with "stopped":true in "summary".
///
/// @param[in] client a live client with a journal; not NULL
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json {"summary":{...},"otherServices":n,"entries":[...]}: the
///     summary is that of payorder_get_statuses, the entries are those of this service that are
///     still unresolved. If the service refused every query of two or more, "refusal" has its
///     words. Otherwise the error object.
///
/// Failures: the statuses received before the failure are recorded.
/// - PAYORDER_INVALID_ARGUMENT: the client or this build of the library has no journal, an option
///   is invalid, or out_json is NULL.
/// - PAYORDER_JOURNAL_FAILED: the journal cannot be used; the message says why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_journal_resolve(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe { call(client, Operation::JournalResolve, options_json, out_json) }
}

/// Closes an entry by hand: one that is "sending" or "unknown", or "created" and not "Completed".
/// It becomes "settled", the library no longer asks about it, and its identifiers stay used. This
/// does not cancel the order at the service: the customer can still pay. So first ask for the
/// status once more, at the end of the day.
///
/// @param[in] client a live client with a journal; not NULL
/// @param[in] options_json options with `entry`; not NULL
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json the entry: {"entry":7, "orderId", "merchantTxnId",
///     "amount", "currencyCode", "state", "url", "service", "result", "transactionId",
///     "transactionStatus", "startedAt", "deadline", "updatedAt", "note"} (see AN ENTRY OF THE
///     JOURNAL), without its events. Otherwise the error object.
///
/// Failures: nothing was changed. Only if PostgreSQL's answer did not come, the entry may be settled:
/// payorder_journal_list tells.
/// - PAYORDER_INVALID_ARGUMENT: the client or this build of the library has no journal, there is no
///   such entry, it is closed already or belongs to another service, an option is invalid, or
///   out_json is NULL.
/// - PAYORDER_INVALID_REQUEST: the entry is paid, so it cannot be settled as unpaid.
/// - PAYORDER_JOURNAL_FAILED: the journal cannot be used; the message says why.
/// - PAYORDER_CANCELLED: cancelled while another process had the journal locked, or before
///   PostgreSQL had answered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_journal_settle(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe { call(client, Operation::JournalSettle, options_json, out_json) }
}

/// Removes closed entries that are older than `olderThanDays`: "rejected", "not_sent", "settled",
/// and "created" ones that are "Completed", of the client's own service. Their identifiers are no
/// longer refused. If the clock is ahead, younger entries look old and are removed too. In PostgreSQL
/// it removes 1000 at a time: if it then fails or is cancelled, it returns PAYORDER_OK with how many it
/// has removed. A part whose answer was lost is not counted.
///
/// @param[in] client a live client with a journal; not NULL
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json {"removed":n}. Otherwise the error object.
///
/// Failures: nothing was removed.
/// - PAYORDER_INVALID_ARGUMENT: the client or this build of the library has no journal, an option
///   is invalid, or out_json is NULL.
/// - PAYORDER_JOURNAL_FAILED: the journal cannot be used, or entries lie in the future (the
///   action is check_clock).
/// - PAYORDER_CANCELLED: cancelled while another process had the journal locked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_journal_prune(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe { call(client, Operation::JournalPrune, options_json, out_json) }
}

/// # Safety
/// As [`boundary::call`]; the options are NULL or a NUL-terminated string.
unsafe fn call(
    client: *mut payorder_client,
    operation: Operation,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe { boundary::make(client.addr(), operation, Ok(None), options_json, out_json) }
}
