//! The control address: what it shows of the sandbox, what it changes, and whom it refuses.

use std::net::TcpStream;

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::faults::TABLE;
use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, Options, SECRET_KEY, Sandbox};

fn control_post(sandbox: &Sandbox, path: &str) -> (u16, Value) {
    let response = control(sandbox, "POST", path, "");
    (response.status, response.json())
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
        send_text(&stream, &text);
        read_response(&stream).expect("a response").status
    };
    assert!((0..1000).all(|_| told() == 201));
    assert_eq!(told(), 400);
}

#[test]
fn a_private_sandbox_tells_nothing_to_a_client_without_the_secret() {
    let sandbox = Sandbox::start(Options {
        private: true,
        ..Options::default()
    })
    .expect("the sandbox starts");
    assert_eq!(get(&sandbox, "/sandbox").status, 404);
    assert_eq!(create(&sandbox, &order("A-1", json!({}))).status, 401);

    let (address, secret) = sandbox.control().expect("an address of its own");
    let ask = |headers: &[(&str, &str)]| {
        let stream = TcpStream::connect(address.strip_prefix("http://").expect("http"))
            .expect("the control address listens");
        let text = request("GET", "/sandbox", headers, "").replace("sandbox\r\n", "127.0.0.1\r\n");
        exchange(&stream, &text).expect("a response")
    };
    assert_eq!(ask(&[]).status, 401);
    assert_eq!(ask(&[("Authorization", "Bearer guess")]).status, 401);
    let about = ask(&[("Authorization", &format!("Bearer {secret}"))]).json();
    assert_ne!(about["credentials"]["accessToken"], json!(ACCESS_TOKEN));
    let token = about["credentials"]["accessToken"].as_str().expect("text");
    let headers = [
        ("Content-Type", "application/json"),
        ("ACCESS-TOKEN", token),
    ];
    let body = order("A-1", json!({}));
    let made = send(&sandbox, "POST", sandbox::CREATE_ORDER, &headers, &body).expect("a response");
    assert_eq!(made.status, 200);
}
