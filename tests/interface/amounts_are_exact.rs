//! Amounts are compared as decimals, to the last digit, without floating point.
//! `tests/differential` compares thousands of them with Python's `decimal`.

use serde_json::json;
use support::abi::verify_payment;
use support::responses::completed_body;
use support::rows::Rows;
use support::table;

/// Whether an expected amount and one in a response (as JSON text) count as equal.
fn equal(expected: &str, actual_json: &str) -> bool {
    let expected = json!({"orderId": "ORDER-1001", "amount": expected}).to_string();
    let status = completed_body("ORDER-1001").to_string();
    let status = status.replace("\"100.10\"", actual_json);
    let reply = verify_payment(&expected, &status).done();
    let paid = reply["paid"] == true;
    let reasons = reply["reasons"].as_array().unwrap();
    assert!(
        paid == reasons.is_empty() && reasons.iter().all(|reason| reason["check"] == "amount"),
        "{}",
        reply.text()
    );
    paid
}

#[test]
fn an_amount_of_any_length_is_compared_to_its_last_digit() {
    let nines = "9".repeat(400);
    let almost = format!("{}8", "9".repeat(399));
    let long = format!("1.{}", "0".repeat(5000));
    let longer = format!("{long}1");
    let mut rows = Rows::new();
    for (one, two, same) in table! {
        "100.00", "0100.0", true;
        "100.00", "1.00", false;
        &nines, &nines, true;
        &nines, &almost, false;
        "1", &long, true;
        &long, "1", true;
        "1", &longer, false;
    } {
        let row = format!("{one:.40} = {two:.40}");
        rows.same(&row, equal(one, &format!("\"{two}\"")), same);
    }
    rows.end();
}

#[test]
fn an_amount_in_a_response_that_is_not_a_decimal_equals_nothing() {
    let mut rows = Rows::new();
    for actual in [
        r#""""#,
        r#"" ""#,
        r#""100\u0000""#,
        "null",
        "true",
        "[100]",
        "{}",
        "1e2",
    ] {
        rows.same(actual, equal("100", actual), false);
    }
    rows.end();
}

#[test]
fn an_amount_sent_as_a_number_is_read_by_its_text() {
    let mut rows = Rows::new();
    for (expected, actual, same) in [
        ("100.10", "100.10", true),
        ("100.1", "100.10", true),
        ("9007199254740993", "9007199254740993", true),
        ("9007199254740992", "9007199254740993", false),
        ("99999999999999999999.99", "99999999999999999999.99", true),
        ("1.1", "1.10000000000000008", false),
    ] {
        rows.same(actual, equal(expected, actual), same);
    }
    rows.end();
}
