//! Rules: which requests they act on, and what makes a request slow.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::rules::Rule;
use sandbox::{Ended, Options, Sandbox};

fn used(sandbox: &Sandbox) -> Value {
    control(sandbox, "GET", "/sandbox/faults", "").json()["rules"].clone()
}

/// The HTTP status of a Get Status about an unknown order, or `None` if the connection was cut.
fn ask(sandbox: &Sandbox) -> Option<u16> {
    let response = try_status(sandbox, by_order("A-1"));
    response.ok().map(|response| response.status)
}

#[test]
fn a_rule_acts_on_the_requests_that_it_names() {
    for (which, cut) in [
        ("1", [true, false, false, false, false]),
        ("3", [false, false, true, false, false]),
        ("2-4", [false, true, true, true, false]),
        ("3-", [false, false, true, true, true]),
        ("2-2", [false, true, false, false, false]),
        ("*", [true; 5]),
    ] {
        let sandbox = start();
        // Requests before the rule, and of another step, are not counted.
        ask(&sandbox);
        add_rule(&sandbox, &format!("status:{which}:drop"));
        let told = cut.map(|_| {
            create(&sandbox, "{}");
            ask(&sandbox).is_none()
        });
        assert_eq!(told, cut, "{which}");
        let count = cut.iter().filter(|cut| **cut).count();
        assert_eq!(
            used(&sandbox),
            json!([{"rule": format!("status:{which}:drop"), "used": count}])
        );
    }
}

#[test]
fn the_first_rule_that_fits_applies_and_comes_before_a_marker() {
    let sandbox = start();
    for rule in [
        "status:2:drop",
        "status:1-2:rate-limit",
        "status:*:html-502",
    ] {
        add_rule(&sandbox, rule);
    }
    let product_info = "sandbox:status-malformed-json";
    checkout_path(
        &sandbox,
        &order("A-1", json!({"productInfo": product_info})),
    );
    assert_eq!(
        [ask(&sandbox), ask(&sandbox), ask(&sandbox)],
        [Some(429), None, Some(502)]
    );
    let used: Vec<Value> = used(&sandbox)
        .as_array()
        .expect("a list")
        .iter()
        .map(|rule| rule["used"].clone())
        .collect();
    assert_eq!(used, [1, 1, 1]);

    control(&sandbox, "DELETE", "/sandbox/faults", "");
    let response = try_status(&sandbox, by_order("A-1")).expect("a response");
    assert!(serde_json::from_str::<Value>(&response.body).is_err());
}

#[test]
fn a_rule_also_acts_on_a_refusal_and_a_marker_does_not() {
    let sandbox = start();
    let body = order("A-1", json!({"productInfo": "sandbox:drop-after-commit"}));
    assert!(try_create(&sandbox, &body).is_err());
    assert_eq!(create(&sandbox, &body).status, 409);
    add_rule(&sandbox, "create:*:drop-after-commit");
    assert!(try_create(&sandbox, &body).is_err());
    assert!(try_create(&sandbox, "{}").is_err());

    control(&sandbox, "DELETE", "/sandbox/faults", "");
    // It must not call an order created that was refused.
    add_rule(&sandbox, "create:*:no-url");
    assert_eq!(create(&sandbox, &body).status, 409);
}

#[test]
fn a_rule_of_the_return_acts_on_one_press() {
    let sandbox = start();
    add_rule(&sandbox, "return:2:without-txn");
    let path = checkout_path(&sandbox, &order("A-1", json!({})));
    let came_back = || press(&sandbox, &path, "pay");
    let with_txn = "https://shop.example/thanks?txn=TXN0000001";
    assert_eq!(came_back(), with_txn);
    assert_eq!(came_back(), "https://shop.example/thanks");
    assert_eq!(came_back(), with_txn);
}

#[test]
fn a_rule_that_is_not_one_is_refused_and_says_what_to_write() {
    let sandbox = start();
    for (rule, advice) in [
        ("", "write STEP:WHICH:FAULT"),
        ("stall", "write STEP:WHICH:FAULT"),
        ("create:1", "write STEP:WHICH:FAULT"),
        ("create:1:stall:2", "write STEP:WHICH:FAULT"),
        ("pay:1:stall", "write create, status or return"),
        ("Create:1:stall", "write create, status or return"),
        ("create:0:stall", "write 3, 2-4, 3-"),
        ("create::stall", "write 3, 2-4, 3-"),
        ("create:-3:stall", "write 3, 2-4, 3-"),
        ("create:+3:stall", "write 3, 2-4, 3-"),
        ("create:4-2:stall", "write 3, 2-4, 3-"),
        ("create:1-2-3:stall", "write 3, 2-4, 3-"),
        ("create:99999999999999999999:stall", "write 3, 2-4, 3-"),
        ("create:1:sandbox:stall", "write STEP:WHICH:FAULT"),
        ("create:1:drop", "write drop-before, drop-after-commit"),
        ("create:1:wrong-amount", "write drop-before"),
        ("status:1:not-found-once", "write wrong-amount"),
        ("status:1:stall-unread", "write wrong-amount"),
        ("create:1:slow", "slow=MS"),
        ("create:1:slow=MS", "milliseconds from 1 to 600000"),
        ("create:1:slow=0", "milliseconds from 1 to 600000"),
        ("create:1:slow=600001", "milliseconds from 1 to 600000"),
        ("return:1:slow=5", "write second-question-mark, without-txn"),
    ] {
        let error = Rule::parse(rule).err();
        let error = error.unwrap_or_else(|| panic!("{rule} is accepted"));
        assert!(error.contains(advice), "{rule}: {error}");
        let body = json!({"rule": rule}).to_string();
        let response = control(&sandbox, "POST", "/sandbox/faults", &body);
        assert_eq!(response.status, 400, "{rule}");
        assert_eq!(response.json(), json!({"error": error}));
    }
    assert_eq!(used(&sandbox), json!([]));
}

#[test]
fn a_rule_can_set_fields_of_the_status() {
    let sandbox = start();
    create(&sandbox, &order("A-1", json!({})));
    for rule in [
        "status:1:amount=249.49",
        "status:1:transactionStatus=Incomplete",
    ] {
        let body = json!({"rule": rule}).to_string();
        assert_eq!(
            control(&sandbox, "POST", "/sandbox/faults", &body).status,
            201
        );
    }
    let query = json!({"searchType": "1", "orderId": "A-1"});
    let data = crate::wire::status(&sandbox, query.clone());
    assert_eq!(data["amount"], "249.49");
    assert_eq!(data["transactionStatus"], "Incomplete");
    let data = crate::wire::status(&sandbox, query);
    assert_eq!(
        (&data["amount"], &data["transactionStatus"]),
        (&json!("249.50"), &json!("Pending"))
    );
}

#[test]
fn slow_delays_a_response_in_addition_to_another_fault() {
    let rules = [
        "create:1:slow=300",
        "create:1:html-502",
        "status:2:slow=200",
    ];
    let sandbox = Sandbox::start(Options {
        rules: rules.map(|rule| Rule::parse(rule).expect("a rule")).into(),
        slow: Duration::from_millis(100),
        ..Options::default()
    })
    .expect("the sandbox starts");
    let took = |call: &dyn Fn() -> Option<u16>, status| {
        let start = Instant::now();
        assert_eq!(call(), Some(status));
        start.elapsed().as_millis() as u64
    };
    let body = order("A-1", json!({}));
    let created = took(&|| Some(create(&sandbox, &body).status), 502);
    let (first, second) = (took(&|| ask(&sandbox), 200), took(&|| ask(&sandbox), 200));
    assert!(created >= 400 && first >= 100 && second >= 300);
    let faults: Vec<Value> = requests(&sandbox, 0)
        .iter()
        .map(|request| request["fault"].clone())
        .collect();
    assert_eq!(faults, [json!("html-502"), Value::Null, json!("slow=200")]);
}

#[test]
fn only_the_two_endpoints_are_slow() {
    let sandbox = Sandbox::start(Options {
        slow: Duration::from_secs(600),
        ..Options::default()
    })
    .expect("the sandbox starts");
    assert_eq!(get(&sandbox, "/checkout/1").status, 404);
    assert_eq!(get(&sandbox, "/sandbox/orders").status, 200);
    let patience = Duration::from_millis(300);
    for path in [sandbox::CREATE_ORDER, sandbox::GET_STATUS] {
        let response = send_within(patience, &sandbox, "POST", path, &[], "{}");
        assert!(matches!(response, Err(ureq::Error::Timeout(_))), "{path}");
    }
}

#[test]
fn a_client_that_gives_up_a_slow_response_is_noticed() {
    let sandbox = start();
    add_rule(&sandbox, "create:1:slow=600000");
    let stream = connect(&sandbox);
    let body = order("A-1", json!({}));
    let text = request("POST", sandbox::CREATE_ORDER, CREATE_HEADERS, &body);
    send_text(&stream, &text);
    wait_until(|| sandbox.orders().len() == 1);
    assert!(requests(&sandbox, 0).is_empty());
    drop(stream);
    wait_until(|| sandbox.exchanges().len() == 1);
    let exchange = sandbox.exchanges().remove(0);
    assert!(exchange.created);
    assert_eq!((exchange.http_status, exchange.ended), (None, Ended::Cut));
}
