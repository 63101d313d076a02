//! The plain commands build and test all that there is.

use std::collections::BTreeSet;
use std::process::Command;

use support::built;

use crate::{read, rust_files, succeeds};

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
    for only_for_tests in ["cbindgen", "rcgen"] {
        assert!(!crates.contains(only_for_tests), "{only_for_tests}");
    }
}

fn cargo(arguments: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    let output = succeeds(cargo.args(arguments).current_dir(built::project()));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Otherwise a new suite would be forgotten on other systems, and a renamed test would run there.
#[test]
fn the_list_for_other_systems_names_each_suite_once_and_only_tests_that_exist() {
    let tests = built::project().join("tests");
    let list = read(&tests.join("systems/suites"));
    let (mut systems, mut suites, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        match line.split(' ').collect::<Vec<_>>()[..] {
            [""] => {}
            ["systems", ref names @ ..] => systems.extend(names.to_vec()),
            ["run" | "all", suite, on] | ["not", suite, on, _, ..] => suites.push((suite, on)),
            ["skip", test, on, _, ..] => skipped.push((format!("fn {test}()"), on)),
            _ => panic!("not a line of the list: {line}"),
        }
    }
    let (mut there, mut sources) = (Vec::new(), String::new());
    for path in rust_files(&tests) {
        let suite = match path.file_name().and_then(|name| name.to_str()) {
            Some("main.rs") => path.parent().and_then(|folder| folder.file_name()),
            _ if path.parent() == Some(&tests) => path.file_stem(),
            _ => None,
        };
        there.extend(suite.map(|name| name.to_string_lossy().into_owned()));
        sources += &read(&path);
    }
    assert!(systems.len() > 1 && there.len() > 1);
    let expected = there.iter().flat_map(|suite| {
        let on_each = systems.iter();
        on_each.map(|system| (suite.clone(), system.to_string()))
    });
    let mut expected: Vec<_> = expected.collect();
    let listed = suites.iter().flat_map(|(suite, on)| {
        let there = systems.iter().filter(|system| is_for(on, system));
        there.map(|system| (suite.to_string(), system.to_string()))
    });
    let mut listed: Vec<_> = listed.collect();
    expected.sort();
    listed.sort();
    assert_eq!(listed, expected);
    skipped.retain(|(test, on)| {
        !sources.contains(test.as_str()) || !systems.iter().any(|system| is_for(on, system))
    });
    assert!(skipped.is_empty(), "no such test or system: {skipped:?}");
}

/// Whether one of the patterns, separated by commas, fits the system, as the shell reads them.
fn is_for(patterns: &str, system: &str) -> bool {
    patterns.split(',').any(|pattern| {
        let mut parts = pattern.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = system.strip_prefix(first) else {
            return false;
        };
        let Some(last) = parts.next_back() else {
            return rest.is_empty();
        };
        for part in parts {
            let Some((_, after)) = rest.split_once(part) else {
                return false;
            };
            rest = after;
        }
        rest.ends_with(last)
    })
}
