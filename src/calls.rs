//! The two calls.

use std::ffi::c_char;

use payorder_core::Operation;

use super::about::payorder_result;
use super::client::payorder_client;
use super::{boundary, strings};

/// Creates an order at the service.
///
/// After an unknown outcome the order may exist: do what "action" says before anything else, which
/// is mostly to give "statusQuery" to payorder_get_status. Blocks for at most `timeoutMs`. It sends an order
/// again by itself only if no byte of it was sent.
///
/// @param[in] client a live client; not NULL
/// @param[in] order_json the order (see AN ORDER); not NULL
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json
///     {"responseCode":"200","responseMessage":...,"data":{"url":...}}: send the customer to the
///     URL. Otherwise the error object.
///
/// Failures: every result; the range of the number says whether the order may exist.
/// - PAYORDER_INVALID_REQUEST: the order breaks rules; "violations" lists all of them.
/// - PAYORDER_DUPLICATE: the journal has this order already; this call sent nothing. See AN ORDER
///   THAT EXISTS ALREADY.
/// - PAYORDER_JOURNAL_FAILED: the journal cannot be used, so nothing was sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_create_order(
    client: *mut payorder_client,
    order_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let order = strings::text(order_json, "order_json").map(Some);
        boundary::make(
            client.addr(),
            Operation::CreateOrder,
            order,
            options_json,
            out_json,
        )
    }
}

/// Asks for the status of an order: {"searchType":"1","orderId":...} or
/// {"searchType":"2","transactionId":...}. searchType may be left out if exactly one identifier is
/// given. Blocks for at most `timeoutMs`.
///
/// @param[in] client a live client; not NULL
/// @param[in] query_json the query; not NULL
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, and in *out_json the status (see A STATUS): "responseCode",
///     "responseMessage", "data" and "derived". It says that there is a status, not that it is
///     "Completed". Otherwise the error object.
///
/// Failures: every result. It is always safe to ask again.
/// - PAYORDER_INVALID_REQUEST: the query breaks rules; "violations" lists all of them.
/// - PAYORDER_REJECTED: the service gave no status. This does not prove that there is no order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_get_status(
    client: *mut payorder_client,
    query_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let query = strings::text(query_json, "query_json").map(Some);
        boundary::make(
            client.addr(),
            Operation::GetStatus,
            query,
            options_json,
            out_json,
        )
    }
}
