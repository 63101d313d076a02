//! Each package's driver passes the conformance suite, and the judge finds planted mistakes.
#![cfg(all(feature = "capi", feature = "journal", target_os = "linux"))]

mod built;

use std::path::PathBuf;
use std::process::Command;

use sandbox::{Options, Sandbox};

fn folder() -> PathBuf {
    built::project().join("bindings/conformance")
}

/// The judge, for a driver's command that follows.
fn judge(python: &str, sandbox: &Sandbox) -> Command {
    let mut judge = Command::new(python);
    judge
        .arg(folder().join("judge"))
        .args(["--sandbox", &sandbox.base_url()])
        .env("PAYORDER_LIBRARY", built::library())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    judge
}

fn sandbox() -> Sandbox {
    Sandbox::start(Options::default()).expect("the sandbox starts")
}

/// Runs all scenarios. `left_out` is how many do not apply.
#[track_caller]
fn check(python: &str, driver: &[&str], left_out: usize) {
    let output = judge(python, &sandbox())
        .args(driver)
        .output()
        .expect("the judge runs");
    let transcript = built::transcript(&output);
    assert!(output.status.success(), "{transcript}");
    let skipped = transcript
        .lines()
        .filter(|line| line.starts_with("left out"));
    assert_eq!(skipped.count(), left_out, "{transcript}");
    let summary = transcript
        .lines()
        .rev()
        .find(|line| line.contains(" passed, "));
    let passed = summary
        .and_then(|line| line.split(": ").nth(1)?.split(' ').next()?.parse().ok())
        .unwrap_or(0);
    assert!(passed >= 100, "{transcript}");
}

/// Builds a driver, linked with the library that is then found in its own folder. So the judge can
/// put another one in its place.
fn build(compiler: &str, standard: &str, source: &str) -> PathBuf {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(source.replace('.', "-"));
    let output = Command::new(compiler)
        .args([standard, "-g", "-pthread"])
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .arg(built::project().join("include"))
        .arg(folder().join("drivers").join(source))
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
fn the_c_interface_passes() {
    let (Some(python), Some(compiler)) = (
        built::python("the judge"),
        built::c_compiler("the C driver"),
    ) else {
        return;
    };
    let driver = build(&compiler, "-std=c11", "driver.c");
    // C has no exceptions, garbage collection or finalizers.
    check(&python, &[driver.to_str().expect("UTF-8")], 5);
}

#[test]
fn the_python_package_passes() {
    let Some(python) = built::python("the Python driver") else {
        return;
    };
    let driver = built::project().join("bindings/python/conformance.py");
    // The package delivers log events after the call.
    check(&python, &[&python, driver.to_str().expect("UTF-8")], 2);
}

/// How many mistakes one thread checks. They mainly wait.
const PER_THREAD: usize = 5;

/// A mistake of tests/conformance/wrong_driver.py, a scenario that finds it, and a part of the
/// judge's message.
const MISTAKES: [(&str, &str, &str); 20] = [
    (
        "sends twice",
        "order-is-sent-once",
        "received: expected 1 elements, but there are 2",
    ),
    (
        "loses trailing blanks",
        "text-blanks-at-the-ends",
        "received[0].body.orderId: expected",
    ),
    (
        "mixes encodings",
        "text-devanagari-and-emoji",
        "received[0].body.customerName: expected",
    ),
    (
        "sends the amount as a float",
        "amount-goes-out-unchanged",
        "received[0].body.amount",
    ),
    (
        "makes null a text",
        "null-and-the-text-null",
        "value.date: expected null",
    ),
    (
        "makes the text null nothing",
        "null-and-the-text-null",
        "value.customerName: expected",
    ),
    ("swallows the outcome", "timeout", "error: expected"),
    (
        "loses the status query",
        "timeout",
        "error.statusQuery: expected",
    ),
    (
        "says not sent",
        "service-failed",
        "error.caught: expected 'unknown'",
    ),
    (
        "says another class",
        "rejected",
        "error.class: expected 'RejectedError'",
    ),
    (
        "says another cause",
        "rate-limited",
        "error.cause: expected \"rate_limited\"",
    ),
    (
        "has one class for two outcomes",
        "rejected",
        "could not tell them apart",
    ),
    (
        "forgets to free",
        "order-is-sent-once",
        "counters at the end.clients: expected 0",
    ),
    (
        "ignores cancellations",
        "cancelled-too-early",
        "error.name: expected",
    ),
    (
        "loses the log function",
        "log-function-survives-garbage-collection",
        "call_finished",
    ),
    (
        "calls back in another thread",
        "statuses-each-query-has-its-result",
        "none is {\"index\": 0",
    ),
    ("reports an unknown key", "rejected", "unknown key causes"),
    (
        "writes another encoding",
        "text-in-a-status",
        "not JSON in UTF-8",
    ),
    (
        "ends early",
        "order-is-sent-once",
        "planted: the driver ends",
    ),
    (
        "takes any library",
        "library-of-another-abi",
        "first line.refused: expected",
    ),
];

#[test]
fn the_judge_finds_planted_mistakes() {
    let Some(python) = built::python("the wrong drivers") else {
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
