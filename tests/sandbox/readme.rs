//! The commands in the sandbox's README print what it says.

use std::process::Command;

use serde_json::{Value, json};

use crate::conversations::fits;
use crate::wire::*;
use sandbox::Sandbox;

const README: &str = include_str!("../../examples/sandbox/README.md");
const PRINTED_ADDRESS: &str = "http://127.0.0.1:8080";

/// Each block of commands with the JSON block after it.
fn examples(readme: &str) -> Vec<(&str, Value)> {
    let mut found = Vec::new();
    for part in readme.split("\n```sh\n").skip(1) {
        let (commands, rest) = part.split_once("\n```\n").expect("the end of a block");
        let printed = rest
            .trim_start()
            .strip_prefix("```json\n")
            .and_then(|rest| rest.split_once("\n```"))
            .map(|(json, _)| serde_json::from_str(json).expect("JSON"));
        found.push((commands, printed.expect("what the commands print")));
    }
    found
}

fn run(sandbox: &Sandbox, commands: &str) -> Value {
    let commands = commands.replace(PRINTED_ADDRESS, &sandbox.base_url());
    let output = Command::new("sh")
        .args(["-euc", &commands])
        .env("no_proxy", "127.0.0.1")
        .output()
        .expect("sh runs");
    assert!(output.status.success(), "{commands}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let text = text.replace(&sandbox.base_url(), PRINTED_ADDRESS);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{commands}: {error} in {text}"))
}

#[test]
fn the_commands_in_the_readme_print_what_it_says() {
    let sandbox = start();
    let examples = examples(README);
    assert_eq!(examples.len(), 4);
    for (number, (commands, printed)) in examples.into_iter().enumerate() {
        if number == 1 {
            // The till's sale.
            assert!(try_ask(&sandbox, &create("O-1", json!({}))).is_err());
        }
        let told = run(&sandbox, commands);
        assert!(fits(&told, &printed, true), "{commands}: {told}");
    }
}
