//! The control address: what it shows of the sandbox, what it changes, and whom it refuses.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::faults::TABLE;
use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, SECRET_KEY, Sandbox};

fn control_get(sandbox: &Sandbox, path: &str) -> Value {
    let response = control(sandbox, "GET", path, "");
    assert_eq!(response.status, 200, "{}", response.body);
    response.json()
}

fn control_post(sandbox: &Sandbox, path: &str) -> (u16, Value) {
    let response = control(sandbox, "POST", path, "");
    (response.status, response.json())
}

fn is_timestamp(value: &Value) -> bool {
    let shape = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let shape: String = value
        .as_str()
        .unwrap_or_default()
        .chars()
        .map(shape)
        .collect();
    shape == "0000-00-00T00:00:00.000Z"
}

#[test]
fn it_says_what_a_test_needs_to_know_of_the_sandbox() {
    let sandbox = start();
    let about = control_get(&sandbox, "/sandbox");
    assert_eq!(about["baseUrl"], sandbox.base_url());
    assert_eq!(
        about["credentials"],
        json!({
            "accessToken": ACCESS_TOKEN, "clientKey": CLIENT_KEY, "clientId": CLIENT_ID,
            "secretKey": SECRET_KEY,
        })
    );
    assert!(about["version"].as_str().expect("a text").contains('.'));
    let faults: Vec<Value> = TABLE
        .iter()
        .map(|f| json!({"step": f.step().name(), "name": f.name, "effect": f.effect}))
        .collect();
    assert_eq!(about["faults"], Value::from(faults));
}

#[test]
fn it_lists_the_orders() {
    let sandbox = start();
    assert_eq!(
        control_get(&sandbox, "/sandbox/orders"),
        json!({"orders": []})
    );
    create(&sandbox, &order("B/2 ü", json!({"amount": "5"})));
    create(&sandbox, &order("A-1", json!({})));
    assert_eq!(create(&sandbox, &order("A-1", json!({}))).status, 409);
    let orders = control_get(&sandbox, "/sandbox/orders")["orders"].clone();
    let one = control_get(&sandbox, "/sandbox/orders/B%2f2%20%C3%BC");
    assert_eq!(orders[0], one);
    assert!(is_timestamp(&one["createdAt"]), "{one}");
    assert_eq!(
        one,
        json!({
            "number": 1, "orderId": "B/2 ü", "merchantTxnId": "M-B/2 ü", "amount": "5.00",
            "currencyCode": "INR", "state": "Pending", "refunded": false,
            "checkoutUrl": format!("{}/checkout/1", sandbox.base_url()),
            "createdAt": one["createdAt"], "createRequests": 1, "transactions": [],
        })
    );
    assert_eq!(
        (&orders[1]["orderId"], &orders[1]["createRequests"]),
        (&json!("A-1"), &json!(2))
    );
    for (path, status) in [
        ("/sandbox/orders/A-2", 404),
        ("/sandbox/orders/", 404),
        ("/sandbox/orders/A-1/", 405),
        ("/sandbox/orders/%C3", 400),
        ("/sandbox/orders/%4", 400),
        ("/sandbox/orders/%G0", 400),
    ] {
        let response = control(&sandbox, "GET", path, "");
        assert_eq!(response.status, status, "{path}");
        assert!(response.json()["error"].is_string(), "{path}");
    }
}

#[test]
fn it_pays_fails_cancels_and_refunds() {
    let sandbox = start();
    for order_id in ["A-1", "A-2"] {
        create(&sandbox, &order(order_id, json!({})));
    }
    let steps = [
        ("A-1", "refund", 409, "Pending"),
        ("A-1", "fail", 200, "Failed"),
        ("A-1", "refund", 409, "Failed"),
        ("A-1", "pay", 200, "Completed"),
        ("A-1", "pay", 200, "Completed"),
        ("A-1", "fail", 409, "Completed"),
        ("A-1", "cancel", 409, "Completed"),
        ("A-1", "refund", 200, "Completed"),
        ("A-1", "refund", 200, "Completed"),
        ("A-2", "cancel", 200, "Cancelled"),
        ("A-2", "cancel", 200, "Cancelled"),
        ("A-2", "pay", 409, "Cancelled"),
        ("A-2", "refund", 409, "Cancelled"),
        ("A-2", "settle", 404, "Cancelled"),
        ("A-3", "pay", 404, ""),
    ];
    for (order_id, action, status, state) in steps {
        let label = format!("{action} {order_id}");
        let (told, body) = control_post(&sandbox, &format!("/sandbox/orders/{order_id}/{action}"));
        assert_eq!(told, status, "{label}: {body}");
        if status == 200 {
            assert_eq!(body["state"], state, "{label}");
            assert_eq!(body["refunded"], action == "refund", "{label}");
        } else {
            assert!(body["error"].is_string(), "{label}");
        }
        if !state.is_empty() {
            let known = crate::wire::status(&sandbox, by_order(order_id));
            assert_eq!(known["transactionStatus"], state, "{label}");
            let refund = if action == "refund" && status == 200 {
                ["Refunded", "Full"]
            } else {
                ["", ""]
            };
            assert_eq!(
                [&known["refundStatus"], &known["refundType"]],
                refund,
                "{label}"
            );
        }
    }
    let paid = control_get(&sandbox, "/sandbox/orders/A-1")["transactions"].clone();
    let states: Vec<&Value> = paid
        .as_array()
        .expect("a list")
        .iter()
        .map(|t| &t["state"])
        .collect();
    assert_eq!(states, ["Failed", "Completed"]);
    assert_eq!(paid[1]["transactionId"], "TXN0000002");
    assert!(is_timestamp(&paid[1]["at"]), "{paid}");
    // The payment that failed was not refunded.
    let failed = crate::wire::status(&sandbox, by_transaction("TXN0000001"));
    assert_eq!(failed["refundStatus"], "");
}

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
fn a_reset_forgets_orders_requests_and_rules() {
    let sandbox = start();
    // Received before the reset, answered after it: not a request of the next test.
    let slow = connect(&sandbox);
    add_rule(&sandbox, "create:1:slow=700");
    let text = request(
        "POST",
        sandbox::CREATE_ORDER,
        CREATE_HEADERS,
        &order("A-1", json!({})),
    );
    send_text(&slow, &text);
    wait_until(|| !sandbox.orders().is_empty());
    create(&sandbox, &order("A-2", json!({})));
    control_post(&sandbox, "/sandbox/orders/A-2/pay");

    assert_eq!(control_post(&sandbox, "/sandbox/reset"), (200, json!({})));
    assert_eq!(
        control_get(&sandbox, "/sandbox/orders"),
        json!({"orders": []})
    );
    assert_eq!(
        control_get(&sandbox, "/sandbox/faults"),
        json!({"rules": []})
    );
    assert!(requests(&sandbox, 0).is_empty());
    read_response(&slow).expect("the slow response");
    assert!(requests(&sandbox, 0).is_empty());

    let path = checkout_path(&sandbox, &order("A-1", json!({})));
    assert_eq!(path, "/checkout/1");
    assert!(press(&sandbox, &path, "pay").ends_with("txn=TXN0000001"));
    assert_eq!(requests(&sandbox, 0)[0]["number"], 1);
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

fn plain_request(method: &str, path: &str, headers: &[(&str, &str)]) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nContent-Length: 0\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text + "\r\n"
}

#[test]
fn a_web_page_of_another_host_is_refused() {
    let sandbox = start();
    add_rule(&sandbox, "status:1:drop");
    create(&sandbox, &order("A-1", json!({})));
    let send = |method: &str, path: &str, headers: &[(&str, &str)]| {
        exchange(&connect(&sandbox), &plain_request(method, path, headers)).expect("a response")
    };
    let here = ("Host", "127.0.0.1:8080");
    for headers in [
        &[("Host", "shop.example")][..],
        &[("Host", "shop.example:80")],
        &[("Host", "127.0.0.1.shop.example")],
        &[("Host", "localhost.shop.example")],
        &[("Host", "10.0.0.1")],
        &[("Host", "[2001:db8::1]:80")],
        &[("Host", "")],
        &[here, ("Origin", "https://shop.example")],
        &[here, ("Origin", "http://127.0.0.1.shop.example")],
        &[here, ("Origin", "http://127.0.0.1@shop.example")],
        &[here, ("Origin", "null")],
        &[here, ("Origin", "")],
    ] {
        for (method, path) in [
            ("DELETE", "/sandbox/faults"),
            ("POST", "/sandbox/faults"),
            ("POST", "/sandbox/reset"),
            ("POST", "/sandbox/orders/A-1/pay"),
            ("GET", "/sandbox/requests"),
        ] {
            let response = send(method, path, headers);
            assert_eq!(response.status, 403, "{method} {path} {headers:?}");
            assert!(response.json()["error"].is_string());
        }
    }
    let rules = control_get(&sandbox, "/sandbox/faults");
    assert_eq!(
        rules,
        json!({"rules": [{"rule": "status:1:drop", "used": 0}]})
    );
    assert_eq!(
        control_get(&sandbox, "/sandbox/orders/A-1")["state"],
        "Pending"
    );

    for headers in [
        &[here][..],
        &[("Host", "LocalHost")],
        &[("Host", "[::1]:8080")],
        &[here, ("Origin", "http://localhost:3000")],
        &[here, ("Origin", "http://[::1]")],
    ] {
        let response = send("DELETE", "/sandbox/faults", headers);
        assert_eq!(response.status, 200, "{headers:?}");
    }
}

#[test]
fn a_wrong_request_says_what_to_do() {
    let sandbox = start();
    for (method, path, body, status) in [
        ("POST", "/sandbox", "", 405),
        ("DELETE", "/sandbox/orders", "", 405),
        ("GET", "/sandbox/orders/A-1/pay", "", 405),
        ("GET", "/sandbox/reset", "", 405),
        ("PUT", "/sandbox/faults", "", 405),
        ("GET", "/sandbox/", "", 404),
        ("GET", "/sandbox/order", "", 404),
        ("GET", "/sandbox/requests?after=x", "", 400),
        ("GET", "/sandbox/requests?after=-1", "", 400),
        ("GET", "/sandbox/requests?wait=60001", "", 400),
        ("GET", "/sandbox/requests?wait", "", 400),
        ("GET", "/sandbox/requests?since=1", "", 400),
        ("POST", "/sandbox/faults", "", 400),
        ("POST", "/sandbox/faults", "create:1:stall", 400),
        ("POST", "/sandbox/faults", "{\"rule\":7}", 400),
    ] {
        let response = control(&sandbox, method, path, body);
        assert_eq!(response.status, status, "{method} {path}");
        assert!(response.json()["error"].is_string(), "{method} {path}");
        assert_eq!(response.header("Allow").is_some(), status == 405);
    }
    assert_eq!(get(&sandbox, "/sandboxes").status, 404);
}

#[test]
fn the_number_of_rules_is_limited() {
    let sandbox = start();
    let stream = connect(&sandbox);
    let body = "{\"rule\":\"status:1:drop\"}";
    let length = body.len();
    let text = format!(
        "POST /sandbox/faults HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let told = || {
        (&stream).write_all(text.as_bytes()).expect("a request");
        read_response(&stream).expect("a response").status
    };
    assert!((0..1000).all(|_| told() == 201));
    assert_eq!(told(), 400);
}
