//! A verification says paid, or lists every reason why not.

use serde_json::{Value, json};
use support::abi::{Reply, verify_payment};
use support::orders::{with, without};
use support::responses::completed_body;
use support::rows::Rows;
use support::table;

const INVALID_ARGUMENT: i32 = 1;
const INVALID_REQUEST: i32 = 4;

fn expected() -> Value {
    json!({"orderId": "ORDER-1001", "amount": "100.10"})
}

fn verify(expected: &Value, status: &Value) -> Reply {
    verify_payment(&expected.to_string(), &status.to_string())
}

fn status_with(field: &str, value: impl Into<Value>) -> Value {
    let mut status = completed_body("ORDER-1001");
    status["data"][field] = value.into();
    status
}

#[test]
fn each_failed_check_is_a_reason_with_expected_and_actual() {
    let by_transaction = with(&expected(), "transactionId", "T-900");
    let reason = |check: &str, expected: &str, actual: &str| json!([{"check": check, "expected": expected, "actual": actual}]);
    let good = completed_body("ORDER-1001");
    let table = table! {
        "amount", verify(&expected(), &status_with("amount", "1.00")),
            reason("amount", "100.10", "1.00");
        "orderId", verify(&expected(), &status_with("orderId", "ORDER-2")),
            reason("orderId", "ORDER-1001", "ORDER-2");
        "orderId's case", verify(&expected(), &status_with("orderId", "order-1001")),
            reason("orderId", "ORDER-1001", "order-1001");
        "no orderId", verify(&expected(), &status_with("orderId", "")),
            reason("orderId", "ORDER-1001", "");
        "pending", verify(&expected(), &status_with("transactionStatus", "Pending")),
            reason("transactionStatus", "Completed", "Pending");
        "completed", verify(&expected(), &status_with("transactionStatus", "completed")),
            reason("transactionStatus", "Completed", "completed");
        "no status", verify(&expected(), &status_with("transactionStatus", "")),
            reason("transactionStatus", "Completed", "");
        "refunded", verify(&expected(), &status_with("refundStatus", "Refunded")),
            reason("refundStatus", "", "Refunded");
        "a blank refund", verify(&expected(), &status_with("refundStatus", " ")),
            reason("refundStatus", "", " ");
        "a refund's type alone", verify(&expected(), &status_with("refundType", "Full")),
            reason("refundType", "", "Full");
        "transactionId", verify(&by_transaction, &status_with("transactionId", "T-1")),
            reason("transactionId", "T-900", "T-1");
        "no transactionId", verify(&by_transaction, &status_with("transactionId", "")),
            reason("transactionId", "T-900", "");
        "responseCode", verify(&expected(), &with(&good, "responseCode", "404")),
            reason("responseCode", "200", "404");
        "a padded code", verify(&expected(), &with(&good, "responseCode", "0200")),
            reason("responseCode", "200", "0200");
    };
    let mut rows = Rows::new();
    for (row, reply, reasons) in table {
        rows.code(row, &reply, 0);
        rows.same(row, &reply["paid"], &json!(false));
        rows.same(row, &reply["reasons"], &reasons);
        rows.same(
            row,
            &reply["unverifiable"],
            &json!(["currencyCode", "merchantId"]),
        );
    }
    rows.end();
}

#[test]
fn a_status_without_the_needed_fields_is_not_paid() {
    let mut rows = Rows::new();
    let good = completed_body("ORDER-1001");
    let without_data = |field: &str| {
        let mut status = good.clone();
        status["data"].as_object_mut().unwrap().remove(field);
        status
    };
    let statuses = table! {
        "an empty object", json!({});
        "no data", without(&good, "data");
        "data is null", with(&good, "data", json!(null));
        "no responseCode", without(&good, "responseCode");
        "responseCode is null", with(&good, "responseCode", json!(null));
        "no orderId", without_data("orderId");
        "no amount", without_data("amount");
        "no transactionStatus", without_data("transactionStatus");
        "amount is null", status_with("amount", json!(null));
        "amount is an array", status_with("amount", json!(["100.10"]));
        "status is true", status_with("transactionStatus", json!(true));
        "an order's creation",
            json!({"responseCode": "200", "responseMessage": "Success",
                "data": {"url": "https://pay.example.com"}});
        "an error", json!({"error": {"result": 200, "name": "PAYORDER_TIMEOUT"}});
    };
    for (row, status) in statuses {
        let reply = verify(&expected(), &status);
        rows.holds(
            row,
            reply.json.get("paid") != Some(&json!(true)),
            reply.text(),
        );
        let listed = reply.code != 0
            || reply["reasons"]
                .as_array()
                .is_some_and(|reasons| !reasons.is_empty());
        rows.holds(row, listed, reply.text());
    }
    let no_refund = without_data("refundStatus");
    rows.same(
        "a missing refundStatus counts as empty",
        &verify(&expected(), &no_refund)["paid"],
        &json!(true),
    );
    rows.end();
}

#[test]
fn an_invalid_expectation_is_a_violation() {
    let good = expected();
    let table = table! {
        json!({}), vec!["orderId: required", "amount: required"];
        without(&good, "amount"), vec!["amount: required"];
        with(&good, "amount", json!(100.10)), vec!["amount: type"];
        with(&good, "amount", ""), vec!["amount: blank"];
        with(&good, "amount", "1e2"), vec!["amount: decimal"];
        with(&good, "amount", "-1"), vec!["amount: decimal"];
        with(&good, "orderId", json!(null)), vec!["orderId: type"];
        with(&good, "orderId", " "), vec!["orderId: blank"];
        with(&good, "transactionId", ""), vec!["transactionId: blank"];
        with(&good, "transactionId", json!(7)), vec!["transactionId: type"];
        with(&good, "currencyCode", "INR"), vec!["currencyCode: unknown_field"];
    };
    let mut rows = Rows::new();
    for (expected, violations) in table {
        let reply = verify(&expected, &completed_body("ORDER-1001"));
        let mut listed = reply.violations();
        listed.sort();
        let mut violations: Vec<_> = violations.into_iter().map(str::to_owned).collect();
        violations.sort();
        rows.same(
            &expected.to_string(),
            (reply.code, listed),
            (INVALID_REQUEST, violations),
        );
    }
    rows.end();
}

#[test]
fn a_field_that_is_there_twice_is_an_invalid_argument() {
    let (good, status) = (
        expected().to_string(),
        completed_body("ORDER-1001").to_string(),
    );
    let mut rows = Rows::new();
    for (broken, said) in [
        ("[]", "the status is not a JSON object"),
        ("{", "ends too early to be JSON"),
    ] {
        let reply = verify_payment(&good, broken);
        rows.says(broken, &reply, said);
    }
    let twice = good.replacen('{', "{\"amount\":\"100.10\",", 1);
    rows.same(
        "a duplicate key",
        verify_payment(&twice, &status).code,
        INVALID_ARGUMENT,
    );
    for field in [
        "orderId",
        "transactionId",
        "amount",
        "transactionStatus",
        "refundStatus",
    ] {
        let start = "\"data\":{";
        let twice = status.replacen(start, &format!("{start}\"{field}\":\"x\","), 1);
        assert_ne!(twice, status);
        rows.same(
            &format!("a status with {field} twice"),
            verify_payment(&good, &twice).code,
            INVALID_ARGUMENT,
        );
    }
    rows.end();
}

#[test]
fn a_status_of_up_to_16_mib_is_read() {
    let status = completed_body("ORDER-1001").to_string();
    let padded = format!("{status}{}", " ".repeat((16 << 20) - status.len()));
    let expected = expected().to_string();
    assert_eq!(verify_payment(&expected, &padded).done()["paid"], true);
}
