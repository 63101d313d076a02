//! Amounts are compared as decimals, to the last digit, without floating point.

use serde_json::json;
use support::abi::verify_payment;
use support::responses::completed_body;
use support::rows::Rows;

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
fn equal_decimals_are_equal_in_every_notation() {
    let nines = "9".repeat(400);
    let long = format!("1.{}", "0".repeat(5000));
    let pairs = [
        ("100", "100"),
        ("100", "100.00"),
        ("100.00", "100"),
        ("100", "0100.0"),
        ("0100.0", "100"),
        ("1.0", "1.00000000"),
        ("000001", "1"),
        ("100.10", "100.1"),
        ("99999999999999999999.99", "99999999999999999999.990"),
        (
            "1.0000000000000000000000000001",
            "01.00000000000000000000000000010",
        ),
        (nines.as_str(), nines.as_str()),
        ("1", long.as_str()),
        (long.as_str(), "1"),
    ];
    let mut rows = Rows::new();
    for (one, two) in pairs {
        rows.same(
            &format!("{one:.40} = {two:.40}"),
            equal(one, &format!("\"{two}\"")),
            true,
        );
    }
    rows.end();
}

#[test]
fn decimals_that_differ_in_any_digit_are_not_equal() {
    let nines = "9".repeat(400);
    let almost = format!("{}8", "9".repeat(399));
    let pairs = [
        ("100.00", "1.00"),
        ("100", "1000"),
        ("100", "10"),
        ("100.10", "100.01"),
        ("100.1", "100.11"),
        ("1", "1.00000000000000000000000000000001"),
        ("99999999999999999999.99", "99999999999999999999.98"),
        ("9007199254740993", "9007199254740992"),
        ("1.1", "1.10000000000000008"),
        (nines.as_str(), almost.as_str()),
        ("10", "1"),
        ("1.5", "15"),
        ("100", "0"),
        ("2", "1.99999999999999999999999999"),
    ];
    let mut rows = Rows::new();
    for (one, two) in pairs {
        rows.same(
            &format!("{one:.40} = {two:.40}"),
            equal(one, &format!("\"{two}\"")),
            false,
        );
    }
    rows.end();
}

#[test]
fn an_amount_in_a_response_that_is_not_a_decimal_equals_nothing() {
    let mut rows = Rows::new();
    for actual in [
        "",
        " ",
        "100.",
        ".1",
        "+100",
        "-100",
        "1e2",
        " 100",
        "100 ",
        "1,00",
        "100,00",
        "₹100",
        "NaN",
        "0x64",
        "１００",
        "100.0.0",
        "100\\u0000",
        "inf",
    ] {
        rows.same(actual, equal("100", &format!("\"{actual}\"")), false);
    }
    for actual in ["null", "true", "[100]", "{}", "1e2"] {
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
