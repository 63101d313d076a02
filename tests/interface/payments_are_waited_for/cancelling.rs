//! Cancelling a wait, and freeing its client.

use super::{eagerly, in_state, is_final, paid};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};
use support::abi::{self, Client, Reply};
use support::log::Log;
use support::orders::{config, query};
use support::service::{Service, stall};
use support::unreachable::refusing_url;

const CANCELLED: i32 = 8;
const CANCELLED_IN_FLIGHT: i32 = 204;

/// Cancels a wait when `ready` returns, and returns its reply.
fn cancelled(client: &Client, where_it_was: &str, ready: impl FnOnce()) -> Reply {
    thread::scope(|scope| {
        let options = json!({"waitMs": 60_000, "intervalMs": 30_000, "timeoutMs": 60_000});
        let waiting = scope.spawn(move || client.wait(&query(), &options));
        ready();
        let began = Instant::now();
        assert_eq!(client.cancel(), 0);
        let reply = waiting.join().unwrap();
        let took = began.elapsed();
        println!("cancelled while {where_it_was}: {took:?}");
        assert!(took < Duration::from_secs(1), "{took:?}");
        reply
    })
}

#[test]
fn cancelling_ends_a_wait_in_every_phase() {
    let service = Service::start([in_state("Pending"), stall()]);
    let client = Client::new(&config(&service.url()));
    let asleep = || {
        service.wait_for_requests(1);
        thread::sleep(Duration::from_millis(300));
    };
    let reply = cancelled(&client, "asleep", asleep);
    reply.is(CANCELLED_IN_FLIGHT);
    assert_eq!(reply.error()["operation"], "wait_for_payment");
    assert_eq!(reply.error()["statusQuery"], query());
    let seen = &reply.error()["status"]["data"]["transactionStatus"];
    assert_eq!(seen, "Pending", "{}", reply.text());
    assert_eq!(
        reply.error()["action"],
        "ask_status",
        "the customer can pay"
    );
    let reply = cancelled(&client, "while waiting for the response", || {
        service.wait_for_requests(2)
    });
    reply.is(CANCELLED_IN_FLIGHT);

    let nobody = Client::new(&config(&refusing_url()));
    let log = Log::of(&nobody);
    let refused = || {
        while log.names().len() < 2 {
            thread::sleep(Duration::from_millis(2));
        }
    };
    let reply = cancelled(&nobody, "asleep, nothing sent", refused);
    reply.is(CANCELLED);
    assert_eq!(
        reply.error()["action"],
        "ask_status",
        "the customer can pay"
    );
    assert_eq!(reply.error()["statusQuery"], query());
    assert_eq!(reply.error().get("status"), None, "no status was seen");

    service.set_script([paid()]);
    is_final(&client.wait(&query(), &eagerly()), 1, "Completed");
}

#[test]
fn the_log_callback_can_cancel_its_wait() {
    for (attempt, code) in [(1, CANCELLED), (2, CANCELLED_IN_FLIGHT)] {
        let service = Service::start([in_state("Pending")]);
        let client = Client::new(&config(&service.url()));
        let key = client.key();
        let log = Log::reacting(&client, move |event| {
            if event["event"] == "attempt_started" && event["attempt"] == attempt {
                assert_eq!(abi::cancel(key), 0);
            }
        });
        let reply = client.wait(&query(), &eagerly());
        reply.is(code);
        assert_eq!(
            service.request_count(),
            attempt - 1,
            "the cancelled poll was not sent"
        );
        assert_eq!(log.names().last().unwrap(), "call_finished");
    }
}

#[test]
fn a_wait_continues_after_its_client_was_freed() {
    let service = Service::start([in_state("Pending"), in_state("Pending"), paid()]);
    let client = Client::new(&config(&service.url()));
    let key = client.key();
    Log::reacting(&client, move |event| {
        if event["attempt"] == 1 {
            abi::free(key);
        }
    });
    is_final(&client.wait(&query(), &eagerly()), 3, "Completed");
    assert_eq!(
        client.wait(&query(), &eagerly()).code,
        2,
        "a freed client is invalid"
    );
}
