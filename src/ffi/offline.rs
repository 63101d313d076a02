//! The same work without the network.

use std::ffi::c_char;

use super::about::payorder_result;
use super::{boundary, strings};
use crate::error::{Cause, Code, Error};
use crate::gateway::order::Order;
use crate::gateway::return_url::parse_return_url_json;
use crate::gateway::status::StatusQuery;
use crate::gateway::verify::{Expected, verify_payment};
use crate::settings::options::BodyOptions;

/// Checks an order and builds the body that payorder_create_order would send. options_json may be
/// NULL: returnUrlField, extraFields.
///
/// out_json may be NULL. On PAYORDER_OK *out_json is the body, otherwise the error object; either
/// is to be freed by payorder_string_free. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: a text is NULL, no JSON object, or has a key twice; an option is
/// unknown or broken. PAYORDER_INVALID_REQUEST: the order breaks rules of the interface;
/// "violations" lists every one.
///
/// # Safety
/// order_json and options_json are NULL or NUL-terminated strings; out_json is NULL or a place for
/// a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_build_create_order(
    order_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = || {
        // SAFETY: the caller's promise.
        let (order, options) = unsafe {
            (
                strings::text(order_json, "order_json")?,
                strings::optional_text(options_json, "options_json")?,
            )
        };
        let options = BodyOptions::from_json(options)?;
        Ok(Order::from_json(order)?.wire_body(&options.return_url_field, &options.extra_fields))
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::text(out_json, work) }
}

/// Checks a status query and builds the body that payorder_get_status would send.
///
/// out_json may be NULL. On PAYORDER_OK *out_json is the body, otherwise the error object; either
/// is to be freed by payorder_string_free. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: query_json is NULL, no JSON object, or has a key twice.
/// PAYORDER_INVALID_REQUEST: the query breaks rules of the interface; "violations" lists every one.
///
/// # Safety
/// query_json is NULL or a NUL-terminated string; out_json is NULL or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_build_get_status(
    query_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = || {
        // SAFETY: the caller's promise.
        let query = unsafe { strings::text(query_json, "query_json") }?;
        StatusQuery::from_json(query).map(|query| query.wire_body())
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::text(out_json, work) }
}

/// Reads the transaction from the URL that the customer came back on: absolute, or /path?query, or
/// ?query. The URL proves nothing; it only names what to ask.
///
/// out_json may be NULL. On PAYORDER_OK *out_json is {"transactionId":…,"statusQuery":{…}}, the
/// query being ready for payorder_get_status; otherwise the error object. Either is to be freed by
/// payorder_string_free. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: url is NULL, not UTF-8, or over 256 KiB.
/// PAYORDER_INVALID_REQUEST: there is not exactly one txn on it that is not empty, or it is no
/// clean text.
///
/// # Safety
/// url is NULL or a NUL-terminated string; out_json is NULL or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_parse_return_url(
    url: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = || {
        // SAFETY: the caller's promise.
        let url = unsafe { strings::text(url, "url") }?;
        parse_return_url_json(url)
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::text(out_json, work) }
}

/// Holds a status, a result of payorder_get_status or the service's own answer, against what was
/// expected: {"orderId","amount"}, optionally "transactionId".
///
/// out_json may be NULL, but then the verdict is lost. On PAYORDER_OK *out_json is
/// {"paid":…,"reasons":[…],"unverifiable":[…]}: PAYORDER_OK says that the check was made,
/// "paid" what it found. Otherwise *out_json is the error object. Either is to be freed by
/// payorder_string_free. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: a text is NULL, no JSON object, or has a key twice; expected_json is
/// over 256 KiB, status_json over 16 MiB. PAYORDER_INVALID_REQUEST: what is expected breaks rules;
/// "violations" lists every one.
///
/// # Safety
/// expected_json and status_json are NULL or NUL-terminated strings; out_json is NULL or a place
/// for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_verify_payment(
    expected_json: *const c_char,
    status_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = || {
        // SAFETY: the caller's promise.
        let (expected, status) = unsafe {
            (
                strings::text(expected_json, "expected_json")?,
                strings::text(status_json, "status_json")?,
            )
        };
        let verdict = verify_payment(&Expected::from_json(expected)?, status)?;
        serde_json::to_string(&verdict).map_err(|_| {
            Error::new(
                Code::Internal,
                Cause::Bug,
                "the verdict could not be written",
            )
        })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::text(out_json, work) }
}
