//! The network between a till and its database: silent, slow, and cut.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use support::abi::Client;
use support::log::Log;
use support::orders::with;
use support::relay::Relay;
use support::responses::created;
use support::result::{DUPLICATE, INVALID_ARGUMENT, JOURNAL_FAILED};
use support::service::Service;
use support::shop::{entries, listed, order, states};

use crate::sales::Sales;
use crate::{database, journal_in};

#[test]
fn a_silent_network_ends_a_call_at_its_deadline() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let service = Service::responding(created());
    let config = journal_in(&database.at(relay.port()), &service.url());
    let client = Client::new(&with(&config, "connectTimeoutMs", 500));
    client.create(&order("A")).done();
    relay.stall(true);
    let short = json!({"timeoutMs": 700});
    for (what, client) in [("kept", &client), ("new", &Client::new(&config))] {
        let began = Instant::now();
        let reply = client.create_with(&order("B"), &short);
        let took = began.elapsed();
        reply.is(JOURNAL_FAILED);
        assert_eq!(reply.error()["outcome"], "not_sent");
        assert!(
            took < Duration::from_secs(3),
            "{what}: {took:?}: {}",
            reply.text()
        );
    }
    relay.stall(false);
    assert_eq!(service.request_count(), 1, "nothing was sent");
    // The intent may arrive late: then its entry is closed, or is unknown after its deadline.
    std::thread::sleep(Duration::from_millis(1000));
    let code = client.create(&order("B")).code;
    assert!([0, DUPLICATE].contains(&code), "{code}");
    client.create(&order("C")).done();
}

/// A restart of the database, while an order is sent.
#[test]
fn an_outcome_is_written_after_a_short_outage() {
    let Some(database) = database() else { return };
    let relay = Arc::new(Relay::to(database.port));
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
    client.create(&order("A")).done();
    let fail = |outage: Duration| {
        let relay = Arc::clone(&relay);
        Log::reacting(&client, move |event| {
            if event["event"] == "attempt_started" {
                relay.refuse(true);
                relay.cut_all();
                let relay = Arc::clone(&relay);
                std::thread::spawn(move || {
                    std::thread::sleep(outage);
                    relay.refuse(false);
                });
            }
        });
    };
    fail(Duration::from_millis(700));
    client.create(&order("B")).done();
    let other = Client::new(&journal_in(&database, &service.url()));
    let entry = &entries(&other)[1];
    assert_eq!(entry["state"], "created", "{entry}");
    assert!(entry["url"].is_string(), "{entry}");
    // The answer is there: nobody waits long for the journal.
    fail(Duration::from_secs(60));
    let began = Instant::now();
    client.create(&order("C")).done();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
    support::log::unset_log(client.key());
    assert_eq!(states(&entries(&other))[2], "C: sending");
}

#[test]
fn a_lost_answer_of_the_database_is_found_out_over_a_new_connection() {
    let Some(database) = database() else { return };
    let relay = Arc::new(Relay::to(database.port));
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
    client.create(&order("A")).done();
    // The intent's: nobody knows whether it was written, so nothing is sent.
    relay.lose_next_answer();
    let reply = client.create(&order("B"));
    reply.is(JOURNAL_FAILED);
    assert_eq!(reply.error()["outcome"], "not_sent");
    assert_eq!(states(&entries(&client)), ["A: created", "B: not_sent"]);
    assert_eq!(service.request_count(), 1);
    // The outcome's: it is written once.
    let losing = Arc::clone(&relay);
    let log = Log::reacting(&client, move |event| {
        if event["event"] == "attempt_started" {
            losing.lose_next_answer();
        }
    });
    client.create(&order("B")).done();
    assert!(!log.names().contains(&"journal_failed".to_owned()));
    support::log::unset_log(client.key());
    let told = listed(&client.journal_list(&json!({"orderId": "B", "events": true})));
    assert_eq!(states(&told), ["B: not_sent", "B: created"]);
    assert_eq!(told[1]["events"].as_array().map(Vec::len), Some(2));
    client.create(&order("B")).is(DUPLICATE);
    assert_eq!(service.request_count(), 2);
}

#[test]
fn an_entry_whose_settling_got_no_answer_may_be_settled() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
    client.create(&order("A")).done();
    let settle = |note: &str| client.journal_settle(&json!({"entry": 1, "note": note}));
    relay.lose_next_answer();
    settle("not paid")
        .is(JOURNAL_FAILED)
        .says("the entry may be settled");
    assert_eq!(states(&entries(&client)), ["A: settled"]);
    settle("not paid")
        .is(INVALID_ARGUMENT)
        .says("settled already");
}

#[test]
fn an_outcome_that_cannot_be_written_in_time_leaves_the_calls_result() {
    let Some(database) = database() else { return };
    let relay = Arc::new(Relay::to(database.port));
    let service = Service::responding(created());
    let config = journal_in(&database.at(relay.port()), &service.url());
    let client = Client::new(&with(&config, "timeoutMs", 3000));
    client.create(&order("A")).done();
    let stalled = Arc::clone(&relay);
    let log = Log::reacting(&client, move |event| {
        if event["event"] == "attempt_started" {
            stalled.stall(true);
        }
    });
    let began = Instant::now();
    client.create(&order("B")).done();
    assert!(
        began.elapsed() < Duration::from_secs(6),
        "{:?}",
        began.elapsed()
    );
    assert!(
        log.names().contains(&"journal_failed".to_owned()),
        "{:?}",
        log.names()
    );
    support::log::unset_log(client.key());
    let other = Client::new(&journal_in(&database, &service.url()));
    assert_eq!(states(&entries(&other)), ["A: created", "B: unknown"]);
    other.create(&order("B")).is(DUPLICATE);
    relay.stall(false);
}

#[test]
fn a_slow_network_is_slow_and_nothing_else() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    relay.slow_down(Duration::from_millis(40));
    let sales = Sales::new();
    let client = sales.client(&database.at(relay.port()));
    std::thread::scope(|scope| {
        for till in 0..4 {
            let (sales, client) = (&sales, &client);
            scope.spawn(move || {
                for number in 0..3 {
                    sales.sell(client, &format!("{till}-{number}"));
                }
            });
        }
    });
    sales.check(&database);
}

#[test]
fn many_statuses_over_a_slow_network_are_all_recorded() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let sales = Sales::new();
    let client = sales.client(&database.at(relay.port()));
    sales.sell(&client, "FIRST");
    let count = 200;
    database.sql(&format!(
        "INSERT INTO payorder_orders (order_id, order_number, merchant_txn_id, txn_number, amount,
            currency_code, body_sha256, body_bytes, state, begun_ms, deadline_ms, updated_ms,
            service)
        SELECT 'O-' || i, 1, 'T-' || i, 1, '1.00', 'INR', 'x', 1, 'unknown', 1, 1, 1, service
        FROM generate_series(1, {count}) AS i CROSS JOIN payorder_orders"
    ));
    relay.slow_down(Duration::from_millis(5));
    let log = Log::of(&client);
    // The service knows them all.
    sales.knows((1..=count).map(|number| format!("O-{number}")));
    client.journal_resolve(&json!({})).done();
    assert!(!log.names().contains(&"journal_failed".to_owned()));
    let recorded = "SELECT count(*) FROM payorder_orders WHERE transaction_status = 'Pending'";
    assert_eq!(database.sql(recorded), (count + 1).to_string());
}
