//! The outcome depends on what left this machine. *Not sent* means that the service received no
//! byte of the order, and no order is delivered twice.

mod support;

use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};
use support::abi::{Client, Reply};
use support::orders::{config, order, query, with};
use support::responses::{completed, created, created_body, http};
use support::rows::Rows;
use support::service::{Reaction, Service, refusing_url};
use support::tls::{Authority, Folder, serving};

const CONNECT_FAILED: i32 = 6;
const TLS_FAILED: i32 = 7;
const TIMEOUT: i32 = 200;
const CONNECTION_LOST: i32 = 201;
const BAD_RESPONSE: i32 = 202;

/// Many retries and short timeouts: the worst case for delivering twice.
fn eager(base_url: &str) -> Value {
    let config = with(&config(base_url), "createRetries", 3);
    with(&config, "timeoutMs", 2000)
}

fn is_not_sent(reply: &Reply) -> bool {
    (1..100).contains(&reply.code) && reply.error()["outcome"] == "not_sent"
}

fn is_unknown(reply: &Reply) -> bool {
    (200..300).contains(&reply.code) && reply.error()["outcome"] == "unknown"
}

#[test]
fn a_failed_connect_is_not_sent() {
    let mut rows = Rows::new();
    let unresolved = "http://name.invalid";
    let places = [
        ("refused", refusing_url(), false),
        (
            "refused, by name",
            refusing_url().replace("127.0.0.1", "localhost"),
            false,
        ),
        ("no such name", unresolved.to_owned(), true),
        (
            "no such name, https",
            "https://name.invalid/pay".to_owned(),
            true,
        ),
    ];
    for (row, url, insecure) in places {
        let client = Client::new(&with(&eager(&url), "allowInsecureHttp", insecure));
        for reply in [client.create(&order()), client.status(&query())] {
            rows.that(
                row,
                reply.code == CONNECT_FAILED && is_not_sent(&reply),
                || reply.text().to_owned(),
            );
        }
    }
    rows.end();
}

/// A listener whose accept queue is full: the kernel ignores further connects.
fn full_queue() -> (Socket, Vec<Socket>, SocketAddr) {
    let listener = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
    listener.bind(&any.into()).unwrap();
    listener.listen(0).unwrap();
    let address = listener.local_addr().unwrap().as_socket().unwrap();
    let mut waiting = Vec::new();
    for _ in 0..8 {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_nonblocking(true).unwrap();
        let _ = socket.connect(&address.into());
        waiting.push(socket);
    }
    std::thread::sleep(Duration::from_millis(100));
    (listener, waiting, address)
}

#[test]
fn a_connect_that_gets_no_reply_is_not_sent_and_ends_in_time() {
    let (_listener, _waiting, address) = full_queue();
    let mut rows = Rows::new();
    for (row, timeout, connect_timeout) in [
        ("connectTimeoutMs", 20_000, 600),
        ("timeoutMs", 600, 20_000),
    ] {
        let mut slow = config(&format!("http://{address}"));
        slow["timeoutMs"] = json!(timeout);
        slow["connectTimeoutMs"] = json!(connect_timeout);
        let client = Client::new(&slow);
        for reply in [client.create(&order()), client.status(&query())] {
            rows.that(row, reply.code == CONNECT_FAILED, || {
                reply.text().to_owned()
            });
            let elapsed = reply.error()["elapsedMs"].as_u64().unwrap_or(0);
            rows.that(row, (500..6000).contains(&elapsed), || {
                format!("{elapsed} ms")
            });
        }
    }
    rows.end();
}

/// Checks the result of a fault against what the service received.
fn check_outcome(
    rows: &mut Rows,
    row: &str,
    service: &Service,
    client: &Client,
    codes: &[i32],
) -> Reply {
    let reply = client.create(&order());
    rows.that(row, codes.contains(&reply.code), || {
        format!("expected one of {codes:?}, got {}", reply.text())
    });
    let honest = !is_not_sent(&reply) || service.bytes() == 0;
    rows.that(row, honest, || {
        format!(
            "{} bytes were received, but {}",
            service.bytes(),
            reply.text()
        )
    });
    let once = service.request_count() <= 1;
    rows.that(row, once, || {
        format!("delivered {} times", service.request_count())
    });
    if is_unknown(&reply) {
        let asks = json!({"searchType": "1", "orderId": "ORDER-1001"});
        rows.same(row, &reply.error()["statusQuery"], &asks);
    }
    reply
}

fn faults() -> Vec<(&'static str, Reaction, &'static [i32])> {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n".to_vec();
    let lost: &[i32] = &[CONNECTION_LOST];
    let lost_or_bad: &[i32] = &[CONNECTION_LOST, BAD_RESPONSE];
    let part = |length: usize| created()[..length].to_vec();
    let chunks = |text: &str| {
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{text}").into_bytes()
    };
    vec![
        ("closed after the head", Reaction::CloseAfterHead, lost),
        ("reset after the head", Reaction::ResetAfterHead, lost),
        ("closed after the request", Reaction::Close, lost),
        ("reset after the request", Reaction::Reset, lost),
        ("silence", Reaction::Stall, &[TIMEOUT]),
        (
            "one byte, then closed",
            Reaction::RespondThenClose(part(1)),
            lost_or_bad,
        ),
        (
            "half a head, then closed",
            Reaction::RespondThenClose(part(30)),
            lost_or_bad,
        ),
        (
            "half a head, then reset",
            Reaction::RespondThenReset(part(30)),
            lost_or_bad,
        ),
        (
            "half a head, then silence",
            Reaction::RespondThenStall(part(30)),
            &[TIMEOUT],
        ),
        (
            "a head, then closed",
            Reaction::RespondThenClose(head.clone()),
            lost_or_bad,
        ),
        (
            "a head, then reset",
            Reaction::RespondThenReset(head.clone()),
            lost_or_bad,
        ),
        (
            "a head, then silence",
            Reaction::RespondThenStall(head),
            &[TIMEOUT],
        ),
        (
            "a body cut short, then closed",
            Reaction::RespondThenClose(part(created().len() - 1)),
            lost_or_bad,
        ),
        (
            "a body cut short, then reset",
            Reaction::RespondThenReset(part(created().len() - 1)),
            lost_or_bad,
        ),
        (
            "a body cut short, then silence",
            Reaction::RespondThenStall(part(created().len() - 1)),
            &[TIMEOUT],
        ),
        (
            "a body without a length, then reset",
            Reaction::RespondThenReset(
                b"HTTP/1.1 200 OK\r\n\r\n{\"responseCode\":\"200\",\"data\":{".to_vec(),
            ),
            lost_or_bad,
        ),
        (
            "a chunk that ends early",
            Reaction::RespondThenClose(chunks("80\r\n{\"responseCode\"")),
            lost_or_bad,
        ),
        (
            "no last chunk",
            Reaction::RespondThenClose(chunks("2\r\n{}\r\n")),
            lost_or_bad,
        ),
        (
            "chunks without sizes",
            Reaction::RespondThenClose(chunks("zz\r\n{}\r\n0\r\n\r\n")),
            lost_or_bad,
        ),
        (
            "a chunk of size minus one",
            Reaction::RespondThenClose(chunks("-1\r\n{}\r\n0\r\n\r\n")),
            lost_or_bad,
        ),
        (
            "a chunk size over 64 bits",
            Reaction::RespondThenClose(chunks("fffffffffffffffffffff\r\n{}\r\n0\r\n\r\n")),
            lost_or_bad,
        ),
        (
            "another protocol",
            Reaction::RespondThenClose(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()),
            lost_or_bad,
        ),
        (
            "zeros",
            Reaction::RespondThenClose(vec![0; 4096]),
            lost_or_bad,
        ),
        (
            "a status that is not a number",
            Reaction::RespondThenClose(b"HTTP/1.1 2x0 OK\r\n\r\n".to_vec()),
            lost_or_bad,
        ),
        (
            "a length that is not a number",
            Reaction::RespondThenClose(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}".to_vec()),
            lost_or_bad,
        ),
        (
            "two lengths",
            Reaction::RespondThenClose(
                b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}".to_vec(),
            ),
            lost_or_bad,
        ),
        (
            "an endless head",
            Reaction::RespondThenClose(
                [b"HTTP/1.1 200 OK\r\n".to_vec(), b"X: y\r\n".repeat(50_000)].concat(),
            ),
            lost_or_bad,
        ),
    ]
}

#[test]
fn every_fault_after_connecting_has_the_outcome_that_the_service_saw() {
    let mut rows = Rows::new();
    for (row, reaction, codes) in faults() {
        let service = Service::start([reaction]);
        let client = Client::new(&eager(&service.url()));
        let reply = check_outcome(&mut rows, row, &service, &client, codes);
        rows.same(
            &format!("{row}, attempts"),
            &reply.error()["attempts"],
            &json!(1),
        );
    }
    rows.end();
}

#[test]
fn every_fault_under_tls_has_the_outcome_that_the_service_saw() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    for (row, reaction, codes) in faults() {
        let service = Service::start_tls(serving(authority.identity_for("localhost")), [reaction]);
        let client = Client::new(&with(
            &eager(&service.url()),
            "tls",
            json!({"caFile": ca_file}),
        ));
        let reply = check_outcome(&mut rows, row, &service, &client, codes);
        rows.same(
            &format!("{row}, attempts"),
            &reply.error()["attempts"],
            &json!(1),
        );
    }
    rows.end();
}

#[test]
fn a_connection_that_ends_before_the_request_is_read_is_never_a_success() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    let any = &[CONNECT_FAILED, TLS_FAILED, CONNECTION_LOST, TIMEOUT];
    for (row, reaction) in [
        ("closed unread", Reaction::CloseUnread),
        ("reset unread", Reaction::ResetUnread),
        ("never read", Reaction::StallUnread),
    ] {
        for _ in 0..5 {
            let service = Service::start([reaction.clone()]);
            let client = Client::new(&with(&eager(&service.url()), "timeoutMs", 500));
            check_outcome(&mut rows, row, &service, &client, any);
            let service = Service::start_tls(
                serving(authority.identity_for("localhost")),
                [reaction.clone()],
            );
            let secure = with(&eager(&service.url()), "tls", json!({"caFile": ca_file}));
            let client = Client::new(&with(&secure, "timeoutMs", 500));
            check_outcome(&mut rows, &format!("{row}, TLS"), &service, &client, any);
        }
    }
    rows.end();
}

#[test]
fn one_byte_a_second_does_not_outlast_the_deadline() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let drip = [Reaction::Drip(created(), Duration::from_millis(300))];
    let plain = Service::start(drip.clone());
    let secure = Service::start_tls(serving(authority.identity_for("localhost")), drip);
    for service in [&plain, &secure] {
        let slow = with(&config(&service.url()), "tls", json!({"caFile": ca_file}));
        let began = Instant::now();
        let reply = Client::new(&with(&slow, "timeoutMs", 1200)).create(&order());
        assert_eq!(reply.code, TIMEOUT, "{}", reply.text());
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "{:?}",
            began.elapsed()
        );
        assert!(
            began.elapsed() >= Duration::from_millis(1200),
            "{:?}",
            began.elapsed()
        );
    }
}

#[test]
fn a_large_request_that_is_not_read_is_unknown() {
    let service = Service::start([Reaction::StallUnread]);
    let client = Client::new(&with(&eager(&service.url()), "timeoutMs", 800));
    let extra: serde_json::Map<String, Value> = (0..4)
        .map(|number| (format!("x{number}"), json!("\u{1}".repeat(9_000))))
        .collect();
    let large = with(&order(), "productInfo", "\u{1}".repeat(40_000));
    let reply = client.create_with(&large, &json!({"extraFields": extra}));
    assert_eq!(reply.code, TIMEOUT, "{}", reply.text());
}

#[test]
fn a_success_without_its_last_byte_is_not_a_success() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let body = created_body().to_string();
    let to_the_end = format!("HTTP/1.1 200 OK\r\n\r\n{}", &body[..body.len() - 1]).into_bytes();
    let mut rows = Rows::new();
    for (row, reaction) in [
        ("closed", Reaction::RespondThenClose(to_the_end.clone())),
        (
            "cut without close_notify",
            Reaction::RespondThenCut(to_the_end.clone()),
        ),
        ("reset", Reaction::RespondThenReset(to_the_end)),
    ] {
        let service = Service::start_tls(serving(authority.identity_for("localhost")), [reaction]);
        let client = Client::new(&with(
            &eager(&service.url()),
            "tls",
            json!({"caFile": ca_file}),
        ));
        check_outcome(
            &mut rows,
            row,
            &service,
            &client,
            &[CONNECTION_LOST, BAD_RESPONSE],
        );
    }
    rows.end();
}

#[test]
fn a_complete_response_counts_however_the_connection_ends() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    for (row, reaction) in [
        ("closed", Reaction::RespondThenClose(created())),
        ("cut", Reaction::RespondThenCut(created())),
        ("reset", Reaction::RespondThenReset(created())),
    ] {
        let plain = Service::start([reaction.clone()]);
        let secure = Service::start_tls(serving(authority.identity_for("localhost")), [reaction]);
        for service in [&plain, &secure] {
            let client = Client::new(&with(
                &eager(&service.url()),
                "tls",
                json!({"caFile": ca_file}),
            ));
            rows.same(row, client.create(&order()).code, 0);
        }
    }
    rows.end();
}

#[test]
fn a_certificate_that_does_not_hold_means_not_sent() {
    let (folder, authority, stranger) = (Folder::new(), Authority::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    let identities = [
        (
            "of an unknown authority",
            stranger.identity_for("localhost"),
        ),
        ("expired", authority.expired_identity_for("localhost")),
        (
            "for another host",
            authority.identity_for("pay.example.com"),
        ),
        (
            "for an address, not the name",
            authority.identity_for("127.0.0.1"),
        ),
    ];
    for (row, identity) in identities {
        let service = Service::start_tls(serving(identity), [Reaction::Respond(created())]);
        let client = Client::new(&with(
            &eager(&service.url()),
            "tls",
            json!({"caFile": ca_file}),
        ));
        for reply in [client.create(&order()), client.status(&query())] {
            rows.that(row, reply.code == TLS_FAILED && is_not_sent(&reply), || {
                reply.text().to_owned()
            });
        }
        rows.same(row, service.bytes(), 0);
    }
    rows.end();
}

#[test]
fn a_handshake_that_fails_means_not_sent() {
    let mut rows = Rows::new();
    let reactions: [(&str, Reaction, &[i32]); 6] = [
        (
            "plain HTTP on an https URL",
            Reaction::RespondUnread(http(400, "<html>")),
            &[TLS_FAILED],
        ),
        (
            "noise",
            Reaction::RespondUnread(vec![7; 500]),
            &[TLS_FAILED],
        ),
        (
            "a fatal alert",
            Reaction::RespondUnread(vec![21, 3, 3, 0, 2, 2, 40]),
            &[TLS_FAILED],
        ),
        ("closed", Reaction::CloseUnread, &[TLS_FAILED]),
        (
            "reset",
            Reaction::ResetUnread,
            &[TLS_FAILED, CONNECT_FAILED],
        ),
        (
            "stalled",
            Reaction::StallUnread,
            &[TLS_FAILED, CONNECT_FAILED],
        ),
    ];
    for (row, reaction, codes) in reactions {
        let service = Service::start([reaction]);
        let url = service.url().replace("http://", "https://");
        let client = Client::new(&with(&eager(&url), "connectTimeoutMs", 700));
        for reply in [client.create(&order()), client.status(&query())] {
            rows.that(
                row,
                codes.contains(&reply.code) && is_not_sent(&reply),
                || reply.text().to_owned(),
            );
        }
        rows.same(row, service.request_count(), 0);
    }
    rows.end();
}

#[test]
fn an_https_call_to_a_listener_that_hangs_up_in_the_handshake_sends_nothing_at_the_deadline() {
    let service = Service::start([Reaction::StallUnread]);
    let url = service.url().replace("http://", "https://");
    let began = Instant::now();
    let reply = Client::new(&with(&eager(&url), "timeoutMs", 700)).create(&order());
    assert!(is_not_sent(&reply), "{}", reply.text());
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}

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
            let client = Client::new(&with(
                &config(&service.url()),
                "tls",
                json!({"caFile": ca_file}),
            ));
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
