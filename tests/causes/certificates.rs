//! Certificates that the client or the service refuses.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection};
use serde_json::json;

use crate::case::Case;
use crate::wire::{OPERATIONS, Operation};
use support::abi::{Client, Reply};
use support::orders::{config, with};
use support::responses::created;
use support::row::{CONNECTION_LOST, TLS_FAILED};
use support::service::{Service, respond};
use support::table;
use support::tls::{
    Authority, Folder, requiring_client_certificate, requiring_client_certificate_tls_1_2, serving,
    valid_in_hours,
};

/// A service presents a certificate that is valid only in these hours, counted from now. A day or
/// more from them, this machine's clock may be wrong.
fn dated(cause: &'static str, hours: (i64, i64), clock_is_wrong: bool) -> [Case; 2] {
    OPERATIONS.map(|operation| {
        let what = format!("valid in the hours {hours:?}");
        let mut case = Case::new(cause, TLS_FAILED, what, move || {
            let authority = Authority::new();
            let identity = authority.identity_with("localhost", |params| {
                valid_in_hours(params, hours.0..hours.1);
            });
            let service = Service::start_tls(serving(identity), [respond(created())]);
            operation(&trusting(&authority, &service.url()))
        });
        case.clock_is_wrong = clock_is_wrong;
        case
    })
}

fn trusting(authority: &Authority, url: &str) -> Client {
    let folder = Folder::new();
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    Client::new(&with(&config(url), "tls", tls))
}

/// Calls a TLS service of `config` that sends its part of the handshake, and then does not read the
/// client's part itself but lets `finish` do so.
fn answered_in_the_handshake(
    authority: &Authority,
    config: ServerConfig,
    operation: Operation,
    finish: fn(ServerConnection, &mut TcpStream),
) -> Reply {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let client = trusting(authority, &format!("https://localhost:{port}"));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (mut tcp, _) = listener.accept().unwrap();
            let mut tls = ServerConnection::new(Arc::new(config)).unwrap();
            while !tls.wants_write() {
                tls.read_tls(&mut tcp).unwrap();
                tls.process_new_packets().unwrap();
            }
            while tls.wants_write() {
                tls.write_tls(&mut tcp).unwrap();
            }
            finish(tls, &mut tcp);
            let _ = tcp.shutdown(std::net::Shutdown::Write);
            while tcp.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {}
        });
        operation(&client)
    })
}

/// A service that notices the missing client certificate only after the request was sent: it does
/// not read the client's part of the handshake for a while.
fn refused_after_the_request(operation: Operation) -> Reply {
    let authority = Authority::new();
    let config = requiring_client_certificate(authority.identity_for("localhost"), &authority);
    answered_in_the_handshake(&authority, config, operation, |mut tls, tcp| {
        std::thread::sleep(Duration::from_millis(500));
        while tls.read_tls(tcp).is_ok_and(|count| count > 0) && tls.process_new_packets().is_ok() {}
        let _ = tls.write_tls(tcp);
        let _ = tcp.flush();
    })
}

/// A service of TLS 1.2 that misses a client certificate and says so with the alert
/// `handshake_failure` (40), as OpenSSL does.
fn refused_as_a_handshake_failure(operation: Operation) -> Reply {
    let authority = Authority::new();
    let config =
        requiring_client_certificate_tls_1_2(authority.identity_for("localhost"), &authority);
    answered_in_the_handshake(&authority, config, operation, |_, tcp| {
        assert!(tcp.read(&mut [0; 4096]).unwrap() > 0);
        tcp.write_all(&[21, 3, 3, 0, 2, 2, 40]).unwrap();
    })
}

pub fn cases() -> Vec<Case> {
    let dates = table! {
        "certificate_expired", (-99, -25), true;
        "certificate_not_yet_valid", (25, 99), true;
        "certificate_expired", (-99, -23), false;
        "certificate_not_yet_valid", (23, 99), false;
    };
    let dates = dates.into_iter();
    let mut cases: Vec<Case> = dates
        .flat_map(|(cause, hours, clock_is_wrong)| dated(cause, hours, clock_is_wrong))
        .collect();
    type Refuse = fn(Operation) -> Reply;
    let refusals: [(_, Refuse); 2] = [
        (TLS_FAILED, refused_as_a_handshake_failure),
        (CONNECTION_LOST, refused_after_the_request),
    ];
    for (result, refuse) in refusals {
        for operation in OPERATIONS {
            let cause = "client_certificate_refused";
            let provoke = move || refuse(operation);
            cases.push(Case::new(cause, result, "an alert", provoke));
        }
    }
    cases
}
