//! Strings of arguments, which are borrowed, and of results, which are counted.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char};
use std::sync::atomic::{AtomicUsize, Ordering};

use payorder_core::{Cause, Code, Error, JsonOptions};

use super::tokens;

/// The number of strings that were returned and not freed yet.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The text of a required argument; `what` names it in the error.
///
/// # Safety
/// `text` is NULL or points to a NUL-terminated string that lives as long as the export runs.
pub(super) unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Error> {
    // SAFETY: the same requirements as for this function.
    unsafe { text_or_null(text, what) }?
        .ok_or_else(|| Error::argument(Cause::Null, format!("{what} is NULL")))
}

/// The text of an argument that may be NULL. Not every language has a text that is NULL: an empty one
/// means the same.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn optional_text<'a>(
    text: *const c_char,
    what: &str,
) -> Result<Option<&'a str>, Error> {
    // SAFETY: the same requirements as for this function.
    let text = unsafe { text_or_null(text, what) }?;
    Ok(text.filter(|text| !text.is_empty()))
}

/// A text, which may be empty, or NULL.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn text_or_null<'a>(
    text: *const c_char,
    what: &str,
) -> Result<Option<&'a str>, Error> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL, and so a NUL-terminated string by the caller's promise.
    let bytes = unsafe { CStr::from_ptr(text) };
    let text = bytes.to_str().map_err(|error| {
        Error::argument(
            Cause::NotUtf8,
            format!("{what} is not UTF-8 (from byte {} on)", error.valid_up_to()),
        )
    })?;
    Ok(Some(text))
}

/// The options of a call.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn options<'a>(options: *const c_char) -> Result<JsonOptions<'a>, Error> {
    Ok(JsonOptions {
        // SAFETY: the same requirements as for this function.
        text: unsafe { optional_text(options, "options_json") }?,
        find_token: Some(tokens::get),
        token: None,
    })
}

/// The number of a result, and its text: its own, or the error object.
pub(super) fn answer<T: From<String>>(result: Result<T, Error>) -> (i32, T) {
    match result {
        Ok(text) => (0, text),
        Err(error) => (error.code().number(), error.to_json().into()),
    }
}

/// Returns a result: its JSON through `out`, its number as the return value.
///
/// # Safety
/// `out` is NULL or points to a place for one pointer.
pub(super) unsafe fn write_result(
    result: Result<Option<String>, Error>,
    out: *mut *mut c_char,
) -> i32 {
    let (number, json) = answer(result);
    if !out.is_null() {
        let string = json.map_or(std::ptr::null_mut(), into_c);
        // SAFETY: not NULL, and so a place for a pointer by the caller's promise.
        unsafe { out.write(string) };
    }
    number
}

/// Writes a value, if there is a place for it.
///
/// # Safety
/// `out` is NULL or a place for one value.
pub(super) unsafe fn write<T>(out: *mut T, value: T) {
    if !out.is_null() {
        // SAFETY: not NULL, and so a place for a value by the caller's promise.
        unsafe { out.write(value) };
    }
}

/// A string for C. What the library writes is JSON, or was checked: it contains no NUL.
pub(super) fn c_string(text: impl Into<Vec<u8>>) -> CString {
    CString::new(text).unwrap_or_else(|error| {
        let end = error.nul_position();
        let mut bytes = error.into_vec();
        bytes.truncate(end);
        CString::new(bytes).unwrap_or_default()
    })
}

/// A string that the caller frees.
pub(super) fn into_c(text: String) -> *mut c_char {
    LIVE.fetch_add(1, Ordering::Relaxed);
    c_string(text).into_raw()
}

/// Copies a text into a caller's buffer, with a NUL. A buffer that is too small gets only a NUL.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes that nothing else uses; `out_length` is NULL or a place for
/// a number.
pub(super) unsafe fn copy(
    result: Result<Cow<'_, str>, Error>,
    buffer: *mut c_char,
    size: usize,
    out_length: *mut usize,
) -> i32 {
    let (mut number, text) = match result {
        Ok(text) => (0, text),
        Err(error) => (error.code().number(), Cow::Borrowed("")),
    };
    // SAFETY: the caller's promise.
    unsafe { write(out_length, text.len()) };
    let fits = text.len() < size && !buffer.is_null();
    if !fits && number == 0 {
        number = Code::InvalidArgument.number();
    }
    if size > 0 && !buffer.is_null() {
        let length = if fits { text.len() } else { 0 };
        // SAFETY: the buffer has room for `length` bytes and the NUL, and does not overlap the
        // text, by the caller's promise.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, length);
            buffer.add(length).write(0);
        }
    }
    drop(text);
    number
}

/// Takes a string back and frees it; the allocator zeroes it.
///
/// # Safety
/// `string` is NULL, or the text of a token, or came from [`write_result`] and was not freed before.
pub(super) unsafe fn free(string: *mut c_char) {
    // An odd address is a cancellation token's text, which payorder_cancellation_free frees.
    if !string.is_null() && string.addr().is_multiple_of(2) {
        // SAFETY: it came from `into_raw`, and comes back only once, by the caller's promise.
        drop(unsafe { CString::from_raw(string) });
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}
