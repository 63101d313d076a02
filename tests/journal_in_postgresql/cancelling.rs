//! Cancelling and stopping a call in each phase of its work with the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use support::abi::{self, Client, Reply, Token, with_idle};
use support::calls::make;
use support::log::Log;
use support::orders::with;
use support::patience::until;
use support::relay::Relay;
use support::responses::{created, http, status_body};
use support::result::{CANCELLED, DUPLICATE, JOURNAL_FAILED};
use support::rows::Rows;
use support::service::{Service, close, respond, stall};
use support::shop::{entries, order, states};

use crate::{database, journal_in};

/// What ends the call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Token,
    Cancel,
    Stop,
    /// The idle function, as Ctrl-C in the packages.
    Idle,
}

const ENDS: [End; 4] = [End::Token, End::Cancel, End::Stop, End::Idle];

/// Starts a call, ends it a moment after it has come so far, and returns its reply and how long it took
/// to end.
fn ended(
    client: &Client,
    end: End,
    order_id: &str,
    is_so_far: impl Fn() -> bool,
) -> (Reply, Duration) {
    let idle_ends = AtomicBool::new(false);
    let token = Token::new();
    let options = token.among(&json!({}));
    thread::scope(|scope| {
        let calling = scope.spawn(|| {
            let create = || client.create_with(&order(order_id), &options);
            match end {
                End::Idle => with_idle(|| idle_ends.load(SeqCst), create),
                _ => create(),
            }
        });
        until(is_so_far);
        thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        match end {
            End::Token => drop(token.cancel()),
            End::Cancel => drop(client.cancel()),
            End::Stop => drop(abi::stop(client.key())),
            End::Idle => idle_ends.store(true, SeqCst),
        }
        let reply = calling.join().expect("it does not panic");
        (reply, began.elapsed())
    })
}

#[test]
fn a_call_that_waits_for_the_database_can_be_cancelled_in_each_phase() {
    let service = Service::responding(created());
    let mut rows = Rows::new();
    for end in ENDS {
        for phase in ["connecting", "the tables", "the intent", "a lock"] {
            let Some(database) = database() else { return };
            let row = format!("{phase}, {end:?}");
            let relay = Relay::to(database.port);
            let config = journal_in(&database.at(relay.port()), &service.url());
            let client = Client::new(&with(&config, "connectTimeoutMs", 10_000));
            let mut held = None;
            match phase {
                "connecting" => relay.stall(true),
                // Another client is about to make them.
                "the tables" => {
                    held =
                        Some(database.person("BEGIN; CREATE TABLE payorder_version (version int)"));
                }
                "the intent" => {
                    client.create(&order(&format!("{row}, before"))).done();
                    relay.stall(true);
                }
                _ => {
                    client.create(&order(&format!("{row}, before"))).done();
                    let lock = "BEGIN; LOCK TABLE payorder_orders IN EXCLUSIVE MODE";
                    held = Some(database.person(lock));
                }
            }
            let before = service.request_count();
            let (reply, took) = ended(&client, end, &row, || true);
            rows.code(&row, &reply, CANCELLED);
            rows.that(&row, took < Duration::from_secs(1), || format!("{took:?}"));
            rows.same(&row, service.request_count(), before);
            relay.stall(false);
            drop(held);
            // Whether or not its entry is there: a second till does not send it twice.
            let other = Client::new(&journal_in(&database, &service.url()));
            let code = other.create(&order(&row)).code;
            rows.that(&row, [0, DUPLICATE].contains(&code), || code.to_string());
        }
    }
    rows.end();
}

#[test]
fn a_call_ends_at_its_deadline_if_the_database_does_not_answer() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let relay = Relay::to(database.port);
    let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
    // A busy machine has more than one try.
    let in_time = (0..4).any(|number| {
        client.create(&order(&format!("BEFORE-{number}"))).done();
        relay.stall(true);
        let late = order(&format!("LATE-{number}"));
        let reply = client.create_with(&late, &json!({"timeoutMs": 500}));
        relay.stall(false);
        let took = reply.is(JOURNAL_FAILED).error()["elapsedMs"].as_u64();
        took.expect("a time") < 900
    });
    assert!(in_time);
}

#[test]
fn a_call_that_was_sent_keeps_its_result_if_it_is_cancelled_while_its_outcome_is_written() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let mut rows = Rows::new();
    for end in ENDS {
        let row = format!("{end:?}");
        let relay = Arc::new(Relay::to(database.port));
        let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
        client.create(&order(&format!("{row}, before"))).done();
        let stalled = Arc::clone(&relay);
        Log::reacting(&client, move |event| {
            if event["event"] == "attempt_started" {
                stalled.stall(true);
            }
        });
        let before = service.request_count();
        let is_sent = || service.request_count() > before;
        let (reply, took) = ended(&client, end, &row, is_sent);
        rows.code(&row, &reply, 0);
        rows.that(&row, took < Duration::from_secs(3), || format!("{took:?}"));
        support::log::unset_log(client.key());
        relay.stall(false);
        let other = Client::new(&journal_in(&database, &service.url()));
        rows.code(&row, &other.create(&order(&row)), DUPLICATE);
        let last = states(&entries(&other)).pop().unwrap_or_default();
        let is_kept = [format!("{row}: sending"), format!("{row}: created")].contains(&last);
        rows.that(&row, is_kept, || last);
    }
    rows.end();
}

#[test]
fn what_was_answered_before_a_cancel_is_kept_if_the_journal_cannot_be_read_then() {
    let mut rows = Rows::new();
    for name in ["recover", "journal_resolve"] {
        let Some(database) = database() else { return };
        let service = Service::deciding(|query| match query.order_id.as_str() {
            _ if query.is_order => close(),
            "A" => respond(http(200, status_body("A", &json!({})).to_string())),
            _ => stall(),
        });
        let relay = Relay::to(database.port);
        let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
        for order_id in ["A", "B"] {
            client.create(&order(order_id));
        }
        let reply = thread::scope(|scope| {
            let asking = scope.spawn(|| make(name, &client, &json!({"concurrency": 1})));
            until(|| service.request_count() == 4);
            relay.stall(true);
            client.cancel();
            asking.join().expect("it returns")
        });
        rows.code(name, &reply, 0);
        rows.same(name, &reply.json["summary"]["stopped"], &json!(true));
        rows.same(name, &reply.json["summary"]["ok"], &json!(1));
        let (list, key, values) = match name {
            "recover" => ("sales", "verdict", ["paid", "unknown"]),
            _ => ("entries", "orderId", ["A", "B"]),
        };
        for (place, value) in values.into_iter().enumerate() {
            rows.same(name, &reply.json[list][place][key], &json!(value));
        }
    }
    rows.end();
}
