//! About the library.

use std::ffi::c_char;

use super::{handles, host_thread, strings};
use crate::error::{Code, Outcome};

/// How a call ended: one of the `PAYORDER_` results. 0 is done; 1 to 99 not sent; 100 to 199
/// rejected; 200 to 299 unknown.
#[allow(non_camel_case_types)]
pub type payorder_result = i32;

/// What happened to the request: one of the `PAYORDER_OUTCOME_` values.
#[allow(non_camel_case_types)]
pub type payorder_outcome = i32;

/// The library's version, such as "0.1.0". Static: not to be freed. From any thread; cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The version of this interface, 1. A program that was made for another one must not go on. From
/// any thread; cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_abi_version() -> u32 {
    1
}

/// The name of a result, such as "PAYORDER_TIMEOUT"; "PAYORDER_UNRECOGNISED" for a number that this
/// version does not know. Static: not to be freed. From any thread; cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_result_name(result: i32) -> *const c_char {
    Code::c_name_of(result).as_ptr()
}

/// The outcome of a result, by the number's range; PAYORDER_OUTCOME_UNKNOWN for a number in none.
/// From any thread; cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_result_outcome(result: i32) -> payorder_outcome {
    Outcome::of_number(result) as i32
}

/// How many clients are live, to find leaks by. From any thread; cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_live_clients() -> usize {
    handles::count()
}

/// How many strings were handed out and not freed yet, to find leaks by. From any thread; cannot
/// fail.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_live_strings() -> usize {
    strings::live()
}

/// How many calls are running in this process: functions that take a client and have not returned
/// yet, also those on a client that was freed. Once it is 0 after a client was freed, nothing uses
/// its callback's user_data any more. From any thread; cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_live_calls() -> usize {
    host_thread::running()
}
