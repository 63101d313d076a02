//! For callers without a JSON library.

use std::borrow::Cow;
use std::ffi::c_char;

use super::about::payorder_result;
use super::{boundary, strings};
use crate::error::{Cause, Error};
use crate::text::json_pointer;

/// Writes a JSON object of strings from pairs: {key, text, key, text, NULL}. All values are
/// strings.
///
/// @param[in] pairs keys and texts, then NULL; not NULL
/// @param[out] out_json the object, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_json the object. Otherwise the error object.
///
/// Ownership: free *out_json with payorder_string_free.
/// Threads: from any thread, also from a callback.
/// Failures: there is no object.
/// - PAYORDER_INVALID_ARGUMENT: pairs is NULL, a text is not UTF-8, a key has no text or is given
///   twice.
/// - PAYORDER_INTERNAL: a bug in the library.
///
/// # Safety
/// pairs is NULL or an array of NUL-terminated strings that ends with NULL; out_json is NULL or a
/// place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_object(
    pairs: *const *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    let work = || {
        // SAFETY: the caller's promise.
        let texts = unsafe { read_pairs(pairs) }?;
        json_pointer::object(&texts)
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::text(out_json, work) }
}

/// Gives the value at a JSON pointer (RFC 6901) such as "/data/url": a string's own text without
/// quotes, any other value as it is written.
///
/// @param[in] json the JSON text; not NULL
/// @param[in] pointer the pointer; not NULL
/// @param[out] out_value the value, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_value the value. Otherwise the error object.
///
/// Ownership: free *out_value with payorder_string_free.
/// Threads: from any thread, also from a callback.
/// Failures: there is no value.
/// - PAYORDER_INVALID_ARGUMENT: a text is NULL or not UTF-8, json is not JSON or over 16 MiB, or
///   pointer is not a JSON pointer.
/// - PAYORDER_INVALID_REQUEST: nothing or null is there, or a string with U+0000 in it, which no C
///   string can hold.
/// - PAYORDER_INTERNAL: a bug in the library.
///
/// # Safety
/// json and pointer are NULL or NUL-terminated strings; out_value is NULL or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_get(
    json: *const c_char,
    pointer: *const c_char,
    out_value: *mut *mut c_char,
) -> payorder_result {
    let work = || {
        // SAFETY: the caller's promise.
        let (json, pointer) = unsafe {
            (
                strings::text(json, "json")?,
                strings::text(pointer, "pointer")?,
            )
        };
        json_pointer::get(json, pointer).map(|value| match value {
            Cow::Owned(text) => text,
            Cow::Borrowed(value) => {
                // With room for the NUL that it gets on its way out.
                let mut text = String::with_capacity(value.len() + 1);
                text.push_str(value);
                text
            }
        })
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::text(out_value, work) }
}

/// Frees a string that the library gave out. Its memory is zeroed.
///
/// @param[in] string the string that is freed, or NULL
///
/// Ownership: the string is no longer valid. A string must not be freed twice.
/// Threads: from any thread, also from a callback.
/// Failures: none.
///
/// # Safety
/// string is NULL, or came from this library and was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_string_free(string: *mut c_char) {
    // There is nobody to tell of a failure, and nothing in it that can fail.
    let _ = boundary::number(|| {
        // SAFETY: the caller's promise.
        unsafe { strings::free(string) };
        Ok(())
    });
}

/// # Safety
/// As for [`payorder_json_object`].
unsafe fn read_pairs<'a>(pairs: *const *const c_char) -> Result<Vec<(&'a str, &'a str)>, Error> {
    if pairs.is_null() {
        return Err(Error::argument(Cause::Null, "pairs is NULL"));
    }
    let mut read = Vec::new();
    let mut next = pairs;
    loop {
        // SAFETY: `next` has not passed the NULL that ends the array, so it and its successor lie
        // within it.
        let (key, value) = unsafe {
            let Some(key) = strings::optional_text(*next, "a key")? else {
                return Ok(read);
            };
            // The name is made only where it is needed: pairs are many, and mostly right.
            let value = strings::optional_text(*next.add(1), "a value").or_else(|_| {
                strings::optional_text(*next.add(1), &format!("the value of {key:?}"))
            })?;
            (
                key,
                value.ok_or_else(|| {
                    Error::argument(Cause::Null, format!("the key {key:?} has no value"))
                })?,
            )
        };
        read.push((key, value));
        // SAFETY: neither of the two was the end.
        next = unsafe { next.add(2) };
    }
}
