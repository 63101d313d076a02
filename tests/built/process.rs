//! A test in a process of its own, for limits and faults that a whole process has.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

const CONFIG: &str = "PAYORDER_TEST_CONFIG";

/// The ignored test of that name in a process of its own, with a config to use.
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

#[track_caller]
pub fn passed(output: &Output) -> String {
    assert!(output.status.success(), "{}", super::transcript(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
