//! What is a client or a token and what is not, and calls that do not block.

use crate::calls::{TILL, WITH_JOURNAL, short};
use crate::{PLANTED, Texts, number, text};
use payorder::{
    payorder_cancellation_cancel, payorder_cancellation_free, payorder_cancellation_new,
    payorder_client_cancel, payorder_client_free, payorder_client_set_credentials,
    payorder_client_set_log, payorder_client_stop, payorder_create_order, payorder_done_handle,
    payorder_live_calls, payorder_set_idle, payorder_start, payorder_take_done,
};
use payorder_fuzz::client::{self, ORDER, handle};
use payorder_fuzz::reply::{c, call, pointer};
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::Mutex;

/// No number is a client, except the keys of those that live.
pub fn any_number(texts: &Texts<'_>) {
    let Some(key) = number::<usize>(texts) else {
        return;
    };
    if key == *TILL || key == *WITH_JOURNAL {
        return;
    }
    let client = handle(key);
    // SAFETY: any number may be passed as the client, and no callback.
    let log = unsafe { payorder_client_set_log(client, None, ptr::null_mut()) };
    let order = client::ask(payorder_create_order, key, &c(ORDER), None).result;
    let cancel = payorder_client_cancel(client);
    assert_eq!([log, order, cancel, payorder_client_stop(client)], [2; 4]);
    let freed = if key == 0 { 0 } else { 2 };
    assert_eq!(payorder_client_free(client), freed);
    assert_eq!(payorder_done_handle(client), -1);
}

/// No text is a token, except that of one that lives.
pub fn any_token(texts: &Texts<'_>) {
    let (mut token, other) = (ptr::null(), text(texts, 0).unwrap_or_default());
    // SAFETY: the texts are valid for the calls, that of a token for a while after it was freed.
    unsafe {
        assert_eq!(payorder_cancellation_new(&raw mut token), 0);
        let expected = if CStr::from_ptr(token) == other.as_c_str() {
            0
        } else {
            2
        };
        assert_eq!(payorder_cancellation_cancel(other.as_ptr()), expected);
        assert_eq!(payorder_cancellation_free(other.as_ptr()), expected);
        assert_eq!(payorder_cancellation_free(token), 2 - expected);
        assert_eq!(payorder_cancellation_free(token), 2);
    }
}

/// Credentials for a client of their own, which then is stopped.
pub fn new_credentials(texts: &Texts<'_>) {
    let key = client::made(r#"{"baseUrl":"https://pay.example.com","proxy":"none"}"#);
    let credentials = text(texts, 0);
    // SAFETY: every pointer is valid for the call.
    let reply = call(|out| unsafe {
        payorder_client_set_credentials(handle(key), pointer(&credentials), out)
    });
    reply.is_one_of(&[0, 1, 3]);
    assert_eq!(payorder_client_stop(handle(key)), 0);
    let stopped = client::ask(payorder_create_order, key, &c(ORDER), None);
    assert_eq!(stopped.result, 8, "{stopped:?}");
    assert_eq!(payorder_client_free(handle(key)), 0);
}

/// An operation, a request and options. `done` runs once if the call was begun, and otherwise never.
/// The same call without it has one answer to take.
pub fn start(texts: &Texts<'_>) {
    let (operation, request) = (text(texts, 0), text(texts, 1));
    // A wait of a millisecond may end in the queue, as PAYORDER_CONNECT_FAILED.
    let (own, ends): (_, &[i32]) = match operation.as_deref() {
        Some(name) if name == c"wait_for_payment" => {
            (r#""waitMs":1,"timeoutMs":20000"#, &[0, 1, 4, 6])
        }
        _ => (r#""timeoutMs":20000"#, &[0, 1, 4]),
    };
    let options = short(texts.get(2).copied(), own);
    let ended = Mutex::new(Vec::<i32>::new());
    // SAFETY: every pointer is valid for the call, and the list until it has ended.
    let reply = call(|out| unsafe {
        payorder_set_idle(Some(go_on), ptr::null_mut());
        payorder_start(
            handle(*TILL),
            pointer(&operation),
            pointer(&request),
            options.as_ptr(),
            Some(done),
            (&raw const ended).cast_mut().cast(),
            out,
        )
    });
    while payorder_live_calls() > 0 {
        std::thread::yield_now();
    }
    let ended = ended.into_inner().expect("no callback panics");
    assert_eq!(ended.len(), usize::from(reply.result == 0), "{reply:?}");
    let number = ptr::without_provenance_mut(7);
    // SAFETY: every pointer is valid for the call, and the number is only returned.
    let again = call(|out| unsafe {
        let (operation, request) = (pointer(&operation), pointer(&request));
        payorder_start(
            handle(*TILL),
            operation,
            request,
            options.as_ptr(),
            None,
            number,
            out,
        )
    });
    assert_eq!(again.result, reply.result);
    let (mut taken, mut result, mut user_data) = (-1, -1, ptr::null_mut());
    let wait_ms = if again.result == 0 { 60_000 } else { 0 };
    // SAFETY: every pointer is valid for the call.
    let answer = call(|out| unsafe {
        let (taken, result) = (&raw mut taken, &raw mut result);
        payorder_take_done(handle(*TILL), wait_ms, taken, result, out, &mut user_data)
    });
    assert_eq!(taken, i32::from(again.result == 0), "{answer:?}");
    assert_eq!(user_data.addr(), if taken == 1 { 7 } else { 0 });
    assert!(ends.contains(&result), "{answer:?}");
    let timed_out = answer
        .text
        .as_deref()
        .is_some_and(|text| text.contains("queue_timed_out"));
    assert!(result != 6 || timed_out, "{answer:?}");
    answer.keeps_secret(&[PLANTED]);
    reply.is_one_of(&[0, 1, 4]);
    reply.keeps_secret(&[PLANTED]);
    assert!(ended.iter().all(|result| ends.contains(result)));
}

unsafe extern "C" fn go_on(_: *mut c_void) -> i32 {
    0
}

/// Keeps the result of a call.
unsafe extern "C" fn done(result: i32, json: *const c_char, ended: *mut c_void) {
    assert!(!json.is_null());
    // SAFETY: the list of the input that began the call, which waits for its end.
    let ended = unsafe { &*ended.cast::<Mutex<Vec<i32>>>() };
    ended.lock().expect("no callback panics").push(result);
}
