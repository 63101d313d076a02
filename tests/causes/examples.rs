//! The example error objects in include/payorder-abi.json: each is one that the library returned
//! here, without what is different in each run.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use serde_json::{Value, json};

/// The error objects that were returned, by cause and by the place of the case.
#[derive(Default)]
pub struct Examples(Mutex<BTreeMap<(String, usize), Value>>);

impl Examples {
    pub fn add(&self, cause: &str, place: usize, error: &Value) {
        let example = json!({"error": same_in_each_run(error)});
        let mut seen = self.0.lock().unwrap();
        seen.insert((cause.to_owned(), place), example);
    }

    /// The committed examples that the library does not return, and the causes without one.
    pub fn problems(self) -> Vec<String> {
        let seen = self.0.into_inner().unwrap();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/payorder-abi.json");
        let text = std::fs::read_to_string(&file).expect("a description");
        let (mut renewed, mut problems) = (String::new(), Vec::new());
        for line in text.split_inclusive('\n') {
            let entry = line.trim().trim_end_matches(',');
            // Each cause is a line.
            let mut cause = serde_json::from_str(entry).unwrap_or(Value::Null);
            if cause["steps"].is_null() {
                renewed += line;
                continue;
            }
            let name = cause["name"].as_str().expect("a name").to_owned();
            let returned = seen.iter().filter(|((of, _), _)| *of == name);
            let returned: Vec<&Value> = returned.map(|(_, example)| example).collect();
            let committed = &cause["example"];
            let error = &committed["error"];
            let results = cause["results"].as_array().expect("results");
            let exceptions = cause["exceptions"].as_array().expect("exceptions");
            let actions = exceptions.iter().map(|exception| &exception["action"]);
            let fits = error["cause"] == name
                && results.contains(&error["result"])
                && actions
                    .chain([&cause["action"]])
                    .any(|one| *one == error["action"]);
            if !fits || !returned.is_empty() && !returned.contains(&committed) {
                problems.push(format!(
                    "the example of {name} is not what the library returns; renew it with \
                     PAYORDER_RENEW_EXAMPLES=1: {committed}"
                ));
            }
            // After an unknown outcome of an order there is most to say.
            let chosen = returned.into_iter().min_by_key(|example| {
                let error = &example["error"];
                let is_order = error["operation"] == "create_order";
                Reverse((is_order, error["result"].as_i64()))
            });
            if let Some(example) = chosen {
                cause["example"] = example.clone();
            }
            renewed += &line.replace(entry, &cause.to_string());
        }
        if std::env::var_os("PAYORDER_RENEW_EXAMPLES").is_some() {
            std::fs::write(&file, renewed).expect("the file can be written");
        }
        problems
    }
}

/// The object with fixed hosts, paths, times and durations.
fn same_in_each_run(value: &Value) -> Value {
    let elapsed = match value["cause"].as_str() {
        Some("response_timed_out") => 30_001,
        Some(cause) if cause.ends_with("timed_out") => 10_001,
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
    let folder = std::env::temp_dir().join("payorder-test-");
    let (service, order) = ("pay.example.com", "O-1001");
    let mut text = text.to_owned();
    for (start, instead) in [
        ("the proxy localhost:", "the proxy proxy.example:8080"),
        ("localhost:", service),
        ("127.0.0.1:", service),
        ("255.255.255.255:", service),
        // The order ids of a wire fault are counted.
        ("W-", order),
    ] {
        text = replaced(&text, start, |letter| letter.is_ascii_digit(), instead);
    }
    let folder = folder.to_string_lossy();
    text = replaced(
        &text,
        &folder,
        |letter| letter != ' ',
        "/var/lib/till/orders.db",
    );
    for name in ["unknown", "failing", "crowded", "starved", "slow"] {
        text = text.replace(&format!("{name}.invalid"), service);
    }
    text = text.replace("(tried 127.0.0.1)", "(tried 203.0.113.7)");
    text = text.replace("ORDER-1001", order);
    text = text.replace("within 400 ms", "within 30000 ms");
    with_fixed_times(text)
}

/// Replaces each `start` with the characters of `rest` after it.
fn replaced(text: &str, start: &str, rest: fn(char) -> bool, instead: &str) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |made, part| {
        made + instead + part.trim_start_matches(rest)
    })
}

/// Replaces each time in UTC, such as 2026-11-21T14:05:06.789Z.
fn with_fixed_times(mut text: String) -> String {
    const TIME: &str = "2026-11-21T21:04:05.678Z";
    let shape = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "0");
    for at in 0..text.len() {
        let part = text.get(at..at + TIME.len());
        if part.is_some_and(|part| shape(part) == shape(TIME)) {
            text.replace_range(at..at + TIME.len(), TIME);
        }
    }
    text
}
