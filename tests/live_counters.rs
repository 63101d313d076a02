//! The counters of live clients, live strings and running calls are right at each moment. They count
//! for the whole process, so this file has one test. The judge of the conformance suite checks that
//! they return to zero after every kind of call.

use serde_json::json;
use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::abi::{self, Client};
use support::log::Log;
use support::orders::{config, order, query};
use support::responses::created;
use support::service::{Service, respond, respond_after};

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

    let mut outs = [ptr::null_mut::<c_char>(); 3];
    for (number, out) in outs.iter_mut().enumerate() {
        // SAFETY: every pointer is valid for the call.
        assert_eq!(unsafe { abi::payorder_json_quote(c"a".as_ptr(), out) }, 0);
        assert_eq!(live(), (1, number + 1));
    }
    for (number, out) in outs.into_iter().enumerate() {
        // SAFETY: each came from the library and is freed once.
        unsafe { abi::payorder_string_free(out) };
        assert_eq!(live(), (1, 2 - number));
    }
    // SAFETY: a place for the text may be missing.
    unsafe { abi::payorder_json_quote(c"a".as_ptr(), ptr::null_mut()) };
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
