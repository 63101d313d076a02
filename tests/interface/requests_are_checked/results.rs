//! Functions that send something need a place for their result, so that none is lost.

use std::ffi::{c_char, c_void};
use std::ptr;

use super::{INVALID_ARGUMENT, INVALID_REQUEST};
use support::abi::{self, Client, c};
use support::orders::{config, order, query};
use support::responses::created;
use support::service::Service;

unsafe extern "C" fn never(_: usize, _: i32, _: *const c_char, _: *mut c_void) -> i32 {
    panic!("nothing is sent")
}

#[test]
fn without_a_place_for_the_result_nothing_is_sent() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let key = ptr::without_provenance_mut(client.key());
    let (order, query, queries) = (c(order().to_string()), c(query().to_string()), c("[{}]"));
    let (order, query, queries) = (order.as_ptr(), query.as_ptr(), queries.as_ptr());
    let (none, nowhere, data) = (ptr::null(), ptr::null_mut(), ptr::null_mut());
    let mut text = ptr::null_mut();
    // SAFETY: every pointer is valid for the call, or NULL.
    let refused = unsafe {
        [
            abi::payorder_create_order(key, order, none, nowhere),
            abi::payorder_get_status(key, query, none, nowhere),
            abi::payorder_wait_for_payment(key, query, none, nowhere),
            abi::payorder_get_statuses(key, queries, none, Some(never), data, nowhere),
            abi::payorder_get_statuses(key, queries, none, None, data, &mut text),
        ]
    };
    assert_eq!(refused, [INVALID_ARGUMENT; 5]);
    // SAFETY: the text is the library's, and the other pointers are valid for the call, or NULL.
    let offline = unsafe {
        abi::payorder_string_free(text);
        [
            abi::payorder_build_create_order(order, none, nowhere),
            abi::payorder_build_get_status(c"{}".as_ptr(), nowhere),
            abi::payorder_parse_return_url(c"?txn=T".as_ptr(), nowhere),
        ]
    };
    assert_eq!(offline, [0, INVALID_REQUEST, 0]);
    assert_eq!(service.connections(), 0, "nothing was sent");
}
