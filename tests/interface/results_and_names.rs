//! Each result has a number, a name and an outcome, and the number's range decides the outcome. The
//! numbers are those of the committed description for machines.

use serde_json::Value;
use support::abi::{self, result_name};

#[test]
fn every_number_has_its_name_and_outcome_and_no_other_has_a_name() {
    let text = include_str!("../../include/payorder-abi.json");
    let description: Value = serde_json::from_str(text).expect("a description");
    let results = description["results"].as_array().expect("results");
    let mut named = 0;
    for number in (-300..2000).chain([i32::MIN, i32::MAX, i32::MIN + 1, 65_536, 1 << 30]) {
        let listed = results.iter().find(|result| result["number"] == number);
        let name = listed.map_or("PAYORDER_UNRECOGNISED", |one| one["name"].as_str().unwrap());
        assert_eq!(result_name(number), name, "{number}");
        named += usize::from(listed.is_some());
        let outcome = match number {
            0 => 0,
            1..=99 => 1,
            100..=199 => 2,
            _ => 3,
        };
        assert_eq!(abi::payorder_result_outcome(number), outcome, "{number}");
    }
    assert_eq!(named, results.len());
    // The names are static.
    assert_eq!(
        abi::payorder_result_name(200),
        abi::payorder_result_name(200)
    );
    assert_eq!(abi::payorder_version(), abi::payorder_version());
}
