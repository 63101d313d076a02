//! About the library.

use std::ffi::c_char;

use payorder_core::{Code, Outcome};

use super::{handles, live_calls, strings};

/// How a call ended: one of the PAYORDER_ results. 0 is done; 1 to 99 not sent; 100 to 199
/// rejected; 200 to 299 unknown.
#[allow(non_camel_case_types)]
pub type payorder_result = i32;

/// What happened to the request: one of the PAYORDER_OUTCOME_ values.
#[allow(non_camel_case_types)]
pub type payorder_outcome = i32;

/// Gives the version of the loaded library.
///
/// @return The version, such as "0.1.0".
///
/// Ownership: static; do not free it.
/// Failures: none.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Gives the version of the loaded library's interface. A program that was built for another
/// version must not continue.
///
/// @return 1; compare it with PAYORDER_HEADER_ABI_VERSION.
///
/// Failures: none.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_abi_version() -> u32 {
    1
}

/// Gives the name of a result.
///
/// @param[in] result any number
/// @return The name, such as "PAYORDER_TIMEOUT"; "PAYORDER_UNRECOGNISED" for a number that this
///     version does not know.
///
/// Ownership: static; do not free it.
/// Failures: none.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_result_name(result: i32) -> *const c_char {
    Code::name_for_c(result).as_ptr().cast()
}

/// Gives the outcome of a result, by the range of its number.
///
/// @param[in] result any number
/// @return One of the PAYORDER_OUTCOME_ values; PAYORDER_OUTCOME_UNKNOWN for a number in no range.
///
/// Failures: none.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_result_outcome(result: i32) -> payorder_outcome {
    Outcome::of_number(result) as i32
}

/// Counts the clients that were created and not freed, to find leaks.
///
/// @return The number of clients.
///
/// Failures: none.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_live_clients() -> usize {
    handles::count()
}

/// Counts the strings that were returned and not freed, to find leaks.
///
/// @return The number of strings.
///
/// Failures: none.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_live_strings() -> usize {
    strings::live()
}

/// Counts the calls that are running in this process: functions that take a client and have not
/// returned yet, and started calls until their answer can be taken or their callback has returned, also
/// on a freed client. See THREADS AND CALLBACKS for when to free user_data.
///
/// @return The number of calls.
///
/// Failures: none.
#[unsafe(no_mangle)]
pub extern "C" fn payorder_live_calls() -> usize {
    live_calls::running()
}
