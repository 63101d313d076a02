//! Responses of a service in this process, which needs no system call and no wait that takes time: it
//! sends the bytes of the input, for either call, in one or two writes, and keeps, closes or resets
//! the connection. An input is three bytes (call, ending, place of the split) and the raw response.
#![no_main]

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use libfuzzer_sys::{Corpus, fuzz_target};
use payorder::{payorder_create_order, payorder_get_status, payorder_live_strings};
use payorder_fuzz::client::{self, ORDER};
use payorder_fuzz::clock;
use payorder_fuzz::http::{self, Body};
use payorder_fuzz::reply::{Entries, Reply, c, entries, lenient_text};
use payorder_fuzz::service::{Ending, Script, Service};
use serde_json::Value;

/// The client's credentials, made of letters that a service could send anywhere.
const SECRETS: [&str; 4] = ["tok-4cc355", "key-c113nt", "id-c113nt", "key-s3cr3t"];
/// The largest response that the client accepts.
const MOST: usize = 1024;

/// The possible results of a valid request without retries.
const RESULTS: [i32; 11] = [0, 6, 8, 100, 101, 102, 200, 201, 202, 203, 204];

/// How long after its deadline a call may end: a read waits for a millisecond at least, and nothing
/// else takes time.
const SLACK: Duration = Duration::from_millis(2);

/// A client of the service.
struct Till {
    service: Service,
    key: usize,
}

static TILL: LazyLock<Till> = LazyLock::new(|| {
    clock::skip_waits();
    let service = Service::start(Script::default());
    let [token, client_key, client_id, secret_key] = SECRETS;
    let key = client::made(&format!(
        r#"{{"baseUrl":"{}","proxy":"none","createRetries":0,"statusRetries":0,
            "maxIdleMs":600000,"maxResponseBytes":{MOST},"accessToken":"{token}",
            "clientKey":"{client_key}","clientId":"{client_id}","secretKey":"{secret_key}"}}"#,
        Service::URL
    ));
    Till { service, key }
});

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Order,
    StatusByOrder,
    StatusByTransaction,
}

fuzz_target!(|input: &[u8]| -> Corpus { check(&TILL, input) });

fn check(till: &Till, input: &[u8]) -> Corpus {
    let [call, ending, cut, response @ ..] = input else {
        return Corpus::Reject;
    };
    let asked = [
        Asked::Order,
        Asked::StatusByOrder,
        Asked::StatusByTransaction,
    ][usize::from(call % 3)];
    let ending = [Ending::Close, Ending::Keep, Ending::Reset][usize::from(ending % 3)];
    let cut = response.len() * usize::from(*cut) / 255;
    // A connection that is kept and silent ends only at the deadline, so the timeout is short.
    let timeout = if ending == Ending::Keep { 30 } else { 2000 };
    let strings = payorder_live_strings();
    let reply = ask(
        till,
        asked,
        timeout,
        Script {
            response: response.to_vec(),
            cut,
            ending,
        },
    );
    judge(&reply, asked, response);

    // Data after the response must not be used as the response to the next request.
    let refusal = "HTTP/1.1 451 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    let next = ask(
        till,
        asked,
        20_000,
        Script {
            response: refusal.into(),
            cut: 0,
            ending: Ending::Keep,
        },
    );
    assert!(
        next.result == 100 && next.error()["httpStatus"] == 451,
        "the next call has a response that is not its own: {next:?}"
    );
    assert_eq!(payorder_live_strings(), strings, "a string is left");
    Corpus::Keep
}

/// Makes a call with this script, and checks what must hold for every response.
fn ask(till: &Till, asked: Asked, timeout: u64, script: Script) -> Reply {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    till.service.follow(script);
    till.service.forget();
    // A credential for this call only, which identifies its request among late ones.
    let mark = format!("mark-{:08x}-end", CALLS.fetch_add(1, Ordering::Relaxed));
    let options = c(format!(
        r#"{{"timeoutMs":{timeout},"accessToken":"{mark}","clientId":"{mark}"}}"#
    ));
    let started = Instant::now();
    let status = |query| client::ask(payorder_get_status, till.key, query, Some(&options));
    let reply = match asked {
        Asked::Order => client::ask(payorder_create_order, till.key, &c(ORDER), Some(&options)),
        Asked::StatusByOrder => status(c"{\"orderId\":\"O-1\"}"),
        Asked::StatusByTransaction => status(c"{\"transactionId\":\"X-1\"}"),
    };
    let elapsed = started.elapsed();
    assert!(
        elapsed < Duration::from_millis(timeout) + SLACK,
        "a call of at most {timeout} ms took {elapsed:?}: {reply:?}"
    );
    reply.is_one_of(&RESULTS);
    keep_secret(&reply, &SECRETS);
    keep_secret(&reply, &[&mark]);
    if (1..=99).contains(&reply.result) {
        assert_eq!(
            till.service.saw(&mark),
            0,
            "the service has the request that is said not to be sent: {reply:?}"
        );
    }
    let seen = till.service.saw(&mark);
    assert!(seen <= 1, "a request was sent twice");
    assert!(
        seen == 1 || reply.result >= 200 || (1..=99).contains(&reply.result),
        "a response to a request that the service never received: {reply:?}"
    );
    if reply.result >= 200 && asked == Asked::Order {
        assert_eq!(
            reply.error()["statusQuery"]["orderId"],
            "O-1",
            "an open order has no query to ask by"
        );
    }
    reply
}

/// An error shows none of these, except in what programs compare: a checkout URL stays as it is.
fn keep_secret(reply: &Reply, secrets: &[&str]) {
    let mut error = reply.error().clone();
    if let Some(error) = error.as_object_mut() {
        error.remove("checkoutUrl");
    }
    let leaked = secrets.iter().find(|secret| shows(&error, secret));
    assert_eq!(leaked, None, "an error shows a credential: {error}");
}

/// Whether a string of the value has this in it. In JSON text, the end of an escape could be a part
/// of it.
fn shows(value: &Value, secret: &str) -> bool {
    match value {
        Value::String(text) => text.contains(secret),
        Value::Array(values) => values.iter().any(|value| shows(value, secret)),
        Value::Object(entries) => entries.values().any(|value| shows(value, secret)),
        _ => false,
    }
}

/// Success and rejection must agree with the response, as an independent parser reads it.
fn judge(reply: &Reply, asked: Asked, raw: &[u8]) {
    if reply.result != 0 && !(100..=199).contains(&reply.result) {
        return;
    }
    let response = http::read(raw).unwrap_or_else(|| panic!("{reply:?} without a response"));
    let too_large = response.body.bytes().len() > MOST;
    assert!(
        !matches!(response.body, Body::Broken(_)) || too_large,
        "{reply:?} without a complete response: {response:?}"
    );
    let envelope = std::str::from_utf8(response.body.bytes())
        .ok()
        .filter(|_| !too_large)
        .and_then(entries);
    let code = envelope
        .as_ref()
        .and_then(|envelope| lenient_text(envelope.get("responseCode").map(AsRef::as_ref)))
        .unwrap_or_default();
    let refuses = |code: &str| {
        let number = code.parse().ok().filter(|_| code.len() == 3);
        number.is_some_and(http::is_refusal)
    };
    let refused = refuses(&response.status.to_string());
    if reply.result != 0 && asked == Asked::Order {
        judge_refused_order(response.body.bytes(), envelope.as_ref());
    }
    if reply.result == 0 {
        assert!(
            (200..=299).contains(&response.status),
            "done with HTTP {}",
            response.status
        );
        assert_eq!(code, "200", "done with responseCode {code}");
        judge_done(asked, &envelope.expect("done has an envelope"), reply);
    } else if refused {
        assert!(
            code.is_empty() || refuses(&code),
            "rejected by HTTP {} with responseCode {code}",
            response.status
        );
    } else {
        assert!(
            (200..=299).contains(&response.status) && refuses(&code),
            "rejected by HTTP {} with responseCode {code}",
            response.status
        );
    }
}

/// An order is refused only by an empty body or one object, without a checkout URL.
fn judge_refused_order(body: &[u8], envelope: Option<&Entries>) {
    let Some(envelope) = envelope else {
        return assert!(body.is_empty(), "refused by a body that is not one object");
    };
    let data = envelope.get("data").and_then(|data| entries(data.get()));
    let url = data.and_then(|data| data.get("url").map(|url| url.get().to_owned()));
    let empty = [None, Some("null"), Some("\"\"")];
    assert!(
        empty.contains(&url.as_deref()),
        "refused with the URL {url:?}"
    );
}

fn judge_done(asked: Asked, envelope: &Entries, reply: &Reply) {
    let message = reply.entries()["responseMessage"].get().to_owned();
    assert!(
        !SECRETS.iter().any(|secret| message.contains(secret)),
        "the message of a success shows a credential: {message}"
    );
    let data = envelope
        .get("data")
        .and_then(|data| entries(data.get()))
        .unwrap_or_default();
    let field = |name: &str| {
        lenient_text(data.get(name).map(AsRef::as_ref))
            .unwrap_or_else(|| panic!("{name} is not text"))
    };
    let given = entries(reply.entries()["data"].get()).expect("data is an object");
    let given = |name: &str| lenient_text(given.get(name).map(AsRef::as_ref)).expect("a text");
    match asked {
        Asked::Order => {
            let url = field("url");
            assert_eq!(given("url"), url, "the checkout URL was changed");
            let lower = url.to_ascii_lowercase();
            let host = lower
                .strip_prefix("https://")
                .map(|rest| (rest, true))
                .or(lower.strip_prefix("http://").map(|rest| (rest, false)));
            let (host, secure) = host.unwrap_or_else(|| panic!("{url} is a checkout URL"));
            let loopback = ["localhost", "127.", "[", "0x7f", "017", "2130706433"]
                .iter()
                .any(|name| host.starts_with(name));
            assert!(
                secure || loopback || !host.is_ascii() || host.contains('%'),
                "{url} is not secure"
            );
            assert!(
                !url.contains([' ', '\\']) && !url.chars().any(char::is_control),
                "{url:?} is not clean"
            );
        }
        Asked::StatusByOrder => assert!(
            ["", "O-1"].contains(&field("orderId").as_str()),
            "another order's status"
        ),
        Asked::StatusByTransaction => assert!(
            ["", "X-1"].contains(&field("transactionId").as_str()),
            "another transaction's status"
        ),
    }
    if asked != Asked::Order {
        assert_eq!(given("transactionStatus"), field("transactionStatus"));
        let derived = reply.entries()["derived"].get().to_owned();
        assert_eq!(
            derived.starts_with("{\"completed\":true"),
            field("transactionStatus") == "Completed",
            "{derived}"
        );
    }
}
