//! Strings in and out: borrowed on the way in, counted on the way out.

use std::ffi::{CStr, CString, c_char};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::connection::wipe_registers;
use crate::error::{Cause, Error};

/// Strings handed out and not freed yet.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The text of an argument that must be there; `what` names it in the error.
///
/// # Safety
/// `text` is NULL or points to a NUL-terminated string that lives as long as the export runs.
pub(super) unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Error> {
    // SAFETY: as this function's own.
    unsafe { optional_text(text, what) }?
        .ok_or_else(|| Error::argument(Cause::Null, format!("{what} is NULL")))
}

/// The text of an argument that may be NULL.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn optional_text<'a>(
    text: *const c_char,
    what: &str,
) -> Result<Option<&'a str>, Error> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL, and so a NUL-terminated string by the promise of the caller.
    let bytes = unsafe { CStr::from_ptr(text) };
    let text = bytes.to_str().map_err(|error| {
        Error::argument(
            Cause::NotUtf8,
            format!("{what} is not UTF-8 (from byte {} on)", error.valid_up_to()),
        )
    })?;
    Ok(Some(text))
}

/// Hands a result out: its JSON through `out`, its number as the return value.
///
/// # Safety
/// `out` is NULL or points to a place for one pointer.
pub(super) unsafe fn write_result(
    result: Result<Option<String>, Error>,
    out: *mut *mut c_char,
) -> i32 {
    let (number, json) = match result {
        Ok(json) => (0, json),
        Err(error) if out.is_null() => (error.code().number(), None),
        Err(error) => (error.code().number(), Some(error.to_json())),
    };
    if !out.is_null() {
        let string = json.map_or(std::ptr::null_mut(), into_c);
        // SAFETY: not NULL, and so a place for a pointer by the promise of the caller.
        unsafe { out.write(string) };
    }
    wipe_registers();
    number
}

/// A string for the caller to free. JSON has no NUL in it: it would be escaped. Were there one, the
/// string would end before it.
fn into_c(text: String) -> *mut c_char {
    // Of exactly its size, so that it is not moved again. A text with room for the NUL stays where
    // it is.
    let mut bytes = text.into_bytes();
    bytes.reserve_exact(1);
    bytes.push(0);
    let string = CString::from_vec_with_nul(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        let before = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        CString::new(before).unwrap_or_default()
    });
    LIVE.fetch_add(1, Ordering::Relaxed);
    string.into_raw()
}

/// Takes a string back and frees it; the allocator zeroes it.
///
/// # Safety
/// `string` is NULL or came from [`write_result`] and was not freed before.
pub(super) unsafe fn free(string: *mut c_char) {
    if !string.is_null() {
        // SAFETY: it came from `into_raw`, and comes back only once, by the promise of the caller.
        drop(unsafe { CString::from_raw(string) });
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How many strings are with callers.
pub(super) fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}
