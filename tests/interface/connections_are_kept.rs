//! A connection is used for many calls, but not when it is too old.

use serde_json::{Value, json};
use support::abi::Client;
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed, created};
use support::service::{Service, respond, stall};
use support::tls::{Authority, Folder, serving};

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
fn a_connection_by_name_is_kept_too() {
    let service = Service::responding(created());
    let by_name = with(
        &long_idle_config(&service),
        "baseUrl",
        format!("http://localhost:{}", service.port()),
    );
    let client = Client::new(&by_name);
    for _ in 0..3 {
        client.create(&order()).done();
    }
    assert_eq!(service.connections(), 1);
    assert_eq!(
        service.last_request().header("host"),
        Some(format!("localhost:{}", service.port()))
    );
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
fn a_new_tls_connection_resumes_the_session() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let service = Service::start_tls(
        serving(authority.identity_for("localhost")),
        [respond(created())],
    );
    let fresh = with(&config(&service.url()), "maxIdleMs", 0);
    let client = Client::new(&with(&fresh, "tls", json!({"caFile": ca_file})));
    for _ in 0..4 {
        client.create(&order()).done();
    }
    assert_eq!(service.connections(), 4);
    assert!(service.resumed() >= 2, "{} of 3 resumed", service.resumed());
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
