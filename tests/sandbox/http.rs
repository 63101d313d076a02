//! Ordinary HTTP, and the end of the sandbox.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::wire::*;
use sandbox::{self, Options, Sandbox};
use support::table;

#[test]
fn a_connection_is_kept_until_a_request_says_close() {
    let sandbox = start();
    let stream = connect(&sandbox);
    let query = request(
        "POST",
        sandbox::GET_STATUS,
        STATUS_HEADERS,
        &by_order("A-1").to_string(),
    );
    for _ in 0..3 {
        assert_eq!(
            exchange(&stream, &query)
                .expect("a response")
                .header("Connection"),
            Some("keep-alive")
        );
    }
    let two = query.repeat(2);
    assert_eq!(
        exchange(&stream, &two).expect("the first response").status,
        404
    );
    assert_eq!(
        read_response(&stream).expect("the second response").status,
        404
    );

    let last = request("GET", "/shop/return", &[("Connection", "close")], "");
    assert_eq!(
        exchange(&stream, &last)
            .expect("a response")
            .header("Connection"),
        Some("close")
    );
    assert_eq!((&stream).read(&mut [0]).expect("an end"), 0);
}

#[test]
fn a_request_may_come_in_pieces() {
    let sandbox = start();
    let stream = connect(&sandbox);
    let text = request(
        "POST",
        sandbox::CREATE_ORDER,
        CREATE_HEADERS,
        &order("A-1", json!({})),
    );
    for piece in text.as_bytes().chunks(97) {
        (&stream).write_all(piece).expect("a piece");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(read_response(&stream).expect("a response").status, 200);
}

#[test]
fn an_unsupported_request_gets_the_right_status() {
    let sandbox = start();
    let plain = |text: &str| exchange(&connect(&sandbox), text).expect("a response");
    let many = (0..70)
        .map(|number| format!("X-{number}: x\r\n"))
        .collect::<String>();
    for (text, status) in table! {
        request("GET", "/", &[], ""), 404;
        request("POST", "/api/v1/Gateway/createorder", CREATE_HEADERS, "{}"), 404;
        request("GET", sandbox::CREATE_ORDER, &[], ""), 405;
        request("PUT", sandbox::GET_STATUS, &[], ""), 405;
        request("POST", "/shop/return", &[], ""), 405;
        request("POST", sandbox::CREATE_ORDER, CREATE_HEADERS, &"x".repeat(256 * 1024 + 1)), 413;
        request("GET", &format!("/{}", "x".repeat(20_000)), &[], ""), 431;
        format!("GET / HTTP/1.1\r\nHost: a\r\n{many}\r\n"), 431;
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(), 411;
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n".to_owned(), 400;
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"
            .to_owned(), 400;
        "GET / HTTP/1.1\r\n\r\n".to_owned(), 400;
        "not HTTP\r\n\r\n".to_owned(), 400;
    } {
        let response = plain(&text);
        assert_eq!(response.status, status, "{}", &text[..text.len().min(80)]);
        let allow = response.header("Allow").is_some();
        assert_eq!(allow, status == 405);
    }
    let largest = request(
        "POST",
        sandbox::CREATE_ORDER,
        CREATE_HEADERS,
        &"x".repeat(256 * 1024),
    );
    assert_eq!(plain(&largest).code(), "400");
}

#[test]
fn a_head_has_no_body() {
    let sandbox = start();
    checkout_path(&sandbox, &order("A-1", json!({})));
    let text = request("HEAD", "/checkout/1", &[("Connection", "close")], "");
    let mut stream = connect(&sandbox);
    stream.write_all(text.as_bytes()).expect("a request");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    assert!(
        response.starts_with("HTTP/1.1 200 OK\r\n") && response.ends_with("\r\n\r\n"),
        "{response}"
    );
    assert!(!response.contains("<html"), "{response}");
}

#[test]
fn expect_100_continue_is_supported() {
    let sandbox = start();
    let headers = [CREATE_HEADERS, &[("Expect", "100-continue")]].concat();
    let text = request(
        "POST",
        sandbox::CREATE_ORDER,
        &headers,
        &order("A-1", json!({})),
    );
    let (head, body) = text.split_at(text.find("\r\n\r\n").expect("a head") + 4);
    let mut stream = connect(&sandbox);
    stream.write_all(head.as_bytes()).expect("a head");
    let mut interim = [0; 25];
    stream
        .read_exact(&mut interim)
        .expect("an interim response");
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    assert_eq!(exchange(&stream, body).expect("a response").status, 200);
}

#[test]
fn a_port_can_be_chosen_and_is_free_again_when_the_sandbox_ends() {
    let sandbox = start();
    let port = sandbox
        .base_url()
        .rsplit_once(':')
        .and_then(|(_, port)| port.parse().ok())
        .expect("a port");
    let on_that_port = || {
        Sandbox::start(Options {
            port,
            ..Options::default()
        })
    };
    assert!(on_that_port().is_err());
    drop(sandbox);
    let again = on_that_port().expect("the port is free again");
    assert_eq!(again.base_url(), format!("http://127.0.0.1:{port}"));
}

#[test]
fn the_end_of_the_sandbox_ends_idle_and_stalled_connections() {
    let sandbox = start();
    let address = sandbox.base_url()["http://".len()..].to_owned();
    let idle = connect(&sandbox);
    let stalled = connect(&sandbox);
    let body = order("ENDED-1", json!({"productInfo": "sandbox:stall"}));
    let text = request("POST", sandbox::CREATE_ORDER, CREATE_HEADERS, &body);
    (&stalled).write_all(text.as_bytes()).expect("a request");
    wait_until(|| !sandbox.exchanges().is_empty());
    let start = Instant::now();
    drop(sandbox);
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    for mut stream in [&idle, &stalled] {
        assert_eq!(stream.read(&mut [0]).unwrap_or(0), 0);
    }
    // The sandbox of another test may have the port by now. For a moment, a process that another
    // test starts can have the listener, too.
    if let Ok(stream) = TcpStream::connect(address) {
        let patience = Some(Duration::from_secs(20));
        stream.set_read_timeout(patience).expect("a read timeout");
        let query = by_order("ENDED-1").to_string();
        let text = request("POST", sandbox::GET_STATUS, STATUS_HEADERS, &query);
        match exchange(&stream, &text) {
            Ok(response) => assert_eq!(response.status, 404, "the sandbox still responds"),
            Err(error) => assert_ne!(error.kind(), ErrorKind::WouldBlock, "it still listens"),
        }
    }
}
