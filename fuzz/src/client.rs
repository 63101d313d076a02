//! Clients and the two calls, through the exports.

use std::ffi::CStr;
use std::ptr;

use payorder::ffi::{payorder_client, payorder_client_new, payorder_create_order, payorder_get_status};

use crate::reply::{Reply, c, call};

/// An order that breaks no rule. Its id is "O-1".
pub const ORDER: &str = r#"{"amount":"100.00","merchantTxnId":"T-1","orderId":"O-1","payMode":"all","merchantId":"M-1","productInfo":"Two coffees","customerName":"Asha Rao","customerMobile":"9000000000","customerEmail":"asha@example.com","redirectionURL":"https://shop.example/return","currencyCode":"INR"}"#;

/// The key as the pointer that the exports take.
pub fn handle(key: usize) -> *mut payorder_client {
    ptr::without_provenance_mut(key)
}

/// Makes a client; its key, or the reply that says why there is none.
pub fn new(config: &CStr) -> Result<usize, Reply> {
    let mut client = handle(usize::MAX);
    // SAFETY: every pointer is valid for the call.
    let reply = call(|out| unsafe { payorder_client_new(config.as_ptr(), &mut client, out) });
    if reply.result == 0 {
        assert!(!client.is_null() && reply.text.is_none(), "a client and no text on success: {reply:?}");
        Ok(client.addr())
    } else {
        assert!(client.is_null(), "no client on failure");
        Err(reply)
    }
}

/// Makes a client of a configuration that is good.
pub fn made(config: &str) -> usize {
    new(&c(config)).unwrap_or_else(|reply| panic!("no client: {reply:?}"))
}

/// Create Order.
pub fn create_order(key: usize, order: &CStr, options: Option<&CStr>) -> Reply {
    // SAFETY: every text is valid for the call; any number may be passed as the client.
    call(|out| unsafe { payorder_create_order(handle(key), order.as_ptr(), options.map_or(ptr::null(), CStr::as_ptr), out) })
}

/// Get Status.
pub fn get_status(key: usize, query: &CStr, options: Option<&CStr>) -> Reply {
    // SAFETY: every text is valid for the call; any number may be passed as the client.
    call(|out| unsafe { payorder_get_status(handle(key), query.as_ptr(), options.map_or(ptr::null(), CStr::as_ptr), out) })
}
