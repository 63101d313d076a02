//! Safe wrappers of functions in `include/payorder.h`, called as any language calls them. No Rust
//! item of the library is used.

use std::ffi::{CStr, CString, c_char};
use std::marker::{PhantomData, PhantomPinned};
use std::ptr;

use payorder as _;

/// `payorder_client`
#[repr(C)]
struct Opaque {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

unsafe extern "C" {
    fn payorder_version() -> *const c_char;
    safe fn payorder_abi_version() -> u32;
    safe fn payorder_result_name(result: i32) -> *const c_char;
    safe fn payorder_result_outcome(result: i32) -> i32;
    safe fn payorder_live_clients() -> usize;
    safe fn payorder_live_strings() -> usize;

    fn payorder_client_new(
        config: *const c_char,
        out_client: *mut *mut Opaque,
        out_json: *mut *mut c_char,
    ) -> i32;
    fn payorder_client_free(client: *mut Opaque) -> i32;

    fn payorder_create_order(
        client: *mut Opaque,
        order: *const c_char,
        options: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;
    fn payorder_get_status(
        client: *mut Opaque,
        query: *const c_char,
        options: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;

    fn payorder_parse_return_url(url: *const c_char, out_json: *mut *mut c_char) -> i32;
    fn payorder_verify_payment(
        expected: *const c_char,
        status: *const c_char,
        out_json: *mut *mut c_char,
    ) -> i32;

    fn payorder_json_object(pairs: *const *const c_char, out_json: *mut *mut c_char) -> i32;
    fn payorder_json_get(
        json: *const c_char,
        pointer: *const c_char,
        out_value: *mut *mut c_char,
    ) -> i32;

    fn payorder_string_free(string: *mut c_char);
}

/// `PAYORDER_OUTCOME_…`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    NotSent,
    Rejected,
    Unknown,
}

/// The result of a call, with its JSON text.
pub struct Reply {
    pub result: i32,
    pub json: String,
}

impl Reply {
    /// For example `PAYORDER_TIMEOUT`.
    pub fn name(&self) -> String {
        // Sound: the name is a static string.
        unsafe { text(payorder_result_name(self.result)) }
    }

    pub fn outcome(&self) -> Outcome {
        match payorder_result_outcome(self.result) {
            0 => Outcome::Done,
            1 => Outcome::NotSent,
            2 => Outcome::Rejected,
            _ => Outcome::Unknown,
        }
    }

    /// The value at a JSON pointer (RFC 6901); empty if there is none.
    pub fn get(&self, pointer: &str) -> String {
        let (json, pointer) = (c_string(&self.json), c_string(pointer));
        let value = taken(|out| unsafe { payorder_json_get(json.as_ptr(), pointer.as_ptr(), out) });
        if value.result == 0 {
            value.json
        } else {
            String::new()
        }
    }
}

pub struct Client(*mut Opaque);

impl Client {
    pub fn new(config: &str) -> Result<Self, Reply> {
        let config = c_string(config);
        let mut client = ptr::null_mut();
        let reply = taken(|out| unsafe { payorder_client_new(config.as_ptr(), &mut client, out) });
        if reply.result == 0 {
            Ok(Self(client))
        } else {
            Err(reply)
        }
    }

    pub fn create_order(&self, order: &str, options: &str) -> Reply {
        let (order, options) = (c_string(order), c_string(options));
        taken(|out| unsafe { payorder_create_order(self.0, order.as_ptr(), options.as_ptr(), out) })
    }

    pub fn get_status(&self, query: &str) -> Reply {
        let query = c_string(query);
        taken(|out| unsafe { payorder_get_status(self.0, query.as_ptr(), ptr::null(), out) })
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        unsafe { payorder_client_free(self.0) };
    }
}

pub fn version() -> String {
    // Sound: the version is a static string.
    unsafe { text(payorder_version()) }
}

pub fn abi_version() -> u32 {
    payorder_abi_version()
}

pub fn live_clients() -> usize {
    payorder_live_clients()
}

pub fn live_strings() -> usize {
    payorder_live_strings()
}

pub fn parse_return_url(url: &str) -> Reply {
    let url = c_string(url);
    taken(|out| unsafe { payorder_parse_return_url(url.as_ptr(), out) })
}

pub fn verify_payment(expected: &str, status: &str) -> Reply {
    let (expected, status) = (c_string(expected), c_string(status));
    taken(|out| unsafe { payorder_verify_payment(expected.as_ptr(), status.as_ptr(), out) })
}

/// A JSON object of texts.
pub fn json_object(pairs: &[(&str, &str)]) -> String {
    let texts: Vec<CString> = pairs
        .iter()
        .flat_map(|(key, value)| [c_string(key), c_string(value)])
        .collect();
    let mut pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    pointers.push(ptr::null());
    taken(|out| unsafe { payorder_json_object(pointers.as_ptr(), out) }).json
}

/// Makes a call, copies the returned string, and frees it. Sound for every function of the header:
/// inputs live as long as the call, and each string is freed once.
fn taken(call: impl FnOnce(*mut *mut c_char) -> i32) -> Reply {
    let mut string = ptr::null_mut();
    let result = call(&mut string);
    if string.is_null() {
        return Reply {
            result,
            json: String::new(),
        };
    }
    let json = unsafe { text(string) };
    unsafe { payorder_string_free(string) };
    Reply { result, json }
}

/// Sound if `string` is NUL-terminated and lives during the call.
unsafe fn text(string: *const c_char) -> String {
    unsafe { CStr::from_ptr(string) }
        .to_string_lossy()
        .into_owned()
}

fn c_string(text: &str) -> CString {
    CString::new(text).expect("the quickstart's texts have no U+0000")
}
