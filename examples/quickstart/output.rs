//! What the quickstart prints, and how it stops after a failure.

use std::io::{self, Write};
use std::process;

use abi::Reply;
use sandbox::Sandbox;
use serde_json::Value;

const WIDTH: usize = 100;
const LABEL: usize = 12;

pub fn line(text: &str) {
    if writeln!(io::stdout(), "{text}").is_err() {
        // Nothing reads the output any more, as after `| head`.
        process::exit(1);
    }
}

/// A step's title, and the function of the library that does it.
pub fn step(title: &str, function: &str) {
    line("");
    let rest = WIDTH.saturating_sub(title.len());
    line(&format!("{title}{function:>rest$}"));
}

/// A label, followed by JSON.
pub fn json(label: &str, text: &str) {
    labelled(label, &lines(pieces(text), " "));
}

/// A label, followed by text.
pub fn words(label: &str, text: &str) {
    labelled(label, &lines(text.split_inclusive(' ').collect(), ""));
}

fn labelled(label: &str, lines: &[String]) {
    for (number, part) in lines.iter().enumerate() {
        let label = if number == 0 { label } else { "" };
        line(&format!("   {label:<LABEL$}{}", part.trim_end()));
    }
}

/// The last request to the sandbox, with its response.
pub fn exchange(sandbox: &Sandbox) -> Result<(), String> {
    let exchanges = sandbox.exchanges();
    let exchange = exchanges.last().ok_or("nothing went over the wire")?;
    let text = |pointer| {
        exchange
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or("?")
    };
    words("request", &format!("POST {}", text("/path")));
    json("", text("/body"));
    let status = &exchange["response"]["status"];
    json(
        "response",
        &format!("HTTP {status} {}", text("/response/body")),
    );
    Ok(())
}

/// A result's number and name.
pub fn named(reply: &Reply) -> String {
    format!("{} {}", reply.code, abi::result_name(reply.code))
}

/// A result, and a part of its JSON.
pub fn result(reply: &Reply, shown: &str) {
    json("result", &format!("{} {shown}", named(reply)));
}

/// The value at a JSON pointer (RFC 6901); empty if there is none.
pub fn get(reply: &Reply, pointer: &str) -> String {
    let value = abi::json_get(reply.text(), pointer);
    value.text.filter(|_| value.code == 0).unwrap_or_default()
}

/// A JSON object of texts.
pub fn object(fields: &[[&str; 2]]) -> String {
    abi::json_object(fields.as_flattened()).text().to_owned()
}

/// An error with what was found instead, unless `promised` is true.
pub fn ensure(promised: bool, found: impl FnOnce() -> String) -> Result<(), String> {
    if promised { Ok(()) } else { Err(found()) }
}

pub fn ensure_ok(reply: &Reply) -> Result<(), String> {
    ensure(reply.code == 0, || {
        format!(
            "PAYORDER_OK was expected, and {} came: {}",
            named(reply),
            reply.text()
        )
    })
}

/// Joins the pieces into lines, as long as the width allows.
fn lines(pieces: Vec<&str>, indent: &str) -> Vec<String> {
    let room = WIDTH - 3 - LABEL;
    let mut lines = vec![String::new()];
    for piece in pieces {
        let last = lines.len() - 1;
        if lines[last].len() + piece.trim_end().len() > room && !lines[last].is_empty() {
            lines.push(format!("{indent}{piece}"));
        } else {
            lines[last] += piece;
        }
    }
    lines
}

/// Splits JSON after each comma that is not inside a string.
fn pieces(json: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut in_string, mut escaped) = (Vec::new(), 0, false, false);
    for (at, character) in json.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_string = !in_string,
            ',' if !in_string => {
                pieces.push(&json[start..=at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&json[start..]);
    pieces
}
