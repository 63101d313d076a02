//! A program without a JSON library can build any JSON and read any value. `differential`
//! compares thousands of pointers with Python's. The test of causes has what every function refuses:
//! NULL, texts that are not UTF-8, not JSON, or too long.

use std::ptr;

use serde_json::{Value, json};
use support::abi::{
    self, Item, c, json_copy, json_count, json_each, json_get, json_object, json_quote, json_set,
};
use support::orders::keys_in_order;
#[cfg(unix)]
use support::patience::worked;
use support::result::{DONE, INVALID_ARGUMENT, INVALID_REQUEST};
use support::rows::Rows;
use support::table;
use support::trials::trials;

#[test]
fn a_value_is_returned_as_written_and_a_string_without_quotes() {
    let odd = r#" { "s" : "a\"b\\c\/d\u00e9\ud83e\uddfe\n\t\u0001" , "e":"", "n" : -0.10E+5 ,
        "huge":12345678901234567890.000,"f": false , "o" : { "a" : [ 1 , 2.50 ] } ,"list":[[],{}],
        "é":{"":{"":"in"}}, "~":{"~1":"t"}, "01":"k", "-":"dash","nul":{"c":"\u0000"} } "#;
    let mut rows = Rows::new();
    for (text, pointer, value) in table! {
        odd, "/s", "a\"b\\c/dé🧾\n\t\u{1}";
        odd, "/e", "";
        odd, "/n", "-0.10E+5";
        odd, "/huge", "12345678901234567890.000";
        odd, "/f", "false";
        odd, "/o/a/1", "2.50";
        odd, "/o", "{ \"a\" : [ 1 , 2.50 ] }";
        odd, "/list/0", "[]";
        odd, "/é//", "in";
        odd, "/~0/~01", "t";
        odd, "/01", "k";
        odd, "/-", "dash";
        odd, "/nul", r#"{"c":"\u0000"}"#;
        "\"x\"", "", "x";
        "[ ]", "", "[ ]";
    } {
        let reply = json_get(text, pointer);
        rows.same(pointer, (reply.code, reply.text()), (0, value));
    }
    rows.end();
}

#[test]
fn what_is_missing_is_an_error_that_names_the_pointer() {
    let text = r#"{"a":{"b":[1,2]},"s":"text","n":null,"00":1,"u":"x\u0000","h":"\ud800"}"#;
    let mut rows = Rows::new();
    let missing = "/x /A / // /a/b/2 /a/b/- /a/b/-1 /a/b/00 /a/b/1.0 /a/b/+1 /a/b/x /a/b/ /s/0 \
        /n /n/a /u /0 /a/b/１ /a/b/0/0 /a/b/4294967296 /a/b/18446744073709551616";
    for pointer in missing.split_whitespace() {
        let reply = json_get(text, pointer);
        rows.code(pointer, &reply, INVALID_REQUEST);
        rows.says(pointer, &reply, pointer);
    }
    // Whether a text is a pointer does not depend on the document.
    for pointer in "a a/b #/a /a~ /~2 /~ /a~x/b ~0".split_whitespace() {
        for document in [r#"{"a":{"b":1},"~":1}"#, "{}", "1"] {
            rows.code(pointer, &json_get(document, pointer), INVALID_ARGUMENT);
        }
    }
    rows.code("half a letter", &json_get(text, "/h"), INVALID_ARGUMENT);
    rows.end();
}

#[test]
fn an_object_is_made_from_pairs_and_a_text_is_quoted() {
    assert_eq!(json_object(&[]).done().json, json!({}));
    let odd = "é 客 🧾 \"q\" \\ / \n\t\r\u{1}\u{1f}\u{7f}\u{2028}";
    let reply = json_object(&["orderId", "O-1", "", "empty key", "é\"", odd, "none", ""]).done();
    let expected = json!({"orderId": "O-1", "": "empty key", "é\"": odd, "none": ""});
    assert_eq!(reply.json, expected);
    assert_eq!(keys_in_order(reply.text()), ["orderId", "", "é\"", "none"]);
    for text in ["", "x", odd] {
        let quoted = json_quote(text).done();
        assert_eq!(quoted.json, json!(text));
        assert_eq!(json_get(quoted.text(), "").text(), text);
    }
    assert_eq!(json_quote("é\"\n").text(), "\"é\\\"\\n\"");
}

#[test]
fn a_value_is_set_at_the_pointer_and_the_rest_stays_as_it_is() {
    let kept =
        r#"{ "z" : -0.10E+05,"huge":1e999 ,"s":"\u00e9\/\ud800\u0000é" ,"a":[ 1 , {"x":2} ] }"#;
    let (set, added) = (
        kept.replace("2}", "1.50}"),
        kept.replace(" }", ",\"n\":\"\\ud800\"}"),
    );
    let mut rows = Rows::new();
    for (json, pointer, value, expected) in table! {
        // Existing and missing members.
        r#"{"a":1}"#, "/a", "2", r#"{"a":2}"#;
        r#"{"a":1}"#, "/b", r#""x""#, r#"{"a":1,"b":"x"}"#;
        "{ \n}", "/a", "[1]", r#"{"a":[1]}"#;
        "{}", "/", "1", r#"{"":1}"#;
        "{}", "/a~1b/~0", "1", r#"{"a/b":{"~":1}}"#;
        r#"{"\u0061":1}"#, "/a", "2", r#"{"\u0061":2}"#;
        "{}", "/\"\\", "1", r#"{"\"\\":1}"#;
        // Missing objects on the path are created.
        "{}", "/a/0/b", "1", r#"{"a":{"0":{"b":1}}}"#;
        "{}", "/a/-/b/-/-", "1", r#"{"a":[{"b":[[1]]}]}"#;
        r#"{"a":{"b":null}}"#, "/a/b/c", "1", r#"{"a":{"b":{"c":1}}}"#;
        " null ", "/a/-", "1", r#"{"a":[1]}"#;
        // Elements.
        r#"{"a":[ ]}"#, "/a/-", "1", r#"{"a":[1]}"#;
        r#"{"a":[1 , 2 ]}"#, "/a/-", "3", r#"{"a":[1 , 2,3]}"#;
        "[1,2]", "/-/x", "3", r#"[1,2,{"x":3}]"#;
        "[1, 2 ,3]", "/1", r#"{"a":2}"#, r#"[1, {"a":2} ,3]"#;
        // In an object "-" is an ordinary name.
        "{}", "/-", "1", r#"{"-":1}"#;
        // The whole text, and a part of it that is not valid.
        r#"{"a":1}"#, "", " [1, 2] ", "[1, 2]";
        " \n{\"a\":1}\t", "/a", "\r2 ", r#"{"a":2}"#;
        r#"{"a":{"b":1,"b":2}}"#, "/a", "3", r#"{"a":3}"#;
        // The same key in different objects is not a duplicate.
        r#"{"a":{"a":[{"a":1}]},"b":"a"}"#, "/b", r#""a""#, r#"{"a":{"a":[{"a":1}]},"b":"a"}"#;
        kept, "/a/1/x", " 1.50 ", &set;
        kept, "/n", r#""\ud800""#, &added;
    } {
        let row = format!("{value} at {pointer:?} in {json}");
        let reply = json_set(Some(json), pointer, value);
        rows.same(&row, (reply.code, reply.text()), (0, expected));
    }
    let from_nothing = json_set(None, "/a/b", "1");
    rows.same("NULL", from_nothing.text(), r#"{"a":{"b":1}}"#);
    rows.end();
}

#[test]
fn a_value_that_cannot_be_set_is_an_error() {
    let mut rows = Rows::new();
    for (json, pointers) in table! {
        r#"{"a":"text"}"#, "/a/b /a/0 /a/-";
        "1", "/a";
        "[1,2]", "/2 /01 /+1 /1.0 /a / /-1 /18446744073709551616";
        r#"{"a":[{"b":[1]}]}"#, "/a/0/b/1/c";
    } {
        for pointer in pointers.split_whitespace() {
            let reply = json_set(Some(json), pointer, "1");
            rows.code(&format!("{pointer} in {json}"), &reply, INVALID_REQUEST);
            rows.says(json, &reply, pointer);
        }
    }
    for (json, pointer, value, cause) in table! {
        "{}x", "/a", "1", "not_json";
        "{}", "/a", "", "not_json";
        "{}", "/a", "1 2", "not_json";
        "{}", "/a", r#"1,"b":2"#, "not_json";
        "1", "/a/b~", "1", "invalid_value";
        r#"{"a":1,"\u0061":2}"#, "/b", "3", "duplicate_key";
        r#"{"a":[{"b":1,"b":2}]}"#, "/c", "3", "duplicate_key";
        "{}", "/a", r#"{"b":1,"c":{"":1,"d":[],"":2}}"#, "duplicate_key";
    } {
        let reply = json_set(Some(json), pointer, value);
        rows.code(json, &reply, INVALID_ARGUMENT);
        rows.same(json, &reply.error()["cause"], &json!(cause));
    }
    rows.end();
}

#[test]
fn nesting_is_limited_as_in_a_configuration() {
    let nested = |depth| "[".repeat(depth) + "1" + &"]".repeat(depth);
    for (depth, expected) in [
        (127, 0),
        (128, INVALID_ARGUMENT),
        (trials(20_000, 100_000), INVALID_ARGUMENT),
    ] {
        for reply in [
            json_set(None, "", &nested(depth)),
            json_set(None, "/a", &nested(depth - 1)),
            json_set(Some(&nested(depth)), "/-", "1"),
            json_set(None, &"/a".repeat(depth - 7), &nested(7)),
        ] {
            reply.is(expected);
            let is_json = serde_json::from_str::<Value>(reply.text()).is_ok();
            assert!(is_json, "{}", reply.text());
        }
    }
    let read = json_get(&nested(1 << 20), "/0").code;
    assert!([0, INVALID_ARGUMENT].contains(&read), "it does not crash");
}

/// The test of causes has longer texts.
#[test]
fn texts_of_up_to_16_mib_are_read_and_written() {
    let quoted = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    let longest = json_set(None, "/a", &quoted((16 << 20) - 6)).done();
    assert_eq!(longest.text().len(), 16 << 20);
    json_get(longest.text(), "/a").is(DONE);
    let reply = json_set(None, "/a", &quoted((16 << 20) - 5));
    assert_eq!(reply.is(INVALID_ARGUMENT).error()["cause"], "too_long");
    let key = "k".repeat(16 << 20);
    json_object(&["a", &key]).is(INVALID_ARGUMENT);
}

fn all(json: &str, at: &str) -> (i32, Vec<Item>) {
    json_each(json, at, |_| true)
}

#[test]
fn items_are_counted_and_come_in_order_as_single_values() {
    let text = r#"{"list" : [ "a\"é\n", 1.50 ,true,null , {"x" : [1]} ,[ ],["\u0000"]],
                   "object" : {"z":"1","a~/b":null, "\u00e9" : {"y":2},"":-0.10E+5},
                   "none":[ ], "empty":{ }}"#;
    let list = [
        "a\"é\n",
        "1.50",
        "true",
        "null",
        r#"{"x" : [1]}"#,
        "[ ]",
        r#"["\u0000"]"#,
    ];
    let item = |key: &str, value: &str| {
        let value = (value != "null").then(|| value.to_owned());
        (Some(key.to_owned()).filter(|key| key != "-"), value)
    };
    let list: Vec<Item> = list.iter().map(|value| item("-", value)).collect();
    assert_eq!(all(text, "/list"), (0, list));
    assert_eq!(json_count(text, "/list"), (0, 7));
    let members = [
        ("z", "1"),
        ("a~/b", "null"),
        ("é", r#"{"y":2}"#),
        ("", "-0.10E+5"),
    ];
    let members: Vec<Item> = members
        .iter()
        .map(|(key, value)| item(key, value))
        .collect();
    assert_eq!(all(text, "/object"), (0, members));
    assert_eq!(json_count(text, "/object"), (0, 4));
    for empty in ["/none", "/empty"] {
        assert_eq!(all(text, empty), (0, vec![]));
        assert_eq!(json_count(text, empty), (0, 0));
    }
    assert_eq!(
        json_each("[1,2,3]", "", |item| item.1.as_deref() != Some("2"))
            .1
            .len(),
        2
    );
}

#[test]
fn what_has_no_items_is_refused_before_the_first_one() {
    let mut rows = Rows::new();
    for (json, pointer, expected) in table! {
        r#"{"a":1}"#, "/a", INVALID_REQUEST;
        r#"{"a":"[]"}"#, "/a", INVALID_REQUEST;
        "null", "", INVALID_REQUEST;
        "[[]]", "/1", INVALID_REQUEST;
        "[1,]", "", INVALID_ARGUMENT;
        "[]", "/~", INVALID_ARGUMENT;
        r#"{"a":1,"\u0061":2}"#, "", INVALID_ARGUMENT;
        r#"{"a":[],"a":[]}"#, "/a", INVALID_ARGUMENT;
    } {
        rows.same(json, json_count(json, pointer), (expected, 0));
        rows.same(json, all(json, pointer), (expected, vec![]));
    }
    // A C string would end in the middle of such a text.
    for (json, expected) in table! {
        r#"["a","b\u0000c"]"#, INVALID_REQUEST;
        r#"{"a":1,"b\u0000":2}"#, INVALID_REQUEST;
        r#"["a","\ud800"]"#, INVALID_ARGUMENT;
        r#"{"a":1,"\ud800":2}"#, INVALID_ARGUMENT;
    } {
        rows.same(json, all(json, ""), (expected, vec![]));
    }
    rows.end();
}

#[test]
fn a_value_is_copied_with_its_nul_or_not_at_all() {
    let text = r#"{"s":"h\u00e9","empty":"","null":null,"nul":"a\u0000","o":{"a": 1}}"#;
    let mut rows = Rows::new();
    for (pointer, value) in [("/s", "hé"), ("/empty", ""), ("/o", r#"{"a": 1}"#)] {
        for size in 0..value.len() + 4 {
            let mut expected = vec![0x7f; size];
            let fits = size > value.len();
            if fits {
                expected[..value.len()].copy_from_slice(value.as_bytes());
            }
            let end = if fits { value.len() } else { 0 };
            expected
                .iter_mut()
                .skip(end)
                .take(1)
                .for_each(|byte| *byte = 0);
            let copied = (i32::from(!fits), value.len(), expected);
            rows.same(pointer, json_copy(text, pointer, size), copied);
        }
    }
    for pointer in ["/missing", "/null", "/nul"] {
        let copied = json_copy(text, pointer, 2);
        rows.same(pointer, copied, (INVALID_REQUEST, 0, vec![0, 0x7f]));
    }
    rows.end();
    let (json, at) = (c(r#"{"a":"text"}"#), c("/a"));
    let (json, at, mut buffer, mut length) = (json.as_ptr(), at.as_ptr(), [7; 5], 0);
    // SAFETY: every pointer is valid for the call, or NULL.
    let results = unsafe {
        [
            abi::payorder_json_copy(json, at, ptr::null_mut(), 100, &mut length),
            abi::payorder_json_copy(json, at, buffer.as_mut_ptr(), 5, ptr::null_mut()),
        ]
    };
    assert_eq!((results, length), ([INVALID_ARGUMENT, 0], 4));
    assert_eq!(buffer, [116, 101, 120, 116, 0]);
}

#[cfg(unix)]
#[test]
fn the_time_to_read_ten_thousand_entries_grows_linearly() {
    let entry = |number: usize| json!({"entry": number, "orderId": format!("ORDER-{number}")});
    let list = |count| (0..count).map(entry).collect::<Value>();
    let member = |number: usize| (number.to_string(), entry(number));
    let object = |count| (0..count).map(member).collect::<Value>();
    let shortest_time = |entries: Value| {
        let json = json!({"before": [1, 2], "entries": entries}).to_string();
        let run = |_| {
            let began = worked();
            let (result, items) = json_each(&json, "/entries", |_| true);
            assert_eq!(json_count(&json, "/entries"), (result, items.len()));
            worked() - began
        };
        (0..3).map(run).min().expect("a run")
    };
    for made in [[list(1_000), list(10_000)], [object(1_000), object(10_000)]] {
        let [few, many] = made.map(shortest_time);
        // Ten times the entries in ten times the time; one look at the whole text for each entry
        // would take a hundred times as long.
        assert!(
            many < few * 30,
            "{few:?} for 1,000 and {many:?} for 10,000 entries"
        );
    }
}
