//! An example error object for each cause: one that the library returned here, without what is
//! different in each run. `tests/header` puts them into the description for machines.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;

use serde_json::{Value, json};

/// The error objects that were returned, by cause and by the place of the case.
#[derive(Default)]
pub struct Examples(Mutex<BTreeMap<(String, usize), Value>>);

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/causes/examples.json")
}

impl Examples {
    pub fn add(&self, cause: &str, place: usize, error: &Value) {
        let example = json!({"error": same_in_each_run(error)});
        let mut seen = self.0.lock().unwrap();
        seen.insert((cause.to_owned(), place), example);
    }

    /// The committed examples that the library does not return, and the causes without one.
    pub fn problems(self, causes: &BTreeSet<String>) -> Vec<String> {
        let seen = self.0.into_inner().unwrap();
        let text = std::fs::read_to_string(file()).unwrap_or_default();
        let mut committed: BTreeMap<String, Value> =
            serde_json::from_str(&text).unwrap_or_default();
        if std::env::var_os("PAYORDER_RENEW_EXAMPLES").is_some() {
            for cause in causes {
                let returned = seen.iter().filter(|((of, _), _)| of == cause);
                // After an unknown outcome of an order there is most to say.
                let chosen = returned.min_by_key(|(_, example)| {
                    let error = &example["error"];
                    let is_order = error["operation"] == "create_order";
                    Reverse((is_order, error["result"].as_i64()))
                });
                if let Some((_, example)) = chosen {
                    committed.insert(cause.clone(), example.clone());
                }
            }
            let lines: Vec<String> = committed
                .iter()
                .map(|(cause, example)| format!("{}: {example}", json!(cause)))
                .collect();
            let text = format!("{{\n{}\n}}\n", lines.join(",\n"));
            std::fs::write(file(), text).expect("the file can be written");
        }
        let mut problems = Vec::new();
        for cause in causes {
            let mut returned = seen.iter().filter(|((of, _), _)| of == cause).peekable();
            match committed.get(cause) {
                None => problems.push(format!("{cause} has no example")),
                Some(_) if returned.peek().is_none() => {}
                Some(example) if returned.any(|(_, seen)| seen == example) => {}
                Some(example) => problems.push(format!(
                    "the example of {cause} is not what the library returns; renew it with \
                     PAYORDER_RENEW_EXAMPLES=1: {example}"
                )),
            }
        }
        problems
    }
}

/// The object with fixed hosts, paths, times and durations.
fn same_in_each_run(value: &Value) -> Value {
    let elapsed = match &value["cause"] {
        Value::String(cause) if cause == "response_timed_out" => 30_001,
        Value::String(cause) if cause.ends_with("timed_out") => 10_001,
        _ => 12,
    };
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| match key.as_str() {
                "elapsedMs" => (key.clone(), json!(elapsed)),
                _ => (key.clone(), same_in_each_run(value)),
            })
            .collect(),
        Value::Array(items) => items.iter().map(same_in_each_run).collect(),
        Value::String(text) => json!(fixed(text)),
        other => other.clone(),
    }
}

fn fixed(text: &str) -> String {
    let mut text = text.to_owned();
    let digit = |c: char| c.is_ascii_digit();
    let folder = std::env::temp_dir().join("payorder-test-");
    for (start, rest, instead) in [
        (
            "the proxy localhost:",
            &digit as &dyn Fn(char) -> bool,
            "the proxy proxy.example:8080",
        ),
        ("localhost:", &digit, "pay.example.com"),
        // The order ids of tests/wire_faults are counted.
        ("W-", &digit, "O-1001"),
        ("127.0.0.1:", &digit, "pay.example.com"),
        ("255.255.255.255:", &digit, "pay.example.com"),
        (
            &folder.to_string_lossy(),
            &|c| c != ' ',
            "/var/lib/till/orders.db",
        ),
    ] {
        text = replaced(&text, start, rest, instead);
    }
    for name in ["unknown", "failing", "crowded", "starved", "slow"] {
        text = text.replace(&format!("{name}.invalid"), "pay.example.com");
    }
    text = text.replace("ORDER-1001", "O-1001");
    text = text.replace("within 300 ms", "within 30000 ms");
    with_fixed_times(&text)
}

/// Replaces each `start` with the characters of `rest` after it.
fn replaced(text: &str, start: &str, rest: &dyn Fn(char) -> bool, instead: &str) -> String {
    let mut parts = text.split(start);
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        made += instead;
        made += part.trim_start_matches(rest);
    }
    made
}

/// Replaces each time in UTC, such as 2026-11-21T14:05:06.789Z.
fn with_fixed_times(text: &str) -> String {
    const TIME: &str = "2026-11-21T21:04:05.678Z";
    let is_time = |part: &str| {
        part.bytes()
            .zip(TIME.bytes())
            .all(|(byte, shape)| match shape {
                b'0'..=b'9' => byte.is_ascii_digit(),
                other => byte == other,
            })
    };
    let mut text = text.to_owned();
    for at in 0..text.len() {
        let found = text.get(at..at + TIME.len()).is_some_and(is_time);
        if found {
            text.replace_range(at..at + TIME.len(), TIME);
        }
    }
    text
}
