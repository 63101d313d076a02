//! The library's C interface, safe to call. The only file with unsafe code except `lock.rs`.
//!
//! The bridge calls the C interface and not the Rust one, because both take and return the same
//! JSON: what a program writes reaches the library unchanged.

use std::ffi::{CStr, CString, OsStr, c_char, c_void};
use std::io::Write;
use std::{env, ptr};

use payorder as ffi;

use crate::refusal::Refusal;

/// How a call ended: its result, and the JSON that the library gave.
pub struct Reply {
    pub result: i32,
    pub json: String,
}

impl Reply {
    /// A text of the error object.
    pub fn error(&self, key: &str) -> String {
        let object: serde_json::Value = serde_json::from_str(&self.json).unwrap_or_default();
        object["error"][key].as_str().unwrap_or_default().to_owned()
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Self {
        Self {
            result: Refusal::RESULT,
            json: refusal.json(),
        }
    }
}

type WithRequest = unsafe extern "C" fn(
    *mut ffi::payorder_client,
    *const c_char,
    *const c_char,
    *mut *mut c_char,
) -> i32;

type OfJournal =
    unsafe extern "C" fn(*mut ffi::payorder_client, *const c_char, *mut *mut c_char) -> i32;

/// Gets the index, the result and the JSON of each status; `false` stops.
pub type Each<'a> = dyn FnMut(usize, i32, &str) -> bool + 'a;

pub struct Client(*mut ffi::payorder_client);

// SAFETY: the pointer is a key that is never dereferenced, and every function may be called from
// any thread.
unsafe impl Send for Client {}
// SAFETY: as above; a client may be used by several threads at the same time.
unsafe impl Sync for Client {}

impl Drop for Client {
    fn drop(&mut self) {
        ffi::payorder_client_free(self.0);
    }
}

impl Client {
    /// With the settings of the environment, which those of `config` replace. `Err` has the error
    /// object.
    pub fn from_env(config: &str) -> Result<Self, Reply> {
        let config = c_text(config)?;
        let mut client = ptr::null_mut();
        // SAFETY: the text is NUL-terminated, both outputs are places for a pointer.
        let reply = taken(|out| unsafe {
            ffi::payorder_client_from_env(config.as_ptr(), &raw mut client, out)
        });
        if reply.result == 0 {
            Ok(Self(client))
        } else {
            Err(reply)
        }
    }

    pub fn has_journal(&self) -> bool {
        self.journal_list(Some(r#"{"limit":1}"#)).error("cause") != "no_journal"
    }

    pub fn create_order(&self, order: &str, options: Option<&str>) -> Reply {
        self.with_request(ffi::payorder_create_order, Some(order), options)
    }

    pub fn get_status(&self, query: &str, options: Option<&str>) -> Reply {
        self.with_request(ffi::payorder_get_status, Some(query), options)
    }

    pub fn wait_for_payment(&self, query: &str, options: Option<&str>) -> Reply {
        self.with_request(ffi::payorder_wait_for_payment, Some(query), options)
    }

    /// Without sales: those of the journal.
    pub fn recover(&self, sales: Option<&str>, options: Option<&str>) -> Reply {
        self.with_request(ffi::payorder_recover, sales, options)
    }

    pub fn get_statuses(
        &self,
        queries: &str,
        options: Option<&str>,
        mut each: &mut Each<'_>,
    ) -> Reply {
        let (queries, options) = match (c_text(queries), c_option(options)) {
            (Ok(queries), Ok(options)) => (queries, options),
            (Err(refusal), _) | (_, Err(refusal)) => return refusal.into(),
        };
        let user_data = (&raw mut each).cast::<c_void>();
        // SAFETY: the texts are NUL-terminated; user_data is what `call_each` expects, and lives
        // until the call returns.
        taken(|out| unsafe {
            ffi::payorder_get_statuses(
                self.0,
                queries.as_ptr(),
                pointer(options.as_deref()),
                Some(call_each),
                user_data,
                out,
            )
        })
    }

    pub fn journal_list(&self, options: Option<&str>) -> Reply {
        self.of_journal(ffi::payorder_journal_list, options)
    }

    pub fn journal_resolve(&self, options: Option<&str>) -> Reply {
        self.of_journal(ffi::payorder_journal_resolve, options)
    }

    pub fn journal_settle(&self, options: Option<&str>) -> Reply {
        self.of_journal(ffi::payorder_journal_settle, options)
    }

    pub fn journal_prune(&self, options: Option<&str>) -> Reply {
        self.of_journal(ffi::payorder_journal_prune, options)
    }

    /// Prints each log event as a line on stderr.
    pub fn log_to_stderr(&self) {
        // SAFETY: `print_event` does not use user_data.
        unsafe { ffi::payorder_client_set_log(self.0, Some(print_event), ptr::null_mut()) };
    }

    fn with_request(
        &self,
        call: WithRequest,
        request: Option<&str>,
        options: Option<&str>,
    ) -> Reply {
        let (request, options) = match (c_option(request), c_option(options)) {
            (Ok(request), Ok(options)) => (request, options),
            (Err(refusal), _) | (_, Err(refusal)) => return refusal.into(),
        };
        let (request, options) = (pointer(request.as_deref()), pointer(options.as_deref()));
        // SAFETY: the texts are NUL-terminated, the output is a place for a pointer.
        taken(|out| unsafe { call(self.0, request, options, out) })
    }

    fn of_journal(&self, call: OfJournal, options: Option<&str>) -> Reply {
        match c_option(options) {
            // SAFETY: as in `with_request`.
            Ok(options) => taken(|out| unsafe { call(self.0, pointer(options.as_deref()), out) }),
            Err(refusal) => refusal.into(),
        }
    }
}

/// Names the file that `Client::from_env` reads. Only `main` calls it, before the first thread.
pub fn read_settings_of(file: &OsStr) {
    // SAFETY: the process has one thread.
    unsafe { env::set_var("PAYORDER_CONFIG", file) };
}

/// Cancels the calls that have its text as the option `cancellation`.
pub struct Token(String);

impl Token {
    pub fn new() -> Result<Self, Reply> {
        // SAFETY: the output is a place for a pointer.
        let reply = taken(|out| unsafe { ffi::payorder_cancellation_new(out) });
        if reply.result == 0 {
            Ok(Self(reply.json))
        } else {
            Err(reply)
        }
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    pub fn cancel(&self) {
        if let Ok(text) = c_text(&self.0) {
            // SAFETY: the text is NUL-terminated.
            unsafe { ffi::payorder_cancellation_cancel(text.as_ptr()) };
        }
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        if let Ok(text) = c_text(&self.0) {
            // SAFETY: the text is NUL-terminated.
            unsafe { ffi::payorder_cancellation_free(text.as_ptr()) };
        }
    }
}

pub fn build_create_order(order: &str, options: Option<&str>) -> Reply {
    match (c_text(order), c_option(options)) {
        // SAFETY: the texts are NUL-terminated, the output is a place for a pointer.
        (Ok(order), Ok(options)) => taken(|out| unsafe {
            ffi::payorder_build_create_order(order.as_ptr(), pointer(options.as_deref()), out)
        }),
        (Err(refusal), _) | (_, Err(refusal)) => refusal.into(),
    }
}

pub fn build_get_status(query: &str) -> Reply {
    // SAFETY: the text is NUL-terminated, the output is a place for a pointer.
    with_text(query, |query, out| unsafe {
        ffi::payorder_build_get_status(query, out)
    })
}

pub fn parse_return_url(url: &str) -> Reply {
    // SAFETY: as above.
    with_text(url, |url, out| unsafe {
        ffi::payorder_parse_return_url(url, out)
    })
}

pub fn verify_payment(expected: &str, status: &str) -> Reply {
    match c_text(expected) {
        // SAFETY: as above.
        Ok(expected) => with_text(status, |status, out| unsafe {
            ffi::payorder_verify_payment(expected.as_ptr(), status, out)
        }),
        Err(refusal) => refusal.into(),
    }
}

/// A copy of a JSON object with a text at a JSON pointer.
pub fn json_with_text(json: &str, place: &str, text: &str) -> Reply {
    json_with(json, place, &serde_json::Value::from(text).to_string())
}

/// A copy of a JSON object with a JSON value at a JSON pointer.
pub fn json_with(json: &str, place: &str, value: &str) -> Reply {
    let (place, value) = match (c_text(place), c_text(value)) {
        (Ok(place), Ok(value)) => (place, value),
        (Err(refusal), _) | (_, Err(refusal)) => return refusal.into(),
    };
    // SAFETY: the texts are NUL-terminated, the output is a place for a pointer.
    with_text(json, |json, out| unsafe {
        ffi::payorder_json_set(json, place.as_ptr(), value.as_ptr(), out)
    })
}

/// Whether a JSON object has a value at a JSON pointer, and it is not null.
pub fn json_has(json: &str, place: &str) -> bool {
    let Ok(place) = c_text(place) else {
        return false;
    };
    // SAFETY: the texts are NUL-terminated, the output is a place for a pointer.
    with_text(json, |json, out| unsafe {
        ffi::payorder_json_get(json, place.as_ptr(), out)
    })
    .result
        == 0
}

pub fn version() -> String {
    static_text(ffi::payorder_version())
}

pub fn abi_version() -> u32 {
    ffi::payorder_abi_version()
}

pub fn result_name(result: i32) -> String {
    static_text(ffi::payorder_result_name(result))
}

pub fn outcome(result: i32) -> &'static str {
    match ffi::payorder_result_outcome(result) {
        0 => "done",
        1 => "not_sent",
        2 => "rejected",
        _ => "unknown",
    }
}

/// The counts of live clients, strings and calls.
pub fn live() -> [usize; 3] {
    [
        ffi::payorder_live_clients(),
        ffi::payorder_live_strings(),
        ffi::payorder_live_calls(),
    ]
}

extern "C" fn print_event(event: *const c_char, _: *mut c_void) {
    // SAFETY: the library gives a NUL-terminated text that lives during the callback.
    let event = unsafe { CStr::from_ptr(event) }.to_string_lossy();
    // A closed stderr must not end a call.
    drop(writeln!(std::io::stderr(), "{event}"));
}

extern "C" fn call_each(
    index: usize,
    result: i32,
    json: *const c_char,
    user_data: *mut c_void,
) -> i32 {
    // SAFETY: `Client::get_statuses` passes this pointer, and waits for the call.
    let each = unsafe { &mut *user_data.cast::<&mut Each<'_>>() };
    // SAFETY: the library gives a NUL-terminated text that lives during the callback.
    let json = unsafe { CStr::from_ptr(json) }.to_string_lossy();
    i32::from(each(index, result, &json))
}

fn with_text(text: &str, call: impl FnOnce(*const c_char, *mut *mut c_char) -> i32) -> Reply {
    match c_text(text) {
        Ok(text) => taken(|out| call(text.as_ptr(), out)),
        Err(refusal) => refusal.into(),
    }
}

/// Makes a call and takes the string that it gives out.
fn taken(call: impl FnOnce(*mut *mut c_char) -> i32) -> Reply {
    let mut out = ptr::null_mut();
    let result = call(&raw mut out);
    let json = if out.is_null() {
        String::new()
    } else {
        // SAFETY: the library gave out a NUL-terminated string, which is freed once, here.
        let json = unsafe { CStr::from_ptr(out) }
            .to_string_lossy()
            .into_owned();
        // SAFETY: as above.
        unsafe { ffi::payorder_string_free(out) };
        json
    };
    Reply { result, json }
}

fn static_text(text: *const c_char) -> String {
    // SAFETY: a static, NUL-terminated string of the library.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

fn c_text(text: &str) -> Result<CString, Refusal> {
    CString::new(text).map_err(|_| Refusal::value("a text contains U+0000"))
}

fn c_option(text: Option<&str>) -> Result<Option<CString>, Refusal> {
    text.map(c_text).transpose()
}

fn pointer(text: Option<&CStr>) -> *const c_char {
    text.map_or(ptr::null(), CStr::as_ptr)
}
