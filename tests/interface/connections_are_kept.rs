//! A connection is used for many calls, but not when it is too old.

use serde_json::Value;
use support::abi::Client;
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed, created};
use support::service::{Service, respond, stall};

/// Connections are kept for a long time, so that none becomes too old on a slow machine.
fn long_idle_config(service: &Service) -> Value {
    with(&config(&service.url()), "maxIdleMs", 60_000)
}

#[test]
fn many_calls_of_both_kinds_use_one_connection() {
    let service = Service::start([stall()]);
    let client = Client::new(&long_idle_config(&service));
    for _ in 0..5 {
        service.set_script([respond(created())]);
        client.create(&order()).done();
        service.set_script([respond(completed(""))]);
        client.status(&query()).done();
    }
    assert_eq!(service.request_count(), 10);
    assert_eq!(service.connections(), 1);
}

#[test]
fn two_clients_share_no_connection() {
    let service = Service::responding(created());
    let clients = [
        Client::new(&long_idle_config(&service)),
        Client::new(&long_idle_config(&service)),
    ];
    for client in &clients {
        client.create(&order()).done();
    }
    assert_eq!(service.connections(), 2);
}

#[test]
fn nothing_is_sent_after_the_deadline_on_a_kept_connection_either() {
    let service = Service::start([respond(created()), respond(created())]);
    // The connection is not too old when the callback returns.
    let client = Client::new(&with(&long_idle_config(&service), "timeoutMs", 2000));
    client.create(&order()).done();
    let bytes = service.bytes();
    // The callback takes longer than the call's timeout.
    Log::reacting(&client, |event| {
        if event["event"] == "attempt_started" {
            std::thread::sleep(std::time::Duration::from_millis(2100));
        }
    });
    let reply = client.create(&order());
    reply.is(6);
    assert_eq!(reply.error()["cause"], "connect_timed_out");
    assert_eq!(service.bytes(), bytes, "an order left after its deadline");
    assert_eq!(service.connections(), 1);
}
