//! Each package's driver passes the conformance suite, and the judge finds planted mistakes.
#![cfg(all(feature = "journal", target_os = "linux"))]

use std::path::PathBuf;
use std::process::Command;
use support::built;
use support::table;

use sandbox::{Options, Sandbox};

fn folder() -> PathBuf {
    built::project().join("bindings/conformance")
}

/// The judge, for a driver's command that follows.
fn judge(python: &str, sandbox: &Sandbox) -> Command {
    let mut judge = Command::new(python);
    built::keep_bytecode(&mut judge)
        .arg(folder().join("judge"))
        .args(["--sandbox", &sandbox.base_url()])
        .env("PAYORDER_LIBRARY", built::library());
    judge
}

fn sandbox() -> Sandbox {
    Sandbox::start(Options::default()).expect("the sandbox starts")
}

/// Runs all scenarios. Only those may be left out for which the driver has, or does not have, one
/// of these features.
#[track_caller]
fn check(python: &str, driver: &[&str], features: &[&str]) {
    let sandbox = sandbox();
    let output = judge(python, &sandbox).args(driver).output();
    let output = output.expect("the judge runs");
    let transcript = built::transcript(&output);
    assert!(output.status.success(), "{transcript}");
    let left_out = |line: &&str| line.starts_with("left out");
    for line in transcript.lines().filter(left_out) {
        let (_, feature) = line.rsplit_once(' ').expect("words");
        assert!(features.contains(&feature), "{transcript}");
    }
    let summary = transcript.lines().rfind(|line| line.contains(" passed, "));
    let passed = summary.and_then(|line| line.split(": ").nth(1)?.split(' ').next());
    let passed: u32 = passed.and_then(|text| text.parse().ok()).unwrap_or(0);
    assert!(passed >= 100, "{transcript}");
}

/// Builds the C++ driver, linked with the library that is then found in its own folder. So the
/// judge can put another one in its place.
fn build(compiler: &str) -> PathBuf {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("driver-cpp");
    let output = Command::new(compiler)
        .args(["-std=c++17", "-g", "-pthread"])
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .arg(built::project().join("include"))
        .arg(folder().join("drivers/driver.cpp"))
        .arg("-L")
        .arg(built::folder())
        .arg("-lpayorder")
        .arg(format!("-Wl,-rpath,{}", built::folder().display()))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("the compiler runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    program
}

#[test]
fn the_cpp_interface_passes() {
    let (Some(python), Some(compiler)) = (
        built::python("the judge"),
        built::cpp_compiler("the C++ driver"),
    ) else {
        return;
    };
    let driver = build(&compiler);
    let driver = driver.to_str().expect("UTF-8");
    let missing = ["gc", "finalizers", "opens", "stub", "query-text"];
    check(&python, &[driver, "--started"], &missing);
    // Without the option it starts no call.
    check(&python, &[driver], &[&missing[..], &["started"]].concat());
}

#[test]
fn the_rust_interface_passes() {
    let Some(python) = built::python("the judge") else {
        return;
    };
    let deps = built::folder();
    let driver = deps
        .parent()
        .expect("the build's folder")
        .join("examples/conformance");
    assert!(
        driver.exists(),
        "{} is not there; `cargo build --example conformance` builds it",
        driver.display()
    );
    let missing = "exceptions gc finalizers load opens stub closing crate query-text";
    let missing: Vec<_> = missing.split(' ').collect();
    check(&python, &[driver.to_str().expect("UTF-8")], &missing);
}

#[track_caller]
fn check_python(options: &[&str]) {
    let Some(python) = built::python_packages("the Python driver") else {
        return;
    };
    let driver = built::project().join("bindings/python/conformance.py");
    let driver = [python.as_str(), driver.to_str().expect("UTF-8")];
    // The package delivers log events after the call, and only its client for asyncio starts calls.
    let missing = ["log-in-call", "started", "stub"];
    check(&python, &[&driver, options].concat(), &missing);
}

#[test]
fn the_python_package_passes() {
    check_python(&[]);
}

#[test]
fn the_python_package_for_asyncio_passes() {
    check_python(&["--aio"]);
}

#[test]
fn a_scenario_with_a_misspelt_key_is_refused() {
    let Some(python) = built::python("the judge") else {
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("misspelt-scenario");
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = r#"{"a":{"promise":"p","steps":[{"op":"status","expct":{}}]}}"#;
    std::fs::write(folder.join("a.json"), text).expect("a scenario");
    let mut judge = judge(&python, &sandbox());
    let output = judge.arg("--scenarios").arg(&folder).arg("--list").output();
    let transcript = built::transcript(&output.expect("the judge runs"));
    let says_so = transcript.contains("a.json: a: status: unknown expct");
    assert!(says_so, "{transcript}");
}

/// How many mistakes one thread checks. They mainly wait.
const PER_THREAD: usize = 4;

/// A mistake of tests/conformance/wrong_driver.py, a scenario that finds it, and a part of the
/// judge's message.
const MISTAKES: [(&str, &str, &str); 16] = table! {
    "sends twice", "order-is-sent-once", "received: expected 1 elements, but there are 2";
    "loses trailing blanks", "text-blanks-at-the-ends", "received[0].body.productInfo: expected";
    "makes null a text", "null-and-the-text-null", "value.date: expected null";
    "swallows the outcome", "timeout", "error: expected";
    "loses the status query", "timeout", "error.statusQuery: expected";
    "says not sent", "service-failed", "error.caught: expected 'unknown'";
    "says another class", "rejected", "error.class: expected 'RejectedError'";
    "has one class for two outcomes", "rejected", "could not tell them apart";
    "forgets to free", "order-is-sent-once", "counters at the end.clients: expected 0";
    "ignores cancellations", "cancelled-too-early", "error: expected";
    "loses the log function", "log-function-survives-garbage-collection", "call_finished";
    "calls back in another thread", "statuses-each-query-has-its-result", "none is {\"index\": 0";
    "writes another encoding", "text-in-a-status", "not JSON in UTF-8";
    "waits in threads", "waits-hold-no-threads", "threads; before, it had";
    "ends early", "order-is-sent-once", "planted: the driver ends";
    "takes any library", "library-of-another-abi", "first line.refused: expected";
};

#[test]
fn the_judge_finds_planted_mistakes() {
    let Some(python) = built::python_packages("the wrong drivers") else {
        return;
    };
    let wrong_driver = built::project().join("tests/conformance/wrong_driver.py");
    let run = |mistake: &str, scenarios: &[&str]| {
        let sandbox = sandbox();
        let mut command = judge(&python, &sandbox);
        for scenario in scenarios {
            command.args(["--only", scenario]);
        }
        command.arg(&python).arg(&wrong_driver).arg(mistake);
        let output = command.arg(built::library()).output();
        output.expect("the judge runs")
    };
    let check = |(mistake, scenario, says): &(&str, &str, &str)| {
        let output = run(mistake, &[scenario]);
        let transcript = built::transcript(&output);
        assert_eq!(output.status.code(), Some(1), "{mistake}: {transcript}");
        assert!(transcript.contains(says), "{mistake}: {transcript}");
    };
    std::thread::scope(|scope| {
        for part in MISTAKES.chunks(PER_THREAD) {
            scope.spawn(|| part.iter().for_each(check));
        }
    });
    // The same driver without a mistake.
    let output = run("none", &MISTAKES.map(|(_, scenario, _)| scenario));
    assert!(output.status.success(), "{}", built::transcript(&output));
}
