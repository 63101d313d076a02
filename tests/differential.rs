//! Amounts, return URLs and JSON are read as Python's `decimal`, `urllib.parse` and `json` read
//! them, and HTTP as ureq reads it, except where docs/abi.md says otherwise. `differential/cases.py`
//! generates the cases for Python from a seed, which `PAYORDER_SEED` can set.

#[path = "differential/http.rs"]
mod http;

use std::collections::BTreeMap;
use std::process::Command;
use support::built;

use serde_json::Value;
use support::abi::{self, Reply};
use support::trials::trials;

const SEED: u64 = 20_261_121;
/// Cases of each kind, in `cargo test` and in CI.
const COUNTS: [usize; 2] = [2_000, 4_000];

#[test]
fn texts_are_read_as_in_python() {
    let Some(python) = built::python("the comparison with Python's decimal, urllib and json")
    else {
        return;
    };
    let seed = std::env::var("PAYORDER_SEED").ok().map_or(SEED, |seed| {
        seed.parse().expect("PAYORDER_SEED is a whole number")
    });
    println!("seed {seed}");
    let each = trials(COUNTS[0], COUNTS[1]);
    let script = built::project().join("tests/differential/cases.py");
    let output = Command::new(python)
        .arg("-B")
        .arg(script)
        .args([seed.to_string(), each.to_string()])
        .output()
        .expect("Python runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    let cases = String::from_utf8(output.stdout).expect("Python writes ASCII");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut disagreements = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a case is a JSON object");
        let (call, reply, response) = ask(&case);
        *seen.entry(format!("{call}: {}", reply.code)).or_default() += 1;
        if case["result"] != reply.code || response != case["answer"] {
            disagreements.push(format!(
                "{line}\n    the library: {} {response}",
                reply.code
            ));
        }
    }
    println!("{seen:?}");
    let both = [
        "verify: 0",
        "verify: 4",
        "build: 0",
        "build: 4",
        "return_url: 0",
        "return_url: 4",
        "json_get: 0",
        "json_get: 1",
        "json_get: 4",
    ];
    for kind in both.into_iter().chain(["json_object: 0", "json_object: 1"]) {
        assert!(
            seen.get(kind).is_some_and(|count| *count > each / 50),
            "seed {seed} has too few cases of {kind}: {seen:?}"
        );
    }
    assert!(
        disagreements.is_empty(),
        "seed {seed}: {} disagreements with Python\n{}",
        disagreements.len(),
        disagreements.join("\n")
    );
}

/// The library's result for a case: the call, its reply, and the part to compare with Python's.
fn ask(case: &Value) -> (&str, Reply, Value) {
    let texts: Vec<&str> = case["texts"]
        .as_array()
        .expect("texts")
        .iter()
        .map(|text| text.as_str().expect("a text"))
        .collect();
    let call = case["call"].as_str().expect("a call");
    let reply = match (call, texts.as_slice()) {
        ("verify", [expected, status]) => abi::verify_payment(expected, status),
        ("build", [order]) => abi::build_create_order(order, None),
        ("return_url", [url]) => abi::parse_return_url(url),
        ("json_get", [json, pointer]) => abi::json_get(json, pointer),
        ("json_object", texts) => abi::json_object(texts),
        _ => panic!("unknown call: {case}"),
    };
    let response = match (call, reply.code) {
        ("verify", 0) => Value::from(if reply["paid"] == true {
            "paid"
        } else {
            "not paid"
        }),
        ("return_url", 0) => reply["transactionId"].clone(),
        // Python may escape differently, so the parsed objects are compared.
        ("json_object", 0) => reply.json.clone(),
        (_, 0) => Value::from(reply.text()),
        _ => Value::Null,
    };
    (call, reply, response)
}
