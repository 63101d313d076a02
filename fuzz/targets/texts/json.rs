//! The functions for callers without a JSON library.

use crate::{Texts, offline, text, utf8};
use payorder::{
    payorder_json_copy, payorder_json_count, payorder_json_each, payorder_json_get,
    payorder_json_object, payorder_json_quote, payorder_json_set,
};
use payorder_fuzz::reply::{Reply, c, pointer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

pub fn get(json: &Option<CString>, at: &Option<CString>) -> Reply {
    // SAFETY: every pointer is valid for the call.
    offline(&[0, 1, 4], |out| unsafe {
        payorder_json_get(pointer(json), pointer(at), out)
    })
}

pub fn json_get(texts: &Texts<'_>) {
    let (json, at) = (text(texts, 0), text(texts, 1));
    let reply = get(&json, &at);
    if reply.result == 1 {
        return;
    }
    let (json, at) = (utf8(&json), utf8(&at));
    // Too deep for serde_json, or with a number that no float can hold: there is nothing to compare.
    let Ok(tree) = serde_json::from_str::<Value>(json) else {
        return;
    };
    match (tree.pointer(at), reply.result) {
        (Some(Value::String(text)), 0) => assert_eq!(reply.text(), text),
        (Some(value), 0) => {
            let read: Value = serde_json::from_str(reply.text())
                .unwrap_or_else(|_| panic!("the value is JSON: {}", reply.text()));
            assert_eq!(&read, value);
            assert!(
                json.contains(reply.text()),
                "the value differs from the input"
            );
        }
        (Some(Value::String(text)), 4) => assert!(
            text.contains('\0'),
            "an existing string was not found: {text:?}"
        ),
        (found, result) => assert!(
            found.is_none_or(Value::is_null) && result == 4,
            "{found:?} and {result}"
        ),
    }
}

pub fn json_object(texts: &Texts<'_>) {
    let texts: Vec<CString> = texts.iter().map(|bytes| c(*bytes)).collect();
    let pairs: Vec<*const c_char> = texts
        .iter()
        .map(|text| text.as_ptr())
        .chain([ptr::null()])
        .collect();
    // SAFETY: the array ends with NULL, and it and its texts are valid for the call.
    let reply = offline(&[0, 1], |out| unsafe {
        payorder_json_object(pairs.as_ptr(), out)
    });
    if reply.result != 0 {
        return;
    }
    let utf8 = |text: &CString| text.to_str().expect("an accepted text is UTF-8").to_owned();
    let mut written = reply.entries();
    for pair in texts.chunks(2) {
        let (key, value) = (utf8(&pair[0]), utf8(&pair[1]));
        let found: Value =
            serde_json::from_str(written.remove(&key).expect("each key occurs once").get())
                .expect("a string");
        assert_eq!(found, value);
        let at = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
        assert_eq!(
            get(&Some(c(reply.text())), &Some(c(at))).text(),
            value,
            "the written value is read differently"
        );
    }
    assert!(written.is_empty(), "additional fields: {written:?}");
}

/// A text, a pointer and a value. The value can be read after it was set, and setting it again
/// changes nothing. Also quotes the pointer as a text.
pub fn json_set(texts: &Texts<'_>) {
    let (json, at, value) = (text(texts, 0), text(texts, 1), text(texts, 2));
    let set = |json: &Option<CString>| {
        // SAFETY: every pointer is valid for the call.
        offline(&[0, 1, 4], |out| unsafe {
            payorder_json_set(pointer(json), pointer(&at), pointer(&value), out)
        })
    };
    let reply = set(&json);
    if reply.result == 0 {
        let changed = Some(c(reply.text()));
        let value: &RawValue =
            serde_json::from_str(utf8(&value)).expect("the value that was set is JSON");
        assert!(reply.text().contains(value.get()), "the value is missing");
        // With "-" the second call would append another element.
        if !utf8(&at).contains("/-") {
            assert_eq!(set(&changed).text, reply.text, "set again");
            let found = get(&changed, &at);
            if !value.get().starts_with('"') && value.get() != "null" {
                assert_eq!(found.text(), value.get(), "another value was read");
            }
        }
    }
    // SAFETY: every pointer is valid for the call.
    let quoted = offline(&[0, 1], |out| unsafe {
        payorder_json_quote(pointer(&at), out)
    });
    if quoted.result == 0 {
        let string = Some(c(quoted.text()));
        assert_eq!(get(&string, &Some(c(""))).text(), utf8(&at), "quoted");
    }
}

/// A text and a pointer: the number of items is the count, and each item equals its single value.
pub fn json_items(texts: &Texts<'_>) {
    type Items = Vec<(Option<String>, Option<String>)>;
    unsafe extern "C" fn take(
        index: usize,
        key: *const c_char,
        value: *const c_char,
        items: *mut c_void,
    ) -> i32 {
        let owned = |text: *const c_char| {
            // SAFETY: NULL, or a string that lives until the callback returns.
            (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned())
        };
        // SAFETY: the list outlives the call.
        let items = unsafe { &mut *items.cast::<Items>() };
        assert_eq!(index, items.len());
        items.push((owned(key), owned(value)));
        1
    }
    let (json, at) = (text(texts, 0), text(texts, 1));
    let (mut items, mut count, mut length) = (Items::new(), usize::MAX, usize::MAX);
    let mut buffer = [0x7f_u8; 16];
    // SAFETY: every pointer is valid for the call.
    let (each, counted, copied) = unsafe {
        (
            payorder_json_each(
                pointer(&json),
                pointer(&at),
                Some(take),
                (&raw mut items).cast(),
            ),
            payorder_json_count(pointer(&json), pointer(&at), &mut count),
            payorder_json_copy(
                pointer(&json),
                pointer(&at),
                buffer.as_mut_ptr().cast(),
                buffer.len(),
                &mut length,
            ),
        )
    };
    assert!([0, 1, 4].contains(&each) && [0, 1, 4].contains(&counted));
    if each == 0 {
        assert_eq!((counted, count), (0, items.len()));
    } else {
        assert!(items.is_empty(), "a failed call returned items");
    }
    let whole = get(&json, &at);
    if whole.result == 0 {
        let text = whole.text().as_bytes();
        let fits = text.len() < buffer.len();
        assert_eq!((copied, length), (i32::from(!fits), text.len()));
        let expected = if fits { text } else { &[] };
        assert!(buffer.starts_with(expected) && buffer[expected.len()] == 0);
    } else {
        assert_eq!((copied, length, buffer[0]), (whole.result, 0, 0));
    }
    for (index, (key, value)) in items.iter().enumerate().take(50) {
        let index = index.to_string();
        let token = key.as_deref().unwrap_or(&index);
        let token = token.replace('~', "~0").replace('/', "~1");
        let single = get(&json, &Some(c(format!("{}/{token}", utf8(&at)))));
        let expected = if value.is_none() { 4 } else { 0 };
        assert_eq!(single.result, expected, "{token}");
        assert!(value.is_none() || single.text == *value, "{token}");
    }
}
