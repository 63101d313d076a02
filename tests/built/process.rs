//! Runs a test in a process of its own, for limits and faults that affect a whole process.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

const CONFIG: &str = "PAYORDER_TEST_CONFIG";

/// A command that runs the ignored test of this name in a process of its own, with a config.
pub fn process(name: &str, config: &Value) -> Command {
    let mut child = Command::new(std::env::current_exe().expect("the test's own path"));
    child.args([
        "--exact",
        name,
        "--include-ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    child
        .env(CONFIG, config.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    child
}

pub fn config_of_this_process() -> Option<Value> {
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
