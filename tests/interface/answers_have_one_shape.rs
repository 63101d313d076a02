//! What a call returns on success has every promised key, and all other fields as they were sent.

use serde_json::{Value, json};
use support::abi::{Client, Reply, json_get, verify_payment};
use support::orders::{config, order, query, raw_at};
use support::responses::{completed_body, http};
use support::result::INVALID_ARGUMENT;
use support::rows::Rows;
use support::service::{Service, respond};
use support::table;

fn response_to_create(body: &str) -> Reply {
    let service = Service::start([respond(http(200, body))]);
    Client::new(&config(&service.url())).create(&order()).done()
}

fn response_to_status(body: &str) -> Reply {
    let service = Service::start([respond(http(200, body))]);
    Client::new(&config(&service.url())).status(&query()).done()
}

#[test]
fn derived_fields_come_from_the_library_only() {
    let mut body = completed_body("ORDER-1001");
    body["data"]["transactionStatus"] = json!("Not Completed");
    body["derived"] = json!({"completed": true, "transactionDate": "2020-01-01T00:00:00"});
    let reply = response_to_status(&body.to_string());
    assert_eq!(reply.text().matches("\"derived\"").count(), 1);
    let derived = json!({"completed": false, "transactionDate": "2099-11-21T14:05:06"});
    assert_eq!(reply["derived"], derived);
}

#[test]
fn numbers_in_a_status_are_returned_as_their_text() {
    let body = r#"{"responseCode":200,"data":{"amount":100.10,"customerMobile":98765432109876543210,
        "merchantRefId":1e2}}"#;
    let reply = response_to_status(body);
    assert_eq!(reply["responseCode"], "200");
    assert_eq!(reply["data"]["amount"], "100.10");
    assert_eq!(reply["data"]["customerMobile"], "98765432109876543210");
    assert_eq!(reply["data"]["merchantRefId"], "1e2");
}

/// The conformance suite has the dates that are in the documented format, or in none.
#[test]
fn a_date_that_does_not_exist_or_is_only_similar_is_not_guessed() {
    let mut rows = Rows::new();
    for (date, iso) in table! {
        "02/29/2000 12:59:59 AM", json!("2000-02-29T00:59:59");
        "01/01/0001 01:00:00 AM", json!("0001-01-01T01:00:00");
        "01/01/0000 01:00:00 AM", json!(null);
        "02/29/2100 10:00:00 AM", json!(null);
        "13/01/2026 10:00:00 AM", json!(null);
        "10/00/2026 10:00:00 AM", json!(null);
        "11/21/2026 13:05:06 PM", json!(null);
        "11/21/2026 02:05:60 PM", json!(null);
        "11/21/2026 02:05:06 pm", json!(null);
        "1é/21/2026 02:05:06 PM", json!(null);
        "04/31/2026 10:00:00 AM", json!(null);
        "11/21/2026 00:05:06 AM", json!(null);
        "11/21/2026 02:60:06 PM", json!(null);
        "1/2/2026 2:05:06 PM", json!(null);
        "11/21/2026 02:05:06 PM IST", json!(null);
        "１１/21/2026 02:05:06 PM", json!(null);
    } {
        let mut body = completed_body("ORDER-1001");
        body["data"]["transactionDate"] = json!(date);
        let reply = response_to_status(&body.to_string());
        rows.same(date, &reply["derived"]["transactionDate"], &iso);
        rows.same(date, &reply["data"]["transactionDate"], &json!(date));
    }
    rows.end();
}

/// Fields with numbers that no float can hold, and texts with escapes.
const UNKNOWN: &str = r#""traceId":12345678901234567890.1230,"huge":1e400,
    "deep":{"a":[1,2.50,{"b":null}],"c":-0.0},"text":"\u00e9\/\ud83e\uddfe \"q\"","nothing":null"#;

#[test]
fn fields_that_this_version_does_not_know_are_kept_as_sent() {
    let url = "\"url\":\"https://pay.example.com\"";
    let body = format!("{{{UNKNOWN},\"responseCode\":\"200\",\"data\":{{{url},{UNKNOWN}}}}}");
    let created = response_to_create(&body);
    let status = response_to_status(&body.replace("\"url\"", "\"checkoutUrl\""));
    for (reply, path) in [(&created, vec![]), (&created, vec!["data"])]
        .into_iter()
        .chain([(&status, vec![]), (&status, vec!["data"])])
    {
        let at = |key| raw_at(reply.text(), &[&path[..], &[key]].concat());
        let at = |key| at(key).unwrap_or_else(|| panic!("no {key} in {}", reply.text()));
        assert_eq!(at("traceId"), "12345678901234567890.1230");
        assert_eq!(at("huge"), "1e400");
        assert_eq!(at("deep"), r#"{"a":[1,2.50,{"b":null}],"c":-0.0}"#);
        assert_eq!(
            serde_json::from_str::<Value>(&at("text")).unwrap(),
            "é/🧾 \"q\""
        );
        assert_eq!(at("nothing"), "null");
    }
    let data = |key| raw_at(status.text(), &["data", key]).expect("the field exists");
    assert_eq!(data("checkoutUrl"), "\"https://pay.example.com\"");
    assert_eq!(data("orderId"), "\"\"");
}

#[test]
fn an_unknown_key_that_is_there_twice_hides_neither_a_checkout_url_nor_a_payment() {
    let twice = |object: &str| object.replacen('{', r#"{"new":{"a":1,"a":2},"new":2,"#, 1);
    let whole = |data: &str| {
        twice(&format!(
            r#"{{"responseCode":"200","data":{}}}"#,
            twice(data)
        ))
    };
    let made = response_to_create(&whole(r#"{"url":"https://pay.example.com/c/1"}"#));
    assert_eq!(
        json_get(made.text(), "/data/url").text(),
        "https://pay.example.com/c/1"
    );
    json_get(made.text(), "/data/new").is(INVALID_ARGUMENT);
    json_get(made.text(), "/new/a").is(INVALID_ARGUMENT);

    let paid = completed_body("ORDER-1001");
    let body = whole(&paid["data"].to_string());
    let status = response_to_status(&body);
    let expected = r#"{"orderId":"ORDER-1001","amount":"100.10"}"#;
    for status in [status.text(), body.as_str()] {
        let verdict = verify_payment(expected, status).done();
        assert_eq!(verdict["paid"], true, "{}", verdict.text());
    }
    // A key that is read must be there once, or the answer contradicts itself.
    verify_payment(expected, &body.replace(r#""data""#, r#""data":{},"data""#))
        .is(INVALID_ARGUMENT);
}
