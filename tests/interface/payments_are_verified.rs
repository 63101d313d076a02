//! A verification says paid, or lists every reason why not. Amounts are compared as decimals, to
//! the last digit. `differential` compares thousands of them with Python's `decimal`.

use serde_json::{Value, json};
use support::abi::{Client, Reply, verify_payment};
use support::orders::{config, query, with, without};
use support::responses::{completed, completed_body, http, status_body};
use support::result::INVALID_ARGUMENT;
use support::rows::Rows;
use support::service::{Service, respond};
use support::table;

fn expected() -> Value {
    json!({"orderId": "ORDER-1001", "amount": "100.10"})
}

fn verify(expected: &Value, status: &Value) -> Reply {
    verify_payment(&expected.to_string(), &status.to_string())
}

fn status_with(field: &str, value: impl Into<Value>) -> Value {
    status_body("ORDER-1001", &json!({field: value.into()}))
}

/// Whether an expected amount and one in a response (as JSON) count as equal.
fn equal(expected: &str, actual: &str) -> bool {
    let expected = json!({"orderId": "ORDER-1001", "amount": expected}).to_string();
    let status = completed_body("ORDER-1001").to_string();
    let reply = verify_payment(&expected, &status.replace("\"100.10\"", actual)).done();
    let reasons = reply["reasons"].as_array().expect("reasons");
    let others = reasons.iter().any(|reason| reason["check"] != "amount");
    assert!(
        !others && reply["paid"] == reasons.is_empty(),
        "{}",
        reply.text()
    );
    reasons.is_empty()
}

#[test]
fn an_amount_is_compared_to_its_last_digit_and_a_number_by_its_text() {
    let nines = "9".repeat(400);
    let almost = format!("\"{}8\"", "9".repeat(399));
    let long = format!("\"1.{}\"", "0".repeat(5000));
    let longer = long.replace("0\"", "1\"");
    let mut rows = Rows::new();
    for (expected, actual, same) in table! {
        "100.00", r#""0100.0""#, true;
        &nines, &almost, false;
        "1", &long, true;
        "1", &longer, false;
        "100.1", "100.10", true;
        "9007199254740992", "9007199254740993", false;
        "1.1", "1.10000000000000008", false;
        "100", "1e2", false;
        "100", r#""100\u0000""#, false;
        "100", r#""""#, false;
        "100", "null", false;
    } {
        rows.same(
            &format!("{expected:.40} and {actual:.40}"),
            equal(expected, actual),
            same,
        );
    }
    rows.end();
}

/// The conformance suite has a reason of each check with what was expected.
#[test]
fn what_is_not_exactly_as_expected_is_a_reason() {
    let by_transaction = with(&expected(), "transactionId", "T-900");
    let good = completed_body("ORDER-1001");
    let mut rows = Rows::new();
    for (expected, check, status) in table! {
        expected(), "orderId", status_with("orderId", "order-1001");
        expected(), "orderId", status_with("orderId", "");
        expected(), "transactionStatus", status_with("transactionStatus", "completed");
        expected(), "transactionStatus", status_with("transactionStatus", "");
        expected(), "transactionStatus", status_with("transactionStatus", true);
        expected(), "refundStatus", status_with("refundStatus", " ");
        expected(), "refundType", status_with("refundType", "Full");
        by_transaction, "transactionId", status_with("transactionId", "");
        expected(), "responseCode", with(&good, "responseCode", "404");
        expected(), "responseCode", with(&good, "responseCode", "0200");
        expected(), "responseCode", with(&good, "responseCode", json!(null));
        expected(), "responseCode", without(&good, "responseCode");
    } {
        let reply = verify(&expected, &status).done();
        rows.same(check, &reply["paid"], &json!(false));
        rows.same(check, reply["reasons"].as_array().map(Vec::len), Some(1));
        rows.same(check, &reply["reasons"][0]["check"], &json!(check));
    }
    rows.end();
}

#[test]
fn a_payment_long_before_the_sale_is_another_sales() {
    let mut rows = Rows::new();
    for (began, date, check) in table! {
        "2026-11-21T14:05:06Z", "11/20/2026 12:05:06 PM", Value::Null;
        "2026-11-21T14:05:06.5Z", "11/20/2026 12:05:05 PM", json!("transactionDate");
        "2026-11-21T19:35:06+05:30", "11/20/2026 12:05:06 PM", Value::Null;
        "2026-11-21T19:35:06+05:30", "11/20/2026 12:05:05 PM", json!("transactionDate");
        "2026-03-01T01:00:00Z", "02/28/2026 12:30:00 AM", Value::Null;
        "2026-11-21T14:05:06Z", "11/22/2026 02:05:06 PM", Value::Null;
        "2026-11-21T14:05:06Z", "10/21/2026 02:05:06 PM", json!("transactionDate");
    } {
        let given = with(&expected(), "notBefore", began);
        let reply = verify(&given, &status_with("transactionDate", date)).done();
        let row = format!("{began} {date}");
        rows.same(&row, &reply["paid"], &json!(check.is_null()));
        rows.same(&row, &reply["reasons"][0]["check"], &check);
        rows.same(&row, &reply["unverifiable"][2], &Value::Null);
    }
    let given = with(&expected(), "notBefore", "2026-11-21T14:05:06Z");
    for date in ["", "2026-11-21T14:05:06Z", "21/11/2026 02:05:06 PM"] {
        let reply = verify(&given, &status_with("transactionDate", date)).done();
        rows.same(date, &reply["paid"], &json!(true));
        rows.same(date, &reply["unverifiable"][2], &json!("transactionDate"));
    }
    for wrong in [
        "",
        "today",
        "2026-11-21",
        "2026-11-21T14:05:06",
        "2026-02-30T00:00:00Z",
    ] {
        let reply = verify(&with(&expected(), "notBefore", wrong), &json!({}));
        rows.code(wrong, &reply, 4);
        rows.same(
            wrong,
            &reply.error()["violations"][0]["field"],
            &json!("notBefore"),
        );
    }
    rows.end();
}

#[test]
fn a_status_without_the_needed_fields_is_not_paid() {
    let mut rows = Rows::new();
    let good = completed_body("ORDER-1001");
    let without_data = |field: &str| with(&good, "data", without(&good["data"], field));
    let url = json!({"url": "https://pay.example.com"});
    for status in [
        json!({}),
        without(&good, "data"),
        with(&good, "data", json!(null)),
        with(&good, "data", url),
        without_data("orderId"),
        without_data("amount"),
        without_data("transactionStatus"),
        json!({"error": "Not Found", "status": 404}),
        json!({"error": {"name": "NotFound"}}),
        json!({"responseCode": "404", "final": true}),
    ] {
        let reply = verify(&expected(), &status).done();
        let row = status.to_string();
        rows.same(&row, &reply["paid"], &json!(false));
        rows.holds(&row, reply["reasons"][0].is_object(), reply.text());
    }
    rows.end();
    let no_refund = verify(&expected(), &without_data("refundStatus"));
    assert_eq!(no_refund["paid"], true, "{}", no_refund.text());
}

#[test]
fn an_invalid_expectation_is_a_violation() {
    let good = expected();
    let mut rows = Rows::new();
    for (expected, violations) in table! {
        json!({}), "orderId: required, amount: required";
        without(&good, "amount"), "amount: required";
        with(&good, "amount", json!(100.10)), "amount: type";
        with(&good, "amount", ""), "amount: blank";
        with(&good, "amount", "1e2"), "amount: decimal";
        with(&good, "orderId", json!(null)), "orderId: type";
        with(&good, "orderId", " "), "orderId: blank";
        with(&good, "transactionId", ""), "transactionId: blank";
        with(&good, "transactionId", json!(7)), "transactionId: type";
        with(&good, "currencyCode", "INR"), "currencyCode: unknown_field";
    } {
        let reply = verify(&expected, &completed_body("ORDER-1001"));
        let row = expected.to_string();
        rows.code(&row, &reply, 4);
        rows.same(&row, reply.violations().join(", "), violations.to_owned());
    }
    rows.end();
}

#[test]
fn a_field_that_is_there_twice_is_an_invalid_argument() {
    let status = completed_body("ORDER-1001").to_string();
    for field in "orderId transactionId amount transactionStatus refundStatus".split(' ') {
        let twice = format!("\"data\":{{\"{field}\":\"x\",");
        let twice = status.replacen("\"data\":{", &twice, 1);
        verify_payment(&expected().to_string(), &twice).is(INVALID_ARGUMENT);
    }
}

/// Otherwise a paid order would look like one that is not.
#[test]
fn the_result_of_a_wait_or_an_error_is_an_invalid_argument() {
    let service = Service::start([respond(completed("ORDER-1001")), respond(http(500, "{}"))]);
    let client = Client::new(&config(&service.url()));
    let seen = client.wait(&query(), &json!({})).done();
    let unseen = client.wait(&query(), &json!({"waitMs": 100})).done();
    assert!(unseen["status"].is_null(), "{}", unseen.text());
    for waited in [&seen, &unseen] {
        verify_payment(&expected().to_string(), waited.text())
            .is(INVALID_ARGUMENT)
            .says("the result of a wait");
    }
    let error = client.status(&query());
    verify_payment(&expected().to_string(), error.text())
        .is(INVALID_ARGUMENT)
        .says("an error of this library");
    let mut named_so = completed_body("ORDER-1001");
    named_so["final"] = true.into();
    named_so["error"] = json!({"name": "PAYORDER_TIMEOUT"});
    assert_eq!(verify(&expected(), &named_so).done()["paid"], true);
}
