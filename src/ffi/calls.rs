//! The two calls.

use std::ffi::c_char;

use super::about::payorder_result;
use super::client::payorder_client;
use super::{boundary, strings};
use crate::client::Client;
use crate::error::Error;

/// Makes an order: the eleven fields in order_json, the return URL as "redirectionURL".
/// options_json may be NULL: accessToken, timeoutMs, extraFields, and with a journal resend.
///
/// On PAYORDER_OK *out_json is {"responseCode":"200","responseMessage":…,"data":{"url":…}}, the URL
/// being where the customer pays; otherwise the error object. Either is to be freed by
/// payorder_string_free. From any thread.
///
/// Not sent (1 to 99): mend what the message names and call again. Rejected (100 to 199): the
/// service refused; no order was made. Unknown (200 to 299): the order may exist; ask
/// payorder_get_status with the error's own "statusQuery" before anything else.
///
/// With a journal, PAYORDER_DUPLICATE says that it has this order already, as "previous": go by
/// that, and send it again with "resend": true only where it is "unknown" there.
/// PAYORDER_JOURNAL_FAILED: it could not be written down, and so was not sent.
///
/// # Safety
/// order_json and options_json are NULL or NUL-terminated strings; out_json is NULL or a place for
/// a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_create_order(
    client: *mut payorder_client,
    order_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = |client: &Client| {
        // SAFETY: the caller's promise.
        client.create_order_json(|| unsafe { texts(order_json, "order_json", options_json) })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::call(client, out_json, work) }
}

/// Asks for a status: {"searchType":"1","orderId":…} or {"searchType":"2","transactionId":…};
/// searchType may be left out where one identifier is given. options_json may be NULL: clientKey,
/// clientId, secretKey, timeoutMs.
///
/// On PAYORDER_OK *out_json is the answer with all 15 fields of "data" and with "derived";
/// otherwise the error object. Either is to be freed by payorder_string_free. From any thread.
///
/// Not sent (1 to 99): mend what the message names and call again. Rejected (100 to 199): the
/// service refused to tell. Unknown (200 to 299): ask again, which does no harm. PAYORDER_OK says
/// that there is an answer, not that it is "Completed".
///
/// # Safety
/// query_json and options_json are NULL or NUL-terminated strings; out_json is NULL or a place for
/// a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_get_status(
    client: *mut payorder_client,
    query_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = |client: &Client| {
        // SAFETY: the caller's promise.
        client.get_status_json(|| unsafe { texts(query_json, "query_json", options_json) })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::call(client, out_json, work) }
}

/// # Safety
/// Both are NULL or NUL-terminated strings that live as long as the export runs.
pub(super) unsafe fn texts<'a>(
    request: *const c_char,
    what: &str,
    options: *const c_char,
) -> Result<(&'a str, Option<&'a str>), Error> {
    // SAFETY: this function's own.
    unsafe {
        Ok((
            strings::text(request, what)?,
            strings::optional_text(options, "options_json")?,
        ))
    }
}
