//! No other text is a cancellation token. The conformance suite has calls whose token was cancelled
//! or freed before, `tests/interface/started_calls.rs` calls whose token is freed while they run, and
//! `tests/under_fire` tokens on many threads at once.

use serde_json::json;

use support::abi::{self, Client, Token};
use support::calls::{NETWORK, make};
use support::orders::config;
use support::responses::completed;
use support::result::INVALID_HANDLE;
use support::rows::Rows;
use support::service::Service;

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
