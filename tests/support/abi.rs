//! The C ABI, declared by hand as documented, and a thin wrapper that copies each returned string
//! and frees it.

use payorder as _;
use serde_json::Value;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ops::Index;
use std::ptr;

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
    pub fn payorder_client_free(client: *mut payorder_client) -> i32;
    pub fn payorder_client_cancel(client: *mut payorder_client) -> i32;
    pub fn payorder_client_set_log(
        client: *mut payorder_client,
        log: Option<LogFn>,
        user_data: *mut c_void,
    ) -> i32;

    pub fn payorder_cancellation_new(out_token: *mut *mut c_char) -> i32;
    pub fn payorder_cancellation_cancel(token: *const c_char) -> i32;
    pub fn payorder_cancellation_free(token: *const c_char) -> i32;

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

/// The reply of one call: its result number, its text, and the text as JSON (`Null` if it is not
/// JSON).
#[derive(Debug, Clone)]
pub struct Reply {
    pub code: i32,
    pub text: Option<String>,
    pub json: Value,
}

impl Reply {
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

/// Copies a string that the library returned, and frees it.
pub fn take_string(string: *mut c_char) -> Option<String> {
    if string.is_null() {
        return None;
    }
    // SAFETY: the library returns NUL-terminated strings that live until they are freed.
    let text = unsafe { CStr::from_ptr(string) }
        .to_str()
        .expect("the library returns UTF-8")
        .to_owned();
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

fn options(options: Option<&str>) -> Option<CString> {
    options.map(c)
}

fn pointer(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

pub fn version() -> String {
    // SAFETY: a static string.
    unsafe { CStr::from_ptr(payorder_version()) }
        .to_str()
        .unwrap()
        .to_owned()
}

pub fn result_name(result: i32) -> String {
    // SAFETY: a static string.
    unsafe { CStr::from_ptr(payorder_result_name(result)) }
        .to_str()
        .unwrap()
        .to_owned()
}

pub fn build_create_order(order: &str, with: Option<&str>) -> Reply {
    let (order, with) = (c(order), options(with));
    // SAFETY: every pointer is valid for the call.
    call(|out| unsafe { payorder_build_create_order(order.as_ptr(), pointer(&with), out) })
}

pub fn build_get_status(query: &str) -> Reply {
    let query = c(query);
    // SAFETY: every pointer is valid for the call.
    call(|out| unsafe { payorder_build_get_status(query.as_ptr(), out) })
}

pub fn parse_return_url(url: &str) -> Reply {
    let url = c(url);
    // SAFETY: every pointer is valid for the call.
    call(|out| unsafe { payorder_parse_return_url(url.as_ptr(), out) })
}

pub fn verify_payment(expected: &str, status: &str) -> Reply {
    let (expected, status) = (c(expected), c(status));
    // SAFETY: every pointer is valid for the call.
    call(|out| unsafe { payorder_verify_payment(expected.as_ptr(), status.as_ptr(), out) })
}

pub fn json_get(json: &str, at: &str) -> Reply {
    let (json, at) = (c(json), c(at));
    // SAFETY: every pointer is valid for the call.
    call(|out| unsafe { payorder_json_get(json.as_ptr(), at.as_ptr(), out) })
}

pub fn json_object(texts: &[&str]) -> Reply {
    let texts: Vec<CString> = texts.iter().map(|text| c(*text)).collect();
    let mut pairs: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    pairs.push(ptr::null());
    // SAFETY: the array ends with NULL, and it and its strings are valid for the call.
    call(|out| unsafe { payorder_json_object(pairs.as_ptr(), out) })
}

pub fn json_set(json: Option<&str>, at: &str, value: &str) -> Reply {
    let (json, at, value) = (json.map(c), c(at), c(value));
    let json = json.as_ref().map_or(ptr::null(), |json| json.as_ptr());
    // SAFETY: every pointer is valid for the call, or NULL.
    call(|out| unsafe { payorder_json_set(json, at.as_ptr(), value.as_ptr(), out) })
}

pub fn json_quote(text: &str) -> Reply {
    let text = c(text);
    // SAFETY: every pointer is valid for the call.
    call(|out| unsafe { payorder_json_quote(text.as_ptr(), out) })
}

/// The result, the length that was written, and the buffer of `size` bytes.
pub fn json_copy(json: &str, at: &str, size: usize) -> (i32, usize, Vec<u8>) {
    let (json, at) = (c(json), c(at));
    // One more byte than the library is told, so that writing too far is detected.
    let mut buffer = vec![0x7f_u8; size + 1];
    let mut length = usize::MAX;
    let place = buffer.as_mut_ptr().cast();
    // SAFETY: every pointer is valid for the call.
    let result =
        unsafe { payorder_json_copy(json.as_ptr(), at.as_ptr(), place, size, &mut length) };
    assert_eq!(buffer.pop(), Some(0x7f), "it wrote beyond the buffer");
    (result, length, buffer)
}

/// The result, and the number that was written.
pub fn json_count(json: &str, at: &str) -> (i32, usize) {
    let (json, at) = (c(json), c(at));
    let mut count = usize::MAX;
    // SAFETY: every pointer is valid for the call.
    let result = unsafe { payorder_json_count(json.as_ptr(), at.as_ptr(), &mut count) };
    (result, count)
}

/// An item of payorder_json_each: its key and its value.
pub type Item = (Option<String>, Option<String>);

/// The result, and the items. The iteration stops after an item for which `wanted` returns false.
pub fn json_each(json: &str, at: &str, wanted: impl Fn(&Item) -> bool) -> (i32, Vec<Item>) {
    struct Items<'a> {
        items: Vec<Item>,
        wanted: &'a dyn Fn(&Item) -> bool,
    }
    unsafe extern "C" fn take(
        index: usize,
        key: *const c_char,
        value: *const c_char,
        user_data: *mut c_void,
    ) -> i32 {
        let text = |text: *const c_char| {
            // SAFETY: NULL, or a string that lives until the callback returns.
            (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
        };
        let owned = |text: &CStr| text.to_str().expect("UTF-8").to_owned();
        // SAFETY: `items_so_far` outlives the call.
        let items_so_far = unsafe { &mut *user_data.cast::<Items<'_>>() };
        assert_eq!(index, items_so_far.items.len());
        let item = (text(key).map(owned), text(value).map(owned));
        let goes_on = (items_so_far.wanted)(&item);
        items_so_far.items.push(item);
        i32::from(goes_on)
    }
    let (json, at) = (c(json), c(at));
    let mut items_so_far = Items {
        items: Vec::new(),
        wanted: &wanted,
    };
    let user_data = (&raw mut items_so_far).cast();
    // SAFETY: every pointer is valid for the call.
    let result = unsafe { payorder_json_each(json.as_ptr(), at.as_ptr(), Some(take), user_data) };
    (result, items_so_far.items)
}

/// A client, freed when it goes out of scope. The key is kept as a number, as a C program could.
pub struct Client {
    key: usize,
}

impl Client {
    #[track_caller]
    pub fn new(config: &Value) -> Client {
        Client::try_new(config).unwrap_or_else(|reply| panic!("no client: {}", reply.text()))
    }

    pub fn try_new(config: &Value) -> Result<Client, Reply> {
        Client::try_from_text(&config.to_string())
    }

    /// Also checks that `*out_client` is NULL on failure and `*out_json` on success.
    #[track_caller]
    pub fn try_from_text(config: &str) -> Result<Client, Reply> {
        let config = c(config);
        let mut key = ptr::without_provenance_mut::<payorder_client>(usize::MAX);
        // SAFETY: every pointer is valid for the call.
        let reply = call(|out| unsafe { payorder_client_new(config.as_ptr(), &mut key, out) });
        if reply.code == 0 {
            assert!(!key.is_null());
            assert_eq!(
                reply.text, None,
                "*out_json of payorder_client_new is NULL on success"
            );
            Ok(Client { key: key.addr() })
        } else {
            assert!(key.is_null(), "*out_client is NULL on failure");
            Err(reply)
        }
    }

    pub fn key(&self) -> usize {
        self.key
    }

    pub fn create(&self, order: &Value) -> Reply {
        create_order(self.key, &order.to_string(), None)
    }

    pub fn create_with(&self, order: &Value, with: &Value) -> Reply {
        create_order(self.key, &order.to_string(), Some(&with.to_string()))
    }

    pub fn status(&self, query: &Value) -> Reply {
        get_status(self.key, &query.to_string(), None)
    }

    pub fn status_with(&self, query: &Value, with: &Value) -> Reply {
        get_status(self.key, &query.to_string(), Some(&with.to_string()))
    }

    pub fn wait(&self, query: &Value, with: &Value) -> Reply {
        wait_for_payment(self.key, &query.to_string(), Some(&with.to_string()))
    }

    /// `each` gets the index and the result of a query, and returns whether to continue.
    pub fn statuses(
        &self,
        queries: &Value,
        with: &Value,
        each: impl FnMut(usize, Reply) -> bool,
    ) -> Reply {
        get_statuses(
            self.key,
            &queries.to_string(),
            Some(&with.to_string()),
            each,
        )
    }

    pub fn journal_list(&self, with: &Value) -> Reply {
        journal_call(payorder_journal_list, self.key, Some(&with.to_string()))
    }

    pub fn journal_resolve(&self, with: &Value) -> Reply {
        journal_call(payorder_journal_resolve, self.key, Some(&with.to_string()))
    }

    pub fn journal_settle(&self, with: &Value) -> Reply {
        journal_call(payorder_journal_settle, self.key, Some(&with.to_string()))
    }

    pub fn journal_prune(&self, with: &Value) -> Reply {
        journal_call(payorder_journal_prune, self.key, Some(&with.to_string()))
    }

    pub fn cancel(&self) -> i32 {
        cancel(self.key)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        free(self.key);
    }
}

/// A cancellation token, freed when it goes out of scope.
pub struct Token {
    text: String,
}

impl Token {
    pub fn new() -> Token {
        // SAFETY: every pointer is valid for the call.
        let reply = call(|out| unsafe { payorder_cancellation_new(out) });
        assert_eq!(reply.code, 0, "{}", reply.text());
        Token {
            text: reply.text.expect("a token is a text"),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The options, with this token added.
    pub fn among(&self, options: &Value) -> Value {
        let mut options = options.clone();
        options["cancellation"] = self.text().into();
        options
    }

    pub fn cancel(&self) -> i32 {
        cancel_token(&self.text)
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        free_token(&self.text);
    }
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

pub fn create_order(key: usize, order: &str, with: Option<&str>) -> Reply {
    let (order, with) = (c(order), options(with));
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe { payorder_create_order(handle(key), order.as_ptr(), pointer(&with), out) })
}

pub fn get_status(key: usize, query: &str, with: Option<&str>) -> Reply {
    let (query, with) = (c(query), options(with));
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe { payorder_get_status(handle(key), query.as_ptr(), pointer(&with), out) })
}

pub fn wait_for_payment(key: usize, query: &str, with: Option<&str>) -> Reply {
    let (query, with) = (c(query), options(with));
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe {
        payorder_wait_for_payment(handle(key), query.as_ptr(), pointer(&with), out)
    })
}

pub fn get_statuses<F: FnMut(usize, Reply) -> bool>(
    key: usize,
    queries: &str,
    with: Option<&str>,
    mut each: F,
) -> Reply {
    /// A panic must not cross the C boundary: it aborts the test.
    unsafe extern "C" fn each_result<F: FnMut(usize, Reply) -> bool>(
        index: usize,
        result: i32,
        json: *const c_char,
        each: *mut c_void,
    ) -> i32 {
        // SAFETY: `each` is the closure below, which nobody else uses during the call; `json` is a
        // string for the time of the call.
        let (each, json) = unsafe { (&mut *each.cast::<F>(), CStr::from_ptr(json)) };
        let text = json.to_str().expect("the library returns UTF-8").to_owned();
        i32::from(each(index, Reply::of(result, Some(text))))
    }
    let (queries, with) = (c(queries), options(with));
    let each = ptr::from_mut(&mut each).cast();
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe {
        payorder_get_statuses(
            handle(key),
            queries.as_ptr(),
            pointer(&with),
            Some(each_result::<F>),
            each,
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
    let with = options(with);
    // SAFETY: every pointer is valid for the call; any number may be passed as the client.
    call(|out| unsafe { function(handle(key), pointer(&with), out) })
}

pub fn free(key: usize) -> i32 {
    // SAFETY: any number may be passed as the client.
    unsafe { payorder_client_free(handle(key)) }
}

pub fn cancel(key: usize) -> i32 {
    // SAFETY: any number may be passed as the client.
    unsafe { payorder_client_cancel(handle(key)) }
}

/// # Safety
/// `log` and `user_data` must outlive the calls that begin while they are set.
pub unsafe fn set_log(key: usize, log: Option<LogFn>, user_data: *mut c_void) -> i32 {
    // SAFETY: any number may be passed as the client; the caller guarantees the rest.
    unsafe { payorder_client_set_log(handle(key), log, user_data) }
}
