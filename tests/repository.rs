//! The repository stays clean, and its own files are found.

mod built;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The build folders that the README's CMake commands name.
fn build_folders() -> Vec<String> {
    let readme = fs::read_to_string(built::project().join("README.md")).expect("the README");
    let named = readme.split("cmake -B ").skip(1);
    named
        .filter_map(|rest| rest.split_whitespace().next().map(str::to_owned))
        .collect()
}

#[test]
fn git_ignores_what_the_commands_of_the_readme_create() {
    let folders = build_folders();
    assert!(!folders.is_empty(), "the README has no `cmake -B`");
    // An archive of the sources has this file, but no repository.
    let ignored = fs::read_to_string(built::project().join(".gitignore")).expect(".gitignore");
    for folder in folders {
        let line = format!("/{folder}/");
        assert!(ignored.lines().any(|ignored| ignored == line), "{line}");
    }
}

#[test]
fn every_crate_of_the_workspace_is_built_and_tested_by_the_plain_commands() {
    let metadata = cargo(&["metadata", "--format-version=1", "--locked", "--no-deps"]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("JSON");
    let crates = |key: &str| {
        let listed = metadata[key].as_array().expect("a list").iter();
        listed.map(|id| id.to_string()).collect::<BTreeSet<_>>()
    };
    assert!(crates("workspace_members").len() > 2);
    assert_eq!(
        crates("workspace_default_members"),
        crates("workspace_members")
    );
}

/// The README's first command builds these crates, so they decide how long it takes.
#[test]
fn the_quickstart_builds_nothing_that_only_tests_need() {
    let tree = cargo(&[
        "tree",
        "--locked",
        "--package=payorder-quickstart",
        "--prefix=none",
        "--format={p}",
    ]);
    let crates: BTreeSet<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(crates.contains("rusqlite"), "{crates:?}");
    assert!(crates.len() <= 60, "{}: {crates:?}", crates.len());
    for only_for_tests in ["cbindgen", "httpmock", "rcgen"] {
        assert!(!crates.contains(only_for_tests), "{only_for_tests}");
    }
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(built::project())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}
