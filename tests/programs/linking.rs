//! The functions that a C or C++ program links with. `tests/packaging/cmake.sh` compares them with
//! what the installed library exports.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use support::built;

/// The functions of the interface. `tests/header` compares the description with the source.
pub fn functions() -> BTreeSet<String> {
    let text = fs::read_to_string(built::project().join("include/payorder-abi.json"));
    let description: Value = serde_json::from_str(&text.expect("the description")).expect("JSON");
    let functions = description["functions"]
        .as_array()
        .expect("functions")
        .iter();
    functions
        .map(|function| function["name"].as_str().expect("a name").to_owned())
        .collect()
}
