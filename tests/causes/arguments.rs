//! Arguments, options and configurations that are refused before anything is sent.

use crate::case::Case;
use serde_json::{Value, json};
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use support::abi::{self, Client, Reply, call, payorder_client};
use support::orders::{config, order, query, with, without};
use support::service::{Service, stall};
use support::shop::Shop;
use support::table;

/// Nobody listens there, and nothing is sent there.
const NOWHERE: &str = "http://127.0.0.1:9";

const KIB: usize = 1024;

const NULL: *const c_char = ptr::null();

/// A text parameter of a function.
#[derive(Clone, Copy)]
struct Argument {
    name: &'static str,
    take: fn(*const c_char) -> Reply,
    required: bool,
    /// The longest text in KiB.
    most: usize,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Object,
    Array,
    /// A text in which the library reads only what it needs.
    Document,
    Other,
}

/// Makes a call with a client that has a journal and all credentials.
fn with_client(make: impl Fn(*mut payorder_client, *mut *mut c_char) -> i32) -> Reply {
    let shop = Shop::new();
    let client = Client::new(&shop.config(NOWHERE));
    call(|out| make(ptr::without_provenance_mut(client.key()), out))
}

/// The answer of an order that waits behind another one.
fn queued(options: &Value, then: impl FnOnce(&Client)) -> Reply {
    let service = Service::start([stall()]);
    let client = Client::new(&with(&config(&service.url()), "maxCalls", 1));
    let (sender, receiver) = std::sync::mpsc::channel();
    for options in [&json!({}), options] {
        let (sender, order, options) = (sender.clone(), order().to_string(), options.to_string());
        let done = move |reply| drop(sender.send(reply));
        let (order, options) = (Some(order.as_str()), Some(options.as_str()));
        assert_eq!(
            abi::start(client.key(), "create_order", order, options, done).code,
            0
        );
    }
    then(&client);
    let reply = receiver.recv().expect("an answer");
    client.cancel();
    reply
}

fn text(value: &Value) -> CString {
    abi::c(value.to_string())
}

unsafe extern "C" fn status(_: usize, _: i32, _: *const c_char, _: *mut c_void) -> i32 {
    1
}

unsafe extern "C" fn done(_: i32, _: *const c_char, _: *mut c_void) {}

unsafe extern "C" fn item(_: usize, _: *const c_char, _: *const c_char, _: *mut c_void) -> i32 {
    1
}

macro_rules! taking {
    ($(
        $text:ident $form:ident $required:literal $most:expr,
        |$client:ident, $out:ident| $function:ident($($argument:expr),*);
    )*) => {
        [$(Argument {
            name: concat!(stringify!($function), " ", stringify!($text)),
            take: |$text| {
                // SAFETY: every pointer is valid for the call, or NULL.
                with_client(|$client, $out| unsafe {
                    let _ = $client;
                    abi::$function($($argument),*)
                })
            },
            required: $required,
            most: $most,
            form: Form::$form,
        }),*]
    };
}

/// Every text parameter of every function.
fn arguments() -> impl Iterator<Item = Argument> {
    let all = taking! {
        order Object true 256, |client, out| payorder_create_order(client, order, NULL, out);
        options Object false 256, |client, out|
            payorder_create_order(client, text(&order()).as_ptr(), options, out);
        query Object true 256, |client, out| payorder_get_status(client, query, NULL, out);
        options Object false 256, |client, out|
            payorder_get_status(client, text(&query()).as_ptr(), options, out);
        query Object true 256, |client, out| payorder_wait_for_payment(client, query, NULL, out);
        options Object false 256, |client, out|
            payorder_wait_for_payment(client, text(&query()).as_ptr(), options, out);
        queries Array true 64 * KIB, |client, out|
            payorder_get_statuses(client, queries, NULL, Some(status), ptr::null_mut(), out);
        options Object false 256, |client, out|
            payorder_get_statuses(
                client, c"[]".as_ptr(), options, Some(status), ptr::null_mut(), out);
        order Object true 256, |client, out|
            payorder_start(client, c"create_order".as_ptr(), order, NULL, Some(done),
                ptr::null_mut(), out);
        options Object false 256, |client, out|
            payorder_start(client, c"get_status".as_ptr(), text(&query()).as_ptr(), options,
                Some(done), ptr::null_mut(), out);
        options Object false 256, |client, out| payorder_journal_list(client, options, out);
        options Object false 256, |client, out| payorder_journal_resolve(client, options, out);
        options Object true 256, |client, out| payorder_journal_settle(client, options, out);
        options Object false 256, |client, out| payorder_journal_prune(client, options, out);
        order Object true 256, |client, out| payorder_build_create_order(order, NULL, out);
        options Object false 256, |client, out|
            payorder_build_create_order(text(&order()).as_ptr(), options, out);
        query Object true 256, |client, out| payorder_build_get_status(query, out);
        url Other true 256, |client, out| payorder_parse_return_url(url, out);
        expected Object true 256, |client, out|
            payorder_verify_payment(expected, c"{}".as_ptr(), out);
        status Document true 16 * KIB, |client, out|
            payorder_verify_payment(c"{\"orderId\":\"O\",\"amount\":\"1\"}".as_ptr(), status, out);
        config Object true 256, |client, out|
            payorder_client_new(config, &mut ptr::null_mut(), out);
        config Object false 256, |client, out|
            payorder_client_from_env(config, &mut ptr::null_mut(), out);
        credentials Object true 256, |client, out|
            payorder_client_set_credentials(client, credentials, out);
        json Document true 16 * KIB, |client, out|
            payorder_json_get(json, c"/a".as_ptr(), out);
        pointer Other true 16 * KIB, |client, out|
            payorder_json_get(c"{}".as_ptr(), pointer, out);
        json Document false 16 * KIB, |client, out|
            payorder_json_set(json, c"/a".as_ptr(), c"1".as_ptr(), out);
        pointer Other true 16 * KIB, |client, out|
            payorder_json_set(NULL, pointer, c"1".as_ptr(), out);
        value Document true 16 * KIB, |client, out|
            payorder_json_set(NULL, c"/a".as_ptr(), value, out);
        text Other true 16 * KIB, |client, out| payorder_json_quote(text, out);
    };
    all.into_iter()
}

/// What no parameter takes that is read as JSON.
const NOT_JSON: [&str; 5] = [
    "x",
    "{} {}",
    "{\"a\":\"1\",}",
    "{'a':'1'}",
    "{\"a\":\"\u{1}\"}",
];

const TWICE: &str = r#"{"responseCode":"1","responseCode":"1"}"#;

fn refused_texts(argument: Argument) -> Vec<Case> {
    let Argument {
        name, take, form, ..
    } = argument;
    let case = |cause, given: &[u8]| {
        let given = abi::c(given);
        let what = format!("{name}: {given:.40?}");
        Case::new(cause, 1, what, move || take(given.as_ptr()))
    };
    let mut cases = vec![
        case("not_utf8", b"{\"a\":\"\xff\"}"),
        case("not_utf8", b"{\"a\":\"\xed\xa0\x80\"}"),
    ];
    let least = if form == Form::Array { "[]" } else { "{}" };
    let checked = argument.required && form != Form::Other;
    cases.push(Case::new(
        "too_long",
        1,
        format!("{name}: too long"),
        move || {
            let mut text = least.to_owned() + &" ".repeat(argument.most * KIB - least.len());
            if checked {
                let fits = take(abi::c(text.as_str()).as_ptr());
                assert_ne!(fits.json["error"]["cause"], "too_long", "{name}");
            }
            text.push(' ');
            take(abi::c(text).as_ptr())
        },
    ));
    // Where a text may be NULL in some calls, an empty one means the same.
    if argument.required && form != Form::Other {
        let may_be_null = ["payorder_start order", "payorder_journal_settle options"];
        let cause = if may_be_null.contains(&name) {
            "null"
        } else {
            "not_json"
        };
        cases.push(case(cause, b""));
    }
    if argument.required {
        let null = move || take(NULL);
        cases.push(Case::new("null", 1, format!("{name}: NULL"), null));
    }
    // A key may also be written with an escape.
    let (others, twice): (&[&str], &[&str]) = match form {
        Form::Object => (&["[]", "null", "[{}]"], &[TWICE, r#"{"a":1,"\u0061":1}"#]),
        Form::Array => (&["{}", "null", "[,]"], &[]),
        Form::Document if name.ends_with("status") => (&["[]"], &[TWICE]),
        Form::Document => (&[], &[r#"{"a":1,"\u0061":1}"#]),
        Form::Other => return cases,
    };
    for given in NOT_JSON.iter().chain(others) {
        cases.push(case("not_json", given.as_bytes()));
    }
    cases.push(case("not_json", &[b'['; 100_000]));
    for given in twice {
        cases.push(case("duplicate_key", given.as_bytes()));
    }
    cases
}

fn configurations() -> Vec<Case> {
    let cases = table! {
        "unknown_key", "timeout", json!(1);
        "invalid_value", "timeoutMs", json!(0);
        "unreadable_file", "tls", json!({"caFile": "/nowhere/ca.pem"});
    };
    let cases = cases.map(|(cause, key, value)| {
        Case::new(cause, 3, key, move || {
            let config = with(&config(NOWHERE), key, value.clone());
            Client::try_new(&config).err().expect("a refusal")
        })
    });
    cases.into()
}

fn options() -> Vec<Case> {
    let freed = abi::Token::new().among(&json!({}));
    let cases = table! {
        "unknown_key", 1, json!({"timeout": 1});
        "invalid_value", 1, json!({"timeoutMs": 0});
        "no_journal", 1, json!({"resend": true});
        "cancellation_freed", 2, freed;
    };
    let cases = cases.map(|(cause, result, options)| {
        Case::new(cause, result, options.to_string(), move || {
            Client::new(&config(NOWHERE)).create_with(&order(), &options)
        })
    });
    cases.into()
}

/// What is wrong in other ways.
fn others() -> Vec<Case> {
    type Provoke = fn() -> Reply;
    let cases: [(_, _, Provoke); 13] = table! {
        "null", 2, || abi::create_order(0, &order().to_string(), None);
        "client_freed", 2, || {
            let key = Client::new(&config(NOWHERE)).key();
            abi::create_order(key, &order().to_string(), None)
        };
        "no_journal", 1, || Client::new(&config(NOWHERE)).journal_list(&json!({}));
        "client_stopped", 8, || {
            let client = Client::new(&config(NOWHERE));
            assert_eq!(abi::stop(client.key()), 0);
            // Also if something else is wrong with the call.
            client.create(&json!({}))
        };
        "client_freed", 8, || queued(&json!({}), |client| assert_eq!(abi::free(client.key()), 0));
        "queue_timed_out", 6, || queued(&json!({"timeoutMs": 50}), |_| {});
        "credentials_missing", 5, || {
            Client::new(&without(&config(NOWHERE), "accessToken")).create(&order())
        };
        "rule_broken", 4, || Client::new(&config(NOWHERE)).create(&json!({}));
        "too_long", 1, || abi::json_set(None, &"/a".repeat(200), "1");
        "null", 1, || abi::json_object(&["a"]);
        "duplicate_key", 1, || abi::json_object(&["a", "1", "a", "2"]);
        // SAFETY: every pointer is valid for the call, or NULL.
        "null", 1, || with_client(|client, out| unsafe {
            abi::payorder_get_statuses(client, c"[]".as_ptr(), NULL, None, ptr::null_mut(), out)
        });
        // SAFETY: every pointer is valid for the call, or NULL.
        "null", 1, || call(|out| unsafe {
            let config = text(&config(NOWHERE));
            abi::payorder_client_new(config.as_ptr(), ptr::null_mut(), out)
        });
    };
    let cases = cases.into_iter().enumerate();
    cases
        .map(|(number, (cause, result, provoke))| {
            Case::new(cause, result, format!("other {number}"), provoke)
        })
        .collect()
}

/// Functions without an error object return the number alone.
fn numbers() -> Case {
    Case::new("null", 1, "json_copy and similar functions", || {
        let (json, at, none) = (c"[]".as_ptr(), c"".as_ptr(), ptr::null_mut());
        let latin = c"\"\xff\"".as_ptr();
        let (mut count, mut length, mut buffer) = (7, 7, [7; 4]);
        for (json, at) in [(NULL, at), (json, NULL), (latin, at), (json, latin)] {
            // SAFETY: every pointer is valid for the call, or NULL.
            let codes = unsafe {
                [
                    abi::payorder_json_copy(json, at, buffer.as_mut_ptr(), 4, &mut length),
                    abi::payorder_json_count(json, at, &mut count),
                    abi::payorder_json_each(json, at, Some(item), none),
                    abi::payorder_json_each(c"[]".as_ptr(), c"".as_ptr(), None, none),
                ]
            };
            assert_eq!(codes, [1; 4]);
            assert_eq!((count, length, buffer[0]), (0, 0, 0));
        }
        // SAFETY: NULL is refused.
        call(|out| unsafe { abi::payorder_json_object(ptr::null(), out) })
    })
}

pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = arguments().flat_map(refused_texts).collect();
    cases.extend(
        [configurations(), options(), others()]
            .into_iter()
            .flatten(),
    );
    cases.push(numbers());
    cases
}
