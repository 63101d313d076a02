//! Arguments, options and configurations that are refused before anything is sent.

use crate::case::Case;
use serde_json::{Value, json};
use std::ffi::{CString, c_char};
use std::ptr;
use support::abi::{self, Client, Reply, call, payorder_client};
use support::orders::{config, order, query, with, without};
use support::shop::Shop;
use support::tls::Folder;

/// Nobody listens there, and nothing is sent there.
const NOWHERE: &str = "http://127.0.0.1:9";

pub const KIB: usize = 1024;

type Key = *mut payorder_client;

type Out = *mut *mut c_char;

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
    Other,
}

/// Makes a call with a client that has a journal and all credentials.
fn with_client(make: impl Fn(Key, Out) -> i32) -> Reply {
    let shop = Shop::new();
    let client = Client::new(&shop.config(NOWHERE));
    call(|out| make(ptr::without_provenance_mut(client.key()), out))
}

fn text(value: &Value) -> CString {
    abi::c(value.to_string())
}

unsafe extern "C" fn ignore(_: usize, _: i32, _: *const c_char, _: *mut std::ffi::c_void) -> i32 {
    1
}

unsafe extern "C" fn ignore_result(_: i32, _: *const c_char, _: *mut std::ffi::c_void) {}

macro_rules! taking {
    (
        $text:ident: $form:ident, $required:literal, $most:expr,
        |$client:ident, $out:ident| $function:ident($($argument:expr),*)
    ) => {
        Argument {
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
        }
    };
}

/// Every text parameter of every function.
fn arguments() -> Vec<Argument> {
    const NULL: *const c_char = ptr::null();
    vec![
        taking!(order: Object, true, 256, |client, out|
            payorder_create_order(client, order, NULL, out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_create_order(client, text(&order()).as_ptr(), options, out)),
        taking!(query: Object, true, 256, |client, out|
            payorder_get_status(client, query, NULL, out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_get_status(client, text(&query()).as_ptr(), options, out)),
        taking!(query: Object, true, 256, |client, out|
            payorder_wait_for_payment(client, query, NULL, out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_wait_for_payment(client, text(&query()).as_ptr(), options, out)),
        taking!(queries: Array, true, 64 * KIB, |client, out|
            payorder_get_statuses(client, queries, NULL, Some(ignore), ptr::null_mut(), out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_get_statuses(
                client, c"[]".as_ptr(), options, Some(ignore), ptr::null_mut(), out)),
        taking!(order: Object, true, 256, |client, out|
            payorder_start(client, c"create_order".as_ptr(), order, NULL, Some(ignore_result),
                ptr::null_mut(), out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_start(client, c"get_status".as_ptr(), text(&query()).as_ptr(), options,
                Some(ignore_result), ptr::null_mut(), out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_journal_list(client, options, out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_journal_resolve(client, options, out)),
        taking!(options: Object, true, 256, |client, out|
            payorder_journal_settle(client, options, out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_journal_prune(client, options, out)),
        taking!(order: Object, true, 256, |client, out|
            payorder_build_create_order(order, NULL, out)),
        taking!(options: Object, false, 256, |client, out|
            payorder_build_create_order(text(&order()).as_ptr(), options, out)),
        taking!(query: Object, true, 256, |client, out| payorder_build_get_status(query, out)),
        taking!(url: Other, true, 256, |client, out| payorder_parse_return_url(url, out)),
        taking!(expected: Object, true, 256, |client, out|
            payorder_verify_payment(expected, c"{}".as_ptr(), out)),
        taking!(status: Object, true, 16 * KIB, |client, out|
            payorder_verify_payment(c"{\"orderId\":\"O\",\"amount\":\"1\"}".as_ptr(), status, out)),
        taking!(config: Object, true, 256, |client, out|
            payorder_client_new(config, &mut ptr::null_mut(), out)),
        taking!(config: Object, false, 256, |client, out|
            payorder_client_from_env(config, &mut ptr::null_mut(), out)),
        taking!(credentials: Object, true, 256, |client, out|
            payorder_client_set_credentials(client, credentials, out)),
    ]
}

/// For a parameter that takes an object, and for one that takes an array.
const NOT_JSON: [&str; 17] = [
    "",
    " \n",
    "x",
    "1",
    "{",
    "[",
    "{} {}",
    "[] []",
    "{}//",
    "{\"a\":\"1\",}",
    "[1,]",
    "{'a':'1'}",
    "[,]",
    "{a:\"1\"}",
    "{\"a\":\"\u{1}\"}",
    "{\"a\":\"\\ud800\"}",
    "{\"a\":01}",
];

fn refused_texts(argument: Argument) -> Vec<Case> {
    let Argument {
        name, take, form, ..
    } = argument;
    let case = |cause, what: &str, given: Vec<u8>| {
        let given = abi::c(given);
        Case::new(cause, 1, format!("{name}: {what}"), move || {
            take(given.as_ptr())
        })
    };
    let mut cases: Vec<Case> = [
        &b"{\"a\":\"\xff\"}"[..],
        b"{\"a\":\"\xed\xa0\x80\"}",
        b"{\"a\":\"\xc0\xaf\"}",
    ]
    .map(|given| case("not_utf8", "not UTF-8", given.to_vec()))
    .into();
    let least = if form == Form::Array { "[]" } else { "{}" };
    let checked = argument.required && form != Form::Other;
    let too_long = Case::new("too_long", 1, format!("{name}: too long"), move || {
        let mut text = least.to_owned() + &" ".repeat(argument.most * KIB - least.len());
        if checked {
            let fits = take(abi::c(text.as_str()).as_ptr());
            assert_ne!(fits.json["error"]["cause"], "too_long", "{name}");
        }
        text.push(' ');
        take(abi::c(text).as_ptr())
    });
    cases.push(too_long);
    if argument.required {
        let null = move || take(ptr::null());
        cases.push(Case::new("null", 1, format!("{name}: NULL"), null));
    }
    // In a status, which is the service's, what the library does not read may be anything.
    let is_read = |text: &str| {
        !name.ends_with(" status")
            || !["{\"a\":\"\\ud800\"}", "orderId", "timeoutMs"].contains(&text)
    };
    if form != Form::Other {
        let other = match form {
            Form::Array => ["{}", "null", "{\"a\":[]}", "\"[]\""],
            _ => ["[]", "null", "[{}]", "\"{}\""],
        };
        for given in NOT_JSON
            .into_iter()
            .chain(other)
            .filter(|text| is_read(text))
        {
            cases.push(case("not_json", given, given.into()));
        }
        cases.push(case("not_json", "deep", vec![b'['; 100_000]));
    }
    if form == Form::Object {
        // A key may also be written with an escape.
        let keys = ["responseCode", "orderId", "timeoutMs", "data"];
        for key in keys.into_iter().filter(|key| is_read(key)) {
            let second = match key {
                "responseCode" => key.to_owned(),
                _ => format!("\\u{:04x}{}", key.as_bytes()[0], &key[1..]),
            };
            let twice = format!(r#"{{"{key}":"1","{second}":"1"}}"#);
            cases.push(case("duplicate_key", key, twice.into()));
        }
    }
    cases
}

/// The functions that take a client, with valid arguments.
fn on(key: usize) -> Vec<(&'static str, Reply)> {
    let (order, query) = (order().to_string(), query().to_string());
    let journal = |function| abi::journal_call(function, key, Some(r#"{"entry":1}"#));
    vec![
        ("create_order", abi::create_order(key, &order, None)),
        ("get_status", abi::get_status(key, &query, None)),
        ("wait_for_payment", abi::wait_for_payment(key, &query, None)),
        (
            "get_statuses",
            abi::get_statuses(key, "[]", None, |_, _| true),
        ),
        ("journal_list", journal(abi::payorder_journal_list)),
        ("journal_resolve", journal(abi::payorder_journal_resolve)),
        ("journal_settle", journal(abi::payorder_journal_settle)),
        ("journal_prune", journal(abi::payorder_journal_prune)),
    ]
}

fn of_every_function(cause: &'static str, key: fn() -> usize) -> Vec<Case> {
    let names = on(0).into_iter().map(|(name, _)| name);
    names
        .enumerate()
        .map(|(index, name)| Case::new(cause, 2, name, move || on(key()).swap_remove(index).1))
        .collect()
}

fn freed() -> usize {
    Client::new(&config(NOWHERE)).key()
}

fn configurations() -> Vec<Case> {
    let refused = |cause, result, key: &'static str, value: Value| {
        Case::new(cause, result, format!("{key}: {value}"), move || {
            let config = with(&config(NOWHERE), key, value.clone());
            Client::try_new(&config).err().expect("a refusal")
        })
    };
    let file = |key: &'static str, content: &'static str| {
        Case::new(
            "unreadable_file",
            3,
            format!("{key}: {content}"),
            move || {
                let folder = Folder::new();
                let tls = json!({ key: folder.file("file.pem", content) });
                let config = with(&config(NOWHERE), "tls", tls);
                Client::try_new(&config).err().expect("a refusal")
            },
        )
    };
    let missing = json!({"caFile": "/nowhere/ca.pem"});
    vec![
        refused("unknown_key", 3, "timeout", json!(1)),
        refused("unknown_key", 3, "tls", json!({"x": 1})),
        refused("invalid_value", 3, "timeoutMs", json!(0)),
        refused("invalid_value", 3, "timeoutMs", json!("1")),
        refused(
            "invalid_value",
            3,
            "baseUrl",
            json!("ftp://pay.example.com"),
        ),
        refused("invalid_value", 3, "accessToken", json!("")),
        refused("invalid_value", 3, "proxy", json!("socks://127.0.0.1")),
        refused("invalid_value", 3, "journal", json!("")),
        refused("unreadable_file", 3, "tls", missing),
        refused(
            "unreadable_file",
            3,
            "journal",
            json!("/nowhere/journal.db"),
        ),
        file("caFile", "not a certificate"),
    ]
}

fn options() -> Vec<Case> {
    let with_options = |cause, result, options: Value| {
        let name = options.to_string();
        Case::new(cause, result, name, move || {
            Client::new(&config(NOWHERE)).create_with(&order(), &options)
        })
    };
    let freed_token = || {
        let token = abi::Token::new();
        token.among(&json!({}))
    };
    vec![
        with_options("unknown_key", 1, json!({"timeout": 1})),
        with_options("invalid_value", 1, json!({"timeoutMs": 0})),
        with_options("invalid_value", 1, json!({"accessToken": "two words "})),
        with_options("no_journal", 1, json!({"resend": true})),
        with_options(
            "cancellation_freed",
            2,
            json!({"cancellation": "never made"}),
        ),
        with_options("cancellation_freed", 2, freed_token()),
        Case::new(
            "client_stopped",
            8,
            "a call after payorder_client_stop",
            || {
                let client = Client::new(&config(NOWHERE));
                assert_eq!(abi::stop(client.key()), 0);
                client.create(&order())
            },
        ),
        Case::new("invalid_value", 1, "an entry that does not exist", || {
            let shop = Shop::new();
            let client = Client::new(&shop.config(NOWHERE));
            client.journal_settle(&json!({"entry": 7}))
        }),
    ]
    .into_iter()
    .chain(without_a_journal())
    .collect()
}

/// The functions of the journal, with good options, with broken ones and without any.
fn without_a_journal() -> Vec<Case> {
    let functions: [(&str, abi::JournalFunction); 4] = [
        ("journal_list", abi::payorder_journal_list),
        ("journal_resolve", abi::payorder_journal_resolve),
        ("journal_settle", abi::payorder_journal_settle),
        ("journal_prune", abi::payorder_journal_prune),
    ];
    let cases = functions.into_iter().flat_map(|(name, function)| {
        let given = [None, Some("{}"), Some(r#"{"entry":1}"#), Some("{")];
        given.map(|options| {
            Case::new("no_journal", 1, format!("{name}: {options:?}"), move || {
                let client = Client::new(&config(NOWHERE));
                abi::journal_call(function, client.key(), options)
            })
        })
    });
    cases.collect()
}

fn requests() -> Vec<Case> {
    let rule = |what, provoke: fn() -> Reply| Case::new("rule_broken", 4, what, provoke);
    let keyless = |what, operation: fn(&Client) -> Reply| {
        Case::new("credentials_missing", 5, what, move || {
            let config = without(&config(NOWHERE), "accessToken");
            operation(&Client::new(&without(&config, "secretKey")))
        })
    };
    vec![
        rule("an order", || {
            Client::new(&config(NOWHERE)).create(&json!({}))
        }),
        rule("a query", || {
            Client::new(&config(NOWHERE)).status(&json!({}))
        }),
        rule("building an order", || abi::build_create_order("{}", None)),
        rule("building a query", || abi::build_get_status("{}")),
        rule("a return URL", || abi::parse_return_url("https://shop/")),
        rule("an expected payment", || abi::verify_payment("{}", "{}")),
        rule("a JSON pointer", || abi::json_get("{}", "/a")),
        keyless("create_order", |client| client.create(&order())),
        keyless("get_status", |client| client.status(&query())),
    ]
}

/// NULL for parameters that are not texts.
fn null_pointers() -> Vec<Case> {
    vec![
        Case::new("null", 1, "get_statuses: each", || {
            // SAFETY: every pointer is valid for the call, or NULL.
            with_client(|client, out| unsafe {
                let (queries, none) = (c"[]".as_ptr(), ptr::null());
                abi::payorder_get_statuses(client, queries, none, None, ptr::null_mut(), out)
            })
        }),
        Case::new("null", 1, "client_new: out_client", || {
            let config = text(&config(NOWHERE));
            // SAFETY: every pointer is valid for the call, or NULL.
            call(|out| unsafe { abi::payorder_client_new(config.as_ptr(), ptr::null_mut(), out) })
        }),
    ]
}

pub fn cases() -> Vec<Case> {
    let texts = arguments().into_iter().flat_map(refused_texts).collect();
    [
        texts,
        of_every_function("null", || 0),
        of_every_function("client_freed", freed),
        configurations(),
        options(),
        requests(),
        null_pointers(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
