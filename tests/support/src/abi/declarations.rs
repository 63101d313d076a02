//! The functions and types of the C ABI, declared by hand as documented.

// Links the library.
use payorder as _;
use std::ffi::{c_char, c_void};

#[repr(C)]
pub struct payorder_client {
    _opaque: [u8; 0],
}

pub type LogFn = unsafe extern "C" fn(event_json: *const c_char, user_data: *mut c_void);

pub type StatusFn = unsafe extern "C" fn(
    index: usize,
    result: i32,
    json: *const c_char,
    user_data: *mut c_void,
) -> i32;

pub type IdleFn = unsafe extern "C" fn(user_data: *mut c_void) -> i32;

pub type DoneFn = unsafe extern "C" fn(result: i32, json: *const c_char, user_data: *mut c_void);

pub type QueryFn = unsafe extern "C" fn(user_data: *mut c_void) -> *const c_char;

pub type ItemFn = unsafe extern "C" fn(
    index: usize,
    key: *const c_char,
    value: *const c_char,
    user_data: *mut c_void,
) -> i32;

unsafe extern "C" {
    pub fn payorder_version() -> *const c_char;
    pub fn payorder_abi_version() -> u32;
    pub fn payorder_result_name(result: i32) -> *const c_char;
    pub fn payorder_result_outcome(result: i32) -> i32;
    pub fn payorder_live_clients() -> usize;
    pub fn payorder_live_strings() -> usize;
    pub fn payorder_live_calls() -> usize;

    pub fn payorder_client_new(
        config_json: *const c_char,
        out_client: *mut *mut payorder_client,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_client_from_env(
        config_json: *const c_char,
        out_client: *mut *mut payorder_client,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_client_free(client: *mut payorder_client) -> i32;
    pub fn payorder_client_cancel(client: *mut payorder_client) -> i32;
    pub fn payorder_client_stop(client: *mut payorder_client) -> i32;
    pub fn payorder_client_set_credentials(
        client: *mut payorder_client,
        credentials_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_client_set_log(
        client: *mut payorder_client,
        log: Option<LogFn>,
        user_data: *mut c_void,
    ) -> i32;

    pub fn payorder_cancellation_new(out_token: *mut *mut c_char) -> i32;
    pub fn payorder_cancellation_cancel(token: *const c_char) -> i32;
    pub fn payorder_cancellation_free(token: *const c_char) -> i32;

    pub fn payorder_set_idle(idle: Option<IdleFn>, user_data: *mut c_void) -> i32;

    pub fn payorder_start(
        client: *mut payorder_client,
        operation: *const c_char,
        request_json: *const c_char,
        options_json: *const c_char,
        done: Option<DoneFn>,
        user_data: *mut c_void,
        out_json: *mut *mut c_char,
    ) -> i32;

    pub fn payorder_stream_statuses(
        client: *mut payorder_client,
        next: Option<QueryFn>,
        each: Option<StatusFn>,
        user_data: *mut c_void,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;

    pub fn payorder_create_order(
        client: *mut payorder_client,
        order_json: *const c_char,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_get_status(
        client: *mut payorder_client,
        query_json: *const c_char,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;

    pub fn payorder_wait_for_payment(
        client: *mut payorder_client,
        query_json: *const c_char,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_get_statuses(
        client: *mut payorder_client,
        queries_json: *const c_char,
        options_json: *const c_char,
        each: Option<StatusFn>,
        user_data: *mut c_void,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_journal_list(
        client: *mut payorder_client,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_journal_resolve(
        client: *mut payorder_client,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_recover(
        client: *mut payorder_client,
        sales_json: *const c_char,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_journal_settle(
        client: *mut payorder_client,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_journal_prune(
        client: *mut payorder_client,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;

    pub fn payorder_build_create_order(
        order_json: *const c_char,
        options_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_build_get_status(query_json: *const c_char, out_json: *mut *mut c_char) -> i32;
    pub fn payorder_parse_return_url(url: *const c_char, out_json: *mut *mut c_char) -> i32;
    pub fn payorder_verify_payment(
        expected_json: *const c_char,
        status_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;

    pub fn payorder_json_object(pairs: *const *const c_char, out_json: *mut *mut c_char) -> i32;
    pub fn payorder_json_set(
        json: *const c_char,
        pointer: *const c_char,
        value_json: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    pub fn payorder_json_quote(text: *const c_char, out_json: *mut *mut c_char) -> i32;
    pub fn payorder_json_copy(
        json: *const c_char,
        pointer: *const c_char,
        buffer: *mut c_char,
        size: usize,
        out_length: *mut usize,
    ) -> i32;
    pub fn payorder_json_count(
        json: *const c_char,
        pointer: *const c_char,
        out_count: *mut usize,
    ) -> i32;
    pub fn payorder_json_each(
        json: *const c_char,
        pointer: *const c_char,
        each: Option<ItemFn>,
        user_data: *mut c_void,
    ) -> i32;
    pub fn payorder_json_get(
        json: *const c_char,
        pointer: *const c_char,
        out_value: *mut *mut c_char,
    ) -> i32;

    pub fn payorder_string_free(string: *mut c_char);
}
