//! Texts in: every function that reads a caller's text, with any bytes for it. An input is a letter
//! for the function, then its texts, each ended by NUL; a text that is not there is passed as NULL.
#![no_main]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_void};
use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::AsRawFd;
use std::ptr;
use std::sync::{LazyLock, Mutex, PoisonError};

use libfuzzer_sys::{Corpus, fuzz_target};
use payorder::ffi::{
    payorder_abi_version, payorder_build_create_order, payorder_build_get_status,
    payorder_client_free, payorder_journal_list, payorder_journal_prune, payorder_journal_resolve,
    payorder_journal_settle, payorder_json_copy, payorder_json_count, payorder_json_each,
    payorder_json_get, payorder_json_object, payorder_json_quote, payorder_json_set,
    payorder_live_clients, payorder_live_strings, payorder_parse_return_url, payorder_result_name,
    payorder_result_outcome, payorder_string_free, payorder_verify_payment, payorder_version,
};
use payorder_fuzz::client::{self, handle};
use payorder_fuzz::reply::{Reply, c, call, entries, lenient_text, outcome, pointer};
use payorder_fuzz::service::{Script, Service};
use serde_json::Value;
use serde_json::value::RawValue;

const FIELDS: [&str; 11] = [
    "amount",
    "merchantTxnId",
    "orderId",
    "payMode",
    "merchantId",
    "productInfo",
    "customerName",
    "customerMobile",
    "customerEmail",
    "redirectionURL",
    "currencyCode",
];

/// Stands where a credential or a password stands. No input holds it, so where it shows, it was
/// shown.
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
    // What stands after the last NUL is a text too, unless there is nothing.
    texts.pop_if(|last| last.is_empty());
    LazyLock::force(&TILL);
    LazyLock::force(&KEEPING);
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
        _ => return Corpus::Reject,
    }
    assert_eq!(payorder_live_strings(), strings, "a string is left");
    assert_eq!(payorder_live_clients(), clients, "a client is left");
    Corpus::Keep
});

fn text(texts: &Texts<'_>, index: usize) -> Option<CString> {
    texts.get(index).map(|bytes| c(*bytes))
}

/// Makes an offline call twice, without a place for its text too: what it says must not depend on
/// that.
fn offline(results: &[i32], act: impl Fn(*mut *mut c_char) -> i32) -> Reply {
    let reply = call(&act);
    assert_eq!(
        act(ptr::null_mut()),
        reply.result,
        "another result without a place for the text"
    );
    reply.is_one_of(results);
    assert!(reply.text.is_some());
    reply
}

fn build_order(order: &Option<CString>, options: &Option<CString>) -> Reply {
    // SAFETY: every pointer is valid for the call.
    offline(&[0, 1, 4], |out| unsafe {
        payorder_build_create_order(pointer(order), pointer(options), out)
    })
}

fn build_query(query: &Option<CString>) -> Reply {
    // SAFETY: every pointer is valid for the call.
    offline(&[0, 1, 4], |out| unsafe {
        payorder_build_get_status(pointer(query), out)
    })
}

fn object(text: &Option<CString>) -> Value {
    let text = text
        .as_deref()
        .and_then(|text| text.to_str().ok())
        .unwrap_or("{}");
    serde_json::from_str(text).expect("what was taken is JSON")
}

/// `[0-9]+(\.[0-9]+)?` in canonical digits; `None` for anything else.
fn decimal(text: &str) -> Option<(&str, &str)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit());
    (digits(whole) && digits(fraction)).then(|| {
        (
            whole.trim_start_matches('0'),
            fraction.trim_end_matches('0'),
        )
    })
}

fn order(texts: &Texts<'_>) {
    let (order, options) = (text(texts, 0), text(texts, 1));
    let reply = build_order(&order, &options);
    if reply.result != 0 {
        return;
    }
    let (order, options) = (object(&order), object(&options));
    let return_url = options["returnUrlField"]
        .as_str()
        .unwrap_or("redirectionURL");
    let body = reply.entries();
    for field in FIELDS {
        let given = order[field]
            .as_str()
            .expect("a field of an order that was taken");
        let name = if field == "redirectionURL" {
            return_url
        } else {
            field
        };
        let sent: String = serde_json::from_str(body[name].get()).expect("a field of a body");
        assert_eq!(sent, given, "{field} was changed");
        assert!(!given.trim().is_empty(), "{field} is blank");
    }
    let amount = order["amount"].as_str().expect("an amount");
    assert!(
        reply
            .text()
            .starts_with(&format!("{{\"amount\":\"{amount}\",")),
        "the amount was changed: {}",
        reply.text()
    );
    assert!(
        decimal(amount).is_some_and(|(whole, _)| !whole.is_empty()),
        "{amount} was taken"
    );
    assert!(["all", "cc", "dc", "upi", "nb"].contains(&order["payMode"].as_str().expect("a mode")));
    let extra = options["extraFields"].as_object();
    for (name, value) in extra.into_iter().flatten() {
        let sent: Value = serde_json::from_str(body[name].get()).expect("an extra field of a body");
        assert_eq!(&sent, value, "{name} was changed");
    }
    assert_eq!(
        body.len(),
        FIELDS.len() + extra.map_or(0, serde_json::Map::len),
        "more or fewer fields than were given"
    );
    if extra.is_none() && return_url == "redirectionURL" {
        let again = build_order(&Some(c(reply.text())), &None);
        assert_eq!(
            again.text, reply.text,
            "the body, as an order, gives another body"
        );
    }
}

fn query(texts: &Texts<'_>) {
    let query = text(texts, 0);
    let reply = build_query(&query);
    if reply.result == 0 {
        let (given, body) = (object(&query), object(&Some(c(reply.text()))));
        let name = if body["searchType"] == "1" {
            "orderId"
        } else {
            "transactionId"
        };
        assert!(
            body[name].is_string() && body[name] == given[name],
            "{name} was changed: {body}"
        );
        check_query(reply.text());
    }
}

/// A body of Get Status is a query that gives the same body.
fn check_query(body: &str) {
    let again = build_query(&Some(c(body)));
    assert_eq!(
        again.text(),
        body,
        "the body, as a query, gives another body"
    );
}

fn parse_url(url: &Option<CString>) -> Reply {
    // SAFETY: every pointer is valid for the call.
    offline(&[0, 1, 4], |out| unsafe {
        payorder_parse_return_url(pointer(url), out)
    })
}

fn return_url(texts: &Texts<'_>) {
    let reply = parse_url(&text(texts, 0));
    if reply.result != 0 {
        return;
    }
    let read = object(&Some(c(reply.text())));
    let id = read["transactionId"].as_str().expect("a transaction");
    assert!(
        !id.trim().is_empty() && !id.chars().any(char::is_control),
        "{id:?} was taken"
    );
    assert_eq!(read["statusQuery"]["transactionId"], id);
    check_query(reply.entries()["statusQuery"].get());
    let encoded: String = id.bytes().map(|byte| format!("%{byte:02X}")).collect();
    assert_eq!(
        parse_url(&Some(c(format!("?txn={encoded}")))).text,
        reply.text,
        "the same transaction, encoded, reads otherwise"
    );
}

fn verify(texts: &Texts<'_>) {
    let (expected, status) = (text(texts, 0), text(texts, 1));
    // SAFETY: every pointer is valid for the call.
    let reply = offline(&[0, 1, 4], |out| unsafe {
        payorder_verify_payment(pointer(&expected), pointer(&status), out)
    });
    if reply.result != 0 {
        return;
    }
    let verdict = object(&Some(c(reply.text())));
    let reasons = verdict["reasons"].as_array().expect("reasons");
    assert_eq!(verdict["paid"] == true, reasons.is_empty(), "{verdict}");
    assert_eq!(
        verdict["unverifiable"],
        serde_json::json!(["currencyCode", "merchantId"])
    );
    let mut failed: Vec<&str> = reasons
        .iter()
        .map(|reason| reason["check"].as_str().expect("a check"))
        .collect();

    let expected = object(&expected);
    let envelope = entries(
        status
            .as_deref()
            .and_then(|text| text.to_str().ok())
            .unwrap_or_default(),
    )
    .expect("a status that was taken");
    let data = envelope
        .get("data")
        .and_then(|data| entries(data.get()))
        .unwrap_or_default();
    let field = |name: &str| {
        lenient_text(data.get(name).map(AsRef::as_ref)).expect("a field of a status that was taken")
    };
    let code = lenient_text(envelope.get("responseCode").map(AsRef::as_ref)).expect("a code");
    let wanted = |name: &str| expected[name].as_str().unwrap_or_default();
    let equal =
        decimal(&field("amount")).is_some_and(|amount| Some(amount) == decimal(wanted("amount")));
    let mut missed = Vec::new();
    let mut check = |name, passed: bool| {
        if !passed {
            missed.push(name)
        }
    };
    check("responseCode", code == "200");
    check(
        "transactionStatus",
        field("transactionStatus") == "Completed",
    );
    check("orderId", field("orderId") == wanted("orderId"));
    check(
        "transactionId",
        expected["transactionId"].is_null() || field("transactionId") == wanted("transactionId"),
    );
    check("amount", equal);
    check("refundStatus", field("refundStatus").is_empty());
    failed.sort_unstable();
    missed.sort_unstable();
    assert_eq!(
        failed, missed,
        "the checks that failed are others: {verdict}"
    );
}

fn get(json: &Option<CString>, at: &Option<CString>) -> Reply {
    // SAFETY: every pointer is valid for the call.
    offline(&[0, 1, 4], |out| unsafe {
        payorder_json_get(pointer(json), pointer(at), out)
    })
}

fn json_get(texts: &Texts<'_>) {
    let (json, at) = (text(texts, 0), text(texts, 1));
    let reply = get(&json, &at);
    if reply.result == 1 {
        return;
    }
    let (json, at) = (utf8(&json), utf8(&at));
    // Too deep for a tree, or with a number that no float holds: there is nothing to hold the reply
    // against.
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
                "the value is not as it stands in the input"
            );
        }
        (Some(Value::String(text)), 4) => assert!(
            text.contains('\0'),
            "a string that is there was not found: {text:?}"
        ),
        (found, result) => assert!(
            found.is_none_or(Value::is_null) && result == 4,
            "{found:?} and {result}"
        ),
    }
}

fn json_object(texts: &Texts<'_>) {
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
    let utf8 = |text: &CString| text.to_str().expect("what was taken is UTF-8").to_owned();
    let mut written = reply.entries();
    for pair in texts.chunks(2) {
        let (key, value) = (utf8(&pair[0]), utf8(&pair[1]));
        let found: Value = serde_json::from_str(
            written
                .remove(&key)
                .expect("each key occurs once")
                .get(),
        )
        .expect("a string");
        assert_eq!(found, value);
        let at = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
        assert_eq!(
            get(&Some(c(reply.text())), &Some(c(at))).text(),
            value,
            "what was written is read otherwise"
        );
    }
    assert!(written.is_empty(), "more than was given: {written:?}");
}

fn utf8(text: &Option<CString>) -> &str {
    let text = text.as_deref().and_then(|text| text.to_str().ok());
    text.expect("what was taken is UTF-8")
}

/// A text, a pointer and a value. What was set is there, and setting it again changes nothing. The
/// pointer as a text is quoted, too.
fn json_set(texts: &Texts<'_>) {
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
        let value: &RawValue = serde_json::from_str(utf8(&value)).expect("what was set is JSON");
        assert!(reply.text().contains(value.get()), "the value is not there");
        // An element was appended: another one would be.
        if !utf8(&at).contains("/-") {
            assert_eq!(set(&changed).text, reply.text, "set again");
            let found = get(&changed, &at);
            if !value.get().starts_with('"') && value.get() != "null" {
                assert_eq!(found.text(), value.get(), "another value is there");
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

/// A text and a pointer: its items are as many as are counted, and each is what a get gives.
fn json_items(texts: &Texts<'_>) {
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
        assert!(items.is_empty(), "items of a failure");
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

/// A number, in digits, as a result.
fn result(texts: &Texts<'_>) {
    let Some(number) = texts
        .first()
        .and_then(|digits| str::from_utf8(digits).ok()?.parse::<i32>().ok())
    else {
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
    // SAFETY: NULL is none.
    unsafe { payorder_string_free(ptr::null_mut()) };
}

/// Whether a configuration names a file by its way. What is in the files of this machine is no
/// input, and some of them have no end.
fn names_a_file(text: &CStr) -> bool {
    let config = text.to_str().ok().and_then(entries).unwrap_or_default();
    let tls = config
        .get("tls")
        .and_then(|tls| entries(tls.get()))
        .unwrap_or_default();
    ["caFile", "certFile", "keyFile"].iter().any(|key| {
        lenient_text(tls.get(*key).map(AsRef::as_ref)).is_none_or(|path| path.contains('/'))
    })
}

/// A configuration, good or not. What is good is freed again.
fn check_config(text: &CStr) {
    if names_a_file(text) {
        return;
    }
    try_config(text);
}

fn try_config(text: &CStr) {
    match client::new(text) {
        Ok(key) => {
            assert_eq!(payorder_client_free(handle(key)), 0);
            assert_eq!(
                payorder_client_free(handle(key)),
                2,
                "a freed client was freed again"
            );
        }
        Err(reply) => {
            reply.is_one_of(&[1, 3]);
            reply.keeps_secret(&[PLANTED]);
        }
    }
}

fn config(texts: &Texts<'_>) {
    check_config(&text(texts, 0).unwrap_or_default());
}

/// The three files that a configuration may name, of any content: authorities, certificate, and a
/// key with the secret before it.
fn files(texts: &Texts<'_>) {
    static FILES: LazyLock<Mutex<[File; 3]>> =
        LazyLock::new(|| Mutex::new(["authorities", "certificate", "key"].map(nameless_file)));
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let planted = format!("{PLANTED}\n");
    for (index, (file, before)) in files.iter_mut().zip(["", "", &planted]).enumerate() {
        let content = texts.get(index).copied().unwrap_or_default();
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(&[before.as_bytes(), content].concat()))
            .expect("a file is written");
    }
    let [authorities, certificate, key] = files
        .each_ref()
        .map(|file| format!("/proc/self/fd/{}", file.as_raw_fd()));
    let identity = if texts.len() > 1 {
        format!(r#","certFile":"{certificate}","keyFile":"{key}""#)
    } else {
        String::new()
    };
    try_config(&c(format!(
        r#"{{"baseUrl":"https://pay.example.com","proxy":"none","tls":{{"caFile":"{authorities}"{identity}}}}}"#
    )));
}

/// A file that is gone with the process.
fn nameless_file(content: &str) -> File {
    let path = std::env::temp_dir().join(format!("payorder-fuzz-{}-{content}", std::process::id()));
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)
        .expect("a file");
    std::fs::remove_file(path).expect("its name goes");
    file
}

/// The same text in each place of a configuration where a secret stands.
fn config_with_planted(texts: &Texts<'_>) {
    let Some(bytes) = texts.first() else { return };
    let text = String::from_utf8_lossy(bytes);
    let quoted = |text: Cow<'_, str>| Value::from(text).to_string();
    let keys = ["accessToken", "clientKey", "clientId", "secretKey"];
    for key in keys {
        // Complete, with something after it, and before text that is not JSON.
        check_config(&c(format!(
            "{{\"{key}\":\"{PLANTED}\",\"baseUrl\":{}}}",
            quoted(text.clone())
        )));
        check_config(&c(format!(
            "{{\"{key}\":{},\"baseUrl\":\"https://pay.example.com\"}}",
            quoted(format!("{PLANTED}{text}").into())
        )));
        check_config(&c(format!("{{\"{key}\":\"{PLANTED}\",{text}").into_bytes()));
    }
    for (key, before) in [
        ("baseUrl", ""),
        ("proxy", "\"baseUrl\":\"https://pay.example.com\","),
    ] {
        for scheme in ["http", "https", ""] {
            let address = quoted(format!("{scheme}://till:{PLANTED}@{text}").into());
            check_config(&c(format!("{{{before}\"{key}\":{address}}}")));
        }
    }
}

/// A client of a service that takes all orders and knows all transactions.
struct Till {
    service: Service,
    key: usize,
}

static TILL: LazyLock<Till> = LazyLock::new(|| {
    let service = Service::start(4, |_, _| {
        let body = r#"{"responseCode":"200","responseMessage":"Success","data":{"url":"https://pay.example.com/c/1"}}"#;
        let response = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes();
        Script {
            response,
            ..Script::default()
        }
    });
    let credentials = format!(
        r#""accessToken":"{PLANTED}","clientKey":"{PLANTED}","clientId":"{PLANTED}","secretKey":"{PLANTED}""#
    );
    let key = client::made(&format!(
        r#"{{"baseUrl":"{}","proxy":"none","createRetries":0,{credentials}}}"#,
        service.url()
    ));
    Till { service, key }
});

/// Makes a call on the till. What was sent must be what the offline function builds; a call that
/// failed must have sent nothing.
fn send(
    request: &Option<CString>,
    options: &Option<CString>,
    built: &Reply,
    act: impl FnOnce(usize, &CStr, Option<&CStr>) -> Reply,
) {
    // A time limit of the input's own would make what follows depend on the machine.
    let bytes = options.as_deref().map(CStr::to_bytes).unwrap_or_default();
    let Some(request) = request.as_deref().filter(|_| {
        !bytes
            .windows(4)
            .any(|window| window.eq_ignore_ascii_case(b"tMs\"") || window == b"\\u00")
    }) else {
        return;
    };
    let till = &*TILL;
    till.service.forget();
    let reply = act(till.key, request, options.as_deref());
    reply.keeps_secret(&[PLANTED]);
    if reply.result == 0 {
        assert_eq!(
            built.result, 0,
            "a request was sent that is not built: {built:?}"
        );
        assert_eq!(
            till.service.saw(&format!("\r\n\r\n{}", built.text())),
            1,
            "the body sent is not the one built"
        );
    } else {
        reply.is_one_of(&[1, 4]);
        assert!(
            built.result == reply.result || reply.result == 1,
            "{built:?} and {reply:?}"
        );
        assert_eq!(
            till.service.saw("POST"),
            0,
            "a request was sent that is said not to be"
        );
    }
}

fn create_order(texts: &Texts<'_>) {
    let (order, options) = (text(texts, 0), text(texts, 1));
    let extra = options
        .as_deref()
        .and_then(|options| serde_json::from_slice::<Value>(options.to_bytes()).ok());
    // The keys of a tree are sorted, those of a body are not: with more than one, there is nothing
    // to hold the body against.
    let extra = extra.and_then(|options| options.get("extraFields").cloned());
    if extra
        .as_ref()
        .and_then(Value::as_object)
        .is_some_and(|fields| fields.len() > 1)
    {
        return;
    }
    let extra = extra.map(|fields| c(serde_json::json!({ "extraFields": fields }).to_string()));
    send(
        &order,
        &options,
        &build_order(&order, &extra),
        client::create_order,
    );
}

fn get_status(texts: &Texts<'_>) {
    let (query, options) = (text(texts, 0), text(texts, 1));
    send(&query, &options, &build_query(&query), client::get_status);
}

/// Options of a call from the inside of an object, after those that keep it short. A repeated one
/// is refused.
fn short(inside: Option<&[u8]>, own: &str) -> CString {
    let inside = inside
        .filter(|inside| !inside.is_empty())
        .map(|inside| [b",", inside].concat())
        .unwrap_or_default();
    c([b"{", own.as_bytes(), &inside, b"}"].concat())
}

fn wait_for_payment(texts: &Texts<'_>) {
    let Some(query) = text(texts, 0) else { return };
    let options = short(texts.get(1).copied(), r#""waitMs":1,"timeoutMs":20000"#);
    let built = build_query(&Some(query.clone()));
    let reply = client::wait_for_payment(TILL.key, &query, Some(&options));
    reply.keeps_secret(&[PLANTED]);
    reply.is_one_of(&[0, 1, 4]);
    assert!(
        reply.result == 1 || built.result == reply.result,
        "{built:?} and {reply:?}"
    );
    if reply.result == 0 {
        let waited: Value = serde_json::from_str(reply.text()).expect("a JSON object");
        assert_ne!(waited["final"], waited["timedOut"], "{waited}");
        assert!(
            waited["polls"].as_u64().is_some_and(|polls| polls > 0),
            "{waited}"
        );
        assert_ne!(
            waited["status"].is_object(),
            waited["error"].is_object(),
            "{waited}"
        );
    }
}

/// Each element of an array has the result that it would have by itself.
fn get_statuses(texts: &Texts<'_>) {
    let Some(queries) = text(texts, 0) else {
        return;
    };
    let options = short(
        texts.get(1).copied(),
        r#""ratePerSecond":1e6,"timeoutMs":20000"#,
    );
    let elements: Option<Vec<&serde_json::value::RawValue>> =
        serde_json::from_slice(queries.to_bytes()).ok();
    if elements
        .as_ref()
        .is_some_and(|elements| elements.len() > 50)
    {
        return;
    }
    let mut results = std::collections::BTreeMap::new();
    let reply = client::get_statuses(
        TILL.key,
        &queries,
        Some(&options),
        &mut |index, result, text| {
            assert!(
                results.insert(index, (result, text.to_owned())).is_none(),
                "a query has two results"
            );
            true
        },
    );
    reply.is_one_of(&[0, 1]);
    if reply.result == 1 {
        return assert!(results.is_empty(), "a result of a call that did nothing");
    }
    let elements = elements.expect("what was taken is an array");
    assert_eq!(results.len(), elements.len(), "{reply:?}");
    for (element, (result, text)) in elements.iter().zip(results.values()) {
        let built = build_query(&Some(c(element.get())));
        assert_eq!(
            built.result, *result,
            "{element} by itself and among others: {text}"
        );
        assert!(
            *result == 0 || !text.contains(PLANTED),
            "an error shows a credential"
        );
    }
    let summary: Value = serde_json::from_str(reply.text()).expect("a JSON object");
    assert!(
        summary["asked"] == elements.len() && summary["stopped"] == false,
        "{summary}"
    );
}

/// A client with a journal.
static KEEPING: LazyLock<usize> = LazyLock::new(|| {
    let path = std::env::temp_dir().join(format!("payorder-fuzz-{}.db", std::process::id()));
    let key = client::made(&format!(
        r#"{{"baseUrl":"{}","proxy":"none","journal":"{}","accessToken":"token","clientKey":"key","clientId":"id","secretKey":"secret"}}"#,
        TILL.service.url(),
        path.display()
    ));
    assert_eq!(client::create_order(key, &c(client::ORDER), None).result, 0);
    assert_eq!(
        client::create_order(key, &c(client::ORDER), None).result,
        206,
        "an order was made twice"
    );
    key
});

fn journal(texts: &Texts<'_>) {
    let options = text(texts, 0);
    let handle = handle(*KEEPING);
    // SAFETY: every pointer is valid for the call.
    let replies = unsafe {
        [
            call(|out| payorder_journal_list(handle, pointer(&options), out)),
            call(|out| payorder_journal_prune(handle, pointer(&options), out)),
            call(|out| payorder_journal_settle(handle, pointer(&options), out)),
            call(|out| {
                payorder_journal_resolve(
                    handle,
                    pointer(&short(texts.get(1).copied(), r#""timeoutMs":20000"#).into()),
                    out,
                )
            }),
        ]
    };
    for (reply, key) in replies
        .iter()
        .zip(["entries", "removed", "entry", "summary"])
    {
        reply.is_one_of(&[0, 1]);
        assert!(
            reply.result == 1 || reply.entries().contains_key(key),
            "{reply:?}"
        );
    }
}
