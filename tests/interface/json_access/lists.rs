//! Arrays and objects are counted and iterated, and values are copied into a caller's buffer.

use std::cell::RefCell;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::time::Duration;

use super::{INVALID_ARGUMENT, INVALID_REQUEST};
use support::abi::{self, Item, c, json_copy, json_count, json_each, json_get};
use support::rows::Rows;

fn all(json: &str, at: &str) -> (i32, Vec<Item>) {
    json_each(json, at, |_| true)
}

fn item(key: Option<&str>, value: Option<&str>) -> Item {
    (key.map(str::to_owned), value.map(str::to_owned))
}

#[test]
fn elements_and_members_are_counted() {
    let text = r#"{"a":[1,[2,3],{"b":4}],"o":{"x":1,"y":{"z":2},"":null},"none":[ ],"empty":{ },
                   "one":[[]],"nul":["\u0000"],"":{"k\u0000":1}}"#;
    let mut rows = Rows::new();
    for (pointer, count) in [
        ("", 7),
        ("/a", 3),
        ("/a/1", 2),
        ("/a/2", 1),
        ("/o", 3),
        ("/o/y", 1),
        ("/none", 0),
        ("/empty", 0),
        ("/one", 1),
        ("/nul", 1),
        ("/", 1),
    ] {
        rows.same(pointer, json_count(text, pointer), (0, count));
    }
    rows.end();
}

/// Values that are neither arrays nor objects, and texts that are not JSON or not a pointer.
fn failures() -> Vec<(&'static str, &'static str, i32)> {
    vec![
        (r#"{"a":1}"#, "/a", INVALID_REQUEST),
        (r#"{"a":"[]"}"#, "/a", INVALID_REQUEST),
        (r#"{"a":true}"#, "/a", INVALID_REQUEST),
        (r#"{"a":null}"#, "/a", INVALID_REQUEST),
        (r#"{"a":[]}"#, "/b", INVALID_REQUEST),
        ("[[]]", "/1", INVALID_REQUEST),
        ("null", "", INVALID_REQUEST),
        ("", "", INVALID_ARGUMENT),
        ("[1,]", "", INVALID_ARGUMENT),
        ("[1", "", INVALID_ARGUMENT),
        ("[]", "a", INVALID_ARGUMENT),
        ("[]", "/~", INVALID_ARGUMENT),
        (r#"{"a":1,"a":2}"#, "", INVALID_ARGUMENT),
        (r#"{"a":1,"\u0061":2}"#, "", INVALID_ARGUMENT),
        (r#"{"a":[],"a":[]}"#, "/a", INVALID_ARGUMENT),
    ]
}

#[test]
fn other_values_are_neither_counted_nor_iterated() {
    let mut rows = Rows::new();
    for (json, pointer, expected) in failures() {
        let row = format!("{pointer:?} in {json}");
        rows.same(&row, json_count(json, pointer), (expected, 0));
        rows.same(&row, all(json, pointer), (expected, vec![]));
    }
    rows.end();
}

#[test]
fn items_come_in_order_and_read_like_single_values() {
    let text = r#"{"list" : [ "a\"é\n", 1.50 ,true,null , {"x" : [1]} ,[ ],""],
                   "object" : {"z":"1","a~/b":null, "\u00e9" : {"y":2},"":-0.10E+5}}"#;
    let list = [
        "a\"é\n",
        "1.50",
        "true",
        "null",
        r#"{"x" : [1]}"#,
        "[ ]",
        "",
    ];
    let (result, items) = all(text, "/list");
    assert_eq!(result, 0);
    for (index, (expected, (key, value))) in list.iter().zip(&items).enumerate() {
        assert_eq!(key, &None);
        if *expected == "null" {
            assert_eq!(value, &None);
            continue;
        }
        assert_eq!(value.as_deref(), Some(*expected));
        assert_eq!(json_get(text, &format!("/list/{index}")).text(), *expected);
    }
    assert_eq!(items.len(), list.len());
    let members = vec![
        item(Some("z"), Some("1")),
        item(Some("a~/b"), None),
        item(Some("é"), Some(r#"{"y":2}"#)),
        item(Some(""), Some("-0.10E+5")),
    ];
    assert_eq!(all(text, "/object"), (0, members));
    for empty in ["[]", "{}", " [ ] ", "{\n}"] {
        assert_eq!(all(empty, ""), (0, vec![]), "{empty}");
    }
}

#[test]
fn returning_0_stops() {
    let text = "[1,2,3,4]";
    let until_two = |item: &Item| item.1.as_deref() != Some("2");
    let (result, items) = json_each(text, "", until_two);
    assert_eq!((result, items.len()), (0, 2));
    let (result, items) = json_each(r#"{"a":1,"b":2}"#, "", |_| false);
    assert_eq!((result, items), (0, vec![item(Some("a"), Some("1"))]));
}

/// A C string would end in the middle of such a text, so nothing is returned.
#[test]
fn a_string_with_u_0000_is_refused_before_the_first_item() {
    let mut rows = Rows::new();
    for (json, expected) in [
        (r#"["a","b\u0000c"]"#, INVALID_REQUEST),
        (r#"{"a":1,"b":"\u0000"}"#, INVALID_REQUEST),
        (r#"{"a":1,"b\u0000":2}"#, INVALID_REQUEST),
        (r#"["a","\ud800"]"#, INVALID_ARGUMENT),
        (r#"{"a":1,"\ud800":2}"#, INVALID_ARGUMENT),
    ] {
        rows.same(json, all(json, ""), (expected, vec![]));
    }
    let nested = r#"[["\u0000"]]"#;
    let whole = item(None, Some(r#"["\u0000"]"#));
    rows.same("as written", all(nested, ""), (0, vec![whole]));
    rows.end();
}

#[test]
fn a_callback_may_call_the_library_again() {
    let text = r#"[{"id":"a","tags":["x","y"]},{"id":"b","tags":[]}]"#;
    let seen = RefCell::new(Vec::new());
    let (result, _) = json_each(text, "", |(_, value)| {
        let entry = value.as_deref().expect("an object");
        let (result, tags) = all(entry, "/tags");
        assert_eq!(result, 0);
        let id = json_get(entry, "/id").text().to_owned();
        seen.borrow_mut().push((id, tags.len()));
        true
    });
    assert_eq!(result, 0);
    let expected = [("a".to_owned(), 2), ("b".to_owned(), 0)];
    assert_eq!(*seen.borrow(), expected);
}

unsafe extern "C" fn never(_: usize, _: *const c_char, _: *const c_char, _: *mut c_void) -> i32 {
    panic!("it was called")
}

#[test]
fn null_and_invalid_utf_8_are_invalid_arguments() {
    let (json, at, broken) = (c("[1]"), c(""), c(b"[\"\xff\"]".to_vec()));
    let (json, at, broken) = (json.as_ptr(), at.as_ptr(), broken.as_ptr());
    for (json, pointer) in [
        (ptr::null(), at),
        (json, ptr::null()),
        (broken, at),
        (json, broken),
    ] {
        let (mut count, mut length, mut buffer) = (7, 7, [7; 4]);
        // SAFETY: every pointer is valid for the call, or NULL.
        let results = unsafe {
            let place = buffer.as_mut_ptr();
            [
                abi::payorder_json_count(json, pointer, &mut count),
                abi::payorder_json_copy(json, pointer, place, 4, &mut length),
                abi::payorder_json_each(json, pointer, Some(never), ptr::null_mut()),
            ]
        };
        assert_eq!(results, [INVALID_ARGUMENT; 3]);
        assert_eq!((count, length, buffer[0]), (0, 0, 0));
    }
    // SAFETY: every pointer is valid for the call, or NULL.
    unsafe {
        let nobody = abi::payorder_json_each(json, at, None, ptr::null_mut());
        assert_eq!(nobody, INVALID_ARGUMENT);
        assert_eq!(abi::payorder_json_count(json, at, ptr::null_mut()), 0);
    }
}

#[test]
fn a_value_is_copied_with_its_nul_or_not_at_all() {
    let text = r#"{"s":"h\u00e9","n":1.50,"empty":"","null":null,"nul":"a\u0000","o":{"a": 1}}"#;
    let mut rows = Rows::new();
    for (pointer, value) in [
        ("/s", "hé"),
        ("/n", "1.50"),
        ("/empty", ""),
        ("/o", r#"{"a": 1}"#),
    ] {
        rows.same(pointer, json_get(text, pointer).text(), value);
        for size in 0..value.len() + 4 {
            let (result, length, buffer) = json_copy(text, pointer, size);
            let row = format!("{pointer} into {size} bytes");
            rows.same(&row, length, value.len());
            let mut expected = vec![0x7f; size];
            if size > value.len() {
                rows.same(&row, result, 0);
                expected[..value.len()].copy_from_slice(value.as_bytes());
                expected[value.len()] = 0;
            } else {
                rows.same(&row, result, INVALID_ARGUMENT);
                expected.iter_mut().take(1).for_each(|byte| *byte = 0);
            }
            rows.same(&row, buffer, expected);
        }
    }
    for (pointer, expected) in [
        ("/missing", INVALID_REQUEST),
        ("/null", INVALID_REQUEST),
        ("/nul", INVALID_REQUEST),
        ("missing", INVALID_ARGUMENT),
    ] {
        let copied = json_copy(text, pointer, 2);
        rows.same(pointer, copied, (expected, 0, vec![0, 0x7f]));
    }
    rows.end();
}

#[test]
fn a_length_is_measured_without_a_buffer() {
    let (json, at) = (c(r#"{"a":"text"}"#), c("/a"));
    let (json, at) = (json.as_ptr(), at.as_ptr());
    for size in [0, 100] {
        let mut length = 0;
        // SAFETY: every pointer is valid for the call, or NULL.
        let result =
            unsafe { abi::payorder_json_copy(json, at, ptr::null_mut(), size, &mut length) };
        assert_eq!((result, length), (INVALID_ARGUMENT, 4));
    }
    let mut buffer = [7; 5];
    // SAFETY: every pointer is valid for the call, or NULL.
    let result =
        unsafe { abi::payorder_json_copy(json, at, buffer.as_mut_ptr(), 5, ptr::null_mut()) };
    assert_eq!((result, buffer), (0, [116, 101, 120, 116, 0]));
}

/// The CPU time of this thread: other work on the machine does not count.
#[cfg(unix)]
fn worked() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is valid for the call.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// On other systems, the elapsed time.
#[cfg(not(unix))]
fn worked() -> Duration {
    static BEGAN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGAN.elapsed()
}

/// The shortest time of several runs over a list or an object, reading each entry's values.
fn time_to_read(count: usize, json: &str, at: &str) -> Duration {
    let run = || {
        let began = worked();
        let seen = RefCell::new(0);
        let (result, items) = json_each(json, at, |(_, value)| {
            let entry = value.as_deref().expect("an object");
            let id = json_get(entry, "/orderId");
            assert!(id.text().starts_with("ORDER-"));
            *seen.borrow_mut() += 1;
            true
        });
        assert_eq!((result, items.len(), *seen.borrow()), (0, count, count));
        assert_eq!(json_count(json, at), (0, count));
        worked() - began
    };
    (0..3).map(|_| run()).min().expect("a run")
}

#[test]
fn the_time_to_read_ten_thousand_entries_grows_linearly() {
    let entries = |count: usize, object: bool| {
        let entry = |number| {
            let key = if object {
                format!("\"entry {number}\":")
            } else {
                String::new()
            };
            format!(
                r#"{key}{{"entry":{number},"orderId":"ORDER-{number}","amount":"100.00",
                   "state":"created","result":0,"url":"https://pay.example.com/{number}"}}"#
            )
        };
        let list: Vec<String> = (0..count).map(entry).collect();
        let [open, close] = if object { ['{', '}'] } else { ['[', ']'] };
        format!(
            r#"{{"before":[1,2],"entries":{open}{}{close}}}"#,
            list.join(",")
        )
    };
    for object in [false, true] {
        let [few, many] =
            [1_000, 10_000].map(|count| time_to_read(count, &entries(count, object), "/entries"));
        // Ten times the entries in ten times the time; one look at the whole text for each entry
        // would take a hundred times as long.
        assert!(
            many < few * 30,
            "{few:?} for 1,000 and {many:?} for 10,000 entries"
        );
    }
}
