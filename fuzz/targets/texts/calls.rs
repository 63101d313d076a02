//! Calls, with a service and a journal.

use crate::requests::{build_order, build_query};
use crate::{PLANTED, Texts, text};
use payorder::{
    payorder_check, payorder_create_order, payorder_get_status, payorder_get_statuses,
    payorder_journal_list, payorder_journal_prune, payorder_journal_resolve,
    payorder_journal_settle, payorder_recover, payorder_stream_statuses, payorder_wait_for_payment,
};
use payorder_fuzz::client::{self, handle};
use payorder_fuzz::input::Plan;
use payorder_fuzz::reply::{Reply, c, call, pointer};
use payorder_fuzz::service;
use payorder_fuzz::system::refuse;
use serde_json::Value;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::LazyLock;

/// A client of a service that accepts all orders and knows all transactions.
pub static TILL: LazyLock<usize> = LazyLock::new(|| {
    service::start();
    let credentials = format!(
        r#""accessToken":"{PLANTED}","clientKey":"{PLANTED}","clientId":"{PLANTED}","secretKey":"{PLANTED}""#
    );
    client::made(&format!(
        r#"{{"baseUrl":"{}","proxy":"none","createRetries":0,{credentials}}}"#,
        service::URL
    ))
});

/// Makes a call with the till. The request sent must be the one that the offline function builds, and
/// a call that failed must have sent nothing.
fn send(
    request: &Option<CString>,
    options: &Option<CString>,
    built: &Reply,
    export: client::Export,
) {
    // With a timeout from the input, the result would depend on the machine.
    let bytes = options.as_deref().map(CStr::to_bytes).unwrap_or_default();
    let Some(request) = request.as_deref().filter(|_| {
        !bytes
            .windows(4)
            .any(|window| window.eq_ignore_ascii_case(b"tMs\"") || window == b"\\u00")
    }) else {
        return;
    };
    service::begin(&Plan::default());
    let reply = client::ask(export, *TILL, request, options.as_deref());
    let mut sent = service::end();
    sent.retain(service::Attempt::was_sent);
    reply.keeps_secret(&[PLANTED]);
    if reply.result == 0 {
        assert_eq!(
            built.result, 0,
            "a request was sent that cannot be built: {built:?}"
        );
        let [request] = &sent[..] else {
            panic!("{} requests were sent", sent.len());
        };
        assert!(
            String::from_utf8_lossy(&request.received)
                .ends_with(&format!("\r\n\r\n{}", built.text())),
            "the body sent is not the one built"
        );
    } else {
        reply.is_one_of(&[1, 4]);
        assert!(
            built.result == reply.result || reply.result == 1,
            "{built:?} and {reply:?}"
        );
        assert!(
            sent.is_empty(),
            "a request was sent although the call failed"
        );
    }
}

pub fn create_order(texts: &Texts<'_>) {
    let (order, options) = (text(texts, 0), text(texts, 1));
    let extra = options
        .as_deref()
        .and_then(|options| serde_json::from_slice::<Value>(options.to_bytes()).ok());
    // serde_json sorts keys, so with more than one extra field there is nothing to compare the body
    // with.
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
        payorder_create_order,
    );
}

pub fn get_status(texts: &Texts<'_>) {
    let (query, options) = (text(texts, 0), text(texts, 1));
    send(&query, &options, &build_query(&query), payorder_get_status);
}

/// Options from the inside of an object, after options that keep the call short. A duplicate is
/// refused.
pub fn short(inside: Option<&[u8]>, own: &str) -> CString {
    let inside = inside
        .filter(|inside| !inside.is_empty())
        .map(|inside| [b",", inside].concat())
        .unwrap_or_default();
    c([b"{", own.as_bytes(), &inside, b"}"].concat())
}

pub fn wait_for_payment(texts: &Texts<'_>) {
    let Some(query) = text(texts, 0) else { return };
    let options = short(texts.get(1).copied(), r#""waitMs":1,"timeoutMs":20000"#);
    let built = build_query(&Some(query.clone()));
    let reply = client::ask(payorder_wait_for_payment, *TILL, &query, Some(&options));
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

/// Each element of an array has the same result as in a single call, and in a stream.
pub fn get_statuses(texts: &Texts<'_>) {
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
    let mut left: Vec<CString> = elements
        .iter()
        .flatten()
        .map(|element| c(element.get()))
        .collect();
    left.reverse();
    let (mut given, mut streamed) = (Queries::default(), Queries::default());
    streamed.left = left;
    let (client, options) = (handle(*TILL), options.as_ptr());
    // SAFETY: every pointer is valid for the call, and the callbacks use these queries.
    let reply = call(|out| unsafe {
        let data = (&raw mut given).cast();
        payorder_get_statuses(client, queries.as_ptr(), options, Some(keep), data, out)
    });
    reply.is_one_of(&[0, 1]);
    if reply.result == 1 {
        return assert!(given.results.is_empty(), "a failed call returned results");
    }
    // SAFETY: as above.
    let stream = call(|out| unsafe {
        let data = (&raw mut streamed).cast();
        payorder_stream_statuses(client, Some(next), Some(keep), data, options, out)
    });
    assert_eq!(stream.result, 0, "{stream:?}");
    let elements = elements.expect("an accepted text is an array");
    let single = |element: &&serde_json::value::RawValue| {
        let built = build_query(&Some(c(element.get())));
        built.result
    };
    let expected: Vec<(usize, i32)> = elements.iter().map(single).enumerate().collect();
    for mut results in [given.results, streamed.results] {
        results.sort_unstable();
        assert_eq!(results, expected, "alone and among others: {reply:?}");
    }
    let summary: Value = serde_json::from_str(reply.text()).expect("a JSON object");
    assert!(
        summary["asked"] == elements.len() && summary["stopped"] == false,
        "{summary}"
    );
}

/// What the callbacks of many statuses use.
#[derive(Default)]
struct Queries {
    /// The last one comes first.
    left: Vec<CString>,
    given: CString,
    results: Vec<(usize, i32)>,
}

unsafe extern "C" fn next(queries: *mut c_void) -> *const c_char {
    // SAFETY: the queries, which live as long as the call.
    let queries = unsafe { &mut *queries.cast::<Queries>() };
    let Some(query) = queries.left.pop() else {
        return ptr::null();
    };
    queries.given = query;
    queries.given.as_ptr()
}

unsafe extern "C" fn keep(
    index: usize,
    result: i32,
    json: *const c_char,
    queries: *mut c_void,
) -> i32 {
    // SAFETY: as in `next`; the text lives until the callback returns.
    let (queries, json) = unsafe { (&mut *queries.cast::<Queries>(), CStr::from_ptr(json)) };
    let json = json.to_str().expect("what is handed over is UTF-8");
    let shows = result != 0 && json.contains(PLANTED);
    if shows {
        // The library would catch a panic.
        refuse("an error that shows a credential");
    }
    queries.results.push((index, result));
    1
}

/// A client with a journal.
pub static WITH_JOURNAL: LazyLock<usize> = LazyLock::new(|| {
    let path = std::env::temp_dir().join(format!("payorder-fuzz-{}.db", std::process::id()));
    let key = client::made(&format!(
        r#"{{"baseUrl":"{}","proxy":"none","journal":"{}",
            "accessToken":"token","clientKey":"key","clientId":"id","secretKey":"secret"}}"#,
        service::URL,
        path.display()
    ));
    let create = || client::ask(payorder_create_order, key, &c(client::ORDER), None).result;
    assert_eq!(create(), 0);
    assert_eq!(create(), 206, "an order was created twice");
    key
});

pub fn journal(texts: &Texts<'_>) {
    let options = text(texts, 0);
    let handle = handle(*WITH_JOURNAL);
    // SAFETY: every pointer is valid for the call.
    let replies = unsafe {
        [
            call(|out| payorder_journal_list(handle, pointer(&options), out)),
            call(|out| payorder_journal_prune(handle, pointer(&options), out)),
            call(|out| {
                let sales = text(texts, 1);
                payorder_recover(
                    handle,
                    pointer(&sales),
                    pointer(&short(texts.first().copied(), r#""timeoutMs":20000"#).into()),
                    out,
                )
            }),
            call(|out| payorder_journal_settle(handle, pointer(&options), out)),
            call(|out| {
                payorder_journal_resolve(
                    handle,
                    pointer(&short(texts.get(1).copied(), r#""timeoutMs":20000"#).into()),
                    out,
                )
            }),
            call(|out| payorder_check(handle, pointer(&options), out)),
        ]
    };
    for (reply, key) in replies
        .iter()
        .zip(["entries", "removed", "sales", "entry", "summary", "steps"])
    {
        reply.is_one_of(&[0, 1, 4]);
        assert!(
            reply.result != 0 || reply.entries().contains_key(key),
            "{reply:?}"
        );
    }
}
