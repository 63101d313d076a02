//! Create Order and Get Status, their credentials, and what they refuse.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::calendar::DateTime;
use sandbox::{self, Options, Sandbox, State};
use support::table;

const STATUS_FIELDS: [&str; 15] = [
    "merchantRefId",
    "orderId",
    "transactionId",
    "amount",
    "customerName",
    "customerMobile",
    "customerEmail",
    "transactionStatus",
    "transactionDate",
    "refundStatus",
    "refundType",
    "merchantName",
    "settlementStatus",
    "settlementDate",
    "payMode",
];

#[test]
fn an_order_is_created_paid_and_reported_as_documented() {
    let sandbox = start();
    let made = create(&sandbox, &order("A-1", json!({})));
    let url = format!("{}/checkout/1", sandbox.base_url());
    assert_eq!(made.status, 200);
    assert_eq!(
        made.json(),
        json!({"responseCode": "200", "responseMessage": "Success", "data": {"url": url}})
    );

    let before = status(&sandbox, by_order("A-1"));
    assert_eq!(before["transactionStatus"], "Pending");
    assert_eq!(
        (&before["transactionId"], &before["transactionDate"]),
        (&json!(""), &json!(""))
    );

    let location = press(&sandbox, "/checkout/1", "pay");
    let transaction_id = txn(&location);
    assert_eq!(
        location,
        format!("https://shop.example/thanks?txn={transaction_id}")
    );

    let after = status(&sandbox, by_transaction(transaction_id));
    assert_eq!(after, status(&sandbox, by_order("A-1")));
    let fields = after.as_object().expect("an object");
    assert_eq!(fields.len(), STATUS_FIELDS.len());
    for field in STATUS_FIELDS {
        assert!(fields[field].is_string(), "{field}: {}", fields[field]);
    }
    for (field, expected) in [
        ("transactionStatus", "Completed"),
        ("transactionId", transaction_id),
        ("orderId", "A-1"),
        ("merchantRefId", "M-A-1"),
        ("amount", "249.50"),
        ("customerName", "Asha Rao"),
        ("customerMobile", "9876543210"),
        ("customerEmail", "asha@mail.example"),
        ("refundStatus", ""),
        ("payMode", "upi"),
    ] {
        assert_eq!(after[field], expected, "{field}");
    }
    assert_documented_date(after["transactionDate"].as_str().expect("a date"));
}

/// `MM/DD/YYYY hh:mm:ss AM|PM`
fn assert_documented_date(date: &str) {
    let shape: String = date
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert!(
        ["00/00/0000 00:00:00 AM", "00/00/0000 00:00:00 PM"].contains(&shape.as_str()),
        "{date}"
    );
}

#[test]
fn dates_follow_the_calendar() {
    for (seconds, documented, sortable) in table! {
        0, "01/01/1970 12:00:00 AM", "1970-01-01 00:00:00";
        951_827_696, "02/29/2000 12:34:56 PM", "2000-02-29 12:34:56";
        1_709_251_199, "02/29/2024 11:59:59 PM", "2024-02-29 23:59:59";
        1_709_251_200, "03/01/2024 12:00:00 AM", "2024-03-01 00:00:00";
        1_798_761_599, "12/31/2026 11:59:59 PM", "2026-12-31 23:59:59";
        1_798_765_201, "01/01/2027 01:00:01 AM", "2027-01-01 01:00:01";
        4_107_542_400, "03/01/2100 12:00:00 AM", "2100-03-01 00:00:00";
    } {
        let date = DateTime::of(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(
            (date.documented().as_str(), date.sortable().as_str()),
            (documented, sortable)
        );
    }
    assert_documented_date(&DateTime::of(SystemTime::now()).documented());
}

#[test]
fn each_endpoint_requires_its_own_credentials() {
    let sandbox = start();
    let body = order("A-1", json!({}));
    let query = by_order("A-1").to_string();
    for (path, headers, body) in [
        (sandbox::CREATE_ORDER, CREATE_HEADERS, &body),
        (sandbox::GET_STATUS, STATUS_HEADERS, &query),
    ] {
        for (place, (name, _)) in headers.iter().enumerate().skip(1) {
            let mut missing = headers.to_vec();
            missing.remove(place);
            let mut wrong = headers.to_vec();
            wrong[place].1 = "some-other-value";
            for headers in [missing, wrong] {
                let response = send(&sandbox, "POST", path, &headers, body).expect("a response");
                assert_eq!(
                    (response.status, response.code().as_str()),
                    (401, "401"),
                    "{name}"
                );
                assert!(response.body.contains(name), "{}", response.body);
                assert!(
                    !response.body.contains("some-other-value"),
                    "{}",
                    response.body
                );
            }
        }
    }
    let records = sandbox.orders();
    assert_eq!((records[0].create_requests, records[0].state), (2, None));
}

#[test]
fn an_order_that_breaks_a_rule_is_refused_by_the_field_s_name() {
    let sandbox = start();
    let fields: Vec<String> = serde_json::from_str::<Value>(&order("A-1", json!({})))
        .expect("an order")
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    assert_eq!(fields.len(), 11);
    let mut broken: Vec<(&str, Value)> = Vec::new();
    for field in &fields {
        broken.extend([
            (field.as_str(), Value::Null),
            (field, json!("")),
            (field, json!(" ")),
            (field, json!(7)),
        ]);
    }
    for amount in [
        "0", "0.99", "00.5", "-5", "1e3", "1.", ".5", "1,00", "1.005", "ten",
    ] {
        broken.push(("amount", json!(amount)));
    }
    broken.push(("payMode", json!("cash")));
    for url in [
        "/thanks",
        "shop.example",
        "javascript:alert(1)",
        "DATA:text/html,x",
        "https://a b",
        "https://a\r\nX: y",
    ] {
        broken.push(("redirectionURL", json!(url)));
    }
    for (field, value) in broken {
        let response = create(&sandbox, &order("A-1", json!({field: value})));
        assert_eq!(
            (response.status, response.code().as_str()),
            (400, "400"),
            "{field} {value}: {}",
            response.body
        );
        let message = response.json()["responseMessage"]
            .as_str()
            .expect("a message")
            .to_owned();
        assert!(message.starts_with(field), "{field} {value}: {message}");
    }
    assert!(sandbox.orders().iter().all(|record| record.state.is_none()));
}

#[test]
fn amounts_are_returned_with_two_decimal_places() {
    let sandbox = start();
    for (number, (ordered, told)) in [
        ("1", "1.00"),
        ("7.5", "7.50"),
        ("0100.10", "100.10"),
        ("12.34000", "12.34"),
        ("99999999999999999999.99", "99999999999999999999.99"),
    ]
    .into_iter()
    .enumerate()
    {
        let order_id = format!("A-{number}");
        checkout_path(&sandbox, &order(&order_id, json!({"amount": ordered})));
        assert_eq!(status(&sandbox, by_order(&order_id))["amount"], told);
    }
}

#[test]
fn an_identifier_is_accepted_once() {
    let sandbox = start();
    checkout_path(&sandbox, &order("A-1", json!({})));
    for (again, field) in [
        (order("A-1", json!({"merchantTxnId": "M-2"})), "orderId"),
        (
            order("A-2", json!({"merchantTxnId": "M-A-1"})),
            "merchantTxnId",
        ),
    ] {
        let response = create(&sandbox, &again);
        assert_eq!((response.status, response.code().as_str()), (409, "409"));
        assert!(response.body.contains(field), "{}", response.body);
    }
    let told: Vec<_> = sandbox
        .orders()
        .into_iter()
        .map(|r| (r.order_id, r.create_requests, r.state))
        .collect();
    assert_eq!(
        told,
        [
            ("A-1".to_owned(), 2, Some(State::Pending)),
            ("A-2".to_owned(), 1, None)
        ]
    );
}

#[test]
fn an_invalid_status_query_is_refused() {
    let sandbox = start();
    checkout_path(&sandbox, &order("A-1", json!({})));
    for (query, code) in [
        (json!({}), 400),
        (json!({"searchType": 1, "orderId": "A-1"}), 400),
        (json!({"searchType": "3", "orderId": "A-1"}), 400),
        (json!({"searchType": "1", "orderId": ""}), 400),
        (
            json!({"searchType": "2", "orderId": "A-1", "transactionId": ""}),
            400,
        ),
        (json!([]), 400),
        (by_order("A-9"), 404),
        (by_transaction("TXN9999999"), 404),
        (by_transaction("A-1"), 404),
    ] {
        let response = try_status(&sandbox, query.clone()).expect("a response");
        assert_eq!(
            (response.status, response.code()),
            (code, code.to_string()),
            "{query}"
        );
    }
}

#[test]
fn another_content_type_is_refused() {
    let sandbox = start();
    let headers = [("Content-Type", "text/plain"), CREATE_HEADERS[1]];
    let body = order("A-1", json!({}));
    let response = send(&sandbox, "POST", sandbox::CREATE_ORDER, &headers, &body);
    assert_eq!(response.expect("a response").code(), "415");
    let headers = [
        ("Content-Type", "Application/JSON; charset=utf-8"),
        CREATE_HEADERS[1],
    ];
    let response = send(&sandbox, "POST", sandbox::CREATE_ORDER, &headers, &body);
    assert_eq!(response.expect("a response").code(), "200");
}

#[test]
fn the_return_url_can_have_another_wire_name() {
    let options = Options {
        return_url_field: "returnTo".to_owned(),
        ..Options::default()
    };
    let sandbox = Sandbox::start(options).expect("the sandbox starts");
    let refused = create(&sandbox, &order("A-1", json!({})));
    assert!(refused.body.contains("returnTo"), "{}", refused.body);
    let renamed = json!({"redirectionURL": null, "returnTo": "mypos://done"});
    let path = checkout_path(&sandbox, &order("A-1", renamed));
    assert!(press(&sandbox, &path, "pay").starts_with("mypos://done?txn="));
}

#[test]
fn exchanges_have_the_requests_and_responses_without_credentials() {
    let sandbox = start();
    let body = order("A-1", json!({}));
    let made = create(&sandbox, &body);
    try_status(&sandbox, by_order("A-9")).expect("a response");
    let _ = try_create(
        &sandbox,
        &order("A-2", json!({"productInfo": "sandbox:drop-before"})),
    );
    get(&sandbox, "/checkout/1");

    let exchanges = sandbox.exchanges();
    let told: Vec<_> = exchanges
        .iter()
        .map(|e| (e.path.as_str(), e.http_status))
        .collect();
    let (create_order, get_status) = (sandbox::CREATE_ORDER, sandbox::GET_STATUS);
    assert_eq!(
        told,
        [
            (create_order, Some(200)),
            (get_status, Some(404)),
            (create_order, None)
        ]
    );
    assert_eq!(
        (&exchanges[0].request_body, &exchanges[0].response_body),
        (&body, &made.body)
    );
    let everything = format!("{exchanges:?}");
    for (name, secret) in CREATE_HEADERS
        .iter()
        .chain(STATUS_HEADERS)
        .filter(|(name, _)| *name != "Content-Type")
    {
        assert!(!everything.contains(secret), "{name}");
    }
}

#[test]
fn the_log_has_one_line_per_request_without_personal_data() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = Box::new({
        let lines = lines.clone();
        move |line: &str| lines.lock().expect("the lines").push(line.to_owned())
    });
    let sandbox = Sandbox::start(Options {
        log: Some(log),
        ..Options::default()
    })
    .expect("the sandbox starts");
    let path = checkout_path(&sandbox, &order("A-1", json!({})));
    press(&sandbox, &path, "pay");
    get(&sandbox, "/shop/return?txn=asha@mail.example");
    try_status(&sandbox, by_order("A-1")).expect("a response");
    let hostile = order(
        "A\u{1b}[2J\nB",
        json!({"productInfo": "sandbox:drop-before"}),
    );
    let _ = try_create(&sandbox, &hostile);

    let lines = lines.lock().expect("the lines").clone();
    let without_time: Vec<_> = lines.iter().map(|line| line[8..].trim_start()).collect();
    assert_eq!(
        without_time,
        [
            "POST /api/v1/Gateway/CreateOrder  200  order A-1",
            "POST /checkout/1/pay  303  order A-1",
            "GET  /shop/return  200",
            "POST /api/v1/Gateway/GetStatus  200  order A-1",
            "POST /api/v1/Gateway/CreateOrder  cut  order A\\u{1b}[2J\\nB",
        ]
    );
}
