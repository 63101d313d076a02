//! The library's C interface, safe to call: the only file with unsafe code.
//!
//! The bridge calls the C interface and not the Rust one, because both take and return the same
//! JSON: what a program writes reaches the library unchanged.

use std::ffi::{CStr, CString, OsStr, c_char, c_void};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::{env, ptr, thread};

use payorder as ffi;
use serde_json::Value;

/// How a call ended: its result, and the JSON that the library gave.
pub struct Reply {
    pub result: i32,
    pub json: String,
}

impl Reply {
    pub fn done(json: String) -> Self {
        Self { result: 0, json }
    }

    /// The bridge itself refuses a request, in the library's form: nothing was sent.
    pub fn refused(cause: &str, message: impl Display) -> Self {
        let message = Value::from(message.to_string());
        let json = format!(
            concat!(
                r#"{{"error":{{"result":1,"name":"PAYORDER_INVALID_ARGUMENT","#,
                r#""outcome":"not_sent","cause":"{}","action":"fix_request","message":{}}}}}"#
            ),
            cause, message
        );
        Self { result: 1, json }
    }

    pub fn invalid(message: impl Display) -> Self {
        Self::refused("invalid_value", message)
    }

    /// A text of the error object.
    pub fn error(&self, key: &str) -> String {
        let object: Value = serde_json::from_str(&self.json).unwrap_or_default();
        object["error"][key].as_str().unwrap_or_default().to_owned()
    }

    /// The JSON of a success.
    pub fn ok(self) -> Result<String, Self> {
        match self.result {
            0 => Ok(self.json),
            _ => Err(self),
        }
    }
}

type Text = *const c_char;
type Out = *mut *mut c_char;
type Handle = *mut ffi::payorder_client;

/// What a request calls. A function of the library has what it takes before the place for its
/// result.
#[derive(Clone, Copy)]
pub enum Function {
    /// Goes through the client's queue: an order, or one query.
    Started,
    /// Goes through the queue too. It uses no place of an order there, except each query of a wait
    /// while it runs.
    StartedLong,
    ClientAndOne(unsafe extern "C" fn(Handle, Text, Out) -> i32),
    Two(unsafe extern "C" fn(Text, Text, Out) -> i32),
    One(unsafe extern "C" fn(Text, Out) -> i32),
    GetStatuses,
    Version,
    /// Ends other calls: only `stdio.rs` can.
    Cancel,
    CancelAll,
}

/// Gets the index and the reply of each status; `false` stops.
pub type Each<'a> = dyn FnMut(usize, Reply) -> bool + 'a;
/// Gets the reply of a call.
pub type Done = Box<dyn FnOnce(Reply) + Send>;

pub struct Client(Handle);

// SAFETY: the pointer is a key that is never dereferenced, and every function may be called from
// any thread.
unsafe impl Send for Client {}
// SAFETY: as above; a client may be used by several threads at the same time.
unsafe impl Sync for Client {}

impl Drop for Client {
    fn drop(&mut self) {
        self.free();
    }
}

impl Client {
    /// With the settings of the environment, which those of `config` replace. `Err` has the error
    /// object.
    pub fn from_env(config: &str) -> Result<Self, Reply> {
        let mut client = ptr::null_mut();
        let made = with_texts([Some(config)], |[config], out| {
            // SAFETY: as `with_texts` says; `client` is a place for a pointer.
            unsafe { ffi::payorder_client_from_env(config, &raw mut client, out) }
        });
        made.ok().map(|_| Self(client))
    }

    pub fn has_journal(&self) -> bool {
        let list = Function::ClientAndOne(ffi::payorder_journal_list);
        let listed = self.call(list, [Some(r#"{"limit":1}"#), None], &mut |_, _| true);
        listed.error("cause") != "no_journal"
    }

    /// Blocks until the call has its result.
    pub fn call(
        &self,
        function: Function,
        texts: [Option<&str>; 2],
        mut each: &mut Each<'_>,
    ) -> Reply {
        match function {
            Function::Version => return Reply::done(about()),
            Function::Cancel | Function::CancelAll => {
                let how = "a call is cancelled by a line on stdin, or by a file NAME.cancel";
                return Reply::invalid(how);
            }
            _ => {}
        }
        let user_data = (&raw mut each).cast::<c_void>();
        with_texts(texts, |[first, second], out| {
            // SAFETY: as `with_texts` says; user_data is what `call_each` expects, and lives until
            // the call returns.
            unsafe {
                match function {
                    Function::ClientAndOne(call) => call(self.0, first, out),
                    Function::Two(call) => call(first, second, out),
                    Function::One(call) => call(first, out),
                    Function::GetStatuses => ffi::payorder_get_statuses(
                        self.0,
                        first,
                        second,
                        Some(call_each),
                        user_data,
                        out,
                    ),
                    // Those of the queue are only started.
                    _ => 0,
                }
            }
        })
    }

    /// Puts a call into the client's queue. `done` runs on the thread of `take_answers`, or here if
    /// the call cannot be started.
    pub fn start(&self, operation: &str, [request, options]: [Option<&str>; 2], done: Done) {
        let done = Box::into_raw(Box::new(done));
        let texts = [Some(operation), request, options];
        let reply = with_texts(texts, |[operation, request, options], out| {
            let done = done.cast();
            // SAFETY: as `with_texts` says; `take` knows what `done` is.
            unsafe { ffi::payorder_start(self.0, operation, request, options, None, done, out) }
        });
        if reply.result != 0 {
            // SAFETY: from above, and the library has not begun the call.
            let done = unsafe { Box::from_raw(done) };
            done(reply);
        }
    }

    /// Starts the thread that gives the answers of started calls to their `done`. It ends when the
    /// client was freed.
    pub fn take_answers(self: &Arc<Self>) -> io::Result<()> {
        let client = Arc::clone(self);
        let take = move || while client.take() {};
        // Also where RUST_MIN_STACK asks for much.
        let thread = thread::Builder::new().stack_size(1 << 20);
        thread.spawn(take).map(drop)
    }

    /// `false` if the client was freed.
    fn take(&self) -> bool {
        let (mut taken, mut ended, mut done) = (0, 0, ptr::null_mut());
        let reply = with_texts([], |[], out| {
            let places = (&raw mut taken, &raw mut ended, &raw mut done);
            // SAFETY: as `with_texts` says; the places are valid for the call.
            unsafe { ffi::payorder_take_done(self.0, u32::MAX, places.0, places.1, out, places.2) }
        });
        if taken == 1 {
            // SAFETY: `start` has passed this pointer, and each answer is taken once.
            let done = unsafe { Box::from_raw(done.cast::<Done>()) };
            let (result, json) = (ended, reply.json);
            done(Reply { result, json });
        }
        reply.result == 0
    }

    /// Ends the calls that wait in the queue, and refuses later ones. Those that run go on.
    pub fn free(&self) {
        ffi::payorder_client_free(self.0);
    }

    /// Prints each log event as a line on stderr.
    pub fn log_to_stderr(&self) {
        // SAFETY: `print_event` does not use user_data.
        unsafe { ffi::payorder_client_set_log(self.0, Some(print_event), ptr::null_mut()) };
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
        let mut token = ptr::null();
        // SAFETY: the place is valid for the call.
        let result = unsafe { ffi::payorder_cancellation_new(&raw mut token) };
        let json = copied(token);
        Reply { result, json }.ok().map(Self)
    }

    /// As JSON.
    pub fn quoted(&self) -> String {
        Value::from(self.0.as_str()).to_string()
    }

    pub fn cancel(&self) {
        with_texts([Some(&self.0)], |[token], _| {
            // SAFETY: as `with_texts` says.
            unsafe { ffi::payorder_cancellation_cancel(token) }
        });
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        with_texts([Some(&self.0)], |[token], _| {
            // SAFETY: as `with_texts` says.
            unsafe { ffi::payorder_cancellation_free(token) }
        });
    }
}

/// A copy of a JSON object with a JSON value at a JSON pointer.
pub fn json_set(json: &str, place: &str, value: &str) -> Reply {
    let texts = [json, place, value].map(Some);
    with_texts(texts, |[json, place, value], out| {
        // SAFETY: as `with_texts` says.
        unsafe { ffi::payorder_json_set(json, place, value, out) }
    })
}

/// Whether a JSON object has a value at a JSON pointer, and it is not null.
pub fn json_has(json: &str, place: &str) -> bool {
    let found = with_texts([json, place].map(Some), |[json, place], out| {
        // SAFETY: as `with_texts` says.
        unsafe { ffi::payorder_json_get(json, place, out) }
    });
    found.result == 0
}

pub fn version() -> String {
    copied(ffi::payorder_version())
}

pub fn result_name(result: i32) -> String {
    copied(ffi::payorder_result_name(result))
}

pub fn outcome(result: i32) -> &'static str {
    match ffi::payorder_result_outcome(result) {
        0 => "done",
        1 => "not_sent",
        2 => "rejected",
        _ => "unknown",
    }
}

pub fn live_calls() -> usize {
    ffi::payorder_live_calls()
}

/// The versions, and the counts of what is live, as JSON.
pub fn about() -> String {
    format!(
        r#"{{"version":"{}","abiVersion":{},"live":{{"clients":{},"strings":{},"calls":{}}}}}"#,
        version(),
        ffi::payorder_abi_version(),
        ffi::payorder_live_clients(),
        ffi::payorder_live_strings(),
        live_calls()
    )
}

extern "C" fn print_event(event: *const c_char, _: *mut c_void) {
    // A closed stderr must not end a call.
    drop(writeln!(io::stderr(), "{}", copied(event)));
}

extern "C" fn call_each(
    index: usize,
    result: i32,
    json: *const c_char,
    user_data: *mut c_void,
) -> i32 {
    // SAFETY: `Client::call` passes this pointer, and waits for the call.
    let each = unsafe { &mut *user_data.cast::<&mut Each<'_>>() };
    let json = copied(json);
    i32::from(each(index, Reply { result, json }))
}

/// Makes a call with texts, and takes the string that it gives out. The texts of `call` are NULL or
/// NUL-terminated, and its last argument is a place for a pointer.
fn with_texts<const N: usize>(
    texts: [Option<&str>; N],
    call: impl FnOnce([Text; N], Out) -> i32,
) -> Reply {
    let owned: Result<Vec<_>, _> = texts
        .iter()
        .map(|text| text.map(CString::new).transpose())
        .collect();
    let Ok(owned) = owned else {
        return Reply::invalid("a text contains U+0000");
    };
    let mut pointers = [ptr::null(); N];
    for (pointer, text) in pointers.iter_mut().zip(&owned) {
        *pointer = text.as_ref().map_or(ptr::null(), |text| text.as_ptr());
    }
    let mut out = ptr::null_mut();
    let result = call(pointers, &raw mut out);
    let json = copied(out);
    // SAFETY: NULL or a string that the library gave out, which is freed once, here.
    unsafe { ffi::payorder_string_free(out) };
    Reply { result, json }
}

/// A text of the library: NULL, static, lent to a callback, or given out.
fn copied(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the library's texts are NUL-terminated, and live until this returns.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
