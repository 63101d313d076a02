//! What a call returns on success has every promised key, and all other fields as they were sent.

use serde_json::{Value, json};
use support::abi::{Client, Reply, json_get, verify_payment};
use support::orders::{config, order, query, raw_at};
use support::responses::{completed_body, http};
use support::rows::Rows;
use support::service::{Service, respond, stall};

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
    body["data"]["transactionStatus"] = json!("Pending");
    body["derived"] = json!({"completed": true, "transactionDate": "2020-01-01T00:00:00"});
    let reply = response_to_status(&body.to_string());
    assert_eq!(reply.text().matches("\"derived\"").count(), 1);
    assert_eq!(
        reply["derived"],
        json!({"completed": false, "transactionDate": "2026-11-21T14:05:06"})
    );
}

#[test]
fn numbers_in_a_status_are_returned_as_their_text() {
    let body = "{\"responseCode\":200,\"responseMessage\":\"Success\",\"data\":\
                {\"amount\":100.10,\"customerMobile\":98765432109876543210,\"merchantRefId\":1e2}}";
    let reply = response_to_status(body);
    assert_eq!(reply["responseCode"], "200");
    assert_eq!(reply["data"]["amount"], "100.10");
    assert_eq!(reply["data"]["customerMobile"], "98765432109876543210");
    assert_eq!(reply["data"]["merchantRefId"], "1e2");
}

#[test]
fn only_the_exact_text_completed_is_completed() {
    let mut rows = Rows::new();
    for (status, completed) in [
        ("Completed", true),
        ("completed", false),
        ("COMPLETED", false),
        ("Completed ", false),
        ("", false),
        ("Pending", false),
        ("Not Completed", false),
        ("Success", false),
    ] {
        let mut body = completed_body("ORDER-1001");
        body["data"]["transactionStatus"] = json!(status);
        let reply = response_to_status(&body.to_string());
        rows.same(status, &reply["derived"]["completed"], &json!(completed));
        rows.same(status, &reply["data"]["transactionStatus"], &json!(status));
    }
    rows.end();
}

#[test]
fn a_date_in_the_documented_format_is_returned_in_iso_8601() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    let table: &[(&str, Option<&str>)] = &[
        ("11/21/2026 02:05:06 PM", Some("2026-11-21T14:05:06")),
        ("01/01/2026 12:00:00 AM", Some("2026-01-01T00:00:00")),
        ("01/01/2026 12:59:59 AM", Some("2026-01-01T00:59:59")),
        ("01/01/2026 12:00:00 PM", Some("2026-01-01T12:00:00")),
        ("12/31/2026 11:59:59 PM", Some("2026-12-31T23:59:59")),
        ("12/31/2026 01:00:00 AM", Some("2026-12-31T01:00:00")),
        ("02/29/2024 10:00:00 AM", Some("2024-02-29T10:00:00")),
        ("02/29/2000 10:00:00 AM", Some("2000-02-29T10:00:00")),
        ("02/29/2026 10:00:00 AM", None),
        ("02/29/2100 10:00:00 AM", None),
        ("02/30/2026 10:00:00 AM", None),
        ("04/31/2026 10:00:00 AM", None),
        ("13/01/2026 10:00:00 AM", None),
        ("00/10/2026 10:00:00 AM", None),
        ("10/00/2026 10:00:00 AM", None),
        ("10/32/2026 10:00:00 AM", None),
        ("21/11/2026 10:00:00 AM", None),
        ("11/21/2026 00:05:06 AM", None),
        ("11/21/2026 13:05:06 PM", None),
        ("11/21/2026 14:05:06", None),
        ("11/21/2026 02:60:06 PM", None),
        ("11/21/2026 02:05:60 PM", None),
        ("11/21/2026 02:05:61 PM", None),
        ("11/21/2026 02:05 PM", None),
        ("11/21/2026", None),
        ("11/21/26 02:05:06 PM", None),
        ("1/2/2026 2:05:06 PM", None),
        ("11-21-2026 02:05:06 PM", None),
        ("2026-11-21T14:05:06", None),
        ("11/21/2026 02:05:06 XM", None),
        ("11/21/2026 02:05:06 PM ", None),
        ("11/21/2026 02:05:06 PM IST", None),
        (" 11/21/2026 02:05:06 PM", None),
        ("11/21/2026  02:05:06 PM", None),
        ("+1/21/2026 02:05:06 PM", None),
        ("11/21/2026 02:05:-6 PM", None),
        ("１１/21/2026 02:05:06 PM", None),
        ("yesterday", None),
        ("", None),
    ];
    for (text, iso) in table {
        let mut body = completed_body("ORDER-1001");
        body["data"]["transactionDate"] = json!(text);
        service.set_script([respond(http(200, &body.to_string()))]);
        let reply = client.status(&query()).done();
        rows.same(text, &reply["derived"]["transactionDate"], &json!(iso));
        rows.same(text, &reply["data"]["transactionDate"], &json!(text));
    }
    rows.end();
}

/// Fields with numbers that no float can hold, and texts with escapes.
const UNKNOWN: &str = "\"traceId\":12345678901234567890.1230,\"huge\":1e400,\"deep\":{\"a\":[1,2.50,{\"b\":null}],\"c\":-0.0},\
                       \"text\":\"\\u00e9\\/\\ud83e\\uddfe \\\"q\\\"\",\"flag\":true,\"nothing\":null";

fn check_unchanged(reply: &Reply, path: &[&str]) {
    let at = |key: &str| {
        let path: Vec<&str> = path.iter().copied().chain([key]).collect();
        raw_at(reply.text(), &path).unwrap_or_else(|| panic!("no {path:?} in {}", reply.text()))
    };
    assert_eq!(at("traceId"), "12345678901234567890.1230");
    assert_eq!(at("huge"), "1e400");
    assert_eq!(
        at("deep").replace(' ', ""),
        "{\"a\":[1,2.50,{\"b\":null}],\"c\":-0.0}"
    );
    assert_eq!(
        serde_json::from_str::<Value>(&at("text")).unwrap(),
        "é/🧾 \"q\""
    );
    assert_eq!(at("flag"), "true");
    assert_eq!(at("nothing"), "null");
}

#[test]
fn fields_that_this_version_does_not_know_are_kept_as_sent() {
    let body = format!(
        "{{{UNKNOWN},\"responseCode\":\"200\",\"responseMessage\":\"Success\",\"data\":{{\"url\":\"https://pay.example.com\",{UNKNOWN}}}}}"
    );
    let created = response_to_create(&body);
    check_unchanged(&created, &[]);
    check_unchanged(&created, &["data"]);
    let status = response_to_status(&body.replace("\"url\":", "\"checkoutUrl\":"));
    check_unchanged(&status, &[]);
    check_unchanged(&status, &["data"]);
    let data = |key: &str| raw_at(status.text(), &["data", key]).expect("the field exists");
    assert_eq!(data("checkoutUrl"), "\"https://pay.example.com\"");
    assert_eq!(data("orderId"), "\"\"");
}

#[test]
fn an_unknown_key_that_is_there_twice_hides_neither_a_checkout_url_nor_a_payment() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let twice = |object: &str| object.replacen('{', r#"{"new":{"a":1,"a":2},"new":2,"#, 1);
    let data = twice(r#"{"url":"https://pay.example.com/c/1"}"#);
    let body = twice(&format!(r#"{{"responseCode":"200","data":{data}}}"#));
    service.set_script([respond(http(200, &body))]);
    let made = client.create(&order()).done();
    let url = json_get(made.text(), "/data/url");
    assert_eq!(url.text(), "https://pay.example.com/c/1");

    let paid = completed_body("ORDER-1001");
    let data = twice(&paid["data"].to_string());
    let body = twice(&format!(r#"{{"responseCode":"200","data":{data}}}"#));
    service.set_script([respond(http(200, &body))]);
    let status = client.status(&query()).done();
    let amount = &paid["data"]["amount"];
    let expected = json!({"orderId": "ORDER-1001", "amount": amount}).to_string();
    for status in [status.text(), body.as_str()] {
        let verdict = verify_payment(&expected, status).done();
        assert_eq!(verdict["paid"], true, "{}", verdict.text());
    }
    // A key that is read must be there once, or the answer contradicts itself.
    for (body, code) in [
        (body.replace(r#""amount""#, r#""amount":"1","amount""#), 1),
        (body.replace(r#""data""#, r#""data":{},"data""#), 1),
    ] {
        assert_eq!(verify_payment(&expected, &body).code, code, "{body}");
    }
    json_get(made.text(), "/data/new").is(1);
    json_get(made.text(), "/new/a").is(1);
}
