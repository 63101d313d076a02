//! A program without a JSON library can build any JSON and read any value.

mod lists;
mod setting;

use serde_json::json;
use std::ptr;
use support::abi::{self, c, call, json_get, json_object};
use support::orders::keys_in_order;
use support::rows::Rows;

const INVALID_ARGUMENT: i32 = 1;
const INVALID_REQUEST: i32 = 4;

/// The example of RFC 6901, section 5.
const RFC: &str = r##"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"##;

#[test]
fn the_pointers_of_rfc_6901_find_their_values() {
    let table = [
        ("", RFC),
        ("/foo", r#"["bar","baz"]"#),
        ("/foo/0", "bar"),
        ("/foo/1", "baz"),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/e^f", "3"),
        ("/g|h", "4"),
        ("/i\\j", "5"),
        ("/k\"l", "6"),
        ("/ ", "7"),
        ("/m~0n", "8"),
    ];
    let mut rows = Rows::new();
    for (pointer, value) in table {
        let reply = json_get(RFC, pointer);
        rows.same(pointer, (reply.code, reply.text()), (0, value));
    }
    rows.end();
}

#[test]
fn a_value_is_returned_as_written_and_a_string_without_quotes() {
    let text = r#" { "s" : "a\"b\\c\/d\u00e9\ud83e\uddfe\n\t\u0001" , "e":"", "n" : -0.10E+5 , "huge":123456789012345678901234567890.000,
                   "t":true,"f": false ,"z": null , "o" : { "a" : [ 1 , 2.50 ] } , "empty":{},"list":[[],[{"x":["deep"]}]], "é":{"":{"":"in"}},
                   "~":{"~1":"t"}, "/":"s", "0":"zero", "01":"k", "-":"dash" } "#;
    let table = [
        ("/s", "a\"b\\c/dé🧾\n\t\u{1}"),
        ("/e", ""),
        ("/n", "-0.10E+5"),
        ("/huge", "123456789012345678901234567890.000"),
        ("/t", "true"),
        ("/f", "false"),
        ("/o/a/1", "2.50"),
        ("/o", "{ \"a\" : [ 1 , 2.50 ] }"),
        ("/o/a", "[ 1 , 2.50 ]"),
        ("/empty", "{}"),
        ("/list/0", "[]"),
        ("/list/1/0/x/0", "deep"),
        ("/é//", "in"),
        ("/~0/~01", "t"),
        ("/~1", "s"),
        ("/0", "zero"),
        ("/01", "k"),
        ("/-", "dash"),
    ];
    let mut rows = Rows::new();
    for (pointer, value) in table {
        let reply = json_get(text, pointer);
        rows.same(pointer, (reply.code, reply.text()), (0, value));
    }
    for (text, value) in [
        ("\"x\"", "x"),
        ("12.50", "12.50"),
        ("[ ]", "[ ]"),
        ("true", "true"),
    ] {
        rows.same(text, json_get(text, "").text(), value);
    }
    rows.end();
}

#[test]
fn a_missing_value_is_an_error_object() {
    let text = r#"{"a":{"b":[1,2]},"s":"text","n":null,"00":1}"#;
    let pointers = [
        "/x",
        "/a/x",
        "/a/b/2",
        "/a/b/-",
        "/a/b/-1",
        "/a/b/00",
        "/a/b/01",
        "/a/b/1.0",
        "/a/b/+1",
        "/a/b/ 1",
        "/a/b/x",
        "/a/b/",
        "/a/b/18446744073709551616",
        "/a/b/99999999999999999999999999",
        "/s/0",
        "/s/",
        "/n/a",
        "/A",
        "/a/b/0/0",
        "/",
        "//",
        "/ a",
        "/0",
        "/a/b/１",
    ];
    let mut rows = Rows::new();
    for pointer in pointers {
        let reply = json_get(text, pointer);
        rows.same(pointer, reply.code, INVALID_REQUEST);
        rows.same(
            pointer,
            &reply.error()["name"],
            &json!("PAYORDER_INVALID_REQUEST"),
        );
    }
    rows.end();
}

#[test]
fn a_text_that_is_not_a_pointer_is_refused() {
    let mut rows = Rows::new();
    for pointer in [
        "a", "a/b", "#/a", " ", "/a~", "/~2", "/~", "/a~x/b", "~0", "~1a",
    ] {
        // Whether a text is a pointer does not depend on the document.
        for document in [r#"{"a":{"b":1},"a~":1,"~2":1,"~":1}"#, "{}", "1"] {
            let row = format!("{pointer} in {document}");
            rows.same(&row, json_get(document, pointer).code, INVALID_ARGUMENT);
        }
    }
    rows.end();
}

#[test]
fn null_counts_as_absent_and_the_message_names_the_pointer() {
    let mut rows = Rows::new();
    for (document, pointer) in [
        (r#"{"a":{"b": null }}"#, "/a/b"),
        ("[1,null]", "/1"),
        (" null ", ""),
        (r#"{"a":1}"#, "/missing"),
        (r#"{"a":"\u0000"}"#, "/a"),
    ] {
        let reply = json_get(document, pointer);
        let row = format!("{pointer} in {document}");
        rows.same(&row, reply.code, INVALID_REQUEST);
        rows.says(&row, &reply, pointer);
    }
    rows.end();
}

#[test]
fn a_string_with_u_0000_cannot_be_returned() {
    let text = "{\"a\":\"x\\u0000y\",\"b\":{\"c\":\"\\u0000\"},\"k\\u0000\":1}";
    for pointer in ["/a", "/b/c"] {
        assert_eq!(json_get(text, pointer).code, INVALID_REQUEST, "{pointer}");
    }
    assert_eq!(
        json_get(text, "/b").text(),
        "{\"c\":\"\\u0000\"}",
        "as written it has no NUL"
    );
}

#[test]
fn a_string_with_a_lone_surrogate_cannot_be_returned() {
    for half in ["\\ud800", "\\udc00", "\\udc00\\ud800", "\\ud800x"] {
        let code = json_get(&format!("{{\"a\":\"{half}\"}}"), "/a").code;
        assert!(
            [INVALID_ARGUMENT, INVALID_REQUEST].contains(&code),
            "{half}: {code}"
        );
    }
}

#[test]
fn null_and_invalid_utf_8_are_invalid_arguments() {
    let (good, broken) = (c("{\"a\":1}"), c(b"{\"a\":\"\xff\"}".to_vec()));
    let (pointer, broken_pointer) = (c("/a"), c(b"/\xff".to_vec()));
    // SAFETY: every pointer is valid for the call, or NULL.
    unsafe {
        for (text, pointer) in [
            (ptr::null(), pointer.as_ptr()),
            (good.as_ptr(), ptr::null()),
            (broken.as_ptr(), pointer.as_ptr()),
            (good.as_ptr(), broken_pointer.as_ptr()),
        ] {
            let reply = call(|out| abi::payorder_json_get(text, pointer, out));
            reply.is(INVALID_ARGUMENT);
            assert_eq!(reply.error()["result"], INVALID_ARGUMENT);
        }
        assert_eq!(
            abi::payorder_json_get(good.as_ptr(), pointer.as_ptr(), ptr::null_mut()),
            0
        );
        let reply = call(|out| abi::payorder_json_object(ptr::null(), out));
        reply.is(INVALID_ARGUMENT);
        let pairs = [pointer.as_ptr(), broken.as_ptr(), ptr::null()];
        let reply = call(|out| abi::payorder_json_object(pairs.as_ptr(), out));
        reply.is(INVALID_ARGUMENT);
        assert!(
            reply.error()["message"]
                .as_str()
                .is_some_and(|said| said.contains("the value of \"/a\"")),
            "{}",
            reply.text()
        );
    }
}

#[test]
fn a_text_of_up_to_16_mib_is_read() {
    let padded = |length: usize| format!("{{\"a\":\"b\"}}{}", " ".repeat(length - 9));
    assert_eq!(json_get(&padded(16 << 20), "/a").text(), "b");
    json_get(&padded((16 << 20) + 1), "/a").is(INVALID_ARGUMENT);
    let deep = format!("{}{}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    assert!(
        [0, INVALID_ARGUMENT].contains(&json_get(&deep, "/0").code),
        "it does not crash"
    );
}

#[test]
fn an_object_is_made_from_pairs() {
    assert_eq!(json_object(&[]).done().json, json!({}));
    let odd = "é 客 🧾 \"q\" \\ / \n\t\u{1}\u{7f}\u{2028}";
    let reply = json_object(&[
        "orderId",
        "O-1",
        "amount",
        "100.00",
        "",
        "empty key",
        "é\"",
        odd,
        "none",
        "",
    ])
    .done();
    let expected =
        json!({"orderId": "O-1", "amount": "100.00", "": "empty key", "é\"": odd, "none": ""});
    assert_eq!(reply.json, expected);
    assert_eq!(
        keys_in_order(reply.text()),
        ["orderId", "amount", "", "é\"", "none"]
    );
    assert_eq!(json_get(reply.text(), "/é\"").text(), odd);
}
