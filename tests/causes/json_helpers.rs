//! What the functions for callers without a JSON library refuse.

use super::arguments::KIB;
use crate::case::Case;
use std::ffi::c_char;
use std::ptr;
use support::abi::{self, Reply, call};

unsafe extern "C" fn ignore_item(
    _: usize,
    _: *const c_char,
    _: *const c_char,
    _: *mut std::ffi::c_void,
) -> i32 {
    1
}

/// The functions that make JSON.
fn makers() -> Vec<Case> {
    let wrong = |cause, what, provoke: fn() -> Reply| Case::new(cause, 1, what, provoke);
    vec![
        wrong("null", "json_object: a key without a value", || {
            abi::json_object(&["a"])
        }),
        wrong("duplicate_key", "json_object", || {
            abi::json_object(&["a", "1", "a", "2"])
        }),
        wrong("null", "json_quote: text", || {
            // SAFETY: every pointer is valid for the call, or NULL.
            call(|out| unsafe { abi::payorder_json_quote(ptr::null(), out) })
        }),
        wrong("not_utf8", "json_quote: text", || {
            // SAFETY: every pointer is valid for the call.
            call(|out| unsafe { abi::payorder_json_quote(c"\xff".as_ptr(), out) })
        }),
        wrong("too_long", "json_quote: text", || {
            abi::json_quote(&"x".repeat(16 * KIB * KIB + 1))
        }),
        wrong("null", "json_set: value_json", || {
            // SAFETY: every pointer is valid for the call, or NULL.
            call(|out| unsafe {
                abi::payorder_json_set(c"{}".as_ptr(), c"/a".as_ptr(), ptr::null(), out)
            })
        }),
        wrong("null", "json_set: pointer", || {
            // SAFETY: every pointer is valid for the call, or NULL.
            call(|out| unsafe {
                abi::payorder_json_set(c"{}".as_ptr(), ptr::null(), c"1".as_ptr(), out)
            })
        }),
        wrong("not_json", "json_set: json", || {
            abi::json_set(Some("x"), "/a", "1")
        }),
        wrong("not_json", "json_set: value_json", || {
            abi::json_set(None, "/a", "x")
        }),
        wrong("invalid_value", "json_set: pointer", || {
            abi::json_set(None, "a", "1")
        }),
        wrong("duplicate_key", "json_set: json", || {
            abi::json_set(Some(r#"{"b":1,"b":1}"#), "/a", "1")
        }),
        wrong("duplicate_key", "json_set: value_json", || {
            abi::json_set(None, "/a", r#"{"b":1,"b":1}"#)
        }),
        wrong("too_long", "json_set: value_json", || {
            abi::json_set(None, "/a", &" ".repeat(16 * KIB * KIB + 1))
        }),
        wrong("too_long", "json_set: a deep pointer", || {
            abi::json_set(None, &"/a".repeat(200), "1")
        }),
        Case::new("rule_broken", 4, "json_set: no such element", || {
            abi::json_set(Some("[]"), "/3", "1")
        }),
    ]
}

/// The functions that find a value in a text. All refuse the same, but only payorder_json_get has
/// an error object; the others return its number and nothing else.
fn finders() -> Vec<Case> {
    let long: String = " ".repeat(16 * KIB * KIB) + "{}";
    let refused = [
        ("not_json", 1, "x".to_owned(), "/a"),
        ("not_json", 1, String::new(), "/a"),
        ("too_long", 1, long, "/a"),
        ("invalid_value", 1, "{}".to_owned(), "a"),
        ("invalid_value", 1, "{}".to_owned(), "/~2"),
        ("duplicate_key", 1, r#"{"a":1,"a":1}"#.to_owned(), "/a"),
        ("rule_broken", 4, r#"{"a":null}"#.to_owned(), "/a"),
    ];
    let cases = refused.into_iter().map(|(cause, result, json, at)| {
        let start: String = json.chars().take(20).collect();
        Case::new(cause, result, format!("{at} in {start}"), move || {
            let codes = [
                ("json_copy", abi::json_copy(&json, at, 64).0),
                ("json_count", abi::json_count(&json, at).0),
                ("json_each", abi::json_each(&json, at, |_| true).0),
            ];
            for (function, code) in codes {
                assert_eq!(code, result, "{function}: {cause}");
            }
            abi::json_get(&json, at)
        })
    });
    cases.chain(std::iter::once(null_to_finders())).collect()
}

fn null_to_finders() -> Case {
    Case::new("null", 1, "json_get and similar functions: NULL", || {
        const NULL: *const c_char = ptr::null();
        let (json, at, nowhere) = (c"[]".as_ptr(), c"".as_ptr(), ptr::null_mut());
        // SAFETY: every pointer is valid for the call, or NULL.
        let codes = unsafe {
            [
                abi::payorder_json_copy(NULL, at, ptr::null_mut(), 0, ptr::null_mut()),
                abi::payorder_json_copy(json, NULL, ptr::null_mut(), 0, ptr::null_mut()),
                abi::payorder_json_count(NULL, at, ptr::null_mut()),
                abi::payorder_json_count(json, NULL, ptr::null_mut()),
                abi::payorder_json_each(json, at, None, nowhere),
                abi::payorder_json_each(NULL, at, Some(ignore_item), nowhere),
                abi::payorder_json_each(json, NULL, Some(ignore_item), nowhere),
            ]
        };
        assert_eq!(codes, [1; 7]);
        // SAFETY: every pointer is valid for the call, or NULL.
        call(|out| unsafe { abi::payorder_json_get(NULL, at, out) })
    })
}

pub fn cases() -> Vec<Case> {
    makers().into_iter().chain(finders()).collect()
}
