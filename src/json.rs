//! For callers without a JSON library.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use payorder_core::{Cause, Error};

use super::about::payorder_result;
use super::json_pointer::Pointer;
use super::strings::c_string;
use super::{boundary, json_edit, strings};

/// Takes one element of an array or one member of an object from payorder_json_each.
///
/// @param[in] index the item's place, from 0
/// @param[in] key the member's key, or NULL in an array; borrowed for the callback
/// @param[in] value what payorder_json_get would give for the item, or NULL for null; borrowed for
///     the callback
/// @param[in] user_data what payorder_json_each was given, or NULL
/// @return 0 to stop; any other number to continue.
///
/// Ownership: you free nothing.
/// Threads: on the thread that called payorder_json_each, with no lock held. It may call every
///     function and must return normally.
#[allow(non_camel_case_types)]
pub type payorder_item_fn = Option<
    unsafe extern "C" fn(
        index: usize,
        key: *const c_char,
        value: *const c_char,
        user_data: *mut c_void,
    ) -> i32,
>;

/// Writes a JSON object of strings from pairs: {key, text, key, text, NULL}. All values are
/// strings.
///
/// @param[in] pairs keys and texts, then NULL; not NULL
/// @param[out] out_json the object, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_json the object. Otherwise the error object.
///
/// Failures: there is no object.
/// - PAYORDER_INVALID_ARGUMENT: pairs is NULL, a text is not UTF-8, a key has no text or is given
///   twice, or the object would be over 16 MiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_object(
    pairs: *const *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe { boundary::text(out_json, || json_edit::object(&read_pairs(pairs)?)) }
}

/// Writes a copy of a JSON text with a value at a JSON pointer (RFC 6901), to build nested values:
/// the configuration's "/tls/roots", or "/checkoutHosts/-". Everything else stays as it is written:
/// numbers, the order of keys, escapes.
///
/// Missing parts of the pointer are created: an array if "-" follows, otherwise an object. null
/// counts as missing. In an array, "-" appends an element, and a number replaces an element. An
/// empty pointer replaces the whole text.
///
/// The way to write a number or a boolean: payorder_json_set(NULL, "/timeoutMs", "5000", &options)
/// gives {"timeoutMs":5000}.
///
/// @param[in] json the JSON text, or NULL for {}
/// @param[in] pointer where the value goes; not NULL
/// @param[in] value_json any JSON value; not NULL; payorder_json_quote makes one of a text
/// @param[out] out_json the changed copy, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_json the copy. Otherwise the error object.
///
/// Ownership: free *out_json with payorder_string_free. json stays yours.
/// Failures: there is no copy.
/// - PAYORDER_INVALID_ARGUMENT: a text is not UTF-8 or not JSON, pointer or value_json is NULL,
///   pointer is not a JSON pointer, or the result would have a key twice in an object, be nested
///   more than 127 deep, or be over 16 MiB.
/// - PAYORDER_INVALID_REQUEST: the pointer leads through a string, a number or a boolean, or to an
///   element that the array does not have. The message names the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_set(
    json: *const c_char,
    pointer: *const c_char,
    value_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let json = strings::optional_text(json, "json");
        let pointer = strings::text(pointer, "pointer");
        let value = strings::text(value_json, "value_json");
        boundary::text(out_json, || {
            json_edit::set(json?.unwrap_or("{}"), pointer?, value?)
        })
    }
}

/// Writes a text as a JSON string, in quotes and escaped, for payorder_json_set.
///
/// @param[in] text the text; not NULL
/// @param[out] out_json the string, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_json the string. Otherwise the error object.
///
/// Failures: there is no string.
/// - PAYORDER_INVALID_ARGUMENT: text is NULL, not UTF-8, or over 16 MiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_quote(
    text: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let text = strings::text(text, "text");
        boundary::text(out_json, || json_edit::quote(text?))
    }
}

/// Gives the value at a JSON pointer (RFC 6901) such as "/data/url": a string's own text without
/// quotes, any other value as it is written.
///
/// @param[in] json the JSON text; not NULL
/// @param[in] pointer the pointer; not NULL
/// @param[out] out_value the value, or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_value the value. Otherwise *out_value is the error object, not
///     NULL: free it too.
///
/// Ownership: free *out_value with payorder_string_free, also on failure.
/// Failures: there is no value.
/// - PAYORDER_INVALID_ARGUMENT: a text is NULL or not UTF-8, json is not JSON, over 16 MiB or has a
///   key of the pointer twice, or pointer is not a JSON pointer.
/// - PAYORDER_INVALID_REQUEST: nothing or null is there, or a string with U+0000 in it, which no C
///   string can hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_get(
    json: *const c_char,
    pointer: *const c_char,
    out_value: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        boundary::text(out_value, || {
            let (json, pointer) = json_and_pointer(json, pointer)?;
            pointer.get(json).map(Cow::into_owned)
        })
    }
}

/// Copies the value at a JSON pointer into your own buffer: what payorder_json_get gives, with a
/// NUL. To learn the length first, call it with size 0: *out_length is written then too.
///
/// @param[in] json the JSON text; not NULL
/// @param[in] pointer the pointer; not NULL
/// @param[out] buffer room for size bytes that does not overlap the texts, or NULL to measure
/// @param[in] size the bytes in buffer, with the NUL
/// @param[out] out_length the length of the whole value without a NUL, 0 if there is no value; or
///     NULL if you do not need it
/// @return PAYORDER_OK, and the value in buffer. Otherwise why it is not there.
///
/// Failures: buffer holds the empty string, if size is not 0.
/// - PAYORDER_INVALID_ARGUMENT: buffer is NULL or too small (size must be above *out_length); or as
///   for payorder_json_get, with 0 in *out_length.
/// - PAYORDER_INVALID_REQUEST: as for payorder_json_get.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_copy(
    json: *const c_char,
    pointer: *const c_char,
    buffer: *mut c_char,
    size: usize,
    out_length: *mut usize,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        boundary::copy(buffer, size, out_length, || {
            let (json, pointer) = json_and_pointer(json, pointer)?;
            pointer.get(json)
        })
    }
}

/// Counts the elements of an array or the members of an object.
///
/// @param[in] json the JSON text; not NULL
/// @param[in] pointer a JSON pointer to the array or the object; not NULL
/// @param[out] out_count the number, 0 on failure; or NULL if you do not need it
/// @return PAYORDER_OK, and in *out_count the number. Otherwise why there is none.
///
/// Failures: there is no number.
/// - PAYORDER_INVALID_ARGUMENT: a text is NULL or not UTF-8, json is not JSON or over 16 MiB,
///   pointer is not a JSON pointer, or the object has a key twice.
/// - PAYORDER_INVALID_REQUEST: neither an array nor an object is there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_count(
    json: *const c_char,
    pointer: *const c_char,
    out_count: *mut usize,
) -> payorder_result {
    let mut count = 0;
    // SAFETY: the caller's promise.
    unsafe {
        let result = boundary::number(|| {
            let (json, pointer) = json_and_pointer(json, pointer)?;
            count = pointer.count(json)?;
            Ok(())
        });
        strings::write(out_count, count);
        result
    }
}

/// Calls back for each element of an array or each member of an object, in order. The time grows
/// linearly with the text: use it, and not one payorder_json_get for each index, for long lists.
///
/// @param[in] json the JSON text; not NULL
/// @param[in] pointer a JSON pointer to the array or the object; not NULL
/// @param[in] each the callback: called once per item, on this thread, until it returns 0; not NULL
/// @param[in] user_data given to the callback, or NULL
/// @return PAYORDER_OK, also if the callback returned 0. Otherwise why it was not called.
///
/// Ownership: you free nothing; json must stay unchanged until the call returns, and user_data may
///     be freed then.
/// Failures: the callback was not called.
/// - PAYORDER_INVALID_ARGUMENT: a text or the callback is NULL, a text is not UTF-8, json is not
///   JSON or over 16 MiB, pointer is not a JSON pointer, or the object has a key twice.
/// - PAYORDER_INVALID_REQUEST: neither an array nor an object is there, or a key or a string of its
///   items has U+0000 in it, which no C string can hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_json_each(
    json: *const c_char,
    pointer: *const c_char,
    each: payorder_item_fn,
    user_data: *mut c_void,
) -> payorder_result {
    boundary::number(|| {
        let each = boundary::callback(each, "each", "items")?;
        // SAFETY: the caller's promise.
        let (json, pointer) = unsafe { json_and_pointer(json, pointer) }?;
        let given = |text: Option<Cow<'_, str>>| text.map(|text| c_string(text.into_owned()));
        let pointer_to = |text: &Option<CString>| text.as_deref().map_or(ptr::null(), CStr::as_ptr);
        // All items are read before the first is given.
        for (index, (key, value)) in pointer.items(json)?.into_iter().enumerate() {
            let (key, value) = (given(key), given(value));
            let (key, value) = (pointer_to(&key), pointer_to(&value));
            // SAFETY: the strings live until the callback returns; the rest is the caller's
            // promise.
            if unsafe { each(index, key, value, user_data) } == 0 {
                break;
            }
        }
        Ok(())
    })
}

/// Frees a string that the library gave out. Its memory is zeroed.
///
/// @param[in] string the string that is freed, or NULL
///
/// Ownership: the string is no longer valid. A string must not be freed twice.
/// Failures: none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_string_free(string: *mut c_char) {
    // The function returns nothing, so a failure could not be reported. None is possible here.
    let _ = boundary::number(|| {
        // SAFETY: the caller's promise.
        unsafe { strings::free(string) };
        Ok(())
    });
}

/// # Safety
/// Both are NULL or NUL-terminated strings that live as long as the export runs.
unsafe fn json_and_pointer<'a>(
    json: *const c_char,
    pointer: *const c_char,
) -> Result<(&'a str, Pointer<'a>), Error> {
    // SAFETY: as this function's own.
    unsafe {
        let json = strings::text(json, "json")?;
        Ok((json, Pointer::read(strings::text(pointer, "pointer")?)?))
    }
}

/// # Safety
/// `pairs` is NULL or an array of NUL-terminated strings that ends with NULL.
unsafe fn read_pairs<'a>(pairs: *const *const c_char) -> Result<Vec<(&'a str, &'a str)>, Error> {
    if pairs.is_null() {
        return Err(Error::argument(Cause::Null, "pairs is NULL"));
    }
    let mut read = Vec::new();
    let mut next = pairs;
    // SAFETY: `next` has not passed the NULL that ends the array, so it and its successor lie within
    // it.
    unsafe {
        while let Some(key) = strings::text_or_null(*next, "a key")? {
            // The name is made only where it is needed: most pairs are right.
            let value = strings::text(*next.add(1), "a value")
                .or_else(|_| strings::text(*next.add(1), &format!("the value of {key:?}")))?;
            read.push((key, value));
            next = next.add(2);
        }
    }
    Ok(read)
}
