//! Each result has a number, a name and an outcome, and the number's range decides the outcome.

use support::abi::{self, result_name};
use support::rows::Rows;

const RESULTS: [(i32, &str); 21] = [
    (0, "PAYORDER_OK"),
    (1, "PAYORDER_INVALID_ARGUMENT"),
    (2, "PAYORDER_INVALID_HANDLE"),
    (3, "PAYORDER_INVALID_CONFIG"),
    (4, "PAYORDER_INVALID_REQUEST"),
    (5, "PAYORDER_MISSING_CREDENTIALS"),
    (6, "PAYORDER_CONNECT_FAILED"),
    (7, "PAYORDER_TLS_FAILED"),
    (8, "PAYORDER_CANCELLED"),
    (10, "PAYORDER_JOURNAL_FAILED"),
    (11, "PAYORDER_INTERNAL"),
    (100, "PAYORDER_REJECTED"),
    (101, "PAYORDER_UNAUTHORIZED"),
    (102, "PAYORDER_RATE_LIMITED"),
    (200, "PAYORDER_TIMEOUT"),
    (201, "PAYORDER_CONNECTION_LOST"),
    (202, "PAYORDER_BAD_RESPONSE"),
    (203, "PAYORDER_SERVICE_FAILED"),
    (204, "PAYORDER_CANCELLED_IN_FLIGHT"),
    (205, "PAYORDER_INTERNAL_IN_FLIGHT"),
    (206, "PAYORDER_DUPLICATE"),
];

fn outcome(result: i32) -> i32 {
    abi::payorder_result_outcome(result)
}

#[test]
fn every_number_has_its_name_and_no_other_has_one() {
    let mut rows = Rows::new();
    for number in (-300..2000).chain([i32::MIN, i32::MAX, i32::MIN + 1, 65_536, 1 << 30]) {
        let listed = RESULTS.iter().find(|(result, _)| *result == number);
        let name = listed.map_or("PAYORDER_UNRECOGNISED", |(_, name)| name);
        rows.same(&number.to_string(), result_name(number), name.to_owned());
    }
    rows.end();
}

#[test]
fn a_numbers_range_is_its_outcome() {
    let mut rows = Rows::new();
    for number in (-300..2000).chain([i32::MIN, i32::MAX]) {
        let expected = match number {
            0 => 0,
            1..=99 => 1,
            100..=199 => 2,
            _ => 3,
        };
        rows.same(&number.to_string(), outcome(number), expected);
    }
    rows.end();
}

#[test]
fn the_library_reports_its_version() {
    assert_eq!(abi::version(), "0.1.0");
    assert_eq!(abi::version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(abi::payorder_abi_version(), 1);
}

#[test]
fn names_and_the_version_are_static() {
    assert_eq!(abi::payorder_version(), abi::payorder_version());
    assert_eq!(
        abi::payorder_result_name(200),
        abi::payorder_result_name(200)
    );
}
