//! Setting a value in a JSON text leaves the rest of the text unchanged.

use std::ptr;

use serde_json::{Value, json};

use super::{INVALID_ARGUMENT, INVALID_REQUEST};
use support::abi::{self, c, call, json_get, json_object, json_quote, json_set};
use support::rows::Rows;
use support::table;

/// Sets a value and returns the changed text.
fn changed(json: &str, pointer: &str, value: &str) -> String {
    json_set(Some(json), pointer, value)
        .done()
        .text()
        .to_owned()
}

#[test]
fn a_value_is_set_at_the_pointer() {
    let mut rows = Rows::new();
    for (json, pointer, value, expected) in [
        // Existing and missing members.
        (r#"{"a":1}"#, "/a", "2", r#"{"a":2}"#),
        (r#"{"a":1}"#, "/b", r#""x""#, r#"{"a":1,"b":"x"}"#),
        ("{}", "/a", "[1]", r#"{"a":[1]}"#),
        ("{ \n}", "/a", "1", r#"{"a":1}"#),
        ("{}", "/", "1", r#"{"":1}"#),
        ("{}", "/a~1b/~0", "1", r#"{"a/b":{"~":1}}"#),
        (r#"{"~1":1}"#, "/~01", "2", r#"{"~1":2}"#),
        (r#"{"\u0061":1}"#, "/a", "2", r#"{"\u0061":2}"#),
        ("{}", "/\"\\", "1", r#"{"\"\\":1}"#),
        // Missing objects on the path are created.
        (
            "{}",
            "/tls/roots",
            r#""system""#,
            r#"{"tls":{"roots":"system"}}"#,
        ),
        ("{}", "/a/0/b", "1", r#"{"a":{"0":{"b":1}}}"#),
        ("{}", "/hosts/-", r#""h""#, r#"{"hosts":["h"]}"#),
        ("{}", "/a/-/b/-/-", "1", r#"{"a":[{"b":[[1]]}]}"#),
        (
            r#"{"a":{"b":null}}"#,
            "/a/b/c",
            "1",
            r#"{"a":{"b":{"c":1}}}"#,
        ),
        (r#"{"a":null}"#, "/a/-", "1", r#"{"a":[1]}"#),
        (" null ", "/a", "1", r#"{"a":1}"#),
        // Elements.
        (r#"{"a":[]}"#, "/a/-", "1", r#"{"a":[1]}"#),
        (r#"{"a":[ ]}"#, "/a/-", "1", r#"{"a":[1]}"#),
        (r#"{"a":[1 , 2 ]}"#, "/a/-", "3", r#"{"a":[1 , 2,3]}"#),
        ("[[0]]", "/0/-", "1", "[[0,1]]"),
        ("[1,2]", "/-/x", "3", r#"[1,2,{"x":3}]"#),
        ("[1, 2 ,3]", "/1", r#"{"a":2}"#, r#"[1, {"a":2} ,3]"#),
        ("[1,2]", "/0", "null", "[null,2]"),
        // In an object "-" is an ordinary name.
        ("{}", "/-", "1", r#"{"-":1}"#),
        (r#"{"a":{"-":1}}"#, "/a/-", "2", r#"{"a":{"-":2}}"#),
        // The whole text.
        (r#"{"a":1}"#, "", " [1, 2] ", "[1, 2]"),
        ("1", "", "{}", "{}"),
        (" \n{\"a\":1}\t", "/a", "\r2 ", r#"{"a":2}"#),
    ] {
        let row = format!("{value} at {pointer:?} in {json}");
        let reply = json_set(Some(json), pointer, value);
        rows.same(&row, (reply.code, reply.text()), (0, expected));
    }
    rows.end();
}

#[test]
fn the_rest_of_the_text_stays_byte_for_byte() {
    let before = r#"{ "z" : -0.10E+05,"big":123456789012345678901234567890.000, "huge":1e999 ,
                      "s":"\u00e9\/\ud800\u0000é" ,"a":[ 1 , {"y":1,"x":2} ] }"#;
    let after = changed(before, "/a/1/x", " 1.50 ");
    assert_eq!(after, before.replace(r#""x":2"#, r#""x":1.50"#));
    let after = changed(before, "/new", r#""\u00e9\ud800""#);
    let expected = format!(
        r#"{},"new":"\u00e9\ud800"}}"#,
        before.trim_end_matches(" }")
    );
    assert_eq!(after, expected);
}

#[test]
fn null_stands_for_an_empty_object() {
    assert_eq!(
        json_set(None, "/a/b", "1").done().text(),
        r#"{"a":{"b":1}}"#
    );
    assert_eq!(json_set(None, "", "[]").done().text(), "[]");
}

#[test]
fn a_pointer_to_nothing_is_an_invalid_request_that_names_it() {
    let mut rows = Rows::new();
    for (json, pointer) in [
        (r#"{"a":"text"}"#, "/a/b"),
        (r#"{"a":1}"#, "/a/0"),
        (r#"{"a":true}"#, "/a/-"),
        ("1", "/a"),
        ("[1,2]", "/2"),
        ("[1,2]", "/3"),
        ("[]", "/0"),
        ("[1,2]", "/01"),
        ("[1,2]", "/+1"),
        ("[1,2]", "/1.0"),
        ("[1,2]", "/a"),
        ("[1,2]", "/"),
        ("[1,2]", "/-1"),
        ("[1,2]", "/18446744073709551616"),
        ("[1]", "/99999999999999999999999999/x"),
        (r#"{"a":[{"b":[1]}]}"#, "/a/0/b/1/c"),
    ] {
        let reply = json_set(Some(json), pointer, "1");
        let row = format!("{pointer} in {json}: {}", reply.text());
        rows.same(&row, reply.code, INVALID_REQUEST);
        rows.that(&row, reply.message().contains(pointer), String::new);
    }
    rows.end();
}

#[test]
fn invalid_json_and_an_invalid_pointer_are_invalid_arguments() {
    let mut rows = Rows::new();
    for (json, pointer, value, cause) in table! {
        "", "/a", "1", "not_json";
        "{", "", "1", "not_json";
        "{}x", "/a", "1", "not_json";
        "{}", "/a", "", "not_json";
        "{}", "/a", "x", "not_json";
        "{}", "/a", "1 2", "not_json";
        "{}", "/a", "1}", "not_json";
        "{}", "/a", r#"1,"b":2"#, "not_json";
        "{}", "a", "1", "invalid_value";
        "{}", "/~2", "1", "invalid_value";
        "1", "/a/b~", "1", "invalid_value";
        "{", "a", "1", "invalid_value";
        // A duplicate key: on the path, elsewhere, and in the value.
        r#"{"a":1,"a":2}"#, "/a", "3", "duplicate_key";
        r#"{"a":1,"\u0061":2}"#, "/b", "3", "duplicate_key";
        r#"{"a":[{"b":1,"b":2}]}"#, "/c", "3", "duplicate_key";
        "{}", "/a", r#"{"b":1,"c":{"":1,"d":[],"":2}}"#, "duplicate_key";
    } {
        let reply = json_set(Some(json), pointer, value);
        let row = format!("{value} at {pointer} in {json}: {}", reply.text());
        rows.same(&row, reply.code, INVALID_ARGUMENT);
        rows.same(&row, &reply.error()["cause"], &json!(cause));
    }
    // The same key in different objects is not a duplicate, and a value is not a key.
    let apart = r#"{"a":{"a":[{"a":1},{"a":"a"}]},"b":"a","c":"b"}"#;
    rows.same(apart, &*changed(apart, "/b", r#""a""#), apart);
    // A replaced value may be invalid.
    let replaced = changed(r#"{"a":{"b":1,"b":2}}"#, "/a", "3");
    rows.same("replaced", &*replaced, r#"{"a":3}"#);
    rows.end();
}

#[test]
fn nesting_is_limited_as_in_a_configuration() {
    let nested = |depth| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let pointer = |depth| "/a".repeat(depth);
    let mut rows = Rows::new();
    for depth in [127, 128, 100_000] {
        let expected = if depth == 127 { 0 } else { INVALID_ARGUMENT };
        for reply in [
            json_set(None, "", &nested(depth)),
            json_set(None, "/a", &nested(depth - 1)),
            json_set(Some(&nested(depth)), "/-", "1"),
            json_set(None, &pointer(depth), "1"),
            json_set(None, &pointer(depth - 7), &nested(7)),
        ] {
            rows.same(&depth.to_string(), reply.code, expected);
            if expected == 0 {
                let read = serde_json::from_str::<Value>(reply.text());
                rows.holds("read", read.is_ok(), reply.text());
            }
        }
    }
    rows.end();
}

#[test]
fn texts_of_up_to_16_mib_are_read_and_written() {
    let most = 16 << 20;
    let quoted = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    let mut rows = Rows::new();
    let mut same = |row: &str, reply: abi::Reply, expected: i32| {
        rows.same(row, reply.code, expected);
        if expected != 0 {
            rows.same(row, &reply.error()["cause"], &json!("too_long"));
        }
    };
    let object = |length: usize| format!("{{\"a\":{}}}", quoted(length - 6));
    same("json", json_set(Some(&object(most)), "/a", "1"), 0);
    same(
        "json",
        json_set(Some(&object(most + 1)), "/a", "1"),
        INVALID_ARGUMENT,
    );
    same("value", json_set(None, "", &quoted(most)), 0);
    same(
        "value",
        json_set(None, "", &quoted(most + 1)),
        INVALID_ARGUMENT,
    );
    same("result", json_set(None, "/a", &quoted(most - 6)), 0);
    same(
        "result",
        json_set(None, "/a", &quoted(most - 5)),
        INVALID_ARGUMENT,
    );
    let key = format!("/{}", "k".repeat(most));
    same("pointer", json_set(None, &key, "1"), INVALID_ARGUMENT);
    same("pointer", json_get("{}", &key), INVALID_ARGUMENT);
    same("text", json_quote(&"x".repeat(most)), 0);
    same("text", json_quote(&"x".repeat(most + 1)), INVALID_ARGUMENT);
    same(
        "pairs",
        json_object(&["a", &"x".repeat(most)]),
        INVALID_ARGUMENT,
    );
    rows.end();
}

#[test]
fn a_text_is_quoted_as_json_requires() {
    let mut rows = Rows::new();
    for text in [
        "",
        "x",
        "é 客 🧾",
        "\"q\" \\ /",
        "\n\t\r\u{1}\u{1f}\u{7f}\u{2028}",
    ] {
        let reply = json_quote(text);
        rows.same(text, reply.code, 0);
        rows.same(text, &reply.json, &json!(text));
        rows.same(text, json_get(reply.text(), "").text(), text);
    }
    rows.same("é", json_quote("é\"\n").text(), "\"é\\\"\\n\"");
    rows.end();
}

#[test]
fn null_and_invalid_utf_8_are_invalid_arguments() {
    let (json, at, broken) = (c("{}"), c("/a"), c(b"\"\xff\"".to_vec()));
    let (json, at, broken) = (json.as_ptr(), at.as_ptr(), broken.as_ptr());
    for (json, pointer, value) in [
        (json, at, ptr::null()),
        (json, ptr::null(), json),
        (broken, at, json),
        (json, broken, json),
        (json, at, broken),
    ] {
        // SAFETY: every pointer is valid for the call, or NULL.
        let reply = call(|out| unsafe { abi::payorder_json_set(json, pointer, value, out) });
        reply.is(INVALID_ARGUMENT);
    }
    for text in [ptr::null(), broken] {
        // SAFETY: every pointer is valid for the call, or NULL.
        let reply = call(|out| unsafe { abi::payorder_json_quote(text, out) });
        reply.is(INVALID_ARGUMENT);
    }
    // SAFETY: every pointer is valid for the call, or NULL.
    unsafe {
        let none = ptr::null_mut();
        assert_eq!(abi::payorder_json_set(json, at, json, none), 0);
        assert_eq!(abi::payorder_json_quote(at, none), 0);
    }
}
