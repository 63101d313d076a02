//! A cancellation token ends the calls that use it, and no others. The conformance suite has calls
//! whose token was cancelled before; tests/under_fire tokens on many threads at once.

use std::thread;
use std::time::Duration;

use serde_json::json;

use super::long_timeouts;
use support::abi::{self, Client, Token};
use support::calls::{NETWORK, make};
use support::orders::{config, order};
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Service, respond_after};

const INVALID_HANDLE: i32 = 2;

#[test]
fn a_freed_token_is_invalid_and_its_calls_go_on() {
    let service = Service::start([respond_after(Duration::from_millis(500), created())]);
    let client = Client::new(&long_timeouts(&service.url()));
    let token = Token::new();
    let with_token = token.among(&json!({}));
    thread::scope(|scope| {
        let call = scope.spawn(|| client.create_with(&order(), &with_token));
        service.wait_for_requests(1);
        assert_eq!(abi::free_token(token.text()), 0);
        assert_eq!(abi::cancel_token(token.text()), INVALID_HANDLE);
        assert_eq!(abi::free_token(token.text()), INVALID_HANDLE);
        call.join().unwrap().done();
    });
    let reply = client.create_with(&order(), &with_token);
    reply.is(INVALID_HANDLE);
    assert_eq!(reply.error()["name"], "PAYORDER_INVALID_HANDLE");
    assert_eq!(service.request_count(), 1);
}

#[test]
fn an_unknown_token_is_an_invalid_handle() {
    let service = Service::responding(completed(""));
    let client = Client::new(&config(&service.url()));
    let live = Token::new();
    let calls = NETWORK.into_iter().chain(["journal_list", "journal_prune"]);
    let mut rows = Rows::new();
    let shouted = live.text().to_uppercase();
    let longer = format!("{}0", live.text());
    let padded = live.text().replacen('-', "-0", 1);
    let signed = live.text().replacen('-', "-+", 1);
    for forged in [
        "",
        "x",
        "cancel-",
        "cancel-10000",
        "cancel-ffffffffffffffffff",
        &shouted,
        &longer,
        &padded,
        &signed,
    ] {
        let options = json!({ "cancellation": forged });
        rows.same(forged, abi::cancel_token(forged), INVALID_HANDLE);
        rows.same(forged, abi::free_token(forged), INVALID_HANDLE);
        for call in calls.clone() {
            let reply = make(call, &client, &options);
            rows.same(&format!("{call} {forged:?}"), reply.code, INVALID_HANDLE);
        }
    }
    // SAFETY: a text that is not UTF-8 may be passed.
    unsafe {
        let latin1 = c"cancel-\xe9".as_ptr();
        let results = [
            abi::payorder_cancellation_cancel(latin1),
            abi::payorder_cancellation_free(latin1),
        ];
        rows.same("not UTF-8", results, [INVALID_HANDLE; 2]);
    }
    rows.same("nothing was sent", service.request_count(), 0);
    rows.same("the live token still works", live.cancel(), 0);
    rows.end();
}
