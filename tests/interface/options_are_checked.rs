//! The options of a call are checked before anything is sent.

use serde_json::{Value, json};
use support::abi::{self, Client, build_create_order};
use support::orders::{FIELDS, config, order, query, with};
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Service, respond_after, stall};

const INVALID_ARGUMENT: i32 = 1;

#[test]
fn an_invalid_option_is_an_invalid_argument_and_nothing_is_sent() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let mut broken: Vec<Value> = Vec::new();
    for key in ["accessToken", "clientKey", "clientId", "secretKey"] {
        for value in [
            json!(null),
            json!(1),
            json!(["a"]),
            json!(""),
            json!(" "),
            json!(" a"),
            json!("a "),
            json!("a\nb"),
            json!("a\u{0}"),
            json!("é"),
            json!("x".repeat(4097)),
        ] {
            broken.push(json!({key: value}));
        }
    }
    for value in [
        json!(null),
        json!(0),
        json!(-1),
        json!(600_001),
        json!(1.5),
        json!("1000"),
        json!(true),
        json!(u64::MAX),
    ] {
        broken.push(json!({"timeoutMs": value}));
    }
    for key in [
        "timeout",
        "connectTimeoutMs",
        "createRetries",
        "statusRetries",
        "maxIdleMs",
        "AccessToken",
        "",
        "proxy",
        "returnUrlField",
        "baseUrl",
    ] {
        broken.push(json!({key: "1"}));
        broken.push(json!({key: 1}));
    }
    let mut rows = Rows::new();
    for options in &broken {
        let shown: String = options.to_string().chars().take(60).collect();
        for (call, reply) in [
            ("create_order", client.create_with(&order(), options)),
            ("get_status", client.status_with(&query(), options)),
        ] {
            rows.code(&format!("{call} {shown}"), &reply, INVALID_ARGUMENT);
        }
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn extra_fields_are_strings_with_new_names() {
    let service = Service::responding(created());
    let client = Client::new(&with(&config(&service.url()), "returnUrlField", "backUrl"));
    let mut broken = vec![
        json!(null),
        json!("a"),
        json!(["a"]),
        json!(1),
        json!({"a": 1}),
        json!({"a": null}),
        json!({"a": true}),
        json!({"a": ["b"]}),
        json!({"a": {"b": "c"}}),
        json!({"a": "b", "c": 1}),
        json!({"backUrl": "x"}),
    ];
    broken.extend(FIELDS.map(|field| json!({field: "x"})));
    let mut rows = Rows::new();
    for extra in broken {
        let options = json!({"extraFields": extra});
        let reply = client.create_with(&order(), &options);
        rows.code(&options.to_string(), &reply, INVALID_ARGUMENT);
        let options = with(&options, "returnUrlField", "backUrl");
        let reply = build_create_order(&order().to_string(), Some(&options.to_string()));
        rows.code(&format!("built {options}"), &reply, INVALID_ARGUMENT);
    }
    let twice = "{\"extraFields\":{\"a\":\"1\",\"a\":\"1\"}}";
    let reply = abi::create_order(client.key(), &order().to_string(), Some(twice));
    rows.same(twice, reply.code, INVALID_ARGUMENT);
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
    client
        .create_with(&order(), &json!({"extraFields": {}}))
        .done();
}

#[test]
fn extra_fields_are_not_an_option_of_get_status() {
    let service = Service::responding(completed(""));
    let client = Client::new(&config(&service.url()));
    for options in [json!({"extraFields": {"a": "b"}}), json!({"resend": true})] {
        assert_eq!(
            client.status_with(&query(), &options).code,
            INVALID_ARGUMENT,
            "{options}"
        );
    }
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn building_an_order_takes_two_options_and_no_others() {
    let text = order().to_string();
    let mut rows = Rows::new();
    for options in [
        "{}",
        "{\"returnUrlField\":\"backUrl\"}",
        "{\"extraFields\":{\"a\":\"b\"}}",
    ] {
        rows.same(options, build_create_order(&text, Some(options)).code, 0);
    }
    for options in [
        json!({"timeoutMs": 1000}),
        json!({"accessToken": "a"}),
        json!({"resend": true}),
        json!({"x": 1}),
        json!({"returnUrlField": 1}),
        json!({"returnUrlField": ""}),
        json!({"returnUrlField": "amount"}),
        json!({"returnUrlField": null}),
    ] {
        let reply = build_create_order(&text, Some(&options.to_string()));
        rows.code(&options.to_string(), &reply, INVALID_ARGUMENT);
    }
    rows.end();
}

#[test]
fn the_timeout_of_a_call_applies_to_that_call_only() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    for reply in [
        client.create_with(&order(), &json!({"timeoutMs": 300})),
        client.status_with(&query(), &json!({"timeoutMs": 300})),
    ] {
        reply.is(200);
        let elapsed = reply.error()["elapsedMs"].as_u64().unwrap();
        assert!((290..6000).contains(&elapsed), "{elapsed} ms");
    }
    service.set_script([respond_after(
        std::time::Duration::from_millis(700),
        created(),
    )]);
    client.create(&order()).done();
}
