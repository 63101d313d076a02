//! The C ABI as a C program sees it, with a thin wrapper that copies each returned string and frees
//! it.

// For tests: `new` starts what a default should not, and the pointers come from the library.
#![allow(clippy::new_without_default, clippy::not_unsafe_ptr_arg_deref)]

mod client;
mod json;

pub use self::{client::*, json::*};
pub use payorder::{
    about::*, calls::*, cancellation::*, check::*, client::*, idle::*, journal::*, json::*,
    offline::*, payments::*, payorder_string_free, recover::*, start::*,
};

use serde_json::Value;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ops::Index;
use std::ptr;

/// The reply of one call: its result number, its text, and the text as JSON (`Null` if it is not
/// JSON).
#[derive(Debug, Clone)]
pub struct Reply {
    pub code: i32,
    pub text: Option<String>,
    pub json: Value,
}

/// What a result says about the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Done,
    NotSent,
    Rejected,
    Unknown,
}

impl Reply {
    pub fn outcome(&self) -> Outcome {
        match self.code {
            0 => Outcome::Done,
            1..100 => Outcome::NotSent,
            100..200 => Outcome::Rejected,
            _ => Outcome::Unknown,
        }
    }

    pub fn of(code: i32, text: Option<String>) -> Reply {
        let json = text
            .as_deref()
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or(Value::Null);
        Reply { code, text, json }
    }

    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    pub fn error(&self) -> &Value {
        &self.json["error"]
    }

    pub fn message(&self) -> &str {
        self.error()["message"].as_str().unwrap_or_default()
    }

    /// `field: rule` for each violation, in the order in which they were listed.
    pub fn violations(&self) -> Vec<String> {
        let listed = self.error()["violations"].as_array();
        listed
            .into_iter()
            .flatten()
            .map(|violation| {
                let text = |key: &str| violation[key].as_str().unwrap_or("?").to_owned();
                format!("{}: {}", text("field"), text("rule"))
            })
            .collect()
    }

    /// Checks the result.
    #[track_caller]
    pub fn is(&self, code: i32) -> &Reply {
        assert_eq!(self.code, code, "{}", self.text());
        self
    }

    /// Checks that the message has these words.
    #[track_caller]
    pub fn says(&self, words: impl AsRef<str>) {
        let said = self.message().contains(words.as_ref());
        assert!(said, "no {:?} in: {}", words.as_ref(), self.text());
    }

    /// The reply, having checked that the call was a success.
    #[track_caller]
    pub fn done(self) -> Reply {
        assert_eq!(self.code, 0, "{}", self.text());
        self
    }
}

impl Index<&str> for Reply {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        &self.json[key]
    }
}

/// # Safety
/// The string ends with NUL and lives during the call.
unsafe fn copied(string: *const c_char) -> String {
    // SAFETY: as above.
    let text = unsafe { CStr::from_ptr(string) }.to_str();
    text.expect("the library returns UTF-8").to_owned()
}

/// Copies a string that the library returned, and frees it.
pub fn take_string(string: *mut c_char) -> Option<String> {
    if string.is_null() {
        return None;
    }
    // SAFETY: the library returns NUL-terminated strings that live until they are freed.
    let text = unsafe { copied(string) };
    // SAFETY: it came from the library and is freed this once.
    unsafe { payorder_string_free(string) };
    Some(text)
}

/// Makes one call with an out pointer that starts with an invalid value, so that a call that does
/// not write it is detected.
#[track_caller]
pub fn call(act: impl FnOnce(*mut *mut c_char) -> i32) -> Reply {
    let unwritten = ptr::without_provenance_mut::<c_char>(usize::MAX);
    let mut out = unwritten;
    let code = act(&mut out);
    assert_ne!(
        out, unwritten,
        "*out_json was not written; the result was {code}"
    );
    Reply::of(code, take_string(out))
}

pub fn c(text: impl Into<Vec<u8>>) -> CString {
    CString::new(text).expect("a text without NUL")
}

/// A function for each export that takes perhaps a client's key, then texts (NULL for `None`), and
/// returns a text.
macro_rules! exports {
    ($(fn $name:ident $([$key:ident])? ($($text:ident: $type:ty),*) = $export:ident;)*) => {$(
        pub fn $name($($key: usize,)? $($text: $type),*) -> Reply {
            $(let $text = Option::<&str>::from($text).map(c);)*
            // SAFETY: every pointer is valid for the call; any number may be passed as the client.
            call(|out| unsafe { $export($(handle($key),)? $(pointer(&$text),)* out) })
        }
    )*};
}

exports! {
    fn build_create_order(order: &str, with: Option<&str>) = payorder_build_create_order;
    fn build_get_status(query: &str) = payorder_build_get_status;
    fn parse_return_url(url: &str) = payorder_parse_return_url;
    fn verify_payment(expected: &str, status: &str) = payorder_verify_payment;
    fn create_order[key](order: &str, with: Option<&str>) = payorder_create_order;
    fn get_status[key](query: &str, with: Option<&str>) = payorder_get_status;
    fn wait_for_payment[key](query: &str, with: Option<&str>) = payorder_wait_for_payment;
    fn recover[key](sales: Option<&str>, with: Option<&str>) = payorder_recover;
    fn set_credentials[key](credentials: &str) = payorder_client_set_credentials;
    fn json_get(json: &str, at: &str) = payorder_json_get;
    fn json_set(json: Option<&str>, at: &str, value: &str) = payorder_json_set;
    fn json_quote(text: &str) = payorder_json_quote;
}

fn pointer(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

pub fn version() -> String {
    // SAFETY: a static string.
    unsafe { copied(payorder_version()) }
}

pub fn result_name(result: i32) -> String {
    // SAFETY: a static string.
    unsafe { copied(payorder_result_name(result)) }
}

pub fn cancel_token(text: &str) -> i32 {
    let text = c(text);
    // SAFETY: the text is valid for the call.
    unsafe { payorder_cancellation_cancel(text.as_ptr()) }
}

pub fn free_token(text: &str) -> i32 {
    let text = c(text);
    // SAFETY: the text is valid for the call.
    unsafe { payorder_cancellation_free(text.as_ptr()) }
}

fn handle(key: usize) -> *mut payorder_client {
    ptr::without_provenance_mut(key)
}

/// The callbacks of many statuses.
struct Callbacks<N, E> {
    next: N,
    each: E,
    /// The query that the library reads.
    lent: CString,
}

/// A panic must not cross the C boundary: it aborts the test.
unsafe extern "C" fn next_query<N: FnMut() -> Option<Vec<u8>>, E>(
    callbacks: *mut c_void,
) -> *const c_char {
    // SAFETY: the value of the call below, and no other callback runs at the same time.
    let callbacks = unsafe { &mut *callbacks.cast::<Callbacks<N, E>>() };
    let Some(query) = (callbacks.next)() else {
        return ptr::null();
    };
    // The query before is no longer borrowed.
    callbacks.lent = c(query);
    callbacks.lent.as_ptr()
}

/// As above.
unsafe extern "C" fn each_result<N, E: FnMut(usize, Reply) -> bool>(
    index: usize,
    result: i32,
    json: *const c_char,
    callbacks: *mut c_void,
) -> i32 {
    // SAFETY: as above; `json` is a string for the time of the call.
    let (callbacks, json) = unsafe { (&mut *callbacks.cast::<Callbacks<N, E>>(), copied(json)) };
    i32::from((callbacks.each)(index, Reply::of(result, Some(json))))
}

pub fn get_statuses<E: FnMut(usize, Reply) -> bool>(
    key: usize,
    queries: &str,
    with: Option<&str>,
    each: E,
) -> Reply {
    let (queries, with, lent) = (c(queries), with.map(c), CString::default());
    let next = ();
    let mut callbacks = Callbacks { next, each, lent };
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe {
        payorder_get_statuses(
            handle(key),
            queries.as_ptr(),
            pointer(&with),
            Some(each_result::<(), E>),
            ptr::from_mut(&mut callbacks).cast(),
            out,
        )
    })
}

/// `next` returns the next query, and `each` takes results as in [`get_statuses`].
pub fn stream_statuses<N, E>(key: usize, next: N, each: E, with: Option<&str>) -> Reply
where
    N: FnMut() -> Option<Vec<u8>>,
    E: FnMut(usize, Reply) -> bool,
{
    let (with, lent) = (with.map(c), CString::default());
    let mut callbacks = Callbacks { next, each, lent };
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe {
        payorder_stream_statuses(
            handle(key),
            Some(next_query::<N, E>),
            Some(each_result::<N, E>),
            ptr::from_mut(&mut callbacks).cast(),
            pointer(&with),
            out,
        )
    })
}

pub type JournalFunction = unsafe extern "C" fn(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> i32;

pub fn journal_call(function: JournalFunction, key: usize, with: Option<&str>) -> Reply {
    let with = with.map(c);
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe { function(handle(key), pointer(&with), out) })
}

pub fn free(key: usize) -> i32 {
    payorder_client_free(handle(key))
}

pub fn cancel(key: usize) -> i32 {
    payorder_client_cancel(handle(key))
}

pub fn stop(key: usize) -> i32 {
    payorder_client_stop(handle(key))
}

/// Begins a call. `done` runs once with its reply, on another thread.
pub fn start<F: FnOnce(Reply) + Send + 'static>(
    key: usize,
    operation: &str,
    request: Option<&str>,
    with: Option<&str>,
    done: F,
) -> Reply {
    /// A panic must not cross the C boundary: it aborts the test.
    unsafe extern "C" fn take<F: FnOnce(Reply)>(
        result: i32,
        json: *const c_char,
        done: *mut c_void,
    ) {
        // SAFETY: it is the closure below, which the library returns once; `json` is a string
        // for the time of the call.
        let (done, json) = unsafe { (Box::from_raw(done.cast::<F>()), copied(json)) };
        done(Reply::of(result, Some(json)));
    }
    let (operation, request, with) = (c(operation), request.map(c), with.map(c));
    let done = Box::into_raw(Box::new(done));
    // SAFETY: every pointer is valid for the call, and the closure until it was run; any number may
    // be passed as the client.
    let reply = call(|out| unsafe {
        payorder_start(
            handle(key),
            operation.as_ptr(),
            pointer(&request),
            pointer(&with),
            Some(take::<F>),
            done.cast(),
            out,
        )
    });
    if reply.code != 0 {
        // SAFETY: it never runs now.
        drop(unsafe { Box::from_raw(done) });
    }
    reply
}

/// Begins a call whose answer [`take`] takes, with this number.
pub fn start_taken(
    key: usize,
    operation: &str,
    request: Option<&str>,
    with: Option<&str>,
    number: usize,
) -> Reply {
    let (operation, request, with) = (c(operation), request.map(c), with.map(c));
    // SAFETY: every pointer is valid for the call; any number may be passed as the client and the
    // user data.
    call(|out| unsafe {
        payorder_start(
            handle(key),
            operation.as_ptr(),
            pointer(&request),
            pointer(&with),
            None,
            ptr::with_exposed_provenance_mut(number),
            out,
        )
    })
}

/// Takes an answer and its number, if one comes in that time.
pub fn take(key: usize, wait_ms: u32) -> Option<(usize, Reply)> {
    let (mut taken, mut result) = (-1, -1);
    let mut user_data = ptr::without_provenance_mut(usize::MAX);
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    let reply = call(|out| unsafe {
        payorder_take_done(
            handle(key),
            wait_ms,
            &mut taken,
            &mut result,
            out,
            &mut user_data,
        )
    });
    assert_eq!(reply.code, 0, "{:?}", reply.text);
    match taken {
        1 => Some((user_data.addr(), Reply::of(result, reply.text))),
        _ => {
            assert_eq!((taken, result, user_data.addr()), (0, 0, 0));
            assert_eq!(reply.text, None);
            None
        }
    }
}

/// Runs `work`, with `idle` as this thread's idle callback. It returns whether to cancel.
pub fn with_idle<F: FnMut() -> bool, T>(mut idle: F, work: impl FnOnce() -> T) -> T {
    /// A panic must not cross the C boundary: it aborts the test.
    unsafe extern "C" fn run<F: FnMut() -> bool>(idle: *mut c_void) -> i32 {
        // SAFETY: the closure below, which lives until it is no longer set. It never runs inside
        // itself.
        i32::from(unsafe { (*idle.cast::<F>())() })
    }
    // SAFETY: the closure outlives the work, after which it is no longer set.
    unsafe { payorder_set_idle(Some(run::<F>), ptr::from_mut(&mut idle).cast()) };
    let done = work();
    // SAFETY: as above.
    unsafe { payorder_set_idle(None, ptr::null_mut()) };
    done
}

/// # Safety
/// `log` and `user_data` must outlive the calls that begin while they are set.
pub unsafe fn set_log(key: usize, log: payorder_log_fn, user_data: *mut c_void) -> i32 {
    // SAFETY: any number may be passed as the client; the caller guarantees the rest.
    unsafe { payorder_client_set_log(handle(key), log, user_data) }
}
