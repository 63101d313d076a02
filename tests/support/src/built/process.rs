//! Runs a test in a process of its own, for limits and faults that affect a whole process.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::abi::Reply;

const CONFIG: &str = "PAYORDER_TEST_CONFIG";

/// A command that runs the ignored test of this name in a process of its own.
pub fn again(name: &str) -> Command {
    let program = std::env::current_exe().expect("the test's own path");
    // The kernel cannot start programs of another processor; tests/systems/runner can.
    let mut child = match std::env::var("PAYORDER_TEST_RUNNER") {
        Ok(runner) => {
            let mut words = runner.split(' ');
            let mut child = Command::new(words.next().unwrap_or_default());
            child.args(words).arg(program);
            child
        }
        Err(_) => Command::new(program),
    };
    child.args([
        "--exact",
        name,
        "--include-ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    child
}

/// The same, with a config, and with its output in pipes.
pub fn process(name: &str, config: &Value) -> Command {
    let mut child = again(name);
    child
        .env(CONFIG, config.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    child
}

pub fn own_config() -> Option<Value> {
    Some(serde_json::from_str(&std::env::var(CONFIG).ok()?).expect("a config"))
}

/// What the process printed. Fails if no test with the name ran.
#[track_caller]
pub fn passed(output: &Output) -> String {
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let passed = output.status.success() && printed.contains("running 1 test\n");
    assert!(passed, "{}", super::transcript(output));
    printed
}

/// Runs a test in a process of its own. Returns what it printed.
#[track_caller]
pub fn run(name: &str, config: &Value) -> String {
    passed(
        &process(name, config)
            .output()
            .expect("the test starts again"),
    )
}

/// Prints a reply for the process that started this one.
pub fn tell(reply: &Reply) {
    println!("\nREPLY {} {}", reply.code, reply.text());
}

/// The reply that a process printed.
#[track_caller]
pub fn told(printed: &str) -> Reply {
    let line = printed.lines().find_map(|line| line.strip_prefix("REPLY "));
    let reply = line.and_then(|line| line.split_once(' '));
    let (code, text) = reply.unwrap_or_else(|| panic!("no reply in {printed}"));
    Reply::of(code.parse().expect("a number"), Some(text.to_owned()))
}
