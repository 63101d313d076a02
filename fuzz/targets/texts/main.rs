//! Every function that reads a caller's text, with any bytes as that text. An input is a letter for
//! the function, then its texts, each ended by NUL. A missing text is passed as NULL.
#![no_main]

mod calls;
mod clients;
mod configurations;
mod json;
mod requests;

use calls::{
    TILL, WITH_JOURNAL, create_order, get_status, get_statuses, journal, wait_for_payment,
};
use clients::{any_number, any_token, new_credentials, start};
use configurations::{config, config_with_planted, files};
use json::{json_get, json_items, json_object, json_set};
use libfuzzer_sys::{Corpus, fuzz_target};
use payorder::{
    payorder_abi_version, payorder_live_clients, payorder_live_strings, payorder_result_name,
    payorder_result_outcome, payorder_string_free, payorder_version,
};
use payorder_fuzz::input::Plan;
use payorder_fuzz::reply::{Reply, c, call, outcome};
use payorder_fuzz::service;
use requests::{order, query, return_url, verify};
use serde_json::Value;
use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::str::FromStr;
use std::sync::LazyLock;

/// Used as every credential and password. No input contains it, so an output that does is a leak.
const PLANTED: &str = "pl4nt3d-s3cr3t";

type Texts<'a> = Vec<&'a [u8]>;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((function, rest)) = input.split_first() else {
        return Corpus::Reject;
    };
    if input
        .windows(PLANTED.len())
        .any(|window| window == PLANTED.as_bytes())
    {
        return Corpus::Reject;
    }
    let mut texts: Texts = rest.split(|byte| *byte == 0).collect();
    // The bytes after the last NUL are a text too, unless there are none.
    texts.pop_if(|last| last.is_empty());
    LazyLock::force(&TILL);
    service::begin(&Plan::default());
    LazyLock::force(&WITH_JOURNAL);
    let strings = payorder_live_strings();
    let clients = payorder_live_clients();
    match function {
        b'o' => order(&texts),
        b'q' => query(&texts),
        b'u' => return_url(&texts),
        b'v' => verify(&texts),
        b'g' => json_get(&texts),
        b'p' => json_object(&texts),
        b'e' => json_set(&texts),
        b'i' => json_items(&texts),
        b'r' => result(&texts),
        b'c' => config(&texts),
        b'f' => files(&texts),
        b'C' => config_with_planted(&texts),
        b'n' => create_order(&texts),
        b's' => get_status(&texts),
        b'w' => wait_for_payment(&texts),
        b'm' => get_statuses(&texts),
        b'j' => journal(&texts),
        b'k' => any_number(&texts),
        b't' => any_token(&texts),
        b'K' => new_credentials(&texts),
        b'b' => start(&texts),
        _ => return Corpus::Reject,
    }
    assert_eq!(payorder_live_strings(), strings, "a string leaked");
    assert_eq!(payorder_live_clients(), clients, "a client leaked");
    Corpus::Keep
});

fn text(texts: &Texts<'_>, index: usize) -> Option<CString> {
    texts.get(index).map(|bytes| c(*bytes))
}

/// Makes an offline call twice, the second time with a NULL out pointer, which must not change the
/// result.
fn offline(results: &[i32], act: impl Fn(*mut *mut c_char) -> i32) -> Reply {
    let reply = call(&act);
    assert_eq!(
        act(ptr::null_mut()),
        reply.result,
        "another result with a NULL out pointer"
    );
    reply.is_one_of(results);
    assert!(reply.text.is_some());
    reply
}

/// An empty text is as none.
fn object(text: &Option<CString>) -> Value {
    let text = text
        .as_deref()
        .and_then(|text| text.to_str().ok())
        .filter(|text| !text.is_empty())
        .unwrap_or("{}");
    serde_json::from_str(text).expect("an accepted text is JSON")
}

fn utf8(text: &Option<CString>) -> &str {
    let text = text.as_deref().and_then(|text| text.to_str().ok());
    text.expect("an accepted text is UTF-8")
}

/// A number in decimal digits.
fn number<N: FromStr>(texts: &Texts<'_>) -> Option<N> {
    str::from_utf8(texts.first()?).ok()?.parse().ok()
}

fn result(texts: &Texts<'_>) {
    let Some(number) = number::<i32>(texts) else {
        return;
    };
    // SAFETY: static strings.
    let (name, version) = unsafe {
        (
            CStr::from_ptr(payorder_result_name(number)),
            CStr::from_ptr(payorder_version()),
        )
    };
    let listed = matches!(number, 0..=8 | 10..=11 | 100..=102 | 200..=206);
    assert_eq!(
        name == c"PAYORDER_UNRECOGNISED",
        !listed,
        "{number} is {name:?}"
    );
    assert!(name.to_bytes().starts_with(b"PAYORDER_"));
    let outcomes = ["done", "not_sent", "rejected", "unknown"];
    assert_eq!(
        usize::try_from(payorder_result_outcome(number)).map(|place| outcomes[place]),
        Ok(outcome(number)),
        "{number}"
    );
    assert!(payorder_abi_version() == 1 && !version.is_empty());
    // SAFETY: NULL may be passed.
    unsafe { payorder_string_free(ptr::null_mut()) };
}
