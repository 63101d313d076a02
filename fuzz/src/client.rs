//! Clients and the two calls, through the exports.

use std::ffi::{CStr, c_char};
use std::ptr;

use payorder::{payorder_client, payorder_client_new};

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

/// An export that creates a client.
type Creates =
    unsafe extern "C" fn(*const c_char, *mut *mut payorder_client, *mut *mut c_char) -> i32;

/// Creates a client. Returns its key, or the error.
pub fn new(export: Creates, config: &CStr) -> Result<usize, Reply> {
    let mut client = handle(usize::MAX);
    // SAFETY: every pointer is valid for the call.
    let reply = call(|out| unsafe { export(config.as_ptr(), &mut client, out) });
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
    new(payorder_client_new, &c(config)).unwrap_or_else(|reply| panic!("no client: {reply:?}"))
}

/// An export that makes a call with a request and options.
pub type Export = unsafe extern "C" fn(
    *mut payorder_client,
    *const c_char,
    *const c_char,
    *mut *mut c_char,
) -> i32;

/// Create Order, Get Status, or a wait.
pub fn ask(export: Export, key: usize, request: &CStr, options: Option<&CStr>) -> Reply {
    let options = options.map_or(ptr::null(), CStr::as_ptr);
    // SAFETY: every text is valid for the call; any number may be passed as the client.
    call(|out| unsafe { export(handle(key), request.as_ptr(), options, out) })
}
