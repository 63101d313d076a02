//! A cancelled call ends at once in every phase, with the right outcome, and does not affect later
//! calls.

#[path = "cancelling/idle.rs"]
mod idle;
#[path = "wire_faults/names.rs"]
mod names;
#[path = "cancelling/phases.rs"]
mod phases;
#[path = "cancelling/stopping.rs"]
mod stopping;
#[path = "cancelling/tokens.rs"]
mod tokens;

use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};
use support::abi::{self, Client, Reply};
use support::orders::{config, order, query, with};
use support::responses::{completed, created};
use support::service::{Reaction, Service};
use support::tls::{Authority, Folder, serving};

const CANCELLED: i32 = 8;
const CANCELLED_IN_FLIGHT: i32 = 204;

/// Timeouts far longer than any test may take.
fn long_timeouts(url: &str) -> Value {
    let config = with(&config(url), "timeoutMs", 60_000);
    with(&config, "connectTimeoutMs", 60_000)
}

/// Makes a call, cancels it when `ready` returns, and returns its reply.
fn cancelled(
    client: &Client,
    call: impl Fn(&Client) -> Reply + Send + Sync,
    ready: impl FnOnce(),
) -> Reply {
    thread::scope(|scope| {
        let running = scope.spawn(|| call(client));
        ready();
        let began = Instant::now();
        assert_eq!(client.cancel(), 0);
        let reply = running.join().unwrap();
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "it took {:?}",
            began.elapsed()
        );
        reply
    })
}

#[test]
fn a_call_that_waits_for_its_response_ends_as_cancelled_in_flight() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&with(&long_timeouts(&service.url()), "statusRetries", 5));
    let reply = cancelled(
        &client,
        |client| client.create(&order()),
        || service.wait_for_requests(1),
    );
    assert_eq!(reply.code, CANCELLED_IN_FLIGHT, "{}", reply.text());
    assert_eq!(
        reply.error()["statusQuery"],
        json!({"searchType": "1", "orderId": "ORDER-1001"})
    );
    let reply = cancelled(
        &client,
        |client| client.status(&query()),
        || service.wait_for_requests(2),
    );
    assert_eq!(reply.code, CANCELLED_IN_FLIGHT, "{}", reply.text());
    assert_eq!(
        service.request_count(),
        2,
        "a cancelled call is not retried"
    );

    service.set_script([Reaction::Respond(created())]);
    client.create(&order()).done();
}

#[test]
fn a_call_under_tls_ends_as_well() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let service = Service::start_tls(
        serving(authority.identity_for("localhost")),
        [Reaction::Stall],
    );
    let client = Client::new(&with(
        &long_timeouts(&service.url()),
        "tls",
        json!({"caFile": ca_file}),
    ));
    let reply = cancelled(
        &client,
        |client| client.create(&order()),
        || service.wait_for_requests(1),
    );
    assert_eq!(reply.code, CANCELLED_IN_FLIGHT, "{}", reply.text());
    service.set_script([Reaction::Respond(created())]);
    client.create(&order()).done();
}

#[test]
fn all_calls_in_flight_end_and_other_clients_go_on() {
    let service = Service::start([Reaction::Stall]);
    let steady = Service::start([Reaction::RespondAfter(
        Duration::from_millis(600),
        completed(""),
    )]);
    let client = Client::new(&long_timeouts(&service.url()));
    let other = Client::new(&long_timeouts(&steady.url()));
    thread::scope(|scope| {
        let calls: Vec<_> = (0..5)
            .map(|_| scope.spawn(|| client.status(&query()).code))
            .collect();
        let going_on = scope.spawn(|| other.status(&query()).code);
        service.wait_for_requests(5);
        steady.wait_for_requests(1);
        assert_eq!(client.cancel(), 0);
        for call in calls {
            assert_eq!(call.join().unwrap(), CANCELLED_IN_FLIGHT);
        }
        assert_eq!(going_on.join().unwrap(), 0);
    });
}

#[test]
fn cancelling_with_no_call_in_flight_does_not_affect_later_calls() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    assert_eq!(client.cancel(), 0);
    client.create(&order()).done();
    for _ in 0..3 {
        assert_eq!(client.cancel(), 0);
    }
    client.create(&order()).done();
    assert_eq!(service.request_count(), 2);
}

#[test]
fn a_call_may_be_cancelled_repeatedly_from_many_threads() {
    let service = Service::start([Reaction::Stall]);
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
        assert_eq!(reply.code, CANCELLED_IN_FLIGHT, "{}", reply.text());
    }
}

#[test]
fn freeing_does_not_cancel() {
    let service = Service::start([Reaction::RespondAfter(
        Duration::from_millis(300),
        created(),
    )]);
    let client = Client::new(&config(&service.url()));
    thread::scope(|scope| {
        let call = scope.spawn(|| client.create(&order()));
        service.wait_for_requests(1);
        abi::free(client.key());
        assert_eq!(client.cancel(), 2, "a freed client cannot be cancelled");
        call.join().unwrap().done();
    });
}
