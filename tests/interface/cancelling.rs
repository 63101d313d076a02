//! A cancelled call ends at once in every phase, with the right outcome, and does not affect later
//! calls.

mod idle;
mod phases;
mod stopping;
mod tokens;

use serde_json::Value;
use std::thread;
use support::abi::Client;
use support::orders::{config, order, with};
use support::result::{CANCELLED, CANCELLED_IN_FLIGHT as IN_FLIGHT};
use support::service::{Service, stall};

/// Timeouts far longer than any test may take.
fn long_timeouts(url: &str) -> Value {
    let config = with(&config(url), "timeoutMs", 60_000);
    with(&config, "connectTimeoutMs", 60_000)
}

#[test]
fn a_call_may_be_cancelled_repeatedly_from_many_threads() {
    let service = Service::start([stall()]);
    let client = Client::new(&long_timeouts(&service.url()));
    for round in 1..=20 {
        let reply = thread::scope(|scope| {
            let call = scope.spawn(|| client.create(&order()));
            service.wait_for_requests(round);
            for _ in 0..3 {
                scope.spawn(|| client.cancel());
            }
            call.join().unwrap()
        });
        reply.is(IN_FLIGHT);
    }
}
