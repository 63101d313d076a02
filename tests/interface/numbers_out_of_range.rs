//! A number that is too large for any float is still JSON: it is judged like every other number.

use serde_json::json;
use support::abi::{self, Client, build_create_order, build_get_status};
use support::orders::{config, order, query, without};
use support::responses::created;
use support::rows::Rows;
use support::service::Service;

const NUMBERS: [&str; 4] = ["1e400", "-1E+400", "[1,1e999]", "{\"a\":{\"b\":1e400}}"];

/// A JSON object of the same members, with this one before them.
fn before(object: &serde_json::Value, member: &str) -> String {
    object.to_string().replacen('{', &format!("{{{member},"), 1)
}

#[test]
fn such_a_number_is_a_value_of_the_wrong_type_or_range() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    let mut same = |row: String, reply: &abi::Reply, code: i32, cause: &str| {
        rows.same(&row, reply.code, code);
        rows.same(&row, &reply.error()["cause"], &json!(cause));
    };
    for number in NUMBERS {
        for key in ["timeoutMs", "userAgent", "checkoutHosts", "tls"] {
            let text = before(
                &without(&config(&service.url()), "timeoutMs"),
                &format!("\"{key}\":{number}"),
            );
            let reply = Client::try_from_text(&text).err().expect("a refusal");
            let cause = match (key, number.starts_with('{')) {
                ("tls", true) => "unknown_key",
                _ => "invalid_value",
            };
            same(format!("config: {key} {number}"), &reply, 3, cause);
        }
        let member = format!("\"a\":{number}");
        let text = before(&order(), &member);
        let replies = [
            ("built", build_create_order(&text, None)),
            ("sent", abi::create_order(client.key(), &text, None)),
        ];
        for (way, reply) in replies {
            same(format!("order {way}: {number}"), &reply, 4, "rule_broken");
            assert_eq!(reply.violations(), ["a: unknown_field"]);
        }
        let text = format!("{{\"searchType\":\"1\",\"orderId\":{number}}}");
        for (way, reply) in [
            ("built", build_get_status(&text)),
            ("sent", abi::get_status(client.key(), &text, None)),
        ] {
            same(format!("query {way}: {number}"), &reply, 4, "rule_broken");
            assert_eq!(reply.violations(), ["orderId: type"]);
        }
        let text = format!("{{\"orderId\":\"O\",\"amount\":{number}}}");
        let reply = abi::verify_payment(&text, "{}");
        same(format!("expected: {number}"), &reply, 4, "rule_broken");
        let options = format!("{{\"timeoutMs\":{number}}}");
        let reply = abi::get_status(client.key(), &query().to_string(), Some(&options));
        same(format!("options: {number}"), &reply, 1, "invalid_value");
        let options = format!("{{\"ratePerSecond\":{number}}}");
        let reply = abi::get_statuses(client.key(), "[]", Some(&options), |_, _| true);
        same(format!("a rate: {number}"), &reply, 1, "invalid_value");
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn a_text_that_has_more_wrong_with_it_is_not_excused() {
    let mut rows = Rows::new();
    for (text, cause) in [
        ("{\"a\":1e400", "not_json"),
        ("{\"a\":1e400,}", "not_json"),
        ("{\"a\":1e400} x", "not_json"),
        ("{\"a\":1e400,\"b\":\"\\ud800\"}", "not_json"),
        ("{\"a\":1e400,\"\\ud800\":1}", "not_json"),
        ("{\"a\":1e400,\"b\":1.}", "not_json"),
        ("[1e400]", "not_json"),
        ("1e400", "not_json"),
        ("{\"a\":1e400,\"a\":1}", "duplicate_key"),
        ("{\"a\":{\"b\":1e400,\"\\u0062\":1}}", "duplicate_key"),
    ] {
        for reply in [build_create_order(text, None), build_get_status(text)] {
            rows.same(text, reply.code, 1);
            rows.same(text, &reply.error()["cause"], &json!(cause));
        }
    }
    let deep = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        build_create_order(&format!("{{\"a\":{open}1e400{close}}}"), None)
    };
    rows.same("126 deep", deep(126).code, 4);
    for depth in [127, 100_000] {
        let reply = deep(depth);
        rows.same(&depth.to_string(), reply.code, 1);
        rows.same(
            &depth.to_string(),
            &reply.error()["cause"],
            &json!("too_long"),
        );
    }
    rows.end();
}
