//! What the sandbox answers, step by step: conversations.txt says how it is written.

use std::iter::Peekable;
use std::str::Lines;

use serde_json::Value;

use crate::wire::*;

struct Step {
    title: String,
    request: String,
    headers: Vec<String>,
    /// A status or "cut", then what else must hold.
    expected: Vec<String>,
}

/// A line with those that continue it, without comments.
fn next_line(lines: &mut Peekable<Lines<'_>>) -> Option<String> {
    let mut line = lines
        .find(|line| !line.is_empty() && !line.starts_with('#'))?
        .to_owned();
    while let Some(more) = lines.next_if(|line| line.starts_with("        ")) {
        line = line + " " + more.trim_start();
    }
    Some(line)
}

fn read(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut title = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = next_line(&mut lines) {
        if let Some(name) = line.strip_prefix("== ") {
            title = name.to_owned();
            continue;
        }
        let (before, after) = match line.trim_start().split_once("=> ") {
            Some((before, after)) => (before.to_owned(), after.to_owned()),
            None => (line.trim_start().to_owned(), String::new()),
        };
        if !line.starts_with(' ') {
            steps.push(Step {
                title: title.clone(),
                request: before.trim_end().to_owned(),
                headers: Vec::new(),
                expected: Vec::new(),
            });
        } else if let Some(header) = before.strip_prefix("> ") {
            steps
                .last_mut()
                .expect("a request")
                .headers
                .push(header.to_owned());
            continue;
        } else if after.is_empty() {
            steps.last_mut().expect("a request").expected.push(before);
        }
        if !after.is_empty() {
            let parts = after.splitn(2, ' ').map(str::to_owned);
            steps.last_mut().expect("a request").expected.extend(parts);
        }
    }
    steps
}

impl Step {
    fn text(&self, base_url: &str) -> String {
        let asked = self.request.replace("BASE", base_url);
        let (command, rest) = asked.split_once(' ').expect("a command");
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        let text = match command {
            "create" => {
                let changes = if second.is_empty() { "{}" } else { second };
                create(
                    first,
                    serde_json::from_str(changes).expect("changes in JSON"),
                )
            }
            "status" => status(first),
            "txn" => status_by(serde_json::json!({"searchType": "2", "transactionId": first})),
            "rule" => rule(rest),
            method if first == sandbox::GET_STATUS => {
                request(method, first, STATUS_HEADERS, second)
            }
            method if first == sandbox::CREATE_ORDER => {
                request(method, first, CREATE_HEADERS, second)
            }
            method => plain(method, first, second),
        };
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let mut fields: Vec<&str> = head.lines().collect();
        fields.retain(|field| {
            let name = field.split(':').next().unwrap_or_default();
            !self.headers.iter().any(|header| {
                let named = header.split(':').next().unwrap_or_default();
                named.eq_ignore_ascii_case(name)
            })
        });
        fields.extend(
            self.headers
                .iter()
                .filter(|header| header.contains(':'))
                .map(String::as_str),
        );
        fields.join("\r\n") + "\r\n\r\n" + body
    }

    /// What is wrong with the response.
    fn problems(&self, response: Option<&Response>, base_url: &str) -> Vec<String> {
        let mut expected = self.expected.iter();
        let first = expected.next().map_or("201", String::as_str);
        let came = response.map_or("cut".to_owned(), |response| response.status.to_string());
        if came != first {
            return vec![format!("{first} expected, {came} came")];
        }
        let Some(response) = response else {
            return Vec::new();
        };
        let body = response.body.replace(base_url, "BASE");
        let json = serde_json::from_str::<Value>(&body);
        let holds = |what: &&String| {
            let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
            let is = |expected: &str, whole| {
                let expected = serde_json::from_str(expected).expect("an expectation in JSON");
                json.as_ref().is_ok_and(|json| fits(json, &expected, whole))
            };
            match word {
                "says" => body.contains(rest),
                "not" => !body.contains(rest),
                "no" => json.is_err(),
                "exactly" => is(rest, true),
                _ if word.starts_with('{') => is(what, false),
                name => {
                    let value = response.header(name.trim_end_matches(':'));
                    value.is_some_and(|value| value.replace(base_url, "BASE") == rest)
                }
            }
        };
        let wrong = expected.filter(|what| !holds(what));
        wrong
            .map(|what| format!("{what}\n    in {}{body}", response.head))
            .collect()
    }
}

/// Whether a value has what is expected, and with `whole` nothing else but further headers. The
/// README writes `...` for any text, and a timestamp as it could be.
pub fn fits(value: &Value, expected: &Value, whole: bool) -> bool {
    match (value, expected) {
        (Value::String(_), Value::String(any)) if any == "*" || any == "..." => true,
        (Value::String(text), Value::String(any)) if any == "#" || any.ends_with("00Z") => {
            let digit = |c: char| if c.is_ascii_digit() { '0' } else { c };
            let shape: String = text.replace("PM", "AM").chars().map(digit).collect();
            shape == "0000-00-00T00:00:00.000000Z" || shape == "00/00/0000 00:00:00 AM"
        }
        (Value::Object(value), Value::Object(expected)) => {
            let has = |(name, expected): (&String, &Value)| {
                let whole = whole && name != "headers";
                value
                    .get(name)
                    .is_some_and(|value| fits(value, expected, whole))
            };
            (!whole || value.len() == expected.len()) && expected.iter().all(has)
        }
        (Value::Array(value), Value::Array(expected)) => {
            let mut pairs = value.iter().zip(expected);
            value.len() == expected.len()
                && pairs.all(|(value, expected)| fits(value, expected, whole))
        }
        _ => value == expected,
    }
}

#[test]
fn the_sandbox_answers_as_the_conversations_say() {
    let steps = read(include_str!("conversations.txt"));
    let mut wrong = Vec::new();
    for conversation in steps.chunk_by(|one, next| one.title == next.title) {
        let sandbox = start();
        for step in conversation {
            let text = step.text(&sandbox.base_url());
            let response = try_ask(&sandbox, &text).ok();
            for problem in step.problems(response.as_ref(), &sandbox.base_url()) {
                wrong.push(format!("{}\n  {}: {problem}", step.title, step.request));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
