//! Connections that end while they are kept, or as the order leaves.

use super::{CONNECT_FAILED, CONNECTION_LOST, eager, is_unknown};
use serde_json::json;
use std::net::{TcpListener, TcpStream};
use std::time::Duration;
use support::abi::Client;
use support::orders::{config, order, with};
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Reaction, Service};
use support::tls::{Authority, Folder, serving};

#[test]
fn a_kept_connection_that_the_service_ended_is_not_used_again() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    for (row, first) in [
        ("closed", Reaction::RespondThenClose(created())),
        ("cut", Reaction::RespondThenCut(created())),
        ("reset", Reaction::RespondThenReset(created())),
    ] {
        let script = [first, Reaction::Respond(created())];
        let plain = Service::start(script.clone());
        let secure = Service::start_tls(serving(authority.identity_for("localhost")), script);
        for (way, service) in [("plain", &plain), ("TLS", &secure)] {
            let row = format!("{row}, {way}");
            let config = with(&config(&service.url()), "maxIdleMs", 60_000);
            let client = Client::new(&with(&config, "tls", json!({"caFile": ca_file})));
            rows.same(&row, client.create(&order()).code, 0);
            std::thread::sleep(Duration::from_millis(300));
            rows.same(&row, client.create(&order()).code, 0);
            rows.same(&row, service.request_count(), 2);
            rows.same(&row, service.connections(), 2);
        }
    }
    rows.end();
}

#[test]
fn a_kept_connection_that_ends_as_the_order_leaves_is_unknown_and_not_sent_again() {
    let mut rows = Rows::new();
    for (row, second) in [
        ("closed", Reaction::Close),
        ("reset", Reaction::Reset),
        ("reset after the head", Reaction::ResetAfterHead),
    ] {
        let service = Service::start([
            Reaction::Respond(created()),
            second,
            Reaction::Respond(created()),
        ]);
        let client = Client::new(&eager(&service.url()));
        rows.same(row, client.create(&order()).code, 0);
        let reply = client.create(&order());
        rows.that(row, reply.code == CONNECTION_LOST, || {
            reply.text().to_owned()
        });
        rows.same(row, service.connections(), 1);
    }
    rows.end();
}

#[test]
fn an_unsolicited_response_is_not_taken_for_the_next_calls() {
    let twice = [completed("O-1"), completed("O-1")].concat();
    let service = Service::start([Reaction::Respond(twice), Reaction::Respond(completed(""))]);
    let client = Client::new(&config(&service.url()));
    client.status(&json!({"orderId": "O-1"})).done();
    std::thread::sleep(Duration::from_millis(200));
    let reply = client.status(&json!({"orderId": "O-2"}));
    assert_eq!(reply.code, 0, "{}", reply.text());
    assert_eq!(service.connections(), 2);
}

#[test]
fn a_half_closed_listener_gets_the_order_at_most_once() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        // Half-closed at once: the client may still write, but reads the end of the stream.
        let (tcp, _): (TcpStream, _) = listener.accept().unwrap();
        tcp.shutdown(std::net::Shutdown::Write).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let first = received(tcp);
        listener.set_nonblocking(true).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let again = listener.accept().map_or(0, |(tcp, _)| received(tcp));
        (first, again)
    });
    let reply = Client::new(&eager(&url)).create(&order());
    let (first, again) = server.join().unwrap();
    assert!(
        [CONNECT_FAILED, CONNECTION_LOST].contains(&reply.code),
        "{}",
        reply.text()
    );
    assert!(first == 0 || again == 0, "{}", reply.text());
    assert_eq!(is_unknown(&reply), first + again > 0, "{}", reply.text());
}

/// The number of bytes that have arrived on a connection.
fn received(mut tcp: TcpStream) -> usize {
    tcp.set_nonblocking(true).unwrap();
    std::io::Read::read(&mut tcp, &mut [0; 65536]).unwrap_or(0)
}
