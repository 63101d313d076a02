//! Clients and the two calls, through the exports.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use payorder::{
    payorder_cancellation_cancel, payorder_cancellation_free, payorder_cancellation_new,
    payorder_client, payorder_client_new, payorder_create_order, payorder_get_status,
    payorder_get_statuses, payorder_wait_for_payment,
};

use crate::reply::{Reply, c, call};

/// A valid order. Its id is "O-1".
pub const ORDER: &str = r#"{"amount":"100.00","merchantTxnId":"T-1","orderId":"O-1",
    "payMode":"all","merchantId":"M-1","productInfo":"Two coffees","customerName":"Asha Rao",
    "customerMobile":"9000000000","customerEmail":"asha@example.com",
    "redirectionURL":"https://shop.example/return","currencyCode":"INR"}"#;

/// The key as a pointer, as the exports need it.
pub fn handle(key: usize) -> *mut payorder_client {
    ptr::without_provenance_mut(key)
}

/// Creates a client. Returns its key, or the error.
pub fn new(config: &CStr) -> Result<usize, Reply> {
    let mut client = handle(usize::MAX);
    // SAFETY: every pointer is valid for the call.
    let reply = call(|out| unsafe { payorder_client_new(config.as_ptr(), &mut client, out) });
    if reply.result == 0 {
        assert!(
            !client.is_null() && reply.text.is_none(),
            "a client and no text on success: {reply:?}"
        );
        Ok(client.addr())
    } else {
        assert!(client.is_null(), "no client on failure");
        Err(reply)
    }
}

/// Creates a client from a valid configuration.
pub fn made(config: &str) -> usize {
    new(&c(config)).unwrap_or_else(|reply| panic!("no client: {reply:?}"))
}

/// A new cancellation token.
pub fn new_token() -> CString {
    // SAFETY: the out pointer is valid for the call.
    let reply = call(|out| unsafe { payorder_cancellation_new(out) });
    assert_eq!(reply.result, 0, "no token: {reply:?}");
    c(reply.text())
}

/// Cancels a token.
pub fn cancel_token(token: &CStr) -> i32 {
    // SAFETY: the text is valid for the call.
    unsafe { payorder_cancellation_cancel(token.as_ptr()) }
}

/// Frees a token.
pub fn free_token(token: &CStr) -> i32 {
    // SAFETY: the text is valid for the call.
    unsafe { payorder_cancellation_free(token.as_ptr()) }
}

/// Create Order.
pub fn create_order(key: usize, order: &CStr, options: Option<&CStr>) -> Reply {
    // SAFETY: every text is valid for the call; any number may be passed as the client.
    call(|out| unsafe {
        payorder_create_order(
            handle(key),
            order.as_ptr(),
            options.map_or(ptr::null(), CStr::as_ptr),
            out,
        )
    })
}

/// Get Status.
pub fn get_status(key: usize, query: &CStr, options: Option<&CStr>) -> Reply {
    // SAFETY: every text is valid for the call; any number may be passed as the client.
    call(|out| unsafe {
        payorder_get_status(
            handle(key),
            query.as_ptr(),
            options.map_or(ptr::null(), CStr::as_ptr),
            out,
        )
    })
}

/// Waits for a payment.
pub fn wait_for_payment(key: usize, query: &CStr, options: Option<&CStr>) -> Reply {
    // SAFETY: every text is valid for the call; any number may be passed as the client.
    call(|out| unsafe {
        payorder_wait_for_payment(
            handle(key),
            query.as_ptr(),
            options.map_or(ptr::null(), CStr::as_ptr),
            out,
        )
    })
}

/// Gets the index, the result and the text of each query; returns whether to continue.
pub type Each<'a> = dyn FnMut(usize, i32, &str) -> bool + 'a;

/// Many statuses.
pub fn get_statuses(
    key: usize,
    queries: &CStr,
    options: Option<&CStr>,
    each: &mut Each<'_>,
) -> Reply {
    let mut each = each;
    let each: *mut &mut Each<'_> = &mut each;
    let options = options.map_or(ptr::null(), CStr::as_ptr);
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe {
        payorder_get_statuses(
            handle(key),
            queries.as_ptr(),
            options,
            Some(take),
            each.cast(),
            out,
        )
    })
}

/// The library catches panics in a call, so a failed check here must abort the process.
unsafe extern "C" fn take(
    index: usize,
    result: i32,
    json: *const c_char,
    each: *mut c_void,
) -> i32 {
    // SAFETY: user_data is what `get_statuses` passed, and lives as long as it runs; the text is
    // NUL-terminated and lives for the callback.
    let (each, json) = unsafe { (&mut **each.cast::<&mut Each<'_>>(), CStr::from_ptr(json)) };
    each(
        index,
        result,
        json.to_str().expect("what is handed over is UTF-8"),
    )
    .into()
}
