//! Amounts, return URLs and JSON are read as Python's `decimal`, `urllib.parse` and `json` read
//! them. `differential/cases.py` makes the cases from a seed, which `PAYORDER_SEED` can set.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};
use support::abi;
use support::built;
use support::trials::trials;

#[test]
fn texts_are_read_as_in_python() {
    let Some(python) = built::python("the comparison with Python's decimal, urllib and json")
    else {
        return;
    };
    let seed = std::env::var("PAYORDER_SEED").unwrap_or("20261121".into());
    let each = trials(2_000, 4_000);
    let output = Command::new(python)
        .arg("-B")
        .arg(built::project().join("tests/interface/differential/cases.py"))
        .args([&seed, &each.to_string()])
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", built::transcript(&output));

    let cases = String::from_utf8(output.stdout).expect("Python writes ASCII");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a case is a JSON array");
        let text = |index: usize| case[1][index].as_str().expect("a text");
        let call = case[0].as_str().expect("a call");
        let reply = match call {
            "verify" => abi::verify_payment(text(0), text(1)),
            "return_url" => abi::parse_return_url(text(0)),
            _ => abi::json_get(text(0), text(1)),
        };
        let answer = match (call, reply.code) {
            ("verify", 0) => reply["paid"].clone(),
            ("return_url", 0) => reply["transactionId"].clone(),
            (_, 0) => json!(reply.text()),
            _ => Value::Null,
        };
        *seen.entry(format!("{call}: {}", reply.code)).or_default() += 1;
        if case[2] != reply.code || case[3] != answer {
            wrong.push(format!("{line}\n    the library: {} {answer}", reply.code));
        }
    }
    let often = seen.values().filter(|count| **count > each / 50).count();
    assert_eq!(
        often, 6,
        "seed {seed}: each call often succeeds and fails: {seen:?}"
    );
    assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));
}
