//! payorder-check, as a person at a till runs it.

mod support;

use std::process::{Command, Output};

use serde_json::Value;
use support::Till;

/// Of the environment, it has only these.
fn run(variables: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_payorder-check"))
        .env_clear()
        .envs(variables.iter().copied())
        .args(arguments)
        .output()
        .expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("a status"), text(stdout), text(stderr))
}

#[test]
fn it_prints_each_step_and_its_status_says_the_result() {
    let till = Till::new();
    let url = till.sandbox.base_url();
    let journal = till.folder.join("orders.db");
    let all = [
        ("PAYORDER_BASE_URL", url.as_str()),
        ("PAYORDER_ACCESS_TOKEN", sandbox::ACCESS_TOKEN),
        ("PAYORDER_CLIENT_KEY", sandbox::CLIENT_KEY),
        ("PAYORDER_CLIENT_ID", sandbox::CLIENT_ID),
        ("PAYORDER_SECRET_KEY", sandbox::SECRET_KEY),
        ("PAYORDER_JOURNAL", journal.to_str().expect("UTF-8")),
    ];
    let (status, lines, errors) = run(&all, &[]);
    assert_eq!((status, errors.as_str()), (0, ""), "{lines}");
    let steps: Vec<&str> = lines
        .lines()
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assert_eq!(
        steps,
        [
            "name",
            "connect",
            "clock",
            "service",
            "credentials",
            "journal"
        ],
        "{lines}"
    );
    assert!(lines.lines().all(|line| line.starts_with("ok ")), "{lines}");
    for (name, secret) in &all[1..5] {
        assert!(!lines.contains(secret), "{name}: {lines}");
    }
    assert!(
        till.sandbox
            .exchanges()
            .iter()
            .all(|one| one["path"] != "/api/v1/Gateway/CreateOrder")
    );

    let (status, json, _) = run(&all, &["--json"]);
    let checked: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((status, &checked["ok"]), (0, &true.into()));

    let mut dead = all;
    dead[0].1 = "http://127.0.0.1:1";
    let (status, lines, _) = run(&dead, &[]);
    let last = lines
        .lines()
        .find(|line| line.starts_with("failed"))
        .expect("a failed step");
    assert_eq!(status, 3);
    assert!(
        last.contains("connect") && last.contains("(connection_refused; check_network)"),
        "{last}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_is_lost_is_an_error_but_not_output_that_nobody_reads() {
    use std::fs::OpenOptions;
    use std::process::Stdio;
    let program = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_payorder-check"));
        program.env_clear().arg("--version");
        program
    };
    let full = OpenOptions::new().write(true).open("/dev/full");
    let full = program().stdout(full.expect("/dev/full")).output();
    let Output { status, stderr, .. } = full.expect("it runs");
    let stderr = String::from_utf8(stderr).expect("UTF-8");
    assert_eq!(status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("could not be written"), "{stderr}");
    let mut unread = program().stdout(Stdio::piped()).spawn().expect("it runs");
    drop(unread.stdout.take());
    assert!(unread.wait().expect("it ends").success());
}

#[test]
fn wrong_settings_and_arguments_are_errors_before_anything_is_asked() {
    let (status, lines, errors) = run(&[], &[]);
    assert_eq!((status, lines.as_str()), (2, ""));
    assert!(
        errors.contains("PAYORDER_BASE_URL") && errors.contains("fix_configuration"),
        "{errors}"
    );
    // An unknown argument is not repeated: it may be a credential.
    let (status, _, errors) = run(&[], &["--secret-key=hush"]);
    assert!(
        status == 2 && errors.contains("unknown argument") && errors.contains("usage"),
        "{errors}"
    );
    assert!(!errors.contains("hush"), "{errors}");
}
