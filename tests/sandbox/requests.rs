//! The record of requests: what it says about each of them, and when.

use std::io::Read;
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::{ACCESS_TOKEN, CLIENT_KEY};

#[test]
fn it_lists_the_requests_with_their_responses_and_no_credentials() {
    let sandbox = start();
    let body = order("A-1", json!({}));
    create(&sandbox, &body);
    let headers = [
        ("Content-Type", "application/json"),
        ("X-CLIENT-KEY", CLIENT_KEY),
        ("x-client-id", "a secret of another shop"),
        ("X-Seen", "one"),
        ("X-Seen", "two"),
    ];
    let text = request(
        "POST",
        sandbox::GET_STATUS,
        &headers,
        &by_order("A-2").to_string(),
    );
    exchange(&connect(&sandbox), &text).expect("a response");
    get(&sandbox, "/shop/return");
    get(&sandbox, sandbox::CREATE_ORDER);

    let all = requests(&sandbox, 0);
    let told: Vec<Value> = all
        .iter()
        .map(|r| {
            json!([
                r["number"],
                r["step"],
                r["orderId"],
                r["method"],
                r["created"],
                r["fault"],
                r["response"]["status"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!([1, "create", "A-1", "POST", true, null, 200]),
            json!([2, "status", "A-2", "POST", false, null, 401]),
            json!([3, "create", null, "GET", false, null, 405]),
        ]
    );
    assert_eq!(requests(&sandbox, 2), all[2..]);
    assert!(requests(&sandbox, 3).is_empty());

    let first = &all[0];
    assert!(is_timestamp(&first["at"]), "{first}");
    assert_eq!(
        (&first["path"], &first["body"]),
        (&json!(sandbox::CREATE_ORDER), &json!(body))
    );
    let sent = first["response"]["body"].as_str().expect("a text");
    assert!(sent.contains("/checkout/1"), "{first}");
    let length = sent.len().to_string();
    let headers = &first["response"]["headers"];
    assert_eq!(
        (&headers["Content-Length"], &headers["Connection"]),
        (&json!(length), &json!("keep-alive"))
    );
    assert_eq!(first["response"]["ended"], "complete");

    let headers = &all[1]["headers"];
    assert_eq!(
        (&headers["X-CLIENT-KEY"], &headers["x-client-id"]),
        (&json!("right"), &json!("wrong"))
    );
    assert_eq!(headers["X-Seen"], "one, two");
    let everything = Value::from(all).to_string();
    for secret in [ACCESS_TOKEN, CLIENT_KEY, "a secret of another shop"] {
        assert!(!everything.contains(secret), "{secret}");
    }
}

#[test]
fn a_listed_request_says_how_far_its_response_came() {
    let sandbox = start();
    let statuses = [
        ("drop-before", Value::Null, "cut", false),
        ("drop-after-commit", Value::Null, "cut", true),
        ("drop-mid-answer", json!(200), "half", true),
        ("stall-unread", Value::Null, "held", false),
        ("stall-before", Value::Null, "held", false),
        ("stall", Value::Null, "held", true),
        ("stall-mid-answer", json!(200), "held", true),
        ("html-502", json!(502), "complete", true),
    ];
    for (number, (fault, status, ended, created)) in statuses.into_iter().enumerate() {
        add_rule(&sandbox, &format!("create:1:{fault}"));
        let body = order(&format!("A-{number}"), json!({}));
        let text = request("POST", sandbox::CREATE_ORDER, CREATE_HEADERS, &body);
        let stream = connect(&sandbox);
        send_text(&stream, &text);
        let path = format!("/sandbox/requests?after={number}&wait=30000");
        let listed = control_get(&sandbox, &path)["requests"][0].clone();
        let response = &listed["response"];
        assert_eq!(
            json!([
                listed["fault"],
                response["status"],
                response["ended"],
                listed["created"]
            ]),
            json!([fault, status, ended, created])
        );
        let (step, order_id) = match fault {
            "stall-unread" => ("unread", Value::Null),
            _ => ("create", json!(format!("A-{number}"))),
        };
        assert_eq!(
            json!([listed["step"], listed["orderId"]]),
            json!([step, order_id])
        );
        let sent = response["body"].as_str().expect("a text");
        if status == 200 {
            assert_eq!(response["headers"]["Connection"], "close", "{fault}");
            let length = response["headers"]["Content-Length"]
                .as_str()
                .expect("a length");
            assert_eq!(sent.len(), length.parse::<usize>().expect("a number") / 2);
        } else {
            assert_eq!(sent.is_empty(), status.is_null(), "{fault}");
        }
        let mut received = String::new();
        if ended == "held" {
            assert_silent(&stream, &mut received);
            // The client gives up. That ends the connection, and with it its thread.
            stream
                .shutdown(Shutdown::Write)
                .expect("an open connection");
        }
        if ended != "complete" {
            (&stream).read_to_string(&mut received).expect("an end");
            assert!(received.ends_with(sent), "{fault}: {received}");
            assert_eq!(received.is_empty(), status.is_null(), "{fault}: {received}");
        }
    }
}

/// Reads what came, and sees that nothing follows and that the connection stays open.
fn assert_silent(mut stream: &TcpStream, received: &mut String) {
    let patience = stream.read_timeout().expect("a timeout");
    stream
        .set_read_timeout(Some(Duration::from_millis(200)))
        .expect("a timeout");
    let ended = stream
        .read_to_string(received)
        .expect_err("an open connection");
    assert!(
        [std::io::ErrorKind::WouldBlock, std::io::ErrorKind::TimedOut].contains(&ended.kind()),
        "{ended}"
    );
    stream.set_read_timeout(patience).expect("a timeout");
}

#[test]
fn a_reader_waits_for_the_next_request() {
    let sandbox = start();
    let start = Instant::now();
    let none = control_get(&sandbox, "/sandbox/requests?wait=300");
    assert_eq!(none, json!({"requests": []}));
    assert!(start.elapsed() >= Duration::from_millis(300));

    thread::scope(|scope| {
        let reader = scope.spawn(|| control_get(&sandbox, "/sandbox/requests?after=0&wait=60000"));
        thread::sleep(Duration::from_millis(50));
        create(&sandbox, &order("A-1", json!({})));
        let told = reader.join().expect("an answer");
        assert_eq!(told["requests"][0]["orderId"], "A-1");
    });
    assert!(start.elapsed() < Duration::from_secs(30));

    // The end of the sandbox ends the wait.
    let stream = connect(&sandbox);
    let headers = [("Host", "127.0.0.1")];
    send_text(
        &stream,
        &plain_request("GET", "/sandbox/requests?after=1&wait=60000", &headers),
    );
    thread::sleep(Duration::from_millis(50));
    drop(sandbox);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_client_with_its_response_finds_its_request() {
    let sandbox = start();
    for number in 0..200 {
        let response = try_status(&sandbox, by_order("A-1")).expect("a response");
        assert_eq!(response.status, 404);
        assert_eq!(requests(&sandbox, number).len(), 1);
    }
}

#[test]
fn the_record_has_the_last_ten_thousand_requests_and_64_kib_of_a_body() {
    let sandbox = start();
    let long = format!("{}üü", "x".repeat(64 * 1024 - 1));
    create(&sandbox, &long);
    let stored = requests(&sandbox, 0)[0]["body"]
        .as_str()
        .expect("a text")
        .len();
    assert_eq!(stored, 64 * 1024 - 1, "cut between two characters");

    let stream = connect(&sandbox);
    let text = request("GET", sandbox::GET_STATUS, &[], "");
    for _ in 0..100 {
        send_text(&stream, &text.repeat(100));
        for _ in 0..100 {
            read_response(&stream).expect("a response");
        }
    }
    let exchanges = sandbox.exchanges();
    let numbers = (
        exchanges.len(),
        exchanges[0].number,
        exchanges[9_999].number,
    );
    assert_eq!(numbers, (10_000, 2, 10_001));
}
