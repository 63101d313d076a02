//! The functions for callers without a JSON library.

use super::{
    Reply, c, call, payorder_json_copy, payorder_json_count, payorder_json_each,
    payorder_json_object,
};
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

pub fn json_object(texts: &[&str]) -> Reply {
    let texts: Vec<CString> = texts.iter().map(|text| c(*text)).collect();
    let mut pairs: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    pairs.push(ptr::null());
    // SAFETY: the array ends with NULL, and it and its strings are valid for the call.
    call(|out| unsafe { payorder_json_object(pairs.as_ptr(), out) })
}

/// The result, the length that was written, and the buffer of `size` bytes.
pub fn json_copy(json: &str, at: &str, size: usize) -> (i32, usize, Vec<u8>) {
    let (json, at) = (c(json), c(at));
    // One byte more than the size that the library gets, to detect a write beyond it.
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
