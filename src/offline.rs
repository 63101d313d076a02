//! The same work without the network.

use std::ffi::c_char;

use payorder_core::{
    BodyOptions, Expected, Order, StatusQuery, parse_return_url_json, verify_payment_json,
};

use super::about::payorder_result;
use super::{boundary, strings};

/// Checks an order and builds the body that payorder_create_order would send.
///
/// @param[in] order_json the order (see AN ORDER); not NULL
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_json the body. Otherwise the error object.
///
/// Failures: nothing is ever sent.
/// - PAYORDER_INVALID_ARGUMENT: order_json is NULL, not a JSON object or has a key twice; an option
///   is unknown or invalid.
/// - PAYORDER_INVALID_REQUEST: the order breaks rules; "violations" lists all of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_build_create_order(
    order_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let order = strings::text(order_json, "order_json");
        let options = strings::options(options_json);
        boundary::text(out_json, || {
            let (order, options) = (order?, options?);
            let options = BodyOptions::from_json(options.text)?;
            let order = Order::from_json(order)?;
            Ok(order.wire_body(&options.return_url_field, &options.extra_fields))
        })
    }
}

/// Checks a status query and builds the body that payorder_get_status would send.
///
/// @param[in] query_json the query, as in payorder_get_status; not NULL
/// @param[out] out_json the result, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_json the body. Otherwise the error object.
///
/// Failures: nothing is ever sent.
/// - PAYORDER_INVALID_ARGUMENT: query_json is NULL, not a JSON object or has a key twice.
/// - PAYORDER_INVALID_REQUEST: the query breaks rules; "violations" lists all of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_build_get_status(
    query_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let query = strings::text(query_json, "query_json");
        boundary::text(out_json, || Ok(StatusQuery::from_json(query?)?.wire_body()))
    }
}

/// Reads the transaction from the URL on which the customer came back: absolute, or /path?query, or
/// ?query. The URL does not prove a payment: it only names the transaction to ask about.
///
/// @param[in] url the URL; not NULL
/// @param[out] out_json the result, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_json {"transactionId":...,"statusQuery":{...}}: give the query
///     to payorder_get_status. Otherwise the error object.
///
/// Failures: nothing is ever sent.
/// - PAYORDER_INVALID_ARGUMENT: url is NULL, not UTF-8, or over 256 KiB.
/// - PAYORDER_INVALID_REQUEST: the URL has no txn, more than one, or one that is empty, not UTF-8
///   or has control characters. The message says where a txn is that does not count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_parse_return_url(
    url: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let url = strings::text(url, "url");
        boundary::text(out_json, || parse_return_url_json(url?))
    }
}

/// Compares a status with what was expected: {"orderId","amount"} and optionally "transactionId"
/// and "notBefore", when the sale began: a date and time with its zone, such as
/// 2026-11-21T14:05:06Z. PAYORDER_OK says that it compared them. The order is paid
/// only if payorder_json_get of "/paid" gives "true".
///
/// The checks: responseCode is 200, transactionStatus is "Completed", orderId and transactionId (if
/// expected) are equal, amount is equal as a decimal (100 and 100.00 are), refundStatus and
/// refundType are empty, and transactionDate is not more than 26 hours before "notBefore" (if
/// given). The service's dates have no time zone, therefore the 26 hours.
///
/// @param[in] expected_json what was expected; not NULL
/// @param[in] status_json a result of payorder_get_status, or the service's response; not NULL
/// @param[out] out_json the verdict, or NULL if you do not need it
/// @return PAYORDER_OK if it compared them, and in *out_json
///     {"paid":...,"reasons":[{"check","expected","actual"}],"unverifiable":[...]}: "reasons" has
///     the checks that failed. Otherwise the error object.
///
/// Failures: nothing was checked.
/// - PAYORDER_INVALID_ARGUMENT: a text is NULL or not a JSON object; expected_json has a key twice
///   or is over 256 KiB; status_json has a key of the interface twice, is the result of a wait or an
///   error object, or is over 16 MiB.
/// - PAYORDER_INVALID_REQUEST: what was expected breaks rules; "violations" lists all of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_verify_payment(
    expected_json: *const c_char,
    status_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let expected = strings::text(expected_json, "expected_json");
        let status = strings::text(status_json, "status_json");
        boundary::text(out_json, || {
            let (expected, status) = (expected?, status?);
            verify_payment_json(&Expected::from_json(expected)?, status)
        })
    }
}
