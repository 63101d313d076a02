//! The first thing a C or C++ program needs: a library that exports the interface.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

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

#[test]
fn the_shared_library_exports_the_functions_of_the_interface_and_nothing_else() {
    let Some(nm) = built::tool("NM", &["nm"], "what the shared library exports") else {
        return;
    };
    let output = Command::new(nm)
        .args(["-D", "--defined-only", "--format=posix"])
        .arg(built::library())
        .output()
        .expect("nm runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    let symbols = String::from_utf8(output.stdout).expect("symbol names are ASCII");
    let exported: BTreeSet<String> = symbols
        .lines()
        .filter_map(|line| Some(line.split([' ', '@']).next()?.to_owned()))
        .collect();
    assert!(exported.len() >= 41, "{exported:?}");
    assert_eq!(exported, functions());
}
