//! The counters of live clients, live strings and running calls are right, and return to zero. They
//! count for the whole process, so this file has one test.

use serde_json::json;
use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::abi::{self, Client, c};
use support::log::Log;
use support::orders::{config, order, query};
use support::responses::{created, http};
use support::service::{Service, close, respond, respond_after};
use support::unreachable::refusing_url;

fn running() -> usize {
    abi::payorder_live_calls()
}

fn live() -> (usize, usize) {
    (abi::payorder_live_clients(), abi::payorder_live_strings())
}

#[test]
fn clients_strings_and_calls_are_counted() {
    assert_eq!(live(), (0, 0));
    let service = Service::responding(created());
    let first = Client::new(&config(&service.url()));
    let second = Client::new(&config(&service.url()));
    assert_eq!(live(), (2, 0));
    drop(second);
    assert_eq!(live(), (1, 0));
    assert_eq!(abi::free(0), 0);
    assert_eq!(abi::free(12345), 2);
    assert_eq!(live(), (1, 0));

    let text = c(order().to_string());
    let mut outs = [ptr::null_mut::<c_char>(); 3];
    for (number, out) in outs.iter_mut().enumerate() {
        // SAFETY: every pointer is valid for the call.
        assert_eq!(
            unsafe { abi::payorder_build_create_order(text.as_ptr(), ptr::null(), out) },
            0
        );
        assert_eq!(live(), (1, number + 1));
    }
    for (number, out) in outs.into_iter().enumerate() {
        // SAFETY: each came from the library and is freed once.
        unsafe { abi::payorder_string_free(out) };
        assert_eq!(live(), (1, 2 - number));
    }
    // SAFETY: NULL may be passed.
    unsafe { abi::payorder_string_free(ptr::null_mut()) };
    assert_eq!(live(), (1, 0));

    // Every kind of call. The wrapper copies and frees each string.
    Log::of(&first);
    first.create(&order()).done();
    first.create(&json!({}));
    first.create_with(&order(), &json!({"x": 1}));
    service.set_script([respond(http(503, "")), close()]);
    first.create(&order());
    first.status(&query());
    Client::new(&config(&refusing_url())).create(&order());
    assert!(Client::try_new(&json!({})).is_err());
    abi::build_get_status("{\"orderId\":\"O\"}").done();
    abi::parse_return_url("?txn=T").done();
    abi::parse_return_url("?");
    abi::verify_payment("{}", "{}");
    abi::json_get("{\"a\":1}", "/a").done();
    abi::json_get("{}", "/a");
    abi::json_object(&["a", "b"]).done();
    abi::json_object(&["a"]);
    // SAFETY: out strings may be NULL for calls without the network.
    unsafe { abi::payorder_build_create_order(text.as_ptr(), ptr::null(), ptr::null_mut()) };
    assert_eq!(live(), (1, 0));

    // A client that is freed while a call is in flight.
    service.set_script([respond_after(
        std::time::Duration::from_millis(200),
        created(),
    )]);
    let sent = service.request_count();
    std::thread::scope(|scope| {
        let call = scope.spawn(|| first.create(&order()));
        service.wait_for_requests(sent + 1);
        assert_eq!(running(), 1);
        abi::free(first.key());
        assert_eq!(running(), 1, "a running call is counted");
        call.join().unwrap().done();
    });
    assert_eq!(running(), 0);
    assert_eq!(live(), (0, 0));

    // A token's text is a string. The token itself is not counted.
    let token = abi::Token::new();
    assert_eq!(live(), (0, 0));
    token.cancel();
    drop(token);
    assert_eq!(live(), (0, 0));

    // Calls inside callbacks, and of every kind.
    let client = Client::new(&config(&service.url()));
    service.set_script([respond(created())]);
    let seen = Arc::new(AtomicUsize::new(0));
    let most = Arc::clone(&seen);
    Log::reacting(&client, move |_| {
        most.fetch_max(running(), Ordering::SeqCst);
    });
    client.status(&query());
    client.wait(&query(), &json!({"waitMs": 1}));
    client.statuses(&json!([query()]), &json!({}), |_, _| {
        assert_eq!(running(), 1);
        true
    });
    client.journal_list(&json!({}));
    abi::get_status(12345, "", None);
    assert_eq!(seen.load(Ordering::SeqCst), 1);
    assert_eq!(running(), 0);
    drop(client);
    assert_eq!(live(), (0, 0));
}
